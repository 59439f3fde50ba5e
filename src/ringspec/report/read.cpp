// SPDX-License-Identifier: Apache-2.0
#include "ringspec/report/read.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include "ringspec/report/writers.hpp"

namespace ringspec {
namespace {

using nlohmann::json;

/// A value in the file, and the way to it.
class place {
 public:
  place(const json& value, std::string_view file, std::string way) : value_(value), file_(file), way_(std::move(way)) {}

  [[noreturn]] void refuse(std::string_view why) const {
    throw report_error(fmt::format("{}: at {}: {}", file_, way_.empty() ? "the top" : way_, why));
  }
  [[noreturn]] void refuse_type(std::string_view expected) const {
    refuse(fmt::format("{} is expected, this is a value of type {}", expected, value_.type_name()));
  }

  [[nodiscard]] bool has(const char* key) const { return value_.is_object() && value_.contains(key); }
  [[nodiscard]] bool is_null() const { return value_.is_null(); }
  place operator[](const char* key) const {
    if (!value_.is_object()) refuse_type("an object");
    const auto found = value_.find(key);
    if (found == value_.end()) refuse(fmt::format("'{}' is missing", key));
    return {*found, file_, way_ + '/' + key};
  }
  [[nodiscard]] std::vector<place> elements() const {
    if (!value_.is_array()) refuse_type("an array");
    std::vector<place> all;
    for (std::size_t i = 0; i < value_.size(); ++i) all.emplace_back(value_[i], file_, fmt::format("{}/{}", way_, i));
    return all;
  }
  [[nodiscard]] std::string text() const {
    if (!value_.is_string()) refuse_type("a text");
    return value_.get<std::string>();
  }
  [[nodiscard]] std::string text_or_null() const { return is_null() ? "" : text(); }
  [[nodiscard]] std::uint64_t number() const {
    if (!value_.is_number_unsigned()) refuse_type("a whole number that is not negative");
    return value_.get<std::uint64_t>();
  }
  [[nodiscard]] double seconds() const {
    if (is_null()) return 0;
    if (!value_.is_number() || value_.get<double>() < 0) refuse_type("a number that is not negative, or null,");
    return value_.get<double>();
  }
  [[nodiscard]] bool truth() const {
    if (!value_.is_boolean()) refuse_type("true or false");
    return value_.get<bool>();
  }
  [[nodiscard]] std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const place& p : elements()) all.push_back(p.text());
    return all;
  }

 private:
  const json& value_;
  std::string_view file_;
  std::string way_;
};

outcome outcome_of(const place& p) {
  const std::string word = p.text();
  for (unsigned o = 0; o < outcome_count; ++o) {
    if (to_text(static_cast<outcome>(o)) == word) return static_cast<outcome>(o);
  }
  p.refuse(fmt::format("'{}' is no verdict", word));
}

failing_trace trace_of(const place& p, const std::string& under) {
  failing_trace t;
  t.instance = p["instance"].text();
  t.source = p["source"].text();
  t.ordinal = p["ordinal"].number();
  if (p.has("shrunk_from")) t.shrunk_from = p["shrunk_from"].number();
  if (const place length = p["length"]; !length.is_null()) t.length = length.number();
  if (const place number = p["step"]; !number.is_null()) {
    t.step = number.number();
    if (t.step == 0) number.refuse("steps are counted from 1");
    --t.step;
  }
  t.what = p["what"].text();
  t.expected = p["expected"].text();
  t.seen = p["seen"].text();
  t.under = under;
  if (p.has("trace")) {
    t.path = p["trace"].text();
    if (std::filesystem::path(t.path).parent_path() != "traces")
      p["trace"].refuse("traces are in the folder traces/ beside the report");
  }
  if (p.has("output")) t.output = p["output"].text();
  return t;
}

verdict verdict_of(const place& p, const std::string& under) {
  verdict v;
  v.requirement = p["requirement"].text();
  v.class_name = p["class"].text();
  v.level = p["level"].text();
  if (v.level != "MUST" && v.level != "SHOULD" && v.level != "MAY")
    p["level"].refuse(fmt::format("'{}' is not MUST, SHOULD or MAY", v.level));
  v.rule = p["rule"].text();
  v.what = outcome_of(p["verdict"]);
  if (v.what == outcome::newer) v.would_be = outcome_of(p["would_be"]);
  if (const place checks = p["checks"]; !checks.is_null()) v.checks = checks.number();
  if (p.has("message")) v.message = p["message"].text();
  if (p.has("instance")) v.trace = trace_of(p, under);
  if (v.what == outcome::pass && v.checks == 0) p["checks"].refuse("what was never checked has not passed");
  if (v.what == outcome::fail && !v.trace) p.refuse("'instance' is missing, and with it what failed");
  return v;
}

explored explored_of(const place& p) {
  coverage c;
  c.bound = p["bound"].number();
  c.words = p["k"].number();
  c.states = p["states"].number();
  c.states_apart = p["apart"]["states"].number();
  c.transitions = p["transitions"].number();
  c.traces = p["traces"].number();
  c.run = p["run"].number();
  c.cut_short = p["all_states"].truth() ? 0 : 1;
  return {p["instance"].text(), c};
}

port_report port_of(const place& p, const std::string& under) {
  port_report r;
  r.name = p["name"].text();
  r.module = p["module"].text();
  r.subject = p["subject"].text();
  r.version = p["version"].text();
  r.language = p["language"].text();
  r.spec = p["spec"].text();
  r.instances = p["instances"].texts();
  r.claims = p["claims"].texts();
  r.unclaimed = p["unclaimed"].texts();
  r.offered_not_claimed = p["offered_not_claimed"].texts();
  r.first_failure = p["first_failure"].text_or_null();
  if (!r.first_failure.empty()) r.first_failure_ordinal = p["first_failure_ordinal"].number();
  r.notes = p["notes"].texts();
  r.inconclusive = p["inconclusive"].truth();
  r.seconds = p["seconds"].seconds();
  r.steps = p["steps"].number();
  const place memory = p["memory"];
  r.memory.allocations = memory["allocations"].number();
  r.memory.failures = memory["failures"].number();
  r.memory.releases = memory["releases"].number();
  r.memory.bytes = memory["bytes"].number();
  for (const place& e : p["exploration"].elements()) {
    r.explorations.push_back(explored_of(e));
    r.states_apart = e["apart"]["name"].text();
  }
  std::set<std::string> seen;
  for (const place& v : p["verdicts"].elements()) {
    r.verdicts.push_back(verdict_of(v, under));
    if (!seen.insert(r.verdicts.back().requirement).second)
      v.refuse(fmt::format("'{}' has two verdicts", r.verdicts.back().requirement));
  }
  return r;
}

// ---- merging ----------------------------------------------------------------------------------------------------------

template <class T>
void join(std::vector<T>& all, const std::vector<T>& more) {
  for (const T& each : more) {
    if (std::find(all.begin(), all.end(), each) == all.end()) all.push_back(each);
  }
}

/// Of several verdicts on one requirement, that with the lowest rank stands: what one part found wrong is wrong, and what
/// one part exercised is exercised.
unsigned rank(const verdict& v) {
  switch (v.would_be.value_or(v.what)) {
    case outcome::fail: return 0;
    case outcome::deviation: return 1;
    case outcome::unauditable: return 2;
    case outcome::stale: return 3;
    case outcome::pass: return 4;
    case outcome::unexercised: return 5;
    case outcome::newer:
    case outcome::elsewhere:
    case outcome::unclaimed: break;
  }
  return 6;
}

/// The first trace on the first instance that shows a failure is reported, as in a whole run.
bool comes_before(const failing_trace& a, const failing_trace& b, const std::vector<std::string>& instances) {
  const auto key = [&](const failing_trace& t) {
    return std::pair(std::find(instances.begin(), instances.end(), t.instance) - instances.begin(), t.ordinal);
  };
  return key(a) < key(b);
}

void add(verdict& all, const verdict& more, const std::vector<std::string>& instances) {
  const std::uint64_t checks = all.checks + more.checks;
  const bool earlier =
      rank(all) == rank(more) && all.trace && more.trace && comes_before(*more.trace, *all.trace, instances);
  if (rank(more) < rank(all) || earlier) all = more;
  all.checks = checks;
}

auto shape(const explored& e) {
  const coverage& c = e.covered;
  return std::tuple(e.instance, c.bound, c.words, c.states, c.states_apart, c.transitions, c.traces, c.cut_short);
}

/// False if they are not reports on the same port.
bool add(port_report& all, const port_report& more) {
  const auto identity = [](const port_report& p) {
    return std::tie(p.name, p.module, p.subject, p.version, p.spec, p.instances, p.claims);
  };
  const auto same = [](const verdict& a, const verdict& b) { return a.requirement == b.requirement; };
  if (identity(all) != identity(more) ||
      !std::equal(all.verdicts.begin(), all.verdicts.end(), more.verdicts.begin(), more.verdicts.end(), same))
    return false;
  const bool earlier = all.first_failure.empty() || more.first_failure_ordinal < all.first_failure_ordinal;
  if (!more.first_failure.empty() && earlier) {
    all.first_failure = more.first_failure;
    all.first_failure_ordinal = more.first_failure_ordinal;
  }
  join(all.notes, more.notes);
  all.steps += more.steps;
  all.seconds += more.seconds;
  all.memory += more.memory;
  all.inconclusive = all.inconclusive || more.inconclusive;
  for (const explored& e : more.explorations) {
    const auto at = std::find_if(all.explorations.begin(), all.explorations.end(),
                                 [&](const explored& mine) { return shape(mine) == shape(e); });
    if (at == all.explorations.end())
      all.explorations.push_back(e);  // a part that ended early may not have come to it
    else
      at->covered.run += e.covered.run;
  }
  for (std::size_t i = 0; i < all.verdicts.size(); ++i) add(all.verdicts[i], more.verdicts[i], all.instances);
  return true;
}

/// What the parts of one run have in common, by name.
std::vector<std::pair<std::string, std::string>> run_of(const report& r) {
  return {{"tool_version", r.tool_version},
          {"spec_version", r.spec_version},
          {"build", r.build},
          {"under", r.under},
          {"budget", r.budget},
          {"random_steps", std::to_string(r.random_steps)},
          {"seed", std::to_string(r.seed)},
          {"sources", fmt::format("{}", fmt::join(r.sources, ", "))},
          {"suffix", r.suffix ? "true" : "false"},
          {"survey", r.survey ? "true" : "false"},
          {"only", fmt::format("{}", fmt::join(r.only, ", "))},
          {"the number of shards", std::to_string(r.shards)},
          {"the number of ports", std::to_string(r.ports.size())}};
}

}  // namespace

report read_report(std::string_view text, std::string_view file) {
  json parsed;
  try {
    parsed = json::parse(text);
  } catch (const json::exception& e) {  // also of a number that fits in none
    // Its own words: "[json.exception.parse_error.101] parse error at line 3, column 5: ...".
    const std::string_view why = e.what();
    throw report_error(
        fmt::format("{}: it is no JSON: {}", file, why.substr(std::min(why.find("] ") + 2, why.size()))));
  }
  const place top(parsed, file, "");
  if (const std::uint64_t schema = top["schema"].number(); schema != report_schema)
    top["schema"].refuse(fmt::format("this is version {}, and only {} can be read", schema, report_schema));
  report r;
  r.spec_version = top["spec_version"].text();
  r.tool_version = top["tool_version"].text();
  r.build = top["build"].text();
  r.under = top["under"].text_or_null();
  r.seed = top["seed"].number();
  r.budget = top["budget"].text();
  r.random_steps = top["random_steps"].number();
  r.sources = top["sources"].texts();
  r.suffix = top["suffix"].truth();
  if (const place shard = top["shard"]; !shard.is_null()) {
    const std::uint64_t part = shard["part"].number(), of = shard["of"].number();
    if (part == 0 || part > of || of > most_shards) shard.refuse(fmt::format("there is no part {} of {}", part, of));
    r.shard = static_cast<unsigned>(part);
    r.shards = static_cast<unsigned>(of);
  }
  r.survey = top["survey"].truth();
  r.only = top["only"].texts();
  r.seconds = top["seconds"].seconds();
  r.canary = top["canary"].text();
  r.problems = top["problems"].texts();
  std::set<std::tuple<std::string, std::string, std::string>> seen;
  for (const place& p : top["ports"].elements()) {
    r.ports.push_back(port_of(p, r.under));
    const port_report& last = r.ports.back();
    if (!seen.emplace(last.module, last.name, last.subject).second)
      p.refuse(fmt::format("port '{}' of {} is there twice", last.name, last.module));
  }
  return r;
}

report merge(const std::vector<part>& parts) {
  if (parts.empty()) throw report_error("there is no report to merge");
  const part& first = parts.front();
  report all = first.content;
  if (all.shard == 0)
    throw report_error(
        fmt::format("{}: it is a whole run; parts are made by `ringspec verify --shard I/N`", first.file));
  std::vector<std::string> by_shard(all.shards);
  by_shard[all.shard - 1] = first.file;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto& [content, file] = parts[i];
    const auto mine = run_of(all), theirs = run_of(content);
    for (std::size_t k = 0; k < mine.size(); ++k) {
      if (mine[k].second == theirs[k].second) continue;
      throw report_error(fmt::format("{}: it is not of the same run as {}: {} is '{}' and not '{}'", file, first.file,
                                     mine[k].first, theirs[k].second, mine[k].second));
    }
    if (content.shard == 0) throw report_error(fmt::format("{}: it is a whole run, and no part of one", file));
    std::string& known = by_shard[content.shard - 1];
    if (!known.empty())
      throw report_error(fmt::format("{}: it is part {} of {}, as is {}", file, content.shard, content.shards, known));
    known = file;
    for (std::size_t p = 0; p < all.ports.size(); ++p) {
      if (!add(all.ports[p], content.ports[p]))
        throw report_error(fmt::format("{}: its port '{}' is not the same as port '{}' of {}", file,
                                       content.ports[p].name, all.ports[p].name, first.file));
    }
    join(all.problems, content.problems);
    if (all.canary.empty()) all.canary = content.canary;
    all.seconds = std::max(all.seconds, content.seconds);
  }
  for (std::size_t i = 0; i < by_shard.size(); ++i) {
    if (by_shard[i].empty()) all.problems.push_back(fmt::format("Part {} of {} is missing.", i + 1, by_shard.size()));
  }
  all.shard = 0;
  all.shards = 1;
  return all;
}

}  // namespace ringspec
