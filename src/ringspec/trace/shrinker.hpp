// SPDX-License-Identifier: Apache-2.0
//
// The shrinker: from a failing trace, whatever source it came from, to the simplest one that still fails in the same way.
// Knows operations and their registers, not subjects: every part of a trace is a trace, so anything may be tried.
//
// "Simpler" is one strict order, so that the way there does not matter and two traces of one fault end alike: the
// shorter trace; of two that are as long, the one with fewer rows of equal steps; then the one whose first different step
// comes earlier in the subject's table of operations, or has the lower registers, or the lower number.
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>
#include "ringspec/trace/step.hpp"

namespace ringspec {

/// Runs a candidate. If it fails as the trace did that is being shrunk: how many of its steps that took.
using same_failure = std::function<std::optional<std::size_t>(std::span<const step>)>;

struct shrunk_trace {
  std::vector<step> steps;  // the simplest that was found; what was given if that does not fail
  bool fails{};             // what was given does
  bool finished{};          // there was time to try all that this shrinker knows
  std::size_t tried{};      // candidates
};

/// Deterministic as long as the time is enough. `out_of_time` is asked before each candidate but the first.
shrunk_trace shrink(std::span<const step> steps, std::span<const operation> operations, const same_failure& fails,
                    const std::function<bool()>& out_of_time);

/// Is the first trace simpler than the second?
bool simpler(std::span<const step> one, std::span<const step> other);

}  // namespace ringspec
