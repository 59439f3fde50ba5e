// SPDX-License-Identifier: Apache-2.0
#include "ringspec/queue/slot_watch.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cstring>
#include "ringspec/alloc/definedness.hpp"
#include "ringspec/alloc/ledger.hpp"

namespace ringspec::queue {
namespace {

/// Are the bytes of all unused slots the same, but for the exempt first ones? They lie in a row, or in two.
bool unused_are_equal(const std::vector<std::byte>& a, const std::vector<std::byte>& b, const rs_slots& slots,
                      std::uint64_t live, std::size_t exempt) {
  const std::uint64_t begin = (slots.head + live) % slots.slots, left = slots.slots - std::min(live, slots.slots);
  const auto equal = [&](std::uint64_t first, std::uint64_t last) {
    const std::size_t end = static_cast<std::size_t>(last) * slots.stride;
    const std::size_t from = std::clamp(static_cast<std::size_t>(first) * slots.stride, std::min(exempt, end), end);
    return std::memcmp(a.data() + from, b.data() + from, end - from) == 0;
  };
  return equal(begin, std::min(begin + left, slots.slots)) &&
         (begin + left <= slots.slots || equal(0, begin + left - slots.slots));
}

}  // namespace

void slot_watch::forget(const void* first, std::size_t bytes) {
  const auto* const from = static_cast<const std::byte*>(first);
  std::erase_if(shadows_, [&](const shadow& s) { return s.base >= from && s.base < from + bytes; });
}

std::string slot_watch::check(const rs_slots& slots, std::uint64_t live, const std::byte* painted_from,
                              std::size_t exempt) {
  const auto* const base = static_cast<const std::byte*>(slots.base);
  const auto count = static_cast<std::size_t>(slots.slots);
  auto known = std::find_if(shadows_.begin(), shadows_.end(), [&](const shadow& s) { return s.base == base; });
  if (known == shadows_.end()) {
    shadows_.push_back({base, std::vector<std::byte>(count * slots.stride), std::vector<bool>(count, true)});
    known = shadows_.end() - 1;
    for (std::size_t i = 0; i < known->bytes.size(); ++i) {
      known->bytes[i] = alloc::paint_at(static_cast<std::size_t>(base - painted_from) + i);
    }
  }
  known->bytes.resize(count * slots.stride);
  known->unused.resize(count);
  std::vector<std::byte>& now = now_;
  now.assign(base, base + count * slots.stride);
  alloc::make_defined(now.data(), now.size());
  if (!alloc::definedness_is_watched() && unused_are_equal(now, known->bytes, slots, live, exempt)) {
    known->bytes.swap(now);
    return "";
  }
  std::string result;
  for (std::uint64_t i = 0; i < slots.slots; ++i) {
    const std::size_t slot = static_cast<std::size_t>((slots.head + i) % slots.slots);
    const std::size_t at = slot * slots.stride, end = at + slots.stride, from = std::clamp(exempt, at, end);
    const bool unused = i >= live;
    if (unused && result.empty()) {
      if (std::memcmp(now.data() + from, known->bytes.data() + from, end - from) != 0) {
        std::size_t k = from;
        while (now[k] == known->bytes[k]) ++k;
        result = fmt::format("byte {} of slot {} (of {}, head {}, {} in use) was written", k - at, slot, slots.slots,
                             slots.head, live);
      } else if (known->unused[slot] && !alloc::none_defined(base + from, end - from)) {
        result = fmt::format("slot {} (of {}, head {}, {} in use) was written with what it held", slot, slots.slots,
                             slots.head, live);
      }
    }
    known->unused[slot] = unused;
    if (unused) alloc::make_undefined(base + from, end - from);
  }
  known->bytes.swap(now);
  return result;
}

}  // namespace ringspec::queue
