// SPDX-License-Identifier: Apache-2.0
#include "ringspec/run/verify.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <csignal>
#include <memory>
#include <thread>
#include "ringspec/cli/commands.hpp"
#include "ringspec/run/runtime.hpp"
#include "ringspec/run/watch.hpp"
#include "ringspec/trace/subject.hpp"

namespace ringspec::cli {
namespace {

// Without --port: the reference of each subject, and the conforming examples of the classes that it does not claim.
const std::vector<std::string> default_ports{"reference", "bounded", "aborting"};

struct arguments {
  std::vector<std::string> ports, only, required, sources = all_sources;
  std::string subject, budget = "gate", report = "ringspec-report";
  std::string seed = "1", random_steps, shard;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  unsigned timeout = 600;
  std::string under;
  bool survey = false, no_suffix = false, no_shrink = false, quiet = false;
};

std::vector<std::string> known_names(bool classes) {
  std::vector<std::string> names;
  for (const subject* s : subjects()) {
    for (const auto& c : s->text().classes) names.push_back(classes ? c.name : fmt::format("{}.{}", s->name(), c.name));
    if (classes) continue;
    names.emplace_back(s->name());
    for (const auto& r : s->text().requirements) names.push_back(r.name);
  }
  return names;
}

[[noreturn]] void unknown(std::string_view what, const std::string& typed, const std::vector<std::string>& names) {
  const auto near = suggestions(typed, names);
  throw usage_error(fmt::format(
      "there is no {} '{}'{}", what, typed,
      near.empty() ? fmt::format("; 'ringspec list {}' shows them", what == "class" ? "classes" : "requirements")
                   : fmt::format("; did you mean '{}'?", near[0])));
}

std::uint64_t number_of(std::string_view option, const std::string& typed) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), number);
  if (error != std::errc{} || end != typed.data() + typed.size())
    throw usage_error(fmt::format("{} '{}' is not a number from 0 to 2^64 - 1", option, typed));
  return number;
}

void read_shard(const std::string& typed, verify_options& o) {
  const std::size_t slash = typed.find('/');
  const auto number = [&](std::string_view text) {
    unsigned n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    return error == std::errc{} && end == text.data() + text.size() && n <= most_shards ? n : 0;
  };
  if (slash != std::string::npos) {
    o.shard = number(std::string_view(typed).substr(0, slash));
    o.shards = number(std::string_view(typed).substr(slash + 1));
  }
  if (o.shard == 0 || o.shard > o.shards)
    throw usage_error(fmt::format("--shard '{}' is not a part: 2/4 is the second of four", typed));
}

verify_options checked(const arguments& a) {
  verify_options o;
  const auto& all = budgets();
  const auto found = std::find_if(all.begin(), all.end(), [&](const budget& b) { return b.name == a.budget; });
  if (found == all.end())
    throw usage_error(fmt::format("there is no budget '{}'; choose smoke, gate or nightly", a.budget));
  o.how_much = *found;
  if (!a.subject.empty() && find_subject(a.subject) == nullptr)
    throw usage_error(fmt::format("there is no subject '{}'", a.subject));
  const auto names = known_names(false);
  for (const std::string& prefix : a.only) {
    // "growth" and "queue.growth" mean the same.
    std::vector<std::string> meant{prefix};
    for (const subject* s : subjects()) meant.push_back(fmt::format("{}.{}", s->name(), prefix));
    const auto known = std::find_if(meant.begin(), meant.end(), [&](const std::string& m) {
      return std::any_of(names.begin(), names.end(), [&](const std::string& n) { return n.starts_with(m); });
    });
    if (known == meant.end()) unknown("requirement or class", prefix, names);
    o.only.push_back(*known);
  }
  const auto classes = known_names(true);
  for (std::string c : a.required) {
    // "queue.fifo" and "fifo" mean the same.
    if (const std::size_t dot = c.find('.'); dot != std::string::npos) c.erase(0, dot + 1);
    if (std::find(classes.begin(), classes.end(), c) == classes.end()) unknown("class", c, classes);
    o.required.push_back(c);
  }
  for (const std::string& s : a.sources) {
    if (std::find(all_sources.begin(), all_sources.end(), s) == all_sources.end())
      throw usage_error(fmt::format("there is no source '{}'; choose vectors, explore or random", s));
  }
  for (const std::string& p : a.ports.empty() ? default_ports : a.ports) o.ports.push_back(find_module(p));
  o.subject = a.subject;
  o.sources = a.sources;
  o.seed = number_of("--seed", a.seed);
  if (!a.random_steps.empty()) o.how_much.random_steps = number_of("--random-steps", a.random_steps);
  if (!a.shard.empty()) read_shard(a.shard, o);
  o.jobs = std::max(1U, a.jobs);
  o.timeout_seconds = a.timeout;
  o.survey = a.survey;
  o.identify = !a.no_suffix;
  o.shrink = !a.no_shrink;
  static_cast<void>(tool_command(a.under));  // better to know now
  o.under = a.under;
  return o;
}

int verify_command(const arguments& a) {
  const verify_options options = checked(a);
  make_report_folder(a.report);  // better to know now than after the run
  // The first ^C ends the run and writes what there is; the second one ends the program.
  std::signal(SIGINT, [](int signal) {
    interrupt();
    std::signal(signal, SIG_DFL);
  });
  std::signal(SIGTERM, [](int) { interrupt(); });
  const bool moving = stderr_is_terminal() && !a.quiet;
  report r = verify(options, [&](std::size_t done, std::size_t all, const std::string& what) {
    if (moving) fmt::print(stderr, "\r\033[K{} of {} instances, {}", done, all, what);
  });
  if (moving) fmt::print(stderr, "\r\033[K");
  return deliver(r, a.report, a.quiet);
}

}  // namespace

void add_verify(CLI::App& app, int& status) {
  const auto a = std::make_shared<arguments>();
  CLI::App* const sub =
      app.add_subcommand("verify", "Judge ports: a verdict for every requirement, with evidence and traces");
  sub->add_option("--port,-p", a->ports,
                  "A shared object, or the name of a port beside the command; :NAME takes one of its ports")
      ->type_name("FILE|NAME");
  sub->add_option("--subject", a->subject, "Only ports of this subject")->type_name("S");
  sub->add_option("--only", a->only, "Show only these requirements, by any prefix of their names: queue.growth")
      ->type_name("PREFIX");
  sub->add_option("--require", a->required, "Refuse a port that does not claim these classes")->type_name("CLASS");
  sub->add_option("--budget", a->budget, "smoke (a second), gate (the default) or nightly")->type_name("B");
  sub->add_option("--random-steps", a->random_steps,
                  "Random steps for each instance, in place of the budget's 60 thousand, 2 million or 100 million")
      ->type_name("N");
  sub->add_option("--source", a->sources, "Where traces come from: vectors, explore, random (default: all)")
      ->type_name("SOURCE")
      ->delimiter(',');
  sub->add_option("--seed", a->seed, "Of the random traces (default 1)")->type_name("N");
  sub->add_option("--jobs,-j", a->jobs, "Children at a time (default: one for each processor)")->type_name("N");
  sub->add_option("--shard", a->shard,
                  "Only this part of the traces, 2/4 for the second of four; `ringspec merge` makes one report of all")
      ->type_name("I/N");
  sub->add_option("--timeout", a->timeout, "Seconds after which the run ends as inconclusive (default 600)")
      ->type_name("SECONDS");
  sub->add_option("--report", a->report,
                  "Folder for report.json, junit.xml, summary.md and traces (default ringspec-report)")
      ->type_name("DIR");
  sub->add_option("--under", a->under, "Run each child under this command: valgrind, or any other with its options")
      ->type_name("COMMAND");
  sub->add_flag("--no-suffix", a->no_suffix,
                "Explored traces without the suffix that tells states apart: shows what it is good for");
  sub->add_flag("--survey", a->survey, "Try every class that the port's functions allow, claimed or not; exits 0");
  sub->add_flag("--no-shrink", a->no_shrink,
                "Report failing traces as they were found, and not the smallest that fail alike");
  sub->add_flag("--quiet,-q", a->quiet, "Print nothing but errors; the report has it all");
  sub->footer("Exit status: 0 passed, 1 failed, 2 usage or a port that cannot be loaded, 3 inconclusive.");
  sub->callback([a, &status] { status = verify_command(*a); });
}

}  // namespace ringspec::cli
