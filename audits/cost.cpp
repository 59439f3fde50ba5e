// SPDX-License-Identifier: Apache-2.0
//
// What judging costs: judged steps per second through the loaded reference, on one core. Judged means: status, size,
// capacity, front bytes and allocation counts compared after each step; every element, canary and block every 64 steps
// and at the end. "scrutiny" is the mode in which all of that is looked at after every step.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <algorithm>
#include <memory>
#include <vector>
#include "ringspec/run/loader.hpp"
#include "ringspec/run/modules.hpp"
#include "ringspec/trace/subject.hpp"

namespace {

using namespace ringspec;

struct loaded {
  const rs_port* port;
  const subject* what;
  std::vector<bool> judged;
  std::unique_ptr<evidence> counts = std::make_unique<evidence>();
  position at;

  explicit loaded(const std::string& module)
      : port(load_ports(find_module(module).module).front()),
        what(find_subject(port->subject)),
        judged(judged_requirements(describe(*port, module), "")) {}
  std::unique_ptr<bench> open(std::string_view instance) {
    const auto names = what->instances(*port);
    const auto i = static_cast<std::size_t>(std::find(names.begin(), names.end(), instance) - names.begin());
    return what->open({port, i, &judged, counts.get(), &at});
  }
};

loaded& reference() {
  static loaded it("reference");
  return it;
}

/// The traces that `verify` runs, one after the other, until there are this many steps.
std::vector<std::vector<step>> random_traces(const bench& b, std::size_t steps) {
  std::vector<std::vector<step>> traces;
  for (std::uint64_t seed = 1; steps != 0; ++seed) {
    traces.emplace_back();
    b.random_trace(seed, traces.back());
    traces.back().resize(std::min(traces.back().size(), steps));
    steps -= traces.back().size();
  }
  return traces;
}

std::uint8_t op_named(std::string_view name) {
  const auto all = reference().what->operations();
  return static_cast<std::uint8_t>(
      std::find_if(all.begin(), all.end(), [&](const operation& o) { return o.name == name; }) - all.begin());
}

/// `depth` values in the queue, then pairs of push and pop.
std::vector<std::vector<step>> pairs(std::size_t depth, std::size_t steps) {
  std::vector<step> trace(depth, step{op_named("push"), 0, 0, 0, 0});
  while (trace.size() < steps) {
    trace.push_back({op_named("push"), 0, 0, 0, 0});
    trace.push_back({op_named("pop"), 0, 0, 0, 0});
  }
  return {trace};
}

void judge(benchmark::State& state, const char* instance, bool every_step,
           std::vector<std::vector<step>> (*make)(const bench&)) {
  const auto b = reference().open(instance);
  const auto traces = make(*b);
  const std::uint64_t before = reference().counts->judged();
  for (auto _ : state) {
    for (const auto& trace : traces) {
      if (b->run(trace, {every_step, {}})) {
        state.SkipWithError("the reference failed");
        return;
      }
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(reference().counts->judged() - before));
}

using traces = std::vector<std::vector<step>>;
BENCHMARK_CAPTURE(judge, depth_0_1, "received/1", false, [](const bench&) -> traces { return pairs(0, 20000); });
BENCHMARK_CAPTURE(judge, depth_6, "received/1", false, [](const bench&) -> traces { return pairs(6, 20000); });
BENCHMARK_CAPTURE(judge, random, "received/1", false, [](const bench& b) -> traces { return random_traces(b, 20000); });
BENCHMARK_CAPTURE(judge, random_overaligned, "overaligned/8", false,
                  [](const bench& b) -> traces { return random_traces(b, 20000); });
BENCHMARK_CAPTURE(judge, scrutiny, "received/1", true,
                  [](const bench& b) -> traces { return random_traces(b, 20000); });

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
