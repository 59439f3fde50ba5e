// SPDX-License-Identifier: Apache-2.0
#include "ringspec/run/verify.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>
#include "ringspec/run/alone.hpp"
#include "ringspec/run/loader.hpp"
#include "ringspec/run/verdicts.hpp"
#include "ringspec/run/version.hpp"

namespace ringspec {
namespace {

using nlohmann::json;

constexpr std::size_t most_jobs = 256;

/// The run's time was over before a port could be loaded.
struct too_late : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The ports of a module, from a child that loaded it.
std::vector<json> ports_of(const std::string& module, const verify_options& options, deadline until,
                           bool& ledger_works) {
  shared_board board;
  std::vector<json> result;
  std::string error;
  job what;
  what.kind = "describe";
  what.module = module;
  what.under = options.under;
  const child_end end = watch(what, board, until, [&](const json& line) {
    if (line.contains("error")) error = line["error"].get<std::string>();
    if (line.contains("ports")) {
      result = line["ports"].get<std::vector<json>>();
      ledger_works = line.value("ledger", false);
    }
  });
  if (end.out_of_time) throw too_late(fmt::format("The run ended before {} was loaded.", module));
  if (!error.empty()) throw load_error(error);
  if (!end.finished)
    throw load_error(fmt::format("{}: loading it failed: {}{}", module, end.death,
                                 end.output.empty() ? "" : "; it wrote: " + end.output));
  return result;
}

job unit_job(const loaded_port& p, std::size_t instance, const verify_options& options, const std::string& survey) {
  job j;
  j.module = p.module;
  j.shown_as = p.shown_as;
  j.port = p.about["name"];
  j.subject = p.about["subject"];
  j.instance = instance;
  j.seed = options.seed;
  j.random_steps = options.how_much.random_steps;
  j.sources = options.sources;
  j.budget = options.how_much.name;
  j.identify = options.identify;
  j.shards = options.shards;
  j.shard = options.shard == 0 ? 0 : options.shard - 1;
  j.survey = survey;
  j.judged = judged_requirements(p.about, survey);
  j.under = options.under;
  return j;
}

/// Calls `work` with each number below `count`, so many of them at a time.
void in_parallel(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  const auto worker = [&] {
    for (std::size_t mine = next++; mine < count; mine = next++) work(mine);
  };
  std::vector<std::thread> others;
  const std::size_t useful = std::min<std::size_t>({jobs, count, most_jobs});
  while (others.size() + 1 < useful) others.emplace_back(worker);
  worker();
  for (std::thread& t : others) t.join();
}

void run_all(std::vector<planned>& units, unsigned jobs, deadline until, const progress_listener& progress) {
  std::mutex guard;
  std::size_t done = 0;
  in_parallel(units.size(), jobs, [&](std::size_t mine) {
    try {
      units[mine].result = run_unit(units[mine].what, until);
    } catch (const std::exception& e) {  // no more processes or memory: the report says so
      units[mine].result.error = e.what();
    }
    const std::lock_guard lock(guard);
    ++done;
    if (progress) progress(done, units.size(), units[mine].what.port);
  });
}

/// Puts the smallest trace that fails alike in the place of each that will be reported. Where that does not work out, what
/// was found stays.
void shrink_all(const std::vector<planned*>& units, const verify_options& options, deadline until,
                const progress_listener& progress) {
  std::vector<std::pair<std::string, reported_failure>> all;
  for (auto& f : reported_failures(units, options.only)) {
    if (!f.second.trace->text.empty()) all.push_back(f);
  }
  std::mutex guard;
  std::size_t done = 0;
  in_parallel(all.size(), options.jobs, [&](std::size_t mine) {
    const auto& [requirement, f] = all[mine];
    try {
      job what = f.unit->what;
      what.requirement = requirement;
      what.source = f.trace->source;
      shrinking s = shrink_alone(what, read_trace(f.trace->text, "the trace that was found").steps, until);
      if (s.trace) {
        s.trace->ordinal = f.trace->ordinal;
        s.trace->source = f.trace->source;
        if (s.trace->length < f.trace->length) s.trace->shrunk_from = f.trace->length;
        *f.trace = *s.trace;
      }
    } catch (const std::exception&) {  // no more processes or memory
    }
    const std::lock_guard lock(guard);
    ++done;
    if (progress) progress(done, all.size(), f.unit->what.port + ", traces shrunk");
  });
}

/// The chosen ports. Throws load_error, too_late.
std::vector<loaded_port> load_all(const verify_options& options, deadline until, bool& ledger_works) {
  std::vector<loaded_port> ports;
  for (const port_choice& choice : options.ports) {
    bool found = choice.port.empty();
    std::vector<std::string> names;
    for (const json& about : ports_of(choice.module, options, until, ledger_works)) {
      names.push_back(about["name"]);
      if (!choice.port.empty() && about["name"] != choice.port) continue;
      found = true;
      if (!options.subject.empty() && about["subject"] != options.subject) continue;
      for (const std::string& c : options.required) {
        if (contains(about["claims"], c)) continue;
        throw load_error(fmt::format("port '{}' does not claim the class '{}', which --require asks for",
                                     about["name"].get<std::string>(), c));
      }
      ports.push_back({about, choice.module, choice.shown_as});
    }
    if (!found)
      throw load_error(
          fmt::format("{}: it has no port '{}' (it has: {})", choice.module, choice.port, fmt::join(names, ", ")));
  }
  return ports;
}

std::string fly(const canary& c, const verify_options& options, deadline until, std::vector<std::string>& problems) {
  const auto sick = [&](std::string_view why) {
    problems.push_back(fmt::format("The canary ({}), a wrong port that must be caught in every run, {}.", c.port, why));
    return std::string("not caught");
  };
  try {
    bool unused = false;
    const std::string module = find_module(std::string(c.module)).module;
    for (const json& about : ports_of(module, options, until, unused)) {
      if (about["name"] != c.port) continue;
      verify_options small = options;
      small.sources = {"vectors", "random"};
      small.how_much = budgets().front();
      small.survey = false;
      small.only.clear();
      small.shard = 0;
      small.shards = 1;
      std::vector<planned> units;
      const loaded_port port{about, module, std::string(c.module)};
      for (std::size_t i = 0; i < about["instances"].size(); ++i)
        units.push_back({0, unit_job(port, i, small, ""), {}});
      run_all(units, options.jobs, until, {});
      std::vector<planned*> all;
      for (planned& u : units) all.push_back(&u);
      const port_report r = report_on(port, all, small.only, small.survey);
      for (const verdict& v : r.verdicts) {
        if (v.requirement == c.requirement && v.what == outcome::fail)
          return fmt::format("{} was caught by {}", c.port, c.requirement);
      }
      return sick(fmt::format("was not caught by {}", c.requirement));
    }
    return sick("is not in its module");
  } catch (const std::runtime_error& e) {  // load_error, too_late
    return sick(fmt::format("could not be run: {}", e.what()));
  }
}

}  // namespace

const std::vector<budget>& budgets() {
  static const std::vector<budget> all{{"smoke", 60'000}, {"gate", 2'000'000}, {"nightly", 100'000'000}};
  return all;
}

report verify(const verify_options& options, const progress_listener& progress) {
  const auto started = std::chrono::steady_clock::now();
  const deadline until = started + std::chrono::seconds(options.timeout_seconds);
  report result;
  result.tool_version = tool_version;
  result.build = build_text();
  result.under = options.under;
  result.budget = options.how_much.name;
  result.random_steps = options.how_much.random_steps;
  result.seed = options.seed;
  result.sources = options.sources;
  result.suffix = options.identify;
  result.shard = options.shard;
  result.shards = options.shards;
  result.survey = options.survey;
  result.only = options.only;

  bool ledger_works = true;
  std::vector<loaded_port> ports;
  try {
    ports = load_all(options, until, ledger_works);
  } catch (const too_late& e) {
    result.problems.emplace_back(e.what());
  }
  if (!ledger_works)
    result.problems.emplace_back(
        "The ledger did not see an allocation of the probe: no allocation count of this run can be believed.");

  std::vector<planned> units;
  for (std::size_t p = 0; p < ports.size(); ++p) {
    std::vector<std::string> looks{options.survey ? "own" : ""};
    if (options.survey && !ports[p].about["second_look"].empty()) looks.emplace_back("specification");
    for (const std::string& survey : looks) {
      for (std::size_t i = 0; i < ports[p].about["instances"].size(); ++i)
        units.push_back({p, unit_job(ports[p], i, options, survey), {}});
    }
  }
  run_all(units, options.jobs, until, progress);
  for (std::size_t p = 0; p < ports.size(); ++p) {
    std::vector<planned*> mine;
    for (planned& u : units) {
      if (u.port == p) mine.push_back(&u);
    }
    if (options.shrink) shrink_all(mine, options, until, progress);
    result.ports.push_back(report_on(ports[p], mine, options.only, options.survey));
  }
  for (const subject* s : subjects()) {
    const bool used = std::any_of(result.ports.begin(), result.ports.end(),
                                  [&](const port_report& p) { return p.subject == s->name(); });
    if (used)
      result.canary += (result.canary.empty() ? "" : "; ") + fly(s->wrong_port(), options, until, result.problems);
  }
  for (const subject* s : subjects()) {
    if (options.subject.empty() || options.subject == s->name()) result.spec_version = s->text().version;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return result;
}

}  // namespace ringspec
