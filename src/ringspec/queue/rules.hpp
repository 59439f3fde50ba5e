// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include "ringspec/trace/attribution.hpp"

namespace ringspec::queue {

/// The table of attribution of subject "queue". Complexity of a look-up: linear, on a difference only.
std::span<const rule> rules();
/// The differences that cannot be seen without the ledger.
std::uint64_t ledger_differences();

}  // namespace ringspec::queue
