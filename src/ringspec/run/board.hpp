// SPDX-License-Identifier: Apache-2.0
//
// The board: memory that the watched child shares with its watcher, so that nothing is lost when the child dies. It holds
// where the run is, the trace that is running, and the evidence so far.
#pragma once
#include <cstdint>
#include <span>
#include "ringspec/alloc/ledger.hpp"
#include "ringspec/trace/subject.hpp"
#include "ringspec/trace/text.hpp"

namespace ringspec {

struct board {
  position at;
  volatile std::uint32_t
      ended{};  // the child finished its job and says so: exit(0) inside a port does not look like this
  volatile std::uint32_t loaded{};  // the port's own code runs only after this
  std::uint32_t length{};           // of the running trace
  std::uint32_t passes{};           // of the explorer that are in `explored`
  coverage explored[most_passes];
  evidence counts;
  alloc::totals memory;  // of the traces that ended
  step steps[max_trace_steps];

  void set_trace(std::uint64_t ordinal, std::span<const step> trace);
  [[nodiscard]] std::span<const step> trace() const { return {steps, length}; }
};

/// A board in shared memory, zero-filled (a valid, empty board). Pages are taken as they are used.
class shared_board {
 public:
  shared_board();                 // makes the memory; fd() can be handed to a child
  explicit shared_board(int fd);  // maps what a parent made
  ~shared_board();
  shared_board(const shared_board&) = delete;
  shared_board& operator=(const shared_board&) = delete;
  [[nodiscard]] int fd() const { return fd_; }
  board* operator->() const { return board_; }
  board& operator*() const { return *board_; }

 private:
  int fd_{-1};
  board* board_{};
};

}  // namespace ringspec
