// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <algorithm>
#include <memory>
#include "ringspec/cli/commands.hpp"
#include "ringspec/cli/target.hpp"
#include "ringspec/run/alone.hpp"
#include "ringspec/run/death.hpp"

namespace ringspec::cli {
namespace {

using nlohmann::json;

struct arguments {
  std::string trace_file, port, under;
  bool in_process = false;
};

/// What the file expects of a step and was not seen: "expects size=2, seen size=1 (line 7)".
std::vector<std::string> unmet(const trace& t, std::size_t index, std::string_view seen) {
  std::vector<std::string> result;
  for (const trace::expectation& e : t.expectations) {
    if (e.step != index) continue;
    for (const field& f : e.fields) {
      const std::string wanted = f.key + '=';
      std::string_view rest = seen;
      std::string_view found;
      while (!rest.empty() && found.empty()) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        if (word.starts_with(wanted)) found = word.substr(wanted.size());
        rest.remove_prefix(std::min(word.size() + 1, rest.size()));
      }
      if (found == f.value) continue;
      result.push_back(fmt::format(
          "expects {}{}, {} (line {})", wanted, f.value,
          found.empty() ? std::string("which this step does not show") : fmt::format("seen {}", found), e.line));
    }
  }
  return result;
}

/// What differs, of "key=value" words in the same order.
std::string marked(const std::string& expected, const std::string& seen) {
  return expected == seen ? "" : "  <-- differs";
}

int replay_command(const arguments& a) {
  const trace t = read_trace(read_file(a.trace_file), a.trace_file);
  const target to = choose(t, a.port, a.under);
  if (const requirement* const r = requirement_of(t, a.trace_file)) fmt::print("{}\n  {}\n", r->name, r->rule);
  fmt::print("port {}, instance {}, {} steps\n\n", to.port, to.instance_name, t.steps.size());

  if (!to.fits)
    fmt::print("(written for {}, which the port does not have: its expectations are not compared)\n\n", t.instance);

  std::size_t broken_expectations = 0;
  const emitter show = [&](const json& line) {
    const auto o = line.find("observation");
    if (o == line.end()) return;
    const std::string expected = o->value("expected", ""), seen = o->value("seen", "");
    fmt::print("{:>5}  {:<22} {}\n", o->value("index", 0) + 1, o->value("step", ""),
               o->value("applied", false) ? "" : "does not apply here");
    if (!expected.empty())
      fmt::print("         expected  {}\n         seen      {}{}\n", expected, seen, marked(expected, seen));
    if (!to.fits) return;
    for (const std::string& broken : unmet(t, o->value("index", std::size_t{0}), seen)) {
      fmt::print("         the file  {}\n", broken);
      ++broken_expectations;
    }
    std::fflush(stdout);
  };
  const job what = job_for(t, to, a.under);
  const lone_run run = a.in_process ? run_in_process(what, t.steps, show)
                                    : run_alone(what, t.steps, std::chrono::steady_clock::now() + longest_replay, show);
  if (!run.death.empty()) {
    const bool in_a_step = run.lost_step < t.steps.size();
    fmt::print("{:>5}  {:<22} {}\n", run.lost_step + 1,
               in_a_step ? to_text(t.steps[run.lost_step], find_subject(t.subject)->operations()) : "the end",
               run.death);
  }
  if (!run.error.empty()) throw usage_error(run.error);
  if (!run.output.empty()) fmt::print("\nthe port wrote:\n{}\n", readable_output(run.output));
  // Where nobody answers for what the trace is about, its expectations are not this port's either.
  if (run.failures.empty() && broken_expectations != 0 && to.unjudged.empty()) {
    fmt::print("\n{} of the file's expectations were not met, though the model agrees with the port\n",
               broken_expectations);
    return exit_failed;
  }
  if (run.failures.empty()) {
    const std::string limit = !to.unjudged.empty() ? to.unjudged
                              : !run.blind.empty() ? "the ledger cannot see this port: " + run.blind
                                                   : "";
    fmt::print("\nno difference{}\n", limit.empty() ? "" : "; but " + limit);
    return limit.empty() ? exit_passed : exit_inconclusive;
  }
  const json& f = run.failures.front();
  fmt::print("\nFAILED {} at step {}\n  {}\n  expected  {}\n  seen      {}\n", f.value("requirement", ""),
             f.value("step", 0) + 1, f.value("what", ""), f.value("expected", ""), f.value("seen", ""));
  return exit_failed;
}

}  // namespace

void add_replay(CLI::App& app, int& status) {
  const auto a = std::make_shared<arguments>();
  CLI::App* const sub = app.add_subcommand("replay", "Run one trace, step by step, expected beside seen");
  sub->add_option("trace", a->trace_file, "A trace file, from a report or from spec/vectors")
      ->required()
      ->type_name("TRACE");
  sub->add_option("--port,-p", a->port,
                  "The port to run it on (default: the one that the trace names, else the reference)")
      ->type_name("FILE|NAME");
  sub->add_flag("--in-process", a->in_process,
                "Without child and watchdog, for a debugger: gdb --args ringspec replay --in-process TRACE");
  sub->add_option("--under", a->under, "Run the child under this command: valgrind, or any other with its options")
      ->type_name("COMMAND")
      ->excludes("--in-process");
  sub->footer(
      "Exit status: 0 no difference, 1 a difference, 2 usage, 3 no difference, but nobody "
      "answers on this port for what the trace is about.");
  sub->callback([a, &status] { status = replay_command(*a); });
}

}  // namespace ringspec::cli
