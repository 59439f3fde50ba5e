// SPDX-License-Identifier: Apache-2.0
//
// Trace files on the typed queue, each on every instance that it is for.
#include <cstdio>
#include <cstdlib>
#include "fuzz/replay.hpp"
#include "fuzz/typed.hpp"
#include "ringspec/trace/text.hpp"

void ringspec_fuzz_replay(std::string_view text, const std::string& file) {
  using namespace ringspec;
  const trace t = parse_trace(text, file, [](std::string_view subject) {
    return subject == "queue" ? std::span<const operation>(queue::operations) : std::span<const operation>();
  });
  std::size_t instances = 0;
  static fuzz::typed_run run;
  for (const fuzz::typed_queue* q : fuzz::typed_queues) {
    if (!instance_matches(t.instance, q->kind + ("/" + std::to_string(q->inline_capacity)))) continue;
    run.run(*q, false, t.steps);
    ++instances;
  }
  if (instances != 0) return;
  std::fprintf(stderr, "%s: there is no instance %s\n", file.c_str(), t.instance.c_str());
  std::exit(2);
}
