// SPDX-License-Identifier: Apache-2.0
//
// The one interpreter. A subject's oracle performs and judges single steps; this decides when everything is read back.
#pragma once
#include <algorithm>
#include <optional>
#include <span>
#include "ringspec/trace/subject.hpp"

namespace ringspec {

/// Oracle: bool begin(scrutiny), bool take(step), bool inspect(), bool finish(), failure failed(step index),
/// observation observed(step index). A false ends the trace.
/// Takes the steps from `first` to `stop`, or to the first that shows a difference, and returns where it ended. Its own
/// function, and never inlined, because it is the loop in which a run spends its time.
template <class Oracle>
[[gnu::noinline]] std::size_t take_until(std::size_t stop, std::size_t first, std::span<const step> steps,
                                         Oracle& oracle, position& at) {
  for (std::size_t i = first; i < stop; ++i) {
    at.step = static_cast<std::uint32_t>(i);
    if (!oracle.take(steps[i])) [[unlikely]]
      return i;
  }
  return stop;
}

template <class Oracle>
std::optional<failure> interpret(Oracle& oracle, std::span<const step> steps, const scrutiny& s, position& at) {
  at.step = 0;
  if (!oracle.begin(s)) return oracle.failed(0);
  const std::size_t interval = s.every_step ? 1 : s.interval;
  for (std::size_t i = 0; i < steps.size();) {
    const std::size_t stop = std::min(i + interval, steps.size());
    i = take_until(stop, i, steps, oracle, at);
    const std::size_t last = i == stop ? i - 1 : i;
    const bool sound = i == stop && oracle.inspect();
    if (s.listener) s.listener(oracle.observed(last));
    if (!sound) return oracle.failed(last);
  }
  at.step = static_cast<std::uint32_t>(steps.size());
  if (!oracle.finish()) return oracle.failed(steps.size());
  return std::nullopt;
}

}  // namespace ringspec
