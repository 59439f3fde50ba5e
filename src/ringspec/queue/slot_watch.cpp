// SPDX-License-Identifier: Apache-2.0
#include "ringspec/queue/slot_watch.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cstring>
#include "ringspec/alloc/ledger.hpp"

namespace ringspec::queue {

void slot_watch::forget(const void* first, std::size_t bytes) {
  const auto* const from = static_cast<const std::byte*>(first);
  std::erase_if(shadows_, [&](const shadow& s) { return s.base >= from && s.base < from + bytes; });
}

std::string slot_watch::check(const rs_slots& slots, std::uint64_t live, const std::byte* painted_from,
                              std::size_t exempt) {
  const auto* const base = static_cast<const std::byte*>(slots.base);
  const std::size_t bytes = static_cast<std::size_t>(slots.slots) * slots.stride;
  auto known = std::find_if(shadows_.begin(), shadows_.end(), [&](const shadow& s) { return s.base == base; });
  if (known == shadows_.end()) {
    shadows_.push_back({base, std::vector<std::byte>(bytes)});
    known = shadows_.end() - 1;
    for (std::size_t i = 0; i < bytes; ++i) {
      known->bytes[i] = alloc::paint_at(static_cast<std::size_t>(base - painted_from) + i);
    }
  }
  known->bytes.resize(bytes);
  std::string result;
  for (std::uint64_t i = live; i < slots.slots && result.empty(); ++i) {
    const std::uint64_t slot = (slots.head + i) % slots.slots;
    const std::size_t at = static_cast<std::size_t>(slot) * slots.stride;
    for (std::size_t k = at; k < at + slots.stride; ++k) {
      if (k >= exempt && base[k] != known->bytes[k]) {
        result = fmt::format("byte {} of slot {} (of {}, head {}, {} in use) was written", k - at, slot, slots.slots,
                             slots.head, live);
        break;
      }
    }
  }
  std::memcpy(known->bytes.data(), base, bytes);
  return result;
}

}  // namespace ringspec::queue
