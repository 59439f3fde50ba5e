// SPDX-License-Identifier: Apache-2.0
#include "ringspec/run/verify.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>
#include "ringspec/cli/commands.hpp"
#include "ringspec/report/writers.hpp"
#include "ringspec/run/runtime.hpp"
#include "ringspec/run/watch.hpp"
#include "ringspec/trace/subject.hpp"

namespace ringspec::cli {
namespace {

namespace fs = std::filesystem;

// Without --port: the reference of each subject, and the conforming examples of the classes that it does not claim.
const std::vector<std::string> default_ports{"reference", "bounded", "aborting"};

struct arguments {
  std::vector<std::string> ports, only, required, sources{"vectors", "random"};
  std::string subject, budget = "gate", report = "ringspec-report";
  std::string seed = "1";
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  unsigned timeout = 600;
  std::string under;
  bool survey = false, no_shrink = false, quiet = false;
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
    if (s != "vectors" && s != "random")
      throw usage_error(fmt::format("there is no source '{}'; choose vectors or random", s));
  }
  for (const std::string& p : a.ports.empty() ? default_ports : a.ports) o.ports.push_back(find_module(p));
  o.subject = a.subject;
  o.sources = a.sources;
  const auto [end, error] = std::from_chars(a.seed.data(), a.seed.data() + a.seed.size(), o.seed);
  if (error != std::errc{} || end != a.seed.data() + a.seed.size()) {
    throw usage_error(fmt::format("--seed '{}' is not a number from 0 to 2^64 - 1", a.seed));
  }
  o.jobs = std::max(1U, a.jobs);
  o.timeout_seconds = a.timeout;
  o.survey = a.survey;
  o.shrink = !a.no_shrink;
  static_cast<void>(tool_command(a.under));  // better to know now
  o.under = a.under;
  return o;
}

std::string file_name(const std::string& port, const std::string& requirement) {
  std::string name = port + "." + requirement;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ':' || c == '/'; }, '_');
  constexpr std::size_t longest = 200;  // of a file name, with what is added
  if (name.size() > longest) name.erase(longest);
  return name;
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw usage_error(
        fmt::format("{}: the folder for the report cannot be made: {}", folder.string(), error.message()));
  }
}

/// Removes the traces that the report lists which is there already, and no other file.
void remove_traces_of(const fs::path& old_report) {
  std::ifstream file(old_report);
  const auto old = nlohmann::json::parse(file, nullptr, false);
  if (!old.is_object() || !old.contains("ports") || !old["ports"].is_array()) return;
  for (const auto& port : old["ports"]) {
    if (!port.is_object() || !port.contains("verdicts") || !port["verdicts"].is_array()) continue;
    for (const auto& v : port["verdicts"]) {
      if (!v.is_object() || !v.contains("trace") || !v["trace"].is_string()) continue;
      const fs::path trace = v["trace"].get<std::string>();
      std::error_code error;
      if (trace.parent_path() == "traces") fs::remove(old_report.parent_path() / trace, error);
    }
  }
}

/// Writes the traces and enters their paths, then the reports.
void write_report(report& r, const fs::path& folder) {
  std::error_code error;
  remove_traces_of(folder / "report.json");
  remove_traces_of(folder / "survey.json");
  fs::remove(folder / "traces", error);  // only if nothing is left in it
  std::set<std::string> used;
  for (port_report& p : r.ports) {
    for (verdict& v : p.verdicts) {
      if (!v.trace || v.trace->text.empty()) continue;
      fs::create_directories(folder / "traces");
      // Ports of two modules may have the same name.
      std::string name = file_name(p.name, v.requirement);
      for (int n = 2; !used.insert(name).second; ++n) name = fmt::format("{}-{}", file_name(p.name, v.requirement), n);
      v.trace->path = "traces/" + name + ".trace";
      write_file((folder / v.trace->path).string(), v.trace->text);
    }
  }
  write_file((folder / (r.survey ? "survey.json" : "report.json")).string(), to_json(r));
  if (r.survey) return;
  write_file((folder / "junit.xml").string(), to_junit(r));
  write_file((folder / "summary.md").string(), to_markdown(r));
}

int verify_command(const arguments& a) {
  const verify_options options = checked(a);
  make_folder(a.report);  // better to know now than after the run
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
  write_report(r, a.report);
  if (!a.quiet) print(r, stdout, {wants_colour(), a.report});
  if (std::fflush(stdout) != 0) throw usage_error("the output cannot be written; the report is in " + a.report);
  return r.exit_status();
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
  sub->add_option("--source", a->sources, "Where traces come from: vectors, random (default: both)")
      ->type_name("SOURCE")
      ->delimiter(',');
  sub->add_option("--seed", a->seed, "Of the random traces (default 1)")->type_name("N");
  sub->add_option("--jobs,-j", a->jobs, "Children at a time (default: one for each processor)")->type_name("N");
  sub->add_option("--timeout", a->timeout, "Seconds after which the run ends as inconclusive (default 600)")
      ->type_name("SECONDS");
  sub->add_option("--report", a->report,
                  "Folder for report.json, junit.xml, summary.md and traces (default ringspec-report)")
      ->type_name("DIR");
  sub->add_option("--under", a->under, "Run each child under this command: valgrind, or any other with its options")
      ->type_name("COMMAND");
  sub->add_flag("--survey", a->survey, "Try every class that the port's functions allow, claimed or not; exits 0");
  sub->add_flag("--no-shrink", a->no_shrink,
                "Report failing traces as they were found, and not the smallest that fail alike");
  sub->add_flag("--quiet,-q", a->quiet, "Print nothing but errors; the report has it all");
  sub->footer("Exit status: 0 passed, 1 failed, 2 usage or a port that cannot be loaded, 3 inconclusive.");
  sub->callback([a, &status] { status = verify_command(*a); });
}

}  // namespace ringspec::cli
