// SPDX-License-Identifier: Apache-2.0
#include "ringspec/run/verdicts.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include "ringspec/run/loader.hpp"
#include "ringspec/run/watch.hpp"

namespace ringspec {

using nlohmann::json;

namespace {

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
              const std::optional<failing_trace>& failed, const std::string& blind, bool stopped, bool survey) {
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
  const bool claimed = survey ? contains(about["claimable"], r.class_name) || contains(about["second_look"], r.name)
                              : contains(about["claims"], r.class_name);
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
    v.message = stopped ? "the run stopped before a step that checks it: a note says why"
                        : "no trace of this run came to a step that checks it";
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
    v.would_be = v.what;
    v.what = outcome::newer;
  }
  return v;
}

bool asked_for(const std::vector<std::string>& only, const std::string& name) {
  return only.empty() ||
         std::any_of(only.begin(), only.end(), [&](const std::string& prefix) { return name.starts_with(prefix); });
}

}  // namespace

std::map<std::string, reported_failure> reported_failures(const std::vector<planned*>& units,
                                                          const std::vector<std::string>& only) {
  std::map<std::string, reported_failure> first;
  for (planned* const u : units) {
    for (auto& f : u->result.failures) {
      if (!asked_for(only, f.requirement)) continue;
      // Units come in the order of their instances, and failures in that of the traces.
      first.try_emplace(f.requirement, reported_failure{u, &f.trace});
    }
  }
  return first;
}

port_report report_on(const loaded_port& p, const std::vector<planned*>& units, const std::vector<std::string>& only,
                      bool survey) {
  const json& about = p.about;
  const subject& s = *find_subject(about["subject"].get<std::string>());
  port_report result;
  result.name = about["name"];
  result.module = std::filesystem::path(p.module).filename().string();
  result.subject = about["subject"];
  result.version = about["version"];
  result.language = about["language"];
  result.spec = about["spec"];
  result.states_apart = s.states_apart();
  result.instances = about["instances"].get<std::vector<std::string>>();
  result.claims = about["claims"].get<std::vector<std::string>>();
  for (const auto& c : s.text().classes) {
    if (contains(about["claims"], c.name)) continue;
    result.unclaimed.push_back(c.name);
    const bool applies =
        std::any_of(s.text().requirements.begin(), s.text().requirements.end(), [&](const requirement& r) {
          return r.class_name == c.name && r.evidence == "run" && !about["inapplicable"].contains(r.name);
        });
    if (applies && contains(about["claimable"], c.name)) result.offered_not_claimed.push_back(c.name);
  }
  evidence counts, second_counts;
  std::string blind;
  bool stopped = false;
  std::uint64_t earliest = UINT64_MAX;
  for (const planned* u : units) {
    const unit_result& r = u->result;
    const std::string& instance = result.instances[u->what.instance];
    if (r.counts != nullptr) (u->what.survey == "specification" ? second_counts : counts).add(*r.counts);
    result.seconds += r.seconds;
    stopped = stopped || r.stopped;
    result.memory += r.memory;
    for (const coverage& c : r.explored) {
      result.explorations.push_back({instance, c});
      if (c.cut_short != 0)
        result.notes.push_back(
            fmt::format("{}: of the states to {}, only the first {} were explored, and there are more", instance,
                        c.bound, c.states));
    }
    if (blind.empty() && !r.blind.empty()) blind = fmt::format("{} ({})", r.blind, instance);
    for (const std::string& note : r.notes) result.notes.push_back(fmt::format("{}: {}", instance, note));
    if (!r.error.empty() || r.out_of_time) {
      result.inconclusive = true;
      result.notes.push_back(fmt::format("{}: {}", instance, r.out_of_time ? why_so_early() : r.error));
    }
    for (const auto& f : r.failures) {
      if (f.trace.ordinal >= earliest) continue;
      earliest = result.first_failure_ordinal = f.trace.ordinal;
      result.first_failure = f.requirement;
    }
  }
  if (about["never_allocates"].get<bool>() && result.memory.allocations != 0) {
    result.inconclusive = true;
    result.notes.emplace_back("it declares RS_OOM_NEVER, but allocates: what it does without memory was not judged");
  }
  result.steps = counts.judged() + second_counts.judged();
  const auto failures = reported_failures(units, only);
  for (const requirement& r : s.text().requirements) {
    if (!asked_for(only, r.name)) continue;
    std::optional<failing_trace> failed;
    if (const auto f = failures.find(r.name); f != failures.end()) {
      failed = *f->second.trace;
      if (failed->instance.empty()) failed->instance = result.instances[f->second.unit->what.instance];
    }
    const evidence& mine = contains(about["second_look"], r.name) ? second_counts : counts;
    result.verdicts.push_back(judge(r, s, about, mine, failed, blind, stopped, survey));
  }
  if (!survey && result.count(outcome::pass) + result.count(outcome::fail) + result.count(outcome::deviation) +
                         result.count(outcome::stale) + result.count(outcome::unexercised) +
                         result.count(outcome::unauditable) ==
                     0) {
    result.inconclusive = true;
    result.notes.emplace_back("nothing of what was asked for is judged on this port");
  }
  return result;
}

}  // namespace ringspec
