// SPDX-License-Identifier: Apache-2.0
#include "ringspec/run/death.hpp"
#include <fmt/format.h>
#include <sys/wait.h>
#include <csignal>
#include <cstring>

namespace ringspec {

std::string death_text(int wait_status) {
  if (WIFEXITED(wait_status)) return fmt::format("the process exited with status {}", WEXITSTATUS(wait_status));
  const int signal = WTERMSIG(wait_status);
  if (signal == SIGXCPU || signal == SIGALRM) return "the call did not return";
  const char* const name = ::sigabbrev_np(signal);
  return fmt::format("the process died by SIG{} ({})", name == nullptr ? std::to_string(signal) : name,
                     ::strsignal(signal));
}

}  // namespace ringspec
