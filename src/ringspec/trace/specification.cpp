// SPDX-License-Identifier: Apache-2.0
#include "ringspec/trace/specification.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace ringspec {
namespace {

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r')) s.remove_suffix(1);
  return s;
}

// "MUST | since 1.0 | evidence run"
bool parse_facts(std::string_view line, requirement& r) {
  const std::size_t first = line.find('|');
  const std::size_t second = line.find('|', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return false;
  std::string_view since = trimmed(line.substr(first + 1, second - first - 1));
  std::string_view evidence = trimmed(line.substr(second + 1));
  if (!take_prefix(since, "since ") || !take_prefix(evidence, "evidence ")) return false;
  r.level = trimmed(line.substr(0, first));
  r.since = since;
  r.evidence = evidence;
  const auto one_of = [](const std::string& s, std::initializer_list<std::string_view> list) {
    return std::find(list.begin(), list.end(), s) != list.end();
  };
  return one_of(r.level, {"MUST", "SHOULD", "MAY"}) && one_of(r.evidence, {"run", "build", "audit", "nightly"});
}

}  // namespace

const requirement* specification::find(std::string_view name) const {
  const auto i = index_of(name);
  return i ? &requirements[*i] : nullptr;
}

std::optional<std::size_t> specification::index_of(std::string_view name) const {
  for (std::size_t i = 0; i < requirements.size(); ++i) {
    if (requirements[i].name == name) return i;
  }
  return std::nullopt;
}

bool specification::has_class(std::string_view name) const {
  return std::any_of(classes.begin(), classes.end(), [&](const requirement_class& c) { return c.name == name; });
}

specification parse_specification(std::string_view subject, std::string_view markdown) {
  specification result;
  result.subject = subject;
  std::size_t line_number = 0;
  const auto broken = [&](std::string_view what) {
    throw std::runtime_error(fmt::format("spec/{}.md:{}: {}", subject, line_number, what));
  };
  std::string* paragraph = nullptr;  // where continuation lines go
  bool facts_expected = false;
  while (!markdown.empty()) {
    const std::size_t end = std::min(markdown.find('\n'), markdown.size());
    std::string_view line = trimmed(markdown.substr(0, end));
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
    ++line_number;
    if (line.empty()) {
      paragraph = nullptr;
    } else if (take_prefix(line, "Version: ")) {
      result.version = line;
    } else if (take_prefix(line, "## Class ")) {
      result.classes.push_back({std::string(line), {}, {}});
      paragraph = &result.classes.back().about;
    } else if (take_prefix(line, "### ")) {
      if (result.classes.empty()) broken("a requirement before the first class");
      requirement r;
      r.name = line;
      r.class_name = result.classes.back().name;
      if (r.name != fmt::format("{}.{}.{}", subject, r.class_name, r.name.substr(r.name.rfind('.') + 1))) {
        broken("the requirement's name does not begin with its subject and class");
      }
      if (result.index_of(r.name)) broken("a requirement of this name stands above");
      result.requirements.push_back(std::move(r));
      facts_expected = true;
    } else if (line.starts_with("#")) {
      paragraph = nullptr;
    } else if (facts_expected) {
      if (!parse_facts(line, result.requirements.back())) broken("expected 'MUST | since 1.0 | evidence run'");
      facts_expected = false;
    } else if (take_prefix(line, "Needs: ")) {
      if (!result.classes.empty()) result.classes.back().needs = line;
    } else if (!result.requirements.empty() && line.starts_with("**")) {
      requirement& r = result.requirements.back();
      if (take_prefix(line, "**Rule.** "))
        paragraph = &r.rule;
      else if (take_prefix(line, "**Source.** "))
        paragraph = &r.source;
      else if (take_prefix(line, "**Why.** "))
        paragraph = &r.why;
      else if (take_prefix(line, "**Checked by.** "))
        paragraph = &r.checked_by;
      else
        broken("expected **Rule.**, **Source.**, **Why.** or **Checked by.**");
      *paragraph = line;
    } else if (paragraph != nullptr) {
      if (!paragraph->empty()) *paragraph += ' ';
      *paragraph += line;
    } else if (!result.classes.empty() && result.classes.back().about.empty()) {
      paragraph = &result.classes.back().about;
      *paragraph = line;
    }
  }
  if (result.version.empty()) broken("no line 'Version: ...'");
  return result;
}

bool version_less(std::string_view a, std::string_view b) {
  const auto next = [](std::string_view& s) {
    unsigned n = 0;
    const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), n);
    static_cast<void>(error);
    s.remove_prefix(static_cast<std::size_t>(end - s.data()));
    if (!s.empty()) s.remove_prefix(1);
    return n;
  };
  while (!a.empty() || !b.empty()) {
    const unsigned x = next(a), y = next(b);
    if (x != y) return x < y;
  }
  return false;
}

std::vector<std::string> suggestions(std::string_view typed, const std::vector<std::string>& names) {
  const auto distance = [&](std::string_view name) {
    std::vector<std::size_t> row(name.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= typed.size(); ++i) {
      std::size_t diagonal = std::exchange(row[0], i);
      for (std::size_t j = 1; j <= name.size(); ++j) {
        const std::size_t replace = diagonal + (typed[i - 1] == name[j - 1] ? 0U : 1U);
        diagonal = row[j];
        row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
      }
    }
    return row.back();
  };
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& name : names) {
    const bool part = !typed.empty() && name.find(typed) != std::string::npos;
    const std::size_t d = part ? 1 : distance(name);
    if (d <= 2 + typed.size() / 5) ranked.emplace_back(d, name);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
  std::vector<std::string> result;
  for (const auto& [d, name] : ranked) {
    if (result.size() < 3) result.push_back(name);
  }
  return result;
}

}  // namespace ringspec
