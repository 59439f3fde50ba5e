// SPDX-License-Identifier: Apache-2.0
//
// The child's side of shrinking: runs the shrinker's candidates on one instance of a port, whatever they do to the
// process.
#pragma once
#include "ringspec/run/board.hpp"
#include "ringspec/run/job.hpp"

namespace ringspec {

struct smallest_trace {
  bool fails{};               // the board's trace failed the job's requirement, and so does what stands there now
  bool finished{};            // there was time to try everything
  bool died{};                // the process does, of what stands there now
  bool hung{};                // and that for want of an end
  std::uint32_t lost_step{};  // where it dies
  std::size_t tried{};
  double seconds{};  // of processor time
};

/// Shrinks the board's trace to the smallest that fails job.requirement, within job.seconds. First in one copy of this
/// process, in which a hundred thousand candidates a second are run; where one of them ends that copy, or leaves it in a
/// state in which traces fail that do not fail alone, on from there with a copy for each candidate.
smallest_trace shrink_on_board(const job& what, board& b, const rs_port& port, const subject& s);

}  // namespace ringspec
