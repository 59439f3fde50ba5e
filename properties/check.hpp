// SPDX-License-Identifier: Apache-2.0
//
// RapidCheck, behind functions of our own: a property draws what it needs and says what differs. So it is compiled once,
// and what a run was is counted and told here and not taken on trust. RC_PARAMS is read by main(), before any test.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>
#include "ringspec/trace/step.hpp"

namespace properties {

/// What RC_PARAMS says, or the defaults.
struct settings {
  std::uint64_t seed{};
  std::uint64_t cases{};  // of each property on each instance: max_success
  bool full{};            // at least as much as the default: what has to be seen in a full run must have been seen
};
const settings& configured();

// ---- inside of a property

/// A number from 0 to below - 1, whatever the size of the case; it shrinks to 0.
unsigned draw(unsigned below);
/// The same, but small in small cases.
unsigned draw_sized(unsigned below);
/// A list of steps of the queue's operations in `allowed` (bits by op) and of pushes and pops, these mostly in bursts;
/// it shrinks to fewer and shorter bursts. Registers are below `registers`.
std::vector<ringspec::step> draw_steps(std::uint64_t allowed, unsigned registers);
/// Ends the case.
[[noreturn]] void fail(const std::string& what);

// ---- around it

struct outcome {
  bool held{};
  std::uint64_t cases{};  // that ran to their end before the first failure, as we count them
  double ms{};            // until then
  std::string what;       // of the smallest failure, or why RapidCheck gave up
};
/// Runs one property. It is called for each case, and again with what RapidCheck makes smaller once one fails: so the
/// last call that fails is the smallest case. Returns the number of steps that it judged; none is no case.
/// `smaller` false: the first failure is enough.
outcome check(const std::string& id, const std::function<std::uint64_t()>& property, bool smaller = true);

/// Writes the trace into the folder RINGSPEC_TRACES (default: one of its own in the folder for temporary files) and
/// returns its path.
std::string land(const ringspec::trace& t, const std::string& name);

}  // namespace properties
