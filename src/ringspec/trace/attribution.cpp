// SPDX-License-Identifier: Apache-2.0
#include "ringspec/trace/attribution.hpp"
#include <bit>
#include <numeric>

namespace ringspec {

void evidence::count_with_history(const situation& s) {
  ++plain_[key(s.op, s.transition, s.phase)];
  for (std::uint32_t left = s.history & ((1U << bits) - 1); left != 0; left &= left - 1) {
    const auto bit = static_cast<std::size_t>(std::countr_zero(left));
    ++by_bit_[(std::size_t{s.op} * transitions + s.transition) * bits + bit];
  }
}

void evidence::add(const evidence& other) {
  for (std::size_t i = 0; i < plain_.size(); ++i) plain_[i] += other.plain_[i];
  for (std::size_t i = 0; i < by_bit_.size(); ++i) by_bit_[i] += other.by_bit_[i];
}

std::uint64_t evidence::judged() const { return std::accumulate(plain_.begin(), plain_.end(), std::uint64_t{0}); }

std::uint64_t evidence::checks(const rule& r) const {
  std::uint64_t total = 0;
  if (!r.counts) return 0;
  for (std::size_t op = 0; op < ops; ++op) {
    if (r.ops != 0 && (r.ops >> op & 1U) == 0) continue;
    for (std::size_t t = 0; t < transitions; ++t) {
      if (r.transitions != 0 && (r.transitions >> t & 1U) == 0) continue;
      if (r.history != 0) {
        for (std::size_t bit = 0; bit < bits; ++bit) {
          if ((r.history >> bit & 1U) != 0) total += by_bit_[(op * transitions + t) * bits + bit];
        }
        continue;
      }
      for (std::size_t phase = 0; phase < phases; ++phase) {
        if (r.phases == 0 || (r.phases >> phase & 1U) != 0) total += plain_[key(op, t, phase)];
      }
    }
  }
  return total;
}

}  // namespace ringspec
