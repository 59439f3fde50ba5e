// SPDX-License-Identifier: Apache-2.0
#include "ringspec/run/verify.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>
#include "ringspec/run/loader.hpp"
#include "ringspec/run/unit.hpp"
#include "ringspec/run/version.hpp"

namespace ringspec {
namespace {

using nlohmann::json;

struct loaded_port {
  json about;
  std::string module, shown_as;
};

/// The ports of a module, from a child that loaded it.
std::vector<json> ports_of(const std::string& module, deadline until, bool& ledger_works) {
  shared_board board;
  std::vector<json> result;
  std::string error;
  job what;
  what.kind = "describe";
  what.module = module;
  const child_end end = watch(what, board, until, [&](const json& line) {
    if (line.contains("error")) error = line["error"].get<std::string>();
    if (line.contains("ports")) {
      result = line["ports"].get<std::vector<json>>();
      ledger_works = line.value("ledger", false);
    }
  });
  if (!error.empty()) throw load_error(error);
  if (!end.finished)
    throw load_error(fmt::format("{}: loading it failed: {}{}", module,
                                 end.out_of_time ? "no answer in time" : end.death,
                                 end.output.empty() ? "" : "; it wrote: " + end.output));
  return result;
}

struct planned {
  std::size_t port;
  job what;
  unit_result result;
};

job unit_job(const loaded_port& p, std::size_t instance, const verify_options& options) {
  job j;
  j.module = p.module;
  j.shown_as = p.shown_as;
  j.port = p.about["name"];
  j.subject = p.about["subject"];
  j.instance = instance;
  j.seed = options.seed;
  j.random_steps = options.how_much.random_steps;
  j.sources = options.sources;
  j.survey = options.survey;
  return j;
}

void run_all(std::vector<planned>& units, unsigned jobs, deadline until, const progress_listener& progress) {
  std::mutex guard;
  std::size_t next = 0, done = 0;
  const auto work = [&] {
    for (;;) {
      std::size_t mine = 0;
      {
        const std::lock_guard lock(guard);
        if (next == units.size()) return;
        mine = next++;
      }
      try {
        units[mine].result = run_unit(units[mine].what, until);
      } catch (const std::exception& e) {  // no more processes or memory: the report says so
        units[mine].result.error = e.what();
      }
      const std::lock_guard lock(guard);
      ++done;
      if (progress) progress(done, units.size(), units[mine].what.port);
    }
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < jobs; ++i) others.emplace_back(work);
  work();
  for (std::thread& t : others) t.join();
}

bool contains(const json& list, std::string_view name) {
  return std::any_of(list.begin(), list.end(), [&](const json& j) { return j.get_ref<const std::string&>() == name; });
}

/// True if every rule of the requirement needs the ledger.
bool needs_ledger(const subject& s, std::string_view requirement) {
  const auto rules = s.rules();
  return std::all_of(rules.begin(), rules.end(), [&](const rule& r) {
    return r.requirement != requirement || !r.counts || (r.differences & ~s.ledger_differences()) == 0;
  });
}

std::string why_so_early() {
  return interrupted() ? "the run was interrupted" : "the watchdog (--timeout) ended it before its budget was used";
}

const json* deviation_of(const json& about, const std::string& requirement) {
  for (const json& d : about["deviations"]) {
    if (d["requirement"] == requirement) return &d;
  }
  return nullptr;
}

verdict judge(const requirement& r, const subject& s, const json& about, const evidence& counts,
              const std::optional<failing_trace>& failed, const std::string& blind, bool survey) {
  verdict v;
  v.requirement = r.name;
  v.class_name = r.class_name;
  v.level = r.level;
  v.rule = r.rule;
  if (r.evidence != "run") {
    v.what = outcome::elsewhere;
    v.message =
        r.checked_by.empty() ? "evidence: " + r.evidence : fmt::format("evidence: {}; {}", r.evidence, r.checked_by);
    if (!contains(about["claims"], r.class_name) && !survey)
      v.what = outcome::unclaimed, v.message = "the class is not claimed";
    return v;
  }
  const bool claimed = survey ? contains(about["claimable"], r.class_name) : contains(about["claims"], r.class_name);
  const auto inapplicable = about["inapplicable"].find(r.name);
  if (!claimed) {
    v.message = survey ? about["unclaimable"].value(r.class_name, "not offered") : "the class is not claimed";
    return v;
  }
  if (inapplicable != about["inapplicable"].end()) {
    v.message = "does not apply: " + inapplicable->get<std::string>();
    return v;
  }
  for (const rule& rule_of : s.rules()) {
    if (rule_of.requirement == r.name) v.checks += counts.checks(rule_of);
  }
  const json* const deviation = deviation_of(about, r.name);
  v.trace = failed;
  if (failed) {
    v.what = outcome::fail;
    v.message = fmt::format("{}: expected {}, seen {}", failed->what, failed->expected, failed->seen);
    v.checks = std::max<std::uint64_t>(v.checks, 1);
  } else if (!blind.empty() && needs_ledger(s, r.name)) {
    v.what = outcome::unauditable;
    v.message = blind;
  } else if (v.checks == 0) {
    v.what = outcome::unexercised;
    v.message = "no trace of this run came to a step that checks it";
  } else {
    v.what = outcome::pass;
  }
  if (deviation != nullptr && !survey) {
    const std::string reason = (*deviation)["reason"].get<std::string>();
    if (failed) {
      v.what = outcome::deviation;
      v.message =
          reason + (deviation->value("until", "").empty() ? "" : " (until " + deviation->value("until", "") + ")");
    } else if (v.what == outcome::pass) {
      v.what = outcome::stale;
      v.message = "listed as a deviation (\"" + reason + "\"), but it passes: remove it from the list";
    }
  }
  const std::string spec = about["spec"];
  if (version_less(spec, r.since) && v.what != outcome::pass) {
    v.message = fmt::format("since {}, the port was written to {}; it would be: {}", r.since, spec, to_text(v.what));
    v.what = outcome::newer;
  }
  return v;
}

bool asked_for(const std::vector<std::string>& only, const std::string& name) {
  return only.empty() || std::any_of(only.begin(), only.end(), [&](const std::string& prefix) {
           return name.starts_with(prefix) && (name.size() == prefix.size() || prefix.ends_with('.') ||
                                               name[prefix.size()] == '.' || name[prefix.size()] == '-');
         });
}

port_report report_on(const loaded_port& p, std::vector<planned*> units, const verify_options& options) {
  const json& about = p.about;
  const subject& s = *find_subject(about["subject"].get<std::string>());
  port_report result;
  result.name = about["name"];
  result.module = std::filesystem::path(p.module).filename().string();
  result.subject = about["subject"];
  result.version = about["version"];
  result.language = about["language"];
  result.spec = about["spec"];
  result.instances = about["instances"].get<std::vector<std::string>>();
  result.claims = about["claims"].get<std::vector<std::string>>();
  for (const auto& c : s.text().classes) {
    if (contains(about["claims"], c.name)) continue;
    result.unclaimed.push_back(c.name);
    const bool has_run =
        std::any_of(s.text().requirements.begin(), s.text().requirements.end(),
                    [&](const requirement& r) { return r.class_name == c.name && r.evidence == "run"; });
    if (has_run && contains(about["claimable"], c.name)) result.offered_not_claimed.push_back(c.name);
  }
  evidence counts;
  std::string blind;
  std::map<std::string, failing_trace> first;
  std::uint64_t earliest = UINT64_MAX;
  for (const planned* u : units) {
    const unit_result& r = u->result;
    const std::string& instance = result.instances[u->what.instance];
    if (r.counts != nullptr) counts.add(*r.counts);
    result.seconds += r.seconds;
    if (blind.empty() && !r.blind.empty()) blind = fmt::format("{} ({})", r.blind, instance);
    for (const std::string& note : r.notes) result.notes.push_back(fmt::format("{}: {}", instance, note));
    if (!r.error.empty() || r.out_of_time) {
      result.inconclusive = true;
      result.notes.push_back(fmt::format("{}: {}", instance, r.out_of_time ? why_so_early() : r.error));
    }
    for (const auto& f : r.failures) {
      failing_trace t = f.trace;
      if (t.instance.empty()) t.instance = instance;
      const auto [at, added] = first.try_emplace(f.requirement, t);
      if (!added && t.ordinal < at->second.ordinal) at->second = t;
      // Units come in the order of their instances, so the first of equals stays.
      if (t.ordinal < earliest) {
        earliest = t.ordinal;
        result.first_failure = f.requirement;
      }
    }
  }
  result.steps = counts.judged();
  for (const requirement& r : s.text().requirements) {
    if (!asked_for(options.only, r.name)) continue;
    const auto failed = first.find(r.name);
    result.verdicts.push_back(judge(r, s, about, counts,
                                    failed == first.end() ? std::nullopt : std::optional(failed->second), blind,
                                    options.survey));
  }
  return result;
}

std::string fly(const canary& c, const verify_options& options, deadline until, std::vector<std::string>& problems) {
  const auto sick = [&](std::string_view why) {
    problems.push_back(fmt::format("The canary ({}), a wrong port that must be caught in every run, {}.", c.port, why));
    return std::string("not caught");
  };
  try {
    bool unused = false;
    const std::string module = find_module(std::string(c.module)).module;
    for (const json& about : ports_of(module, until, unused)) {
      if (about["name"] != c.port) continue;
      verify_options small = options;
      small.sources = {"vectors", "random"};
      small.how_much = budgets().front();
      small.survey = false;
      small.only.clear();
      std::vector<planned> units;
      const loaded_port port{about, module, std::string(c.module)};
      for (std::size_t i = 0; i < about["instances"].size(); ++i) units.push_back({0, unit_job(port, i, small), {}});
      run_all(units, options.jobs, until, {});
      std::vector<planned*> all;
      for (planned& u : units) all.push_back(&u);
      const port_report r = report_on(port, all, small);
      for (const verdict& v : r.verdicts) {
        if (v.requirement == c.requirement && v.what == outcome::fail)
          return fmt::format("{} was caught by {}", c.port, c.requirement);
      }
      return sick(fmt::format("was not caught by {}", c.requirement));
    }
    return sick("is not in its module");
  } catch (const load_error& e) {
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
  result.budget = options.how_much.name;
  result.seed = options.seed;
  result.survey = options.survey;
  result.only = options.only;

  std::vector<loaded_port> ports;
  bool ledger_works = true;
  for (const port_choice& choice : options.ports) {
    bool found = choice.port.empty();
    for (const json& about : ports_of(choice.module, until, ledger_works)) {
      if (!choice.port.empty() && about["name"] != choice.port) continue;
      found = true;
      if (!options.subject.empty() && about["subject"] != options.subject) continue;
      for (const std::string& c : options.required) {
        if (!contains(about["claims"], c)) {
          throw load_error(fmt::format("port '{}' does not claim the class '{}', which --require asks for",
                                       about["name"].get<std::string>(), c));
        }
      }
      ports.push_back({about, choice.module, choice.shown_as});
    }
    if (!found) throw load_error(fmt::format("{}: it has no port '{}'", choice.module, choice.port));
  }
  if (!ledger_works)
    result.problems.emplace_back(
        "The ledger did not see an allocation of the probe: no allocation count of this run can be believed.");

  std::vector<planned> units;
  for (std::size_t p = 0; p < ports.size(); ++p) {
    for (std::size_t i = 0; i < ports[p].about["instances"].size(); ++i)
      units.push_back({p, unit_job(ports[p], i, options), {}});
  }
  run_all(units, options.jobs, until, progress);
  for (std::size_t p = 0; p < ports.size(); ++p) {
    std::vector<planned*> mine;
    for (planned& u : units) {
      if (u.port == p) mine.push_back(&u);
    }
    result.ports.push_back(report_on(ports[p], mine, options));
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
