// SPDX-License-Identifier: Apache-2.0
//
// The one interpreter. A subject's oracle performs and judges single steps; this decides when everything is read back.
#pragma once
#include <optional>
#include <span>
#include "ringspec/trace/subject.hpp"

namespace ringspec {

/// How often a run that is not under scrutiny reads back every element, canary and block, in steps.
inline constexpr std::size_t inspection_interval = 64;

/// Oracle: bool begin(bool every_step), bool take(step), bool inspect(), bool finish(), failure failed(step index),
/// observation observed(step index). A false ends the trace.
template <class Oracle>
std::optional<failure> interpret(Oracle& oracle, std::span<const step> steps, const scrutiny& s, position& at) {
  at.step = 0;
  if (!oracle.begin(s.every_step)) return oracle.failed(0);
  const std::size_t interval = s.every_step ? 1 : inspection_interval;
  std::size_t i = 0;
  for (std::size_t next_inspection = interval; i < steps.size(); next_inspection += interval) {
    const std::size_t stop = next_inspection < steps.size() ? next_inspection : steps.size();
    for (; i < stop; ++i) {
      at.step = static_cast<std::uint32_t>(i);
      if (!oracle.take(steps[i])) [[unlikely]] {
        if (s.listener) s.listener(oracle.observed(i));
        return oracle.failed(i);
      }
    }
    const bool sound = oracle.inspect();
    if (s.listener) s.listener(oracle.observed(i - 1));
    if (!sound) return oracle.failed(i - 1);
  }
  at.step = static_cast<std::uint32_t>(steps.size());
  if (!oracle.finish()) return oracle.failed(steps.size());
  return std::nullopt;
}

}  // namespace ringspec
