// SPDX-License-Identifier: Apache-2.0
//
// What the shrinker asks of a list of steps: its rows and repetitions, and which steps may stand in a step's place.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>
#include "ringspec/trace/step.hpp"

namespace ringspec {

/// Equal steps in a row: which of them goes does not matter.
struct steps_in_a_row {
  step what;
  std::size_t times;
};
std::vector<steps_in_a_row> rows_of(std::span<const step> steps);
std::vector<step> written_out(std::span<const steps_in_a_row> rows);

/// One step, or two that take turns.
struct repetition {
  step what;
  std::optional<step> other;
  std::size_t times;
};
std::vector<repetition> repetitions_of(std::span<const step> steps);

/// Is the step simpler: earlier in the table of operations, or on lower registers, or with a lower number?
bool comes_first(const step& x, const step& y);
/// Equal traces have equal ones, and others hardly ever.
std::uint64_t fingerprint(std::span<const step> steps);

/// One step of each operation, on the first registers and with the number 0 or 1.
std::vector<step> alphabet(std::span<const operation> operations);
/// Of an operation on two registers, the others on the same two.
std::vector<step> siblings(const step& s, std::span<const operation> operations);
/// What may stand in a step's place, the simplest first.
std::vector<step> below(const step& s, std::span<const operation> operations);
/// The different steps of a trace, the simplest first; and of these the `most` that are there most often.
std::vector<step> different_steps(std::span<const step> steps);
std::vector<step> most_frequent(std::span<const step> steps, std::size_t most);

}  // namespace ringspec
