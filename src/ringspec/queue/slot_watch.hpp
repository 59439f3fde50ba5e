// SPDX-License-Identifier: Apache-2.0
//
// Slot hygiene: unused slots are never written. Under scrutiny the bytes of every slot are remembered after each step and
// the unused ones compared after the next. Under memcheck they also count as never written from then on, so that a write
// of the very bytes that were there shows as well.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>
#include "ringspec/port.h"

namespace ringspec::queue {

class slot_watch {
 public:
  void reset() { shadows_.clear(); }
  /// Storage that is gone, or painted anew, has no past.
  void forget(const void* first, std::size_t bytes);

  /// Compares the unused slots of this storage with what they held; a storage seen for the first time must still be
  /// painted in its unused slots, counted from `painted_from` (the address at which the paint's pattern starts). The first
  /// `exempt` bytes of the storage are not compared. Returns "" or what is wrong ("slot 3 of 8 was written"), and
  /// remembers the bytes as they are now.
  std::string check(const rs_slots& slots, std::uint64_t live, const std::byte* painted_from, std::size_t exempt);

 private:
  struct shadow {  // of a storage, as it was at its last check
    const std::byte* base;
    std::vector<std::byte> bytes;
    std::vector<bool> unused;  // for each slot: it counts as never written
  };
  std::vector<shadow> shadows_;
  std::vector<std::byte> now_;
};

}  // namespace ringspec::queue
