// SPDX-License-Identifier: Apache-2.0
//
// The watched child: this program again, in a process of its own, doing one job. Its death, its hanging and its output are
// facts for a verdict; nothing it does ends the run.
#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <vector>
#include "ringspec/run/board.hpp"
#include "ringspec/run/job.hpp"

namespace ringspec {

/// The death of a child that was killed because a call did not return.
inline constexpr const char* does_not_return = "the call did not return";

struct child_end {
  bool finished{};     // it said so itself
  bool out_of_time{};  // the run's watchdog ended it
  bool hung{};         // killed by the watcher, since a call did not return
  bool killed{};       // by a SIGKILL that is not the watcher's: somebody else's, or the kernel's for want of memory
  std::string death;   // if neither: how it ended, in words
  std::string output;  // the last of what it wrote to stdout and stderr
};

/// When the run as a whole has to end.
using deadline = std::chrono::steady_clock::time_point;

/// Starts a child, feeds it the job, hands on what it tells, and waits for its end. A child that stays in one step for
/// two seconds of CPU time (or ninety seconds in all) does not return: it is killed. Thread-safe.
child_end watch(const job& what, shared_board& board, deadline until, const emitter& on_line);

/// Ends all children and all that is still to come, from a signal handler too: the run is then reported as it stands.
void interrupt();
bool interrupted();

/// The child's main: takes the job from descriptor 3, answers on 4, finds the board on 5.
int child_main();

}  // namespace ringspec
