// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <memory>
#include "ringspec/cli/commands.hpp"
#include "ringspec/run/job.hpp"
#include "ringspec/trace/subject.hpp"

namespace ringspec::cli {
namespace {

/// Breaks a paragraph at 78 columns, with an indent.
std::string wrapped(std::string_view label, std::string_view text) {
  std::string result = fmt::format("{:<12}", label);
  std::size_t column = 12;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (column > 12 && column + end > 78) {
      result += "\n            ";
      column = 12;
    }
    result += fmt::format("{} ", text.substr(0, end));
    column += end + 1;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  while (!result.empty() && result.back() == ' ') result.pop_back();
  return result + '\n';
}

void explain(const subject& s, const requirement& r) {
  fmt::print("{}\n\n{} (since {}, class {}, evidence {})\n\n", r.name, r.level, r.since, r.class_name, r.evidence);
  fmt::print("{}\n{}\n{}", wrapped("Rule", r.rule), wrapped("Why", r.why), wrapped("Source", r.source));
  if (!r.checked_by.empty()) fmt::print("\n{}", wrapped("Checked by", r.checked_by));
  std::string vectors;
  for (const written_trace& w : written_traces(s)) {
    if (w.content.requirement == r.name) vectors += fmt::format("            spec/{}: {}\n", w.file, w.content.about);
  }
  if (!vectors.empty()) fmt::print("\nVectors\n{}", vectors);
}

int explain_command(const std::string& typed) {
  std::vector<std::string> names;
  for (const subject* s : subjects()) {
    for (const auto& r : s->text().requirements) {
      if (r.name == typed || r.name == fmt::format("{}.{}", s->name(), typed)) {
        explain(*s, r);
        return exit_passed;
      }
      names.push_back(r.name);
    }
    for (const auto& c : s->text().classes) {
      const std::string full = fmt::format("{}.{}", s->name(), c.name);
      names.push_back(full);
      if (full != typed && c.name != typed) continue;  // claims leave the subject out
      fmt::print("{}\n\n{}\nNeeds       {}\n\n", full, wrapped("Class", c.about), c.needs);
      for (const auto& r : s->text().requirements) {
        if (r.class_name == c.name) fmt::print("{:<7} {}\n{}", r.level, r.name, wrapped("", r.rule));
      }
      return exit_passed;
    }
  }
  const auto near = suggestions(typed, names);
  throw usage_error(fmt::format("there is no requirement or class '{}'{}", typed,
                                near.empty() ? std::string("; 'ringspec list requirements' shows them all")
                                             : fmt::format("; did you mean '{}'?", fmt::join(near, "' or '"))));
}

}  // namespace

void add_explain(CLI::App& app, int& status) {
  const auto name = std::make_shared<std::string>();
  CLI::App* const sub =
      app.add_subcommand("explain", "Print a requirement's text, its reason, its source and what checks it");
  sub->add_option("requirement", *name, "Its name, or a class: queue.growth-policy")
      ->required()
      ->type_name("REQUIREMENT");
  sub->callback([name, &status] { status = explain_command(*name); });
}

}  // namespace ringspec::cli
