// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <pugixml.hpp>
#include "ringspec/report/wording.hpp"
#include "ringspec/report/writers.hpp"

namespace ringspec {
namespace {

// The whole trace is in its file; CI tools choke on tests that say megabytes.
constexpr std::size_t longest_trace = 400;

struct string_writer final : pugi::xml_writer {
  std::string text;
  void write(const void* data, std::size_t size) override { text.append(static_cast<const char*>(data), size); }
};

struct tally {
  std::size_t tests{}, failures{}, errors{}, skipped{};

  void add(const tally& other) {
    tests += other.tests;
    failures += other.failures;
    errors += other.errors;
    skipped += other.skipped;
  }
};

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(one_line(value).c_str());
}

void set_counts(pugi::xml_node node, const tally& t, double seconds) {
  set(node, "tests", std::to_string(t.tests));
  set(node, "failures", std::to_string(t.failures));
  set(node, "errors", std::to_string(t.errors));
  set(node, "skipped", std::to_string(t.skipped));
  if (seconds > 0) set(node, "time", fmt::format("{:.3f}", seconds));
}

std::string story_of(const verdict& v) {
  std::string text = fmt::format("\n{}\n", v.rule);
  if (!v.trace) return text;
  const failing_trace& t = *v.trace;
  text += fmt::format("\nexpected  {}\nseen      {}\nwhere     {}\n", described(t, t.expected), described(t, t.seen),
                      place_of(t));
  const excerpt steps = steps_of(t.text, longest_trace, longest_trace);
  if (steps.before.empty()) {
    // With its header, so that who has only the log of the CI run can still save it and replay it.
    if (!t.text.empty()) text += '\n' + t.text;
  } else {
    text += fmt::format("\n{}\n{}\n", steps.before, fmt::join(steps.lines, "\n"));
  }
  if (const std::string replay = replay_line(t, ""); !replay.empty()) text += fmt::format("\n{}\n", replay);
  if (!t.output.empty()) text += fmt::format("\nThe port wrote:\n{}\n", t.output);
  return text;
}

// CI tools know failures (the code is wrong), errors (the test could not be done) and skipped tests; only the first two
// turn a run red, and they do so exactly where the exit status is not 0.
enum class colour { green, failure, error, skipped };

struct result {
  colour shown;
  std::string type, message;
};

result result_of(const verdict& v, const report& r) {
  const bool survey = r.survey;
  const std::string why = v.message.empty() ? to_text(v.what) : reason_of(v, r.is_part());
  switch (v.what) {
    case outcome::pass: return {colour::green, "", ""};
    case outcome::fail:
      if (survey) return {colour::skipped, "", "fails: " + why};
      if (!v.fails_the_run(r.is_part()))
        return {colour::skipped, "", fmt::format("fails, but it is a {}: {}", v.level, why)};
      return {colour::failure, v.level, why};
    case outcome::stale:
      if (survey || r.is_part()) break;
      return {colour::failure, "stale", why};
    case outcome::unexercised:
    case outcome::unauditable:
      if (survey || (r.is_part() && v.what == outcome::unexercised)) break;
      return {colour::error, to_text(v.what), why};
    case outcome::deviation:
    case outcome::newer:
    case outcome::elsewhere:
    case outcome::unclaimed: break;
  }
  return {colour::skipped, "", fmt::format("{}: {}", to_text(v.what), why)};
}

void add_case(pugi::xml_node suite, tally& counts, const std::string& class_name, const std::string& name,
              const result& what, const std::string& story) {
  pugi::xml_node node = suite.append_child("testcase");
  set(node, "classname", class_name);
  set(node, "name", name);
  ++counts.tests;
  const auto child = [&](const char* element, std::size_t& count) {
    ++count;
    pugi::xml_node added = node.append_child(element);
    set(added, "message", what.message);
    if (!what.type.empty()) set(added, "type", what.type);
    return added;
  };
  pugi::xml_node teller;
  switch (what.shown) {
    case colour::green: return;
    case colour::failure: teller = child("failure", counts.failures); break;
    case colour::error: teller = child("error", counts.errors); break;
    case colour::skipped:
      child("skipped", counts.skipped);
      // In most dialects what is skipped has no text of its own.
      if (!story.empty()) teller = node.append_child("system-out");
      break;
  }
  if (!story.empty()) teller.text().set(printable(story).c_str());
}

void add_properties(pugi::xml_node suite, const std::vector<std::pair<const char*, std::string>>& all) {
  pugi::xml_node list = suite.append_child("properties");
  for (const auto& [name, value] : all) {
    if (value.empty()) continue;
    pugi::xml_node one = list.append_child("property");
    set(one, "name", name);
    set(one, "value", value);
  }
}

std::vector<std::pair<const char*, std::string>> properties_of(const report& r) {
  return {{"seed", std::to_string(r.seed)},
          {"budget", r.budget},
          {"part", part_of(r)},
          {"spec_version", r.spec_version},
          {"tool_version", r.tool_version},
          {"build", r.build},
          {"canary", r.canary},
          {"only", fmt::format("{}", fmt::join(r.only, " "))}};
}

void add_port(pugi::xml_node root, const report& r, const port_report& p, tally& total) {
  pugi::xml_node suite = root.append_child("testsuite");
  set(suite, "name", p.name);
  auto properties = properties_of(r);
  properties.insert(properties.end(), {{"module", p.module},
                                       {"subject", p.subject},
                                       {"version", p.version},
                                       {"language", p.language},
                                       {"spec", p.spec}});
  add_properties(suite, properties);
  tally counts;
  for (const verdict& v : p.verdicts) {
    const result what = result_of(v, r);
    const bool has_story = v.trace || what.shown == colour::failure || what.shown == colour::error;
    add_case(suite, counts, fmt::format("{}.{}-{}", p.name, p.subject, v.class_name), v.requirement, what,
             has_story ? story_of(v) : "");
  }
  if (p.inconclusive) {
    add_case(
        suite, counts, fmt::format("{}.run", p.name), "judged to the end",
        {r.survey ? colour::skipped : colour::error, "inconclusive", "Something of the run of this port is missing."},
        fmt::format("\n{}\n", fmt::join(p.notes, "\n")));
  }
  if (!p.notes.empty()) {
    suite.append_child("system-out").text().set(printable(fmt::format("\n{}\n", fmt::join(p.notes, "\n"))).c_str());
  }
  set_counts(suite, counts, p.seconds);
  total.add(counts);
}

void add_run(pugi::xml_node root, const report& r, tally& total) {
  std::vector<std::string> problems = r.problems;
  if (r.ports.empty()) problems.emplace_back("No port was judged.");
  if (problems.empty()) return;
  pugi::xml_node suite = root.append_child("testsuite");
  set(suite, "name", "the run as a whole");
  add_properties(suite, properties_of(r));
  tally counts;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    add_case(suite, counts, "ringspec.run", fmt::format("problem {}", i + 1),
             {r.survey ? colour::skipped : colour::error, "inconclusive", problems[i]}, "");
  }
  set_counts(suite, counts, r.seconds);
  total.add(counts);
}

}  // namespace

std::string to_junit(const report& r) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version").set_value("1.0");
  declaration.append_attribute("encoding").set_value("UTF-8");
  pugi::xml_node root = document.append_child("testsuites");
  set(root, "name", "ringspec");
  tally total;
  add_run(root, r, total);
  for (const port_report& p : r.ports) add_port(root, r, p, total);
  set_counts(root, total, r.seconds);
  string_writer out;
  document.save(out, "  ", pugi::format_default, pugi::encoding_utf8);
  return out.text;
}

}  // namespace ringspec
