// SPDX-License-Identifier: Apache-2.0
#include "ringspec/run/watch.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <csignal>
#include <cstring>
#include <ctime>
#include <optional>
#include <system_error>
#include <utility>
#include "ringspec/alloc/heap.hpp"
#include "ringspec/run/death.hpp"
#include "ringspec/run/modules.hpp"
#include "ringspec/run/runtime.hpp"

namespace ringspec {
namespace {

std::atomic<bool> the_interrupt{false};

constexpr int job_descriptor = 3, answer_descriptor = 4, board_descriptor = 5;
constexpr std::size_t output_kept = 16384;  // a sanitizer's report, with its stacks
// Seconds of CPU time: no step takes a hundredth of it, but writing a long trace down may, under a tool.
constexpr double longest_step_cpu = 2.0, longest_step_cpu_watched = 10.0;
constexpr double longest_step_wall = 90.0;  // seconds

class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int fd) {
    // Away from the numbers that the child uses.
    fd_ = ::fcntl(fd, F_DUPFD_CLOEXEC, 10);
    ::close(fd);
  }
  descriptor(descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~descriptor() { close(); }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_{-1};
};

struct pipe_ends {
  descriptor read, write;
  pipe_ends() {
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "making a pipe");
    read = descriptor(fds[0]);
    write = descriptor(fds[1]);
  }
};

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& s : strings) result.push_back(s.data());
  result.push_back(nullptr);
  return result;
}

pid_t spawn(const job& what, const pipe_ends& input, const pipe_ends& answer, const pipe_ends& output, int board_fd) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, output.write.get(), 1);
  ::posix_spawn_file_actions_adddup2(&actions, output.write.get(), 2);
  ::posix_spawn_file_actions_adddup2(&actions, input.read.get(), job_descriptor);
  ::posix_spawn_file_actions_adddup2(&actions, answer.write.get(), answer_descriptor);
  ::posix_spawn_file_actions_adddup2(&actions, board_fd, board_descriptor);
  // A group of its own: a ^C at the terminal reaches the watcher only, and a kill reaches what the child forked.
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  std::vector<std::string> arguments = tool_command(what.under), environment = child_environment(what.module);
  arguments.insert(arguments.end(), {own_path(), "child"});
  pid_t pid = -1;
  const int error = ::posix_spawnp(&pid, arguments[0].c_str(), &actions, &attributes, pointers_to(arguments).data(),
                                   pointers_to(environment).data());
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    throw std::system_error(error, std::generic_category(), "a child could not be started by " + arguments[0]);
  return pid;
}

double cpu_seconds(pid_t pid) {
  clockid_t clock{};
  timespec t{};
  if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &t) != 0) return 0;
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

/// Tells when a child has been in one step for too long.
class progress {
 public:
  explicit progress(const job& what)
      : longest_cpu_(alloc::heap_is_watched() || !what.under.empty() || !needs_of(what.module).preload.empty()
                         ? longest_step_cpu_watched
                         : longest_step_cpu) {}

  bool stuck(pid_t pid, const board& b) {
    const std::uint64_t trace = b.at.trace;
    const std::uint32_t step = b.at.step, loaded = b.loaded;
    const double cpu = cpu_seconds(pid);
    const auto now = std::chrono::steady_clock::now();
    if (trace != trace_ || step != step_ || loaded != loaded_ || since_ == std::chrono::steady_clock::time_point{}) {
      trace_ = trace, step_ = step, loaded_ = loaded, cpu_ = cpu, since_ = now;
      return false;
    }
    return cpu - cpu_ > longest_cpu_ || std::chrono::duration<double>(now - since_).count() > longest_step_wall;
  }

 private:
  double longest_cpu_;
  std::uint64_t trace_{};
  std::uint32_t step_{}, loaded_{};
  double cpu_{};
  std::chrono::steady_clock::time_point since_{};
};

/// The child, though it may have left its group, and what it forked.
void end_group(pid_t pid) {
  ::kill(-pid, SIGKILL);
  ::kill(pid, SIGKILL);
}

std::optional<std::string> read_some(int fd) {
  std::array<char, 65536> buffer;
  const ssize_t n = ::read(fd, buffer.data(), buffer.size());
  if (n < 0 && errno == EINTR) return "";
  if (n <= 0) return std::nullopt;
  return std::string(buffer.data(), static_cast<std::size_t>(n));
}

void hand_on_lines(std::string& pending, const emitter& on_line) {
  std::size_t end = 0;
  while ((end = pending.find('\n')) != std::string::npos) {
    const auto parsed =
        nlohmann::json::parse(pending.begin(), pending.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    if (!parsed.is_discarded()) on_line(parsed);
    pending.erase(0, end + 1);
  }
}

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

}  // namespace

child_end watch(const job& what, shared_board& board, deadline until, const emitter& on_line) {
  pipe_ends input, answer, output;
  board->ended = 0;
  const pid_t pid = spawn(what, input, answer, output, board.fd());
  input.read.close();
  answer.write.close();
  output.write.close();
  write_all(input.write.get(), nlohmann::json(what).dump());
  input.write.close();

  child_end result;
  std::string pending;
  bool hung = false, answering = true, talking = true;
  progress steps(what);
  std::optional<int> status;
  while (answering || talking || !status) {
    std::array<pollfd, 2> fds{
        {{answering ? answer.read.get() : -1, POLLIN, 0}, {talking ? output.read.get() : -1, POLLIN, 0}}};
    ::poll(fds.data(), fds.size(), status ? 0 : 50);
    if ((fds[0].revents & (POLLIN | POLLHUP)) != 0) {
      if (const auto text = read_some(answer.read.get()))
        hand_on_lines(pending += *text, on_line);
      else
        answering = false;
    }
    if ((fds[1].revents & (POLLIN | POLLHUP)) != 0) {
      if (const auto text = read_some(output.read.get())) {
        result.output += *text;
        if (result.output.size() > 2 * output_kept) result.output.erase(0, result.output.size() - output_kept);
      } else {
        talking = false;
      }
    }
    if (!status) {
      int s = 0;
      if (::waitpid(pid, &s, WNOHANG) == pid) {
        status = s;
      } else if (interrupted() || std::chrono::steady_clock::now() > until) {
        result.out_of_time = true;
        end_group(pid);
      } else if (!hung && steps.stuck(pid, *board)) {
        hung = true;
        end_group(pid);
      }
    } else if ((fds[0].revents | fds[1].revents) == 0) {
      break;  // it is dead, and what it left in the pipes is read; a grandchild may still hold them open
    }
  }
  ::kill(-pid, SIGKILL);  // what a port forked does not outlive it
  result.finished = board->ended == 1 && WIFEXITED(*status) && WEXITSTATUS(*status) == 0;
  result.hung = hung;
  result.killed = !hung && !result.out_of_time && WIFSIGNALED(*status) && WTERMSIG(*status) == SIGKILL;
  if (!result.finished && !result.out_of_time)
    result.death = hung ? does_not_return : death_text(*status, result.output);
  if (result.output.size() > output_kept) result.output.erase(0, result.output.size() - output_kept);
  return result;
}

void interrupt() { the_interrupt = true; }
bool interrupted() { return the_interrupt; }

int child_main() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::string text;
  while (const auto part = read_some(job_descriptor)) text += *part;
  const auto what = nlohmann::json::parse(text, nullptr, false);
  if (what.is_discarded()) {
    fmt::print(stderr, "ringspec: 'child' is how the command starts itself; it is of no use by hand.\n");
    return 2;
  }
  shared_board board(board_descriptor);
  perform(what.get<job>(), *board, [](const nlohmann::json& line) {
    write_all(answer_descriptor, line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  });
  std::fflush(nullptr);
  ::_exit(0);  // the port's own exit handlers are not part of what is judged
}

}  // namespace ringspec
