// SPDX-License-Identifier: Apache-2.0
#include "ringspec/run/board.hpp"
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace ringspec {
namespace {

board* map(int fd) {
  void* const memory = ::mmap(nullptr, sizeof(board), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mapping the board");
  return static_cast<board*>(memory);
}

}  // namespace

void board::set_trace(std::uint64_t ordinal, std::span<const step> trace) {
  at.trace = ordinal;
  at.step = 0;
  at.fault_fired = 0;
  length = static_cast<std::uint32_t>(trace.size());
  std::memcpy(steps, trace.data(), trace.size_bytes());
}

shared_board::shared_board() {
  const int made = ::memfd_create("ringspec-board", MFD_CLOEXEC);
  fd_ = ::fcntl(made, F_DUPFD_CLOEXEC, 10);  // away from the numbers that a child uses
  ::close(made);
  if (fd_ < 0 || ::ftruncate(fd_, static_cast<off_t>(sizeof(board))) != 0) {
    throw std::system_error(errno, std::generic_category(), "making the board");
  }
  board_ = map(fd_);
}

shared_board::shared_board(int fd) : fd_(fd), board_(map(fd)) {}

shared_board::~shared_board() {
  ::munmap(board_, sizeof(board));
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace ringspec
