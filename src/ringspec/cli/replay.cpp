// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <memory>
#include "ringspec/cli/commands.hpp"
#include "ringspec/run/death.hpp"
#include "ringspec/run/job.hpp"
#include "ringspec/run/loader.hpp"
#include "ringspec/run/modules.hpp"
#include "ringspec/run/watch.hpp"

namespace ringspec::cli {
namespace {

using nlohmann::json;

struct arguments {
  std::string trace_file, port, under;
  bool in_process = false;
};

struct target {
  std::string module, port;
  std::size_t instance;
  std::string instance_name;
  std::string survey;
  std::vector<bool> judged;
  bool fits = true;      // the trace was written for this instance
  std::string unjudged;  // why nobody answers for the trace's requirement on this port, or ""
};

std::string why_unjudged(const json& port, const requirement* about, const std::vector<bool>& judged) {
  if (about == nullptr || judged[*find_subject(port["subject"].get<std::string>())->text().index_of(about->name)])
    return "";
  const std::string unclaimable = port["unclaimable"].value(about->class_name, "evidence: " + about->evidence);
  return fmt::format("{} is not judged on this port: {}", about->name,
                     port["inapplicable"].value(about->name, unclaimable));
}

target choose(const trace& t, const arguments& a) {
  const port_choice choice = find_module(!a.port.empty() ? a.port : !t.port.empty() ? t.port : "reference");
  shared_board board;
  job what;
  what.kind = "describe";
  what.module = choice.module;
  what.under = a.under;
  std::string error;
  std::vector<json> ports;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  const child_end end = watch(what, board, until, [&](const json& line) {
    if (line.contains("error")) error = line["error"].get<std::string>();
    if (line.contains("ports")) ports = line["ports"].get<std::vector<json>>();
  });
  if (!error.empty()) throw usage_error(error);
  if (!end.finished) throw usage_error(fmt::format("{}: loading it failed: {}", choice.module, end.death));
  const auto fits = [&](const json& p) {
    return p["subject"] == t.subject && (choice.port.empty() ? ports.size() == 1 : p["name"] == choice.port);
  };
  const auto found = std::find_if(ports.begin(), ports.end(), fits);
  if (found == ports.end())
    throw usage_error(fmt::format("{}: it has no port of subject '{}' that fits; name one with --port FILE:NAME",
                                  choice.module, t.subject));
  const auto instances = (*found)["instances"].get<std::vector<std::string>>();
  // A trace about a class that is not claimed is judged as in a survey.
  const requirement* const about = find_subject(t.subject)->text().find(t.requirement);
  const bool claimed = about == nullptr || contains((*found)["claims"], about->class_name);
  const std::string survey = !t.survey.empty() ? t.survey : claimed ? "" : "own";
  const std::vector<bool> judged = judged_requirements(*found, survey);
  const std::string unjudged = why_unjudged(*found, about, judged);
  for (std::size_t i = 0; i < instances.size(); ++i) {
    if (instance_matches(t.instance, instances[i]))
      return {choice.module, (*found)["name"], i, instances[i], survey, judged, true, unjudged};
  }
  // A pattern is about expectations; the steps run anywhere.
  if (t.port.empty() && t.instance.find('*') != std::string::npos)
    return {choice.module, (*found)["name"], 0, instances.front(), survey, judged, false, unjudged};
  throw usage_error(fmt::format("port '{}' has no instance '{}' (it has: {})", (*found)["name"].get<std::string>(),
                                t.instance, fmt::join(instances, ", ")));
}

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
  const target to = choose(t, a);
  if (!t.requirement.empty()) {
    const requirement* const r = find_subject(t.subject)->text().find(t.requirement);
    if (r == nullptr) throw usage_error(fmt::format("{}: there is no requirement '{}'", a.trace_file, t.requirement));
    fmt::print("{}\n  {}\n", t.requirement, r->rule);
  }
  fmt::print("port {}, instance {}, {} steps\n\n", to.port, to.instance_name, t.steps.size());

  if (!to.fits)
    fmt::print("(written for {}, which the port does not have: its expectations are not compared)\n\n", t.instance);

  shared_board board;
  board->set_trace(0, t.steps);
  job what;
  what.module = to.module;
  what.port = to.port;
  what.subject = t.subject;
  what.under = a.under;
  what.instance = to.instance;
  what.judged = to.judged;
  what.seed = t.seed.value_or(1);
  what.survey = to.survey;
  // In a report there may be other traces for what else this one shows.
  if (!t.port.empty()) what.requirement = t.requirement;
  std::vector<json> failures;
  std::string error, blind;
  std::size_t broken_expectations = 0;
  const emitter show = [&](const json& line) {
    if (line.contains("error")) error = line["error"].get<std::string>();
    if (line.contains("failure")) failures.push_back(line["failure"]);
    if (line.contains("done")) blind = line["done"].value("blind", "");
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
  what.kind = "replay";
  std::string output;
  if (a.in_process) {
    what.cold = true;  // a breakpoint is for the trace
    perform(what, *board, show);
  } else {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(600);
    const child_end end = watch(what, board, until, show);
    output = end.output;
    if (!end.finished && error.empty()) {
      const std::uint32_t step = board->at.step;
      fmt::print("{:>5}  {:<22} {}\n", step + 1,
                 step < t.steps.size() ? to_text(t.steps[step], find_subject(t.subject)->operations()) : "the end",
                 end.death);
      what.kind = "autopsy";
      what.death = end.death;
      board->set_trace(0, t.steps);
      board->at.step = step;
      watch(what, board, until, show);
      if (failures.empty())
        failures.push_back({{"requirement", find_subject(t.subject)->rules().back().requirement},
                            {"what", "the call"},
                            {"expected", "returns"},
                            {"seen", end.death},
                            {"step", step}});
    }
  }
  if (!error.empty()) throw usage_error(error);
  if (!output.empty()) fmt::print("\nthe port wrote:\n{}\n", readable_output(output));
  if (failures.empty() && broken_expectations != 0) {
    fmt::print("\n{} of the file's expectations were not met, though the model agrees with the port\n",
               broken_expectations);
    return exit_failed;
  }
  if (failures.empty()) {
    const std::string limit = !to.unjudged.empty() ? to.unjudged
                              : !blind.empty()     ? "the ledger cannot see this port: " + blind
                                                   : "";
    fmt::print("\nno difference{}\n", limit.empty() ? "" : "; but " + limit);
    return exit_passed;
  }
  const json& f = failures.front();
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
  sub->footer("Exit status: 0 no difference, 1 a difference, 2 usage.");
  sub->callback([a, &status] { status = replay_command(*a); });
}

}  // namespace ringspec::cli
