// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <nlohmann/json.hpp>
#include "ringspec/report/wording.hpp"
#include "ringspec/report/writers.hpp"

namespace ringspec {
namespace {

using json = nlohmann::ordered_json;

json figure(double seconds) { return seconds > 0 ? json(seconds) : json(nullptr); }

void add_trace(json& j, const failing_trace& t) {
  if (!t.path.empty()) j["trace"] = t.path;
  j["instance"] = t.instance;
  j["source"] = t.source;
  j["ordinal"] = t.ordinal;
  if (t.shrunk_from != 0) j["shrunk_from"] = t.shrunk_from;
  // Where the trace is not known, a step of it would be a guess; and one that is empty has none.
  j["step"] = t.length == 0 ? json(nullptr) : json(t.step + 1);
  j["length"] = t.length == 0 && t.text.empty() && t.path.empty() ? json(nullptr) : json(t.length);
  j["what"] = t.what;
  j["expected"] = t.expected;
  j["seen"] = t.seen;
  if (!t.output.empty()) j["output"] = t.output;
}

json plain(const verdict& v) {
  json j;
  j["requirement"] = v.requirement;
  j["class"] = v.class_name;
  j["level"] = v.level;
  j["rule"] = v.rule;
  j["verdict"] = to_text(v.what);
  if (v.would_be) j["would_be"] = to_text(*v.would_be);
  const auto checks = known_checks(v);
  j["checks"] = checks ? json(*checks) : json(nullptr);
  const bool speaks_for_itself = v.what == outcome::pass || v.what == outcome::fail;
  if (!v.message.empty() || !speaks_for_itself) j["message"] = v.message;
  if (v.trace) add_trace(j, *v.trace);
  return j;
}

json plain(const explored& e, const std::string& apart) {
  const coverage& c = e.covered;
  return {{"instance", e.instance},
          {"bound", c.bound},
          {"k", c.words},
          {"states", c.states},
          {"apart", {{"name", apart}, {"states", c.states_apart}}},
          {"all_states", c.cut_short == 0},
          {"transitions", c.transitions},
          {"traces", c.traces},
          {"run", c.run},
          {"whole", e.whole()}};
}

json plain(const port_report& p) {
  json j;
  j["name"] = p.name;
  // A report is compared and published: the folders of the machine that made it do not belong there.
  j["module"] = std::filesystem::path(p.module).filename().string();
  j["subject"] = p.subject;
  j["version"] = p.version;
  j["language"] = p.language;
  j["spec"] = p.spec;
  j["instances"] = p.instances;
  j["claims"] = p.claims;
  j["unclaimed"] = p.unclaimed;
  j["offered_not_claimed"] = p.offered_not_claimed;
  j["first_failure"] = p.first_failure.empty() ? json() : json(p.first_failure);
  j["first_failure_ordinal"] = p.first_failure.empty() ? json() : json(p.first_failure_ordinal);
  j["notes"] = p.notes;
  j["inconclusive"] = p.inconclusive;
  j["seconds"] = figure(p.seconds);
  j["steps"] = p.steps;
  j["memory"] = {{"allocations", p.memory.allocations},
                 {"failures", p.memory.failures},
                 {"releases", p.memory.releases},
                 {"bytes", p.memory.bytes}};
  j["exploration"] = json::array();
  for (const explored& e : p.explorations) j["exploration"].push_back(plain(e, p.states_apart));
  j["verdicts"] = json::array();
  for (const verdict& v : p.verdicts) j["verdicts"].push_back(plain(v));
  return j;
}

}  // namespace

std::string to_json(const report& r) {
  json j;
  j["schema"] = report_schema;
  j["spec_version"] = r.spec_version;
  j["tool_version"] = r.tool_version;
  j["build"] = r.build;
  j["under"] = r.under.empty() ? json() : json(r.under);
  j["seed"] = r.seed;
  j["budget"] = r.budget;
  j["random_steps"] = r.random_steps;
  j["sources"] = r.sources;
  j["suffix"] = r.suffix;
  j["shard"] = r.shard == 0 ? json() : json{{"part", r.shard}, {"of", r.shards}};
  j["survey"] = r.survey;
  j["only"] = r.only;
  j["seconds"] = figure(r.seconds);
  j["exit"] = r.exit_status();
  j["canary"] = r.canary;
  j["problems"] = r.problems;
  j["ports"] = json::array();
  for (const port_report& p : r.ports) j["ports"].push_back(plain(p));
  return j.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace ringspec
