// SPDX-License-Identifier: Apache-2.0
#include "ringspec/run/smallest.hpp"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <cerrno>
#include <chrono>
#include <memory>
#include <new>
#include <system_error>
#include "ringspec/alloc/heap.hpp"
#include "ringspec/run/death.hpp"
#include "ringspec/run/fork.hpp"
#include "ringspec/run/runtime.hpp"
#include "ringspec/trace/shrinker.hpp"

namespace ringspec {
namespace {

constexpr int worked = 42;
// Of a candidate, in processor time: a hundred times what a sound one takes.
constexpr double for_a_candidate = 0.02, for_a_step = 20e-6, times_slower_with_tools = 25;
// The time is meant for a processor of one's own; on a busy machine it may take longer, but not for ever.
constexpr double times_longer_on_the_clock = 4;

/// What copies of this process tell it: how far the candidate came, and how it ended.
struct slate {
  position at;
  volatile std::uint64_t length{};  // of the steps that the failure took
  volatile std::uint32_t failed{}, died{}, hung{};
  volatile std::uint32_t tried{}, fails{}, finished{};
};

class shared_slate {
 public:
  shared_slate() {
    void* const memory = ::mmap(nullptr, sizeof(slate), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "making memory to shrink with");
    slate_ = ::new (memory) slate;
  }
  ~shared_slate() { ::munmap(slate_, sizeof(slate)); }
  shared_slate(const shared_slate&) = delete;
  shared_slate& operator=(const shared_slate&) = delete;
  slate* operator->() const { return slate_; }

 private:
  slate* slate_{};
};

double processor_seconds() {
  double total = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    ::getrusage(who, &used);
    total += static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
             static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
  }
  return total;
}

class stopwatch {
 public:
  explicit stopwatch(double seconds) : allowed_(seconds) {}
  [[nodiscard]] double allowed() const { return allowed_; }
  [[nodiscard]] double used() const { return processor_seconds() - at_start_; }
  [[nodiscard]] bool over() const {
    const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - started_;
    return used() > allowed_ || gone.count() > times_longer_on_the_clock * allowed_;
  }
  /// For a copy, whose own count begins with nothing.
  void begin_anew() { at_start_ = processor_seconds(); }

 private:
  double allowed_, at_start_{processor_seconds()};
  std::chrono::steady_clock::time_point started_{std::chrono::steady_clock::now()};
};

class candidates {
 public:
  candidates(const job& what, board& b, const rs_port& port, const subject& s)
      : board_(b), subject_(s), wanted_(s.text().index_of(what.requirement)) {
    bench_ = s.open({&port, what.instance, &what.judged, counts_.get(), &slate_->at, what.requirement});
    const bool tools = alloc::heap_is_watched() || !what.under.empty() || !needs_of(what.module).preload.empty();
    slower_ = tools ? times_slower_with_tools : 1;
    time_ = stopwatch(what.seconds * (tools ? tools_take_longer : 1));
  }

  smallest_trace shrink_all() {
    const std::vector<step> given(board_.trace().begin(), board_.trace().end());
    const fork_end end = in_a_fork(
        [&] {
          time_.begin_anew();
          silence(::open("/dev/null", O_WRONLY | O_CLOEXEC));
          const auto s = shrink(given, subject_.operations(), on_board([this](auto c) { return here(c); }), over());
          slate_->fails = s.fails;
          slate_->finished = s.finished;
          return worked;
        },
        time_.allowed());
    const std::vector<step> best(board_.trace().begin(), board_.trace().end());
    // What was found there has to hold in a fresh process, as whoever replays it has.
    const bool good = alone(best).has_value();
    smallest_trace result;
    result.fails = good;
    result.finished = slate_->finished != 0;
    if (!end.exited(worked) || slate_->fails == 0 || !good) {
      const auto& start = good ? best : given;
      const auto s = shrink(start, subject_.operations(), on_board([this](auto c) { return alone(c); }), over());
      if (!s.fails) board_.set_trace(0, given);
      result.fails = alone(s.steps).has_value();
      result.finished = s.finished;
    }
    result.tried = slate_->tried;
    result.died = result.fails && slate_->died != 0;
    result.hung = result.died && slate_->hung != 0;
    result.lost_step = slate_->at.step;
    result.seconds = time_.used();
    return result;
  }

 private:
  static constexpr double tools_take_longer = 5;
  using tried_trace = std::optional<std::size_t>;

  [[nodiscard]] std::function<bool()> over() const {
    return [this] { return time_.over(); };
  }

  /// Keeps the best on the board, where it outlives this process. The shrinker tries nothing but what would be better.
  same_failure on_board(const std::function<tried_trace(std::span<const step>)>& run) {
    return [this, run](std::span<const step> candidate) {
      slate_->tried = slate_->tried + 1;
      const tried_trace end = run(candidate);
      if (end) board_.set_trace(0, candidate.first(std::min(*end, candidate.size())));
      board_.at.step = slate_->tried;  // it goes on, for the process that watches
      return end;
    };
  }

  /// An exception that comes out of a port ends the process, as anywhere.
  tried_trace here(std::span<const step> candidate) noexcept {
    limit_processor_time(slower_ * (for_a_candidate + for_a_step * static_cast<double>(candidate.size())));
    const tried_trace end = counted(bench_->run(candidate, {true, {}}));
    limit_processor_time(0);
    return end;
  }

  tried_trace alone(std::span<const step> candidate) {
    slate_->failed = 0;
    slate_->at.step = 0;
    slate_->at.fault_fired = 0;
    const fork_end end = in_a_fork([&] {
      silence(STDERR_FILENO);
      const tried_trace length = here(candidate);
      slate_->failed = length.has_value();
      slate_->length = length.value_or(0);
      slate_->at.step = static_cast<std::uint32_t>(candidate.size());
      return worked;
    });
    if (!end.ended) return std::nullopt;
    slate_->died = !end.exited(worked);
    slate_->hung = end.ran_out_of_time();
    if (end.exited(worked)) return slate_->failed != 0 ? tried_trace(slate_->length) : std::nullopt;
    return counted(bench_->death(slate_->at, "", end.aborted()));
  }

  [[nodiscard]] tried_trace counted(const std::optional<failure>& f) const {
    if (!f || f->requirement != wanted_) return std::nullopt;
    return f->step + 1;
  }

  /// What is written while candidates run is of no use to anybody.
  static void silence(int descriptor) {
    ::dup2(descriptor, STDOUT_FILENO);
    ::dup2(descriptor, STDERR_FILENO);
  }

  board& board_;
  const subject& subject_;
  std::optional<std::size_t> wanted_;
  shared_slate slate_;
  std::unique_ptr<evidence> counts_{std::make_unique<evidence>()};
  std::unique_ptr<bench> bench_;
  double slower_{1};
  stopwatch time_{0};
};

}  // namespace

smallest_trace shrink_on_board(const job& what, board& b, const rs_port& port, const subject& s) {
  return candidates(what, b, port, s).shrink_all();
}

}  // namespace ringspec
