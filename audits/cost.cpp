// SPDX-License-Identifier: Apache-2.0
//
// What judging costs: judged steps per second through the loaded reference, on one core. Judged means: status, size,
// capacity, front bytes and allocation counts compared after each step; every element, canary and block every 64 steps
// and at the end. "scrutiny" is the mode in which all of that is looked at after every step.
//
// The benchmarks "arm/..." are the comparison with RapidCheck (cost/arms.hpp), natively, in a sanitised build and under
// Valgrind alike; a table of them closes the output. --check [MODULE:PORT[=KIND]...] measures nothing: it shows that
// the arms judge the same steps, and that each of them tells the wrong ports, by a difference of that kind.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <span>
#include <vector>
#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#endif
#include "audits/cost/arms.hpp"
#include "ringspec/alloc/heap.hpp"
#include "ringspec/alloc/patch.hpp"
#include "ringspec/queue/operations.hpp"
#include "ringspec/queue/random.hpp"
#include "ringspec/queue/table.hpp"
#include "ringspec/run/loader.hpp"
#include "ringspec/run/modules.hpp"
#include "ringspec/trace/subject.hpp"

namespace {

using namespace ringspec;
using audits::arm;
using audits::traces;

constexpr const char* compared = "received/1";  // the instance of the comparison

/// The port of this name in a loaded module (find_module), ready to be called.
const rs_port* load(const std::string& name) {
  const port_choice choice = find_module(name);
  const auto ports = load_ports(choice.module);
  alloc::untap_library();  // RapidCheck allocates in it, and shall not pay for the gate
  const auto chosen = std::find_if(ports.begin(), ports.end(),
                                   [&](const rs_port* p) { return choice.port.empty() || choice.port == p->name; });
  if (chosen == ports.end()) throw load_error(fmt::format("{} has no port '{}'", choice.module, choice.port));
  return *chosen;
}

std::size_t index_of(const rs_port& port, std::string_view instance) {
  const auto names = find_subject(port.subject)->instances(port);
  const auto found = std::find(names.begin(), names.end(), instance);
  if (found == names.end()) throw load_error(fmt::format("port '{}' has no instance {}", port.name, instance));
  return static_cast<std::size_t>(found - names.begin());
}

struct loaded {
  const rs_port* port;
  const subject* what;
  std::vector<bool> judged;
  std::unique_ptr<evidence> counts = std::make_unique<evidence>();
  position at;

  explicit loaded(const std::string& module)
      : port(load(module)),
        what(find_subject(port->subject)),
        judged(judged_requirements(describe(*port, module), "")) {}
  std::unique_ptr<bench> open(std::string_view instance) {
    return what->open({port, index_of(*port, instance), &judged, counts.get(), &at});
  }
};

loaded& reference() {
  static loaded it("reference");
  return it;
}

/// The traces that `verify` runs, one after the other, until there are this many steps.
traces random_traces(const bench& b, std::size_t steps) {
  traces made;
  for (std::uint64_t seed = 1; steps != 0; ++seed) {
    made.emplace_back();
    b.random_trace(seed, made.back());
    made.back().resize(std::min(made.back().size(), steps));
    steps -= made.back().size();
  }
  return made;
}

std::uint8_t op_named(std::string_view name) {
  const auto all = reference().what->operations();
  return static_cast<std::uint8_t>(
      std::find_if(all.begin(), all.end(), [&](const operation& o) { return o.name == name; }) - all.begin());
}

/// `depth` values in the queue, then pairs of push and pop.
traces pairs(std::size_t depth, std::size_t steps) {
  std::vector<step> trace(depth, step{op_named("push"), 0, 0, 0, 0});
  while (trace.size() < steps) {
    trace.push_back({op_named("push"), 0, 0, 0, 0});
    trace.push_back({op_named("pop"), 0, 0, 0, 0});
  }
  return {trace};
}

void judge(benchmark::State& state, const char* instance, bool every_step, traces (*make)(const bench&)) {
  const auto b = reference().open(instance);
  const auto all = make(*b);
  const std::uint64_t before = reference().counts->judged();
  for (auto _ : state) {
    for (const auto& trace : all) {
      if (b->run(trace, {every_step, {}})) {
        state.SkipWithError("the reference failed");
        return;
      }
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(reference().counts->judged() - before));
}

BENCHMARK_CAPTURE(judge, depth_0_1, "received/1", false, [](const bench&) -> traces { return pairs(0, 20000); });
BENCHMARK_CAPTURE(judge, depth_6, "received/1", false, [](const bench&) -> traces { return pairs(6, 20000); });
BENCHMARK_CAPTURE(judge, random, "received/1", false, [](const bench& b) -> traces { return random_traces(b, 20000); });
BENCHMARK_CAPTURE(judge, random_overaligned, "overaligned/8", false,
                  [](const bench& b) -> traces { return random_traces(b, 20000); });
BENCHMARK_CAPTURE(judge, scrutiny, "received/1", true,
                  [](const bench& b) -> traces { return random_traces(b, 20000); });

// ---- the comparison

struct arm_kind {
  const char* name;  // in the benchmarks' names
  const char* title;
  std::unique_ptr<arm> (*make)(const audits::target&);
};
constexpr arm_kind arms[] = {
    {"own", "our own driver", audits::own_driver},
#ifdef RINGSPEC_HAS_RAPIDCHECK
    {"rc_state", "rc::state, as its manual writes it", audits::rapidcheck_state},
    {"rc_state_lean", "rc::state, as lean as it can be", audits::rapidcheck_lean_state},
    {"rc_vector", "vector of operations, as lean", audits::rapidcheck_vector},
#else
    {"rc_state", "rc::state, as its manual writes it", nullptr},
    {"rc_state_lean", "rc::state, as lean as it can be", nullptr},
    {"rc_vector", "vector of operations, as lean", nullptr},
#endif
};
constexpr const char* measures[] = {"execution", "generation"};

/// Traces of pushes and pops, drawn by our own generator, of `steps` steps or a few more.
traces plain_traces(const audits::target& t, std::size_t steps) {
  const queue::numbers numbers(*queue::table_of(*t.port, t.index).policy);
  constexpr std::uint64_t offered =
      1U << static_cast<unsigned>(queue::op::push) | 1U << static_cast<unsigned>(queue::op::pop);
  traces made;
  std::size_t all = 0;
  for (std::uint64_t seed = 1; all < steps; ++seed) {
    queue::random_trace(seed, numbers, offered, made.emplace_back());
    all += made.back().size();
  }
  return made;
}

audits::target target_of(const rs_port* port) { return {port, index_of(*port, compared)}; }

void compare(benchmark::State& state, const arm_kind& kind, bool generates) {
  const audits::target t = target_of(reference().port);
  const auto it = kind.make(t);
  if (!generates) it->prepare(plain_traces(t, 20000));
  const std::uint64_t before = it->judged();
  std::uint64_t seed = 1;
  for (auto _ : state) {
    if (generates ? !it->generate_and_execute(seed += 1000000, 2000) : it->execute().has_value()) {
      state.SkipWithError("the reference failed");
      return;
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(it->judged() - before));
}

std::string benchmark_name(const arm_kind& kind, const char* measure) {
  return fmt::format("arm/{}/{}", kind.name, measure);
}

const char* environment() {
  if (*alloc::built_with() != '\0') return alloc::built_with();
#ifdef RUNNING_ON_VALGRIND
  int probe = 0;
  if (RUNNING_ON_VALGRIND != 0)
    return VALGRIND_MAKE_MEM_DEFINED(&probe, sizeof probe) != 0 ? "memcheck" : "Valgrind, not memcheck";
#endif
  return "native";
}

double median(std::vector<double> of) {
  std::sort(of.begin(), of.end());
  return of.empty() ? 0 : of[of.size() / 2];
}

/// Passes everything on to the reporter that the command line chose, the arms at the end, with how many times faster our
/// own driver is in a counter of theirs.
class comparison final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& context) override { return inner_->ReportContext(context); }
  void ReportRuns(const std::vector<Run>& runs) override {
    if (runs.empty() || runs.front().run_name.function_name.rfind("arm/", 0) != 0) return inner_->ReportRuns(runs);
    held_.push_back(runs);
  }
  void Finalize() override {
    for (auto& runs : held_) {
      for (Run& r : runs) {
        const std::string& name = r.run_name.function_name;
        const double own = speed(benchmark_name(arms[0], name.substr(name.rfind('/') + 1).c_str()));
        if (r.run_type != Run::RT_Iteration || r.error_occurred || own == 0) continue;
        r.counters["own_is_times"] = benchmark::Counter(own / items(r));
      }
      inner_->ReportRuns(runs);
    }
    inner_->Finalize();
  }
  /// The median of the repetitions; 0: not measured.
  [[nodiscard]] double speed(const std::string& name) const {
    std::vector<double> all;
    for (const auto& runs : held_) {
      for (const Run& r : runs) {
        if (r.run_name.function_name == name && r.run_type == Run::RT_Iteration && !r.error_occurred)
          all.push_back(items(r));
      }
    }
    return median(all);
  }
  [[nodiscard]] bool measured_arms() const { return !held_.empty(); }

 private:
  static double items(const Run& r) {
    const auto it = r.counters.find("items_per_second");
    return it == r.counters.end() ? 0 : it->second.value;
  }
  std::unique_ptr<BenchmarkReporter> inner_{benchmark::CreateDefaultDisplayReporter()};
  std::vector<std::vector<Run>> held_;
};

void print_table(std::FILE* out, const comparison& figures) {
  fmt::print(
      out,
      "\nJudged steps per second of {} of the reference: pushes and pops on one queue, after each of which status,"
      " size,\ncapacity, front bytes, allocations and releases are compared with queue/model.hpp; no shrinking."
      " Our own driver\nalso reads everything back at transitions and every 64 steps. Environment: {}\n\n",
      compared, environment());
  fmt::print(out, "{:34}{:>26}{:>28}\n", "", "the same traces, executed", "traces drawn and executed");
  fmt::print(out, "{:34}{:>14}{:>12}{:>16}{:>12}\n", "arm", "steps/s", "own is", "steps/s", "own is");
  for (const arm_kind& kind : arms) {
    fmt::print(out, "{:34}", kind.title);
    int width = 14;
    for (const char* measure : measures) {
      const double own = figures.speed(benchmark_name(arms[0], measure));
      const double its = figures.speed(benchmark_name(kind, measure));
      fmt::print(out, "{:>{}}{:>12}", its == 0 ? "?" : fmt::format("{:.0f}", its), width,
                 its == 0 || own == 0 ? "?" : fmt::format("{:.1f} x", own / its));
      width = 16;
    }
    fmt::print(out, "\n");
  }
}

// ---- --check

/// Says what it saw; false if that is not as it should be. `kind` is in what is told of a wrong port.
bool check(const std::string& name, bool right, std::string_view kind = "") {
  const audits::target t = target_of(load(name));
  const traces these = plain_traces(t, 20000);
  std::optional<std::uint64_t> judged_by_first;
  std::optional<std::size_t> failed_in;
  bool sound = true;
  for (const arm_kind& each : arms) {
    if (each.make == nullptr) {
      fmt::print("{}: {}: ? (built without RapidCheck)\n", name, each.title);
      continue;
    }
    const auto it = each.make(t);
    it->prepare(these);
    const auto difference = it->execute();
    const std::uint64_t judged = it->judged();
    const bool drawn_sound = it->generate_and_execute(1, 100000);
    fmt::print("{}: {}: {} steps judged, {}; of its own traces {}\n", name, each.title, judged,
               difference ? fmt::format("trace {} of {} fails", *difference + 1, these.size()) : "all as expected",
               drawn_sound ? "all are as expected" : "one fails");
    const auto wrong = [&](std::string_view what) {
      fmt::print("  wrong: {}\n", what);
      sound = false;
    };
    if (difference.has_value() == right)
      wrong(right ? "this port is right" : "this port is wrong, and these traces show it");
    if (drawn_sound != right)
      wrong(right ? "this port is right" : "this port is wrong, and 100000 steps should show it");
    if (!judged_by_first) judged_by_first = judged, failed_in = difference;
    if (right && judged != *judged_by_first)
      wrong("the arms judge the same traces, so they should judge as many steps");
    if (!right && it->told().find(kind) == std::string::npos)
      wrong(fmt::format("the difference should be one of {}, but what is told is: {}", kind, it->told()));
    if (difference != failed_in) wrong("the arms should fail in the same trace");
  }
  return sound;
}

int check_all(std::span<char*> wrong_ports) {
  const canary wrong = find_subject("queue")->wrong_port();
  bool sound = check("reference", true);
  sound = check(fmt::format("{}:{}", wrong.module, wrong.port), false) && sound;
  for (const std::string_view argument : wrong_ports) {
    const std::size_t end = std::min(argument.find('='), argument.size());
    sound = check(std::string(argument.substr(0, end)), false, argument.substr(std::min(end + 1, argument.size()))) &&
            sound;
  }
  std::fflush(stdout);
  // A queue that failed is abandoned with its block: that is no leak of this program's.
  ::_exit(sound ? 0 : 1);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc > 1 && std::string_view(argv[1]) == "--check") return check_all(std::span(argv, argv + argc).subspan(2));
  const bool for_people = std::none_of(argv, argv + argc, [](const char* a) {
    return std::string_view(a) == "--benchmark_format=json" || std::string_view(a) == "--benchmark_format=csv";
  });
  for (const char* measure : measures) {
    for (const arm_kind& kind : arms) {
      if (kind.make == nullptr) continue;
      benchmark::RegisterBenchmark(benchmark_name(kind, measure).c_str(), compare, kind,
                                   std::string_view(measure) == "generation");
    }
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::AddCustomContext("environment", environment());
  comparison figures;
  benchmark::RunSpecifiedBenchmarks(&figures);
  // Beside JSON the table would be in the way.
  if (figures.measured_arms()) print_table(for_people ? stdout : stderr, figures);
  return 0;
} catch (const load_error& e) {
  fmt::print(stderr, "cost: {}\n", e.what());
  return 2;
}
