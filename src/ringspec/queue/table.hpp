// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include "ringspec/port.h"

namespace ringspec::queue {

/// An instance's table of functions as this program knows it: what lies beyond the size that the port wrote is null.
inline rs_queue table_of(const rs_port& port, std::size_t instance) {
  const auto* const theirs = static_cast<const rs_queue*>(port.instances[instance]);
  rs_queue table{};
  std::memcpy(&table, theirs, std::min(theirs->size, sizeof table));
  return table;
}

}  // namespace ringspec::queue
