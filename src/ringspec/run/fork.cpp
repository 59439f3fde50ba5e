// SPDX-License-Identifier: Apache-2.0
#include "ringspec/run/fork.hpp"
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmath>
#include <csignal>
#include "ringspec/alloc/heap.hpp"
#include "ringspec/run/death.hpp"

namespace ringspec {
namespace {

constexpr std::size_t longest_output = 16384;  // that is kept

void limit_time(unsigned known_seconds) {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  rlimit limit{};
  ::getrlimit(RLIMIT_CPU, &limit);
  limit.rlim_cur = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + known_seconds +
                   (alloc::heap_is_watched() ? 10 : 2);
  ::setrlimit(RLIMIT_CPU, &limit);
  ::alarm(60 + 10 * known_seconds);
}

std::string what_was_written(int words) {
  std::string text(longest_output, '\0');
  const ssize_t n = ::pread(words, text.data(), text.size(), 0);
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  ::close(words);
  return text;
}

}  // namespace

bool fork_end::exited(int with) const { return ended && WIFEXITED(status) && WEXITSTATUS(status) == with; }

bool fork_end::aborted() const {
  return ended && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && finding_in(output).empty();
}

bool fork_end::ran_out_of_time() const {
  return ended && WIFSIGNALED(status) && (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGXCPU);
}

fork_end in_a_fork(const std::function<int()>& body, double known_seconds) {
  const int words = ::memfd_create("stderr", MFD_CLOEXEC);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(words, STDERR_FILENO);
    limit_time(static_cast<unsigned>(std::ceil(known_seconds)));
    ::_exit(body());
  }
  fork_end result;
  result.ended = child > 0 && ::waitpid(child, &result.status, 0) == child;
  result.output = what_was_written(words);
  return result;
}

void limit_processor_time(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - static_cast<double>(timer.it_value.tv_sec)) * 1e6);
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

}  // namespace ringspec
