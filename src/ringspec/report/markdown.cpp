// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <algorithm>
#include "ringspec/report/wording.hpp"
#include "ringspec/report/writers.hpp"

namespace ringspec {
namespace {

// Summary pages have a limit in bytes, and the whole trace is in its file.
constexpr std::size_t longest_trace = 40, longest_output = 40;

/// Text that came from a port, or names one: no character of it is markup.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : one_line(text)) {
    if (std::string_view("\\`*_<>[]|#~&").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string code(const std::string& name) { return fmt::format("`{}`", name); }

std::string codes(const std::vector<std::string>& names) {
  std::string result;
  for (const std::string& name : names) result += (result.empty() ? "" : ", ") + code(name);
  return result;
}

/// A block whose fence is longer than any run of backticks in it.
std::string block(const std::string& text) {
  std::size_t longest = 2, run = 0;
  for (const char c : text) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(longest + 1, '`');
  return fmt::format("{}text\n{}{}{}\n", fence, text, text.ends_with('\n') ? "" : "\n", fence);
}

std::string last_lines(const std::string& text, std::size_t most) {
  std::vector<std::string> lines = lines_of(printable(text));
  std::string result;
  if (lines.size() > most) {
    result = fmt::format("... {} before\n", plural(lines.size() - most, "line"));
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(most));
  }
  for (const std::string& line : lines) result += line + '\n';
  return result;
}

std::string table_of(const std::vector<class_summary>& classes) {
  std::vector<outcome> columns;
  for (const outcome o : outcomes) {
    const auto has = [&](const class_summary& c) { return c.count(o) != 0; };
    if (o == outcome::pass || o == outcome::fail || std::any_of(classes.begin(), classes.end(), has))
      columns.push_back(o);
  }
  std::string text = "| class |", rule = "| --- |";
  for (const outcome o : columns) {
    text += fmt::format(" {} |", to_text(o));
    rule += " ---: |";
  }
  text += " checks |\n" + rule + " ---: |\n";
  for (const class_summary& c : classes) {
    text += fmt::format("| {} |", c.failed ? fmt::format("**{}**", c.name) : c.name);
    for (const outcome o : columns) text += c.count(o) == 0 ? " |" : fmt::format(" {} |", c.count(o));
    text += fmt::format(" {} |\n", c.checks ? human(*c.checks) : "");
  }
  return text;
}

std::string failure_of(const verdict& v) {
  std::string text = fmt::format("\n#### {} ({}{})\n\n{}\n\n", code(v.requirement), v.level,
                                 v.what == outcome::stale ? ", stale deviation" : "", one_line(v.rule));
  if (!v.trace) return text + escaped(v.message) + '\n';
  const failing_trace& t = *v.trace;
  std::string story = fmt::format("expected  {}\nseen      {}\nwhere     {}\n", described(t, t.expected),
                                  described(t, t.seen), place_of(t));
  const excerpt steps = steps_of(t.text, longest_trace, longest_trace);
  if (!steps.lines.empty()) story += '\n';
  if (!steps.before.empty()) story += steps.before + '\n';
  for (const std::string& line : steps.lines) story += line + '\n';
  text += block(story);
  if (!t.output.empty()) text += "\nThe port wrote:\n\n" + block(last_lines(t.output, longest_output));
  if (const std::string replay = replay_line(t, ""); !replay.empty()) text += '\n' + block(replay);
  return text;
}

/// What is neither passed nor failed, a line for each reason.
std::string other_verdicts(const port_report& p, bool in_part) {
  std::string text;
  std::vector<bool> told(p.verdicts.size(), false);
  for (std::size_t i = 0; i < p.verdicts.size(); ++i) {
    const verdict& v = p.verdicts[i];
    const bool listed_below =
        v.what == outcome::unclaimed && std::count(p.unclaimed.begin(), p.unclaimed.end(), v.class_name) != 0;
    const bool failure = v.what == outcome::fail || (v.what == outcome::stale && !in_part);
    if (told[i] || v.what == outcome::pass || failure || listed_below) continue;
    std::vector<std::string> names;
    for (std::size_t k = i; k < p.verdicts.size(); ++k) {
      if (p.verdicts[k].what != v.what || p.verdicts[k].message != v.message) continue;
      told[k] = true;
      names.push_back(p.verdicts[k].requirement);
    }
    text += fmt::format("- **{}** {}: {}\n", to_text(v.what), codes(names), escaped(reason_of(v, in_part)));
  }
  return text.empty() ? "" : "\n### Neither passed nor failed\n\n" + text;
}

std::string about(const port_report& p) {
  std::string text = p.subject;
  if (!p.version.empty()) text.append(" ").append(escaped(p.version));
  const auto add = [&](const std::string& part) {
    if (!part.empty()) text += ", " + part;
  };
  add(escaped(p.language));
  add(p.spec.empty() ? "" : "specification " + escaped(p.spec));
  add(plural(p.instances.size(), "instance"));
  add(human(p.steps) + " steps");
  add(human_seconds(p.seconds));
  return text;
}

std::string chapter(const port_report& p, bool in_part) {
  std::string text = fmt::format("\n## {}\n\n{}.\n\n{}", escaped(p.name), about(p), table_of(summarise(p, in_part)));
  if (const auto rows = explored_rows(p); !rows.empty()) {
    text += fmt::format(
        "\n| explored | to | k | states | {} | transitions | covered |\n| --- | ---: | ---: | ---: | ---: | ---: | "
        "---: |\n",
        escaped(p.states_apart));
    for (const explored_row& r : rows)
      text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", escaped(r.instances), r.bound, r.k, r.states,
                          r.apart, r.transitions, r.covered);
  }
  std::string failures;
  for (const verdict& v : p.verdicts) {
    if (v.what == outcome::fail || (v.what == outcome::stale && !in_part)) failures += failure_of(v);
  }
  if (!failures.empty()) text += "\n### Failures\n\nPaths are relative to the folder of this report.\n" + failures;
  text += other_verdicts(p, in_part);
  if (!p.notes.empty()) text += "\n### Notes\n\n";
  for (const std::string& note : p.notes) text += fmt::format("- {}\n", escaped(note));
  text += '\n';
  if (!p.offered_not_claimed.empty())
    text += fmt::format("Offered but not claimed: {}.\n\n", codes(p.offered_not_claimed));
  return text + fmt::format("Unclaimed: {}.\n", p.unclaimed.empty() ? "nothing" : codes(p.unclaimed));
}

}  // namespace

std::string to_markdown(const report& r) {
  std::string text = fmt::format("# {}\n\n{} Exit status {}.\n\n", headline(r), meaning_of(r), r.exit_status());
  for (const std::string& problem : r.problems) text += fmt::format("- **Problem:** {}\n", escaped(problem));
  text += fmt::format("- seed {}, budget {}\n", r.seed, escaped(r.budget));
  if (r.is_part()) text += fmt::format("- {}\n", part_of(r));
  if (!r.under.empty()) text += fmt::format("- under {}\n", escaped(r.under));
  if (!r.only.empty()) text += fmt::format("- only {}\n", codes(r.only));
  if (!r.canary.empty()) text += fmt::format("- canary: {}\n", escaped(r.canary));
  text += fmt::format("- ringspec {} ({}), specification {}", escaped(r.tool_version), escaped(r.build),
                      escaped(r.spec_version));
  if (r.seconds > 0) text += ", " + human_seconds(r.seconds);
  text += '\n';
  for (const port_report& p : r.ports) text += chapter(p, r.is_part());
  return text;
}

}  // namespace ringspec
