// SPDX-License-Identifier: Apache-2.0
//
// A copy of the child for what may not come back: what it does to the process dies with it.
#pragma once
#include <functional>
#include <string>

namespace ringspec {

struct fork_end {
  bool ended{};        // false: it could not be made or waited for
  int status{};        // of waitpid
  std::string output;  // what it wrote to stderr
  /// It ended by itself, with this exit status.
  [[nodiscard]] bool exited(int with) const;
  /// It ended by abort(): of its own, for a sanitizer may end so too, but not for want of memory.
  [[nodiscard]] bool aborted() const;
  /// It used up the processor time that it was given.
  [[nodiscard]] bool ran_out_of_time() const;
};

/// Calls `body` in a copy of this process, whose exit status its result is, and waits for the end. Nobody watches such a
/// copy, so its time is limited: to two seconds and what the body is known to take.
fork_end in_a_fork(const std::function<int()>& body, double known_seconds = 0);

/// This process may use so many more seconds of processor time, and then ends by SIGPROF; 0: as many as it likes.
void limit_processor_time(double seconds);

}  // namespace ringspec
