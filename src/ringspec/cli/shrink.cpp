// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <memory>
#include "ringspec/cli/commands.hpp"
#include "ringspec/cli/target.hpp"
#include "ringspec/run/alone.hpp"
#include "ringspec/run/runtime.hpp"

namespace ringspec::cli {
namespace {

struct arguments {
  std::string trace_file, port, under, out;
  double seconds = 1;
};

constexpr double shortest = 0.01, longest = 3600;

int shrink_command(const arguments& a) {
  if (!(a.seconds >= shortest && a.seconds <= longest))
    throw usage_error(fmt::format("--seconds is from {} to {}", shortest, longest));
  const trace t = read_trace(read_file(a.trace_file), a.trace_file);
  const requirement* const named = requirement_of(t, a.trace_file);
  const target to = choose(t, a.port, a.under);
  if (!to.unjudged.empty()) throw usage_error(fmt::format("{}: {}", a.trace_file, to.unjudged));
  job what = job_for(t, to, a.under);
  what.seconds = a.seconds;
  what.source = a.trace_file;
  // Long enough for what may come after that time: runs that hang.
  const deadline until =
      std::chrono::steady_clock::now() + longest_replay + std::chrono::seconds(static_cast<long>(4 * what.seconds));
  const lone_run first = run_alone(what, t.steps, until, {});
  if (!first.error.empty()) throw usage_error(first.error);
  if (first.failures.empty())
    throw usage_error(fmt::format("{}: it does not fail on port {}, instance {}{}; there is nothing to shrink",
                                  a.trace_file, to.port, to.instance_name,
                                  first.blind.empty() ? "" : ", whose memory the ledger cannot see"));
  what.requirement = first.failures.front().value("requirement", "");
  if (named != nullptr && named->name != what.requirement)
    throw usage_error(
        fmt::format("{}: it is about {}, but on port {} it fails {}; without the line 'requirement' it is "
                    "shrunk to that",
                    a.trace_file, named->name, to.port, what.requirement));
  const shrinking s = shrink_alone(what, t.steps, until);
  if (!s.error.empty()) throw usage_error(s.error);
  if (!s.trace)
    throw usage_error(fmt::format("{}: it fails {} on port {}, but not each time that it is run; it cannot be shrunk",
                                  a.trace_file, what.requirement, to.port));
  if (a.out.empty())
    fmt::print("{}", s.trace->text);
  else
    write_file(a.out, s.trace->text);
  fmt::print(stderr, "ringspec: {}: {} of {} steps are left, after {} candidates in {:.2f} s{}\n", what.requirement,
             s.trace->length, t.steps.size(), s.tried, s.seconds,
             s.finished ? "" : "; with more time (--seconds) there may be fewer");
  return exit_passed;
}

}  // namespace

void add_shrink(CLI::App& app, int& status) {
  const auto a = std::make_shared<arguments>();
  CLI::App* const sub = app.add_subcommand("shrink", "Find the smallest trace that fails as this one does");
  sub->add_option("trace", a->trace_file, "A trace file that fails")->required()->type_name("TRACE");
  sub->add_option("--port,-p", a->port,
                  "The port that it fails on (default: the one that the trace names, else the reference)")
      ->type_name("FILE|NAME");
  sub->add_option("--seconds", a->seconds,
                  "How long to look, in processor time (default 1; with a sanitizer or --under five times as long)")
      ->type_name("S");
  sub->add_option("--out,-o", a->out, "Write the trace there, not to stdout")->type_name("FILE");
  sub->add_option("--under", a->under, "Run the children under this command: valgrind, or any other with its options")
      ->type_name("COMMAND");
  sub->footer(
      "Exit status: 0 the trace that is shown fails, and nothing smaller was found; 2 usage, or it does not fail.");
  sub->callback([a, &status] { status = shrink_command(*a); });
}

}  // namespace ringspec::cli
