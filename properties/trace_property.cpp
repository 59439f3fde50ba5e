// SPDX-License-Identifier: Apache-2.0
//
// The property of a port: no list of steps shows a difference. RapidCheck draws the steps, the gate's own bench runs and
// judges them. RINGSPEC_PORT says which ports (FILE, NAME, or either with ":PORT"; default: the reference). For each
// there is a line for tables, of words between tabs: "result", port, requirement or "-", cases and milliseconds until
// then, steps and file of the trace.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stdexcept>

#include "properties/check.hpp"
#include "ringspec/run/board.hpp"
#include "ringspec/run/death.hpp"
#include "ringspec/run/loader.hpp"
#include "ringspec/run/modules.hpp"

namespace {

using namespace ringspec;
using namespace properties;

constexpr int held = 40, failed = 41;
constexpr unsigned patience = 10;  // seconds that a case may take

/// Runs it in a process of its own and returns how that ended, as waitpid says.
template <class Run>
int in_fork(Run run) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(::open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
    ::alarm(patience);
    ::_exit(run() ? held : failed);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) throw std::runtime_error("fork does not work here");
  return status;
}

bool ended_with(int status, int code) { return WIFEXITED(status) && WEXITSTATUS(status) == code; }

/// What a process of its own tells; in shared memory.
struct told {
  std::uint64_t cases, steps;
  std::uint32_t ended;  // the case came to its end
  std::uint32_t at;     // the step and the requirement of its difference
  std::size_t requirement;
  char what[200], expected[300], seen[300];
};

template <std::size_t N>
void copy(const std::string& from, char (&to)[N]) {
  to[from.copy(to, N - 1)] = 0;
}

class port_under_test {
 public:
  port_under_test(const port_choice& choice, const rs_port& port) : choice_(choice), port_(&port) {
    subject_ = find_subject(port_->subject);
    judged_ = judged_requirements(describe(*port_, choice_.module), "");
    instances_ = subject_->instances(*port_);
    void* const shared = ::mmap(nullptr, sizeof(told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) throw std::runtime_error("there is no shared memory");
    told_ = static_cast<told*>(shared);
  }

  /// True if the property holds on every instance.
  bool holds() {
    for (std::size_t i = 0; i < instances_.size(); ++i) {
      if (!holds_on(i)) return false;
    }
    return true;
  }

  [[nodiscard]] std::string name() const { return choice_.shown_as + ":" + port_->name; }
  [[nodiscard]] std::size_t instances() const { return instances_.size(); }

  // Of all instances until the first failure.
  std::uint64_t cases{}, steps{};
  double ms{};
  // Of that failure.
  std::string message, requirement, file;
  std::size_t length{};

 private:
  bool holds_on(std::size_t instance) {
    warm_up(instance);
    bench_ = open(instance, judged_);
    // First all cases in one process, which may die of one.
    using clock = std::chrono::steady_clock;
    const auto start = clock::now();
    const int end = in_fork([&] { return check_here(instance); });
    ms += std::chrono::duration<double, std::milli>(clock::now() - start).count();
    cases += told_->cases;
    steps += told_->steps;
    const bool fine =
        ended_with(end, held) ||
        !find_again(instance, ended_with(end, failed) ? "showed a difference" : "ended early: " + death_text(end, ""));
    // A bench keeps the storage of its objects, perhaps of an abandoned one. Reachable here, it is no leak.
    static auto& kept = *new std::vector<std::unique_ptr<bench>>;
    kept.push_back(std::move(bench_));
    return fine;
  }

  bool check_here(std::size_t instance) {
    told_->cases = told_->steps = 0;
    const outcome o = check(
        id(instance),
        [&] {
          const auto drawn = draw();
          ::alarm(patience);
          board_->at.trace = board_->at.trace + 1;
          if (bench_->run(drawn, {true, {}})) fail("a difference");
          ++told_->cases;
          told_->steps += drawn.size();
          return std::uint64_t{drawn.size()};
        },
        false);
    return o.held;
  }

  /// The same cases again, each in a process of its own, so that a death is a failure like any other: found once more,
  /// then made smaller as long as it violates the same requirement. False if there is none.
  bool find_again(std::size_t instance, const std::string& how) {
    std::optional<failure> first, last;
    trace smallest;
    const outcome o = check(id(instance), [&] {
      const auto drawn = draw();
      board_->at.trace = board_->at.trace + 1;
      const auto f = run_apart(drawn);
      if (f && (!first || first->requirement == f->requirement)) {
        if (!first) first = f;
        last = f;
        smallest.steps = drawn;
        smallest.steps.resize(std::min(f->step + 1, drawn.size()));
        fail(f->what);
      }
      return std::uint64_t{drawn.size()};
    });
    if (!last && o.held && port_->oom == RS_OOM_ABORTS) {  // where it has to die, it did
      cases += o.cases - told_->cases;
      return false;
    }
    if (!last) {
      requirement = "?";
      message = fmt::format("{} on {}: a process with all cases {}, but no case did that in a process of its own. {}",
                            name(), instances_[instance], how, o.what);
      return true;
    }
    requirement = subject_->text().requirements[last->requirement].name;
    smallest.subject = subject_->name();
    smallest.requirement = requirement;
    smallest.instance = instances_[instance];
    smallest.port = name();
    smallest.seed = configured().seed;
    smallest.about =
        fmt::format("From the trace property: {}, expected {}, seen {}.", last->what, last->expected, last->seen);
    std::replace(smallest.about.begin(), smallest.about.end(), '\n', ' ');
    length = smallest.steps.size();
    file = land(smallest, std::string(port_->name) + '.' + requirement);
    message =
        fmt::format("{} fails {} on {} after {} cases: {}, expected {}, seen {}\n  {} steps: {}", name(), requirement,
                    instances_[instance], cases, last->what, last->expected, last->seen, length, file);
    return true;
  }

  std::optional<failure> run_apart(const std::vector<step>& drawn) {
    told_->ended = 0;
    const int end = in_fork([&] {
      const auto seen = bench_->run(drawn, {true, {}});
      if (seen) {
        told_->at = static_cast<std::uint32_t>(seen->step);
        told_->requirement = seen->requirement;
        copy(seen->what, told_->what);
        copy(seen->expected, told_->expected);
        copy(seen->seen, told_->seen);
      }
      told_->ended = 1;
      return !seen;
    });
    if (told_->ended != 0 && ended_with(end, held)) return std::nullopt;
    if (told_->ended == 0 || !ended_with(end, failed))
      return bench_->death(board_->at, death_text(end, ""), WIFSIGNALED(end) && WTERMSIG(end) == SIGABRT);
    return failure{told_->at, {}, told_->requirement, told_->what, told_->expected, told_->seen};
  }

  /// Thread locals, stdio and std:: allocate once: one trace that nobody judges, unless the port dies of it.
  void warm_up(std::size_t instance) {
    const std::vector<bool> nobody(judged_.size(), false);
    const auto warm = open(instance, nobody);
    std::vector<step> some;
    std::uint64_t seed = 0;
    do {
      warm->random_trace(++seed, some);
    } while (subject_->plans_faults(some));
    const auto run = [&] { return !warm->run(some, {}); };
    if (ended_with(in_fork(run), held)) run();
  }

  std::unique_ptr<bench> open(std::size_t instance, const std::vector<bool>& judged) {
    return subject_->open({port_, instance, &judged, &board_->counts, &board_->at});
  }
  /// Every operation: what a port does not offer, its bench leaves out.
  static std::vector<step> draw() { return draw_steps(~std::uint64_t{0}, 2); }
  [[nodiscard]] std::string id(std::size_t instance) const { return "trace/" + instances_[instance]; }

  const port_choice& choice_;
  const rs_port* port_;
  const subject* subject_{};
  std::vector<bool> judged_;
  std::vector<std::string> instances_;
  shared_board board_;
  told* told_{};
  std::unique_ptr<bench> bench_;
};

void judge(port_under_test&& p) {
  const bool fine = p.holds();
  EXPECT_TRUE(fine) << p.message;
  EXPECT_TRUE(!fine || p.cases >= configured().cases * p.instances());
  fmt::print("trace: {} cases on {} instances of {}, {} steps, {:.0f} ms\n", p.cases, p.instances(), p.name(), p.steps,
             p.ms);
  fmt::print("result\t{}\t{}\t{}\t{:.1f}\t{}\t{}\n", p.name(), fine ? "-" : p.requirement, p.cases, p.ms,
             fine ? "-" : std::to_string(p.length), p.file.empty() ? "-" : p.file);
}

TEST(trace, shows_no_difference) {
  const char* const given = std::getenv("RINGSPEC_PORT");
  try {
    const port_choice choice = find_module(given == nullptr || *given == '\0' ? "reference" : given);
    const auto ports = load_ports(choice.module);
    std::vector<std::string> names;
    for (const rs_port* p : ports) names.emplace_back(p->name);
    if (!choice.port.empty() && std::find(names.begin(), names.end(), choice.port) == names.end())
      throw load_error(
          fmt::format("{} has no port '{}' (it has: {})", choice.shown_as, choice.port, fmt::join(names, ", ")));
    for (const rs_port* p : ports) {
      if (choice.port.empty() || choice.port == p->name) judge(port_under_test(choice, *p));
    }
  } catch (const std::exception& e) {
    FAIL() << "RINGSPEC_PORT: " << e.what();
  }
}

}  // namespace
