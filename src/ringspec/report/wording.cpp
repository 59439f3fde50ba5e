// SPDX-License-Identifier: Apache-2.0
#include "ringspec/report/wording.hpp"
#include <fmt/format.h>
#include <algorithm>

namespace ringspec {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";  // U+FFFD

/// The length in bytes of the character that `text` begins with, and its code point; length 0 if that is not UTF-8.
std::size_t decode(std::string_view text, std::uint32_t& point) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t first = byte(0);
  point = first;
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  point = first & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return 0;
    point = point << 6U | (byte(i) & 0x3fU);
  }
  constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = point >= 0xd800 && point <= 0xdfff;
  return point < smallest[length] || point > 0x10ffff || surrogate ? 0 : length;
}

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
  return s;
}

/// "push a x8 -> size=8": 8
std::size_t steps_in(std::string_view line) {
  line = trimmed(line.substr(0, line.find("->")));
  const std::size_t space = line.rfind(' ');
  if (space == std::string_view::npos || line.size() < space + 3 || line[space + 1] != 'x') return 1;
  std::size_t n = 0;
  for (const char c : line.substr(space + 2)) {
    if (c < '0' || c > '9' || n > 100'000'000) return 1;
    n = 10 * n + static_cast<std::size_t>(c - '0');
  }
  return n;
}

std::string shell_word(std::string_view s) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/._-+:@%,=").find(c) != std::string_view::npos;
  };
  if (!s.empty() && std::all_of(s.begin(), s.end(), plain)) return std::string(s);
  std::string quoted = "'";
  for (const char c : s) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    std::uint32_t point = 0;
    const std::size_t length = decode(text, point);
    if (length == 0 || point == 0xfffe || point == 0xffff) {
      result += replacement;
    } else if (text.starts_with("\r\n")) {
      // The line feed comes next.
    } else if ((point < 0x20 && point != '\n' && point != '\t') || (point >= 0x7f && point <= 0x9f)) {
      result += fmt::format("\\x{:02x}", point);
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

std::string one_line(std::string_view text) {
  std::string result = printable(text);
  while (!result.empty() && result.back() == '\n') result.pop_back();
  std::replace_if(
      result.begin(), result.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return result;
}

std::string human(std::uint64_t n) {
  if (n < 1'000) return std::to_string(n);
  if (n < 10'000) return fmt::format("{},{:03}", n / 1'000, n % 1'000);
  auto value = static_cast<double>(n);
  std::size_t unit = 0;
  constexpr std::string_view units = "kMGTPE";
  for (value /= 1'000; value >= 999.5; value /= 1'000) ++unit;
  return fmt::format("{:.{}f} {}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, units[unit]);
}

std::string grouped(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t i = digits.size(); i > 3;) digits.insert(i -= 3, ",");
  return digits;
}

std::string human_seconds(double seconds) {
  if (!(seconds > 0)) return "";
  if (seconds < 0.0995) return fmt::format("{:.2g} ms", seconds * 1'000);
  if (seconds < 99.95) return fmt::format("{:.{}f} s", seconds, seconds < 9.995 ? 2 : 1);
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  return whole < 120 ? fmt::format("{} s", whole) : fmt::format("{} min {} s", whole / 60, whole % 60);
}

std::string plural(std::size_t n, std::string_view noun) { return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s"); }

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> result;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    result.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return result;
}

std::optional<std::uint64_t> known_checks(const verdict& v) {
  const bool none = v.what == outcome::unclaimed || v.what == outcome::elsewhere || v.what == outcome::unauditable;
  return none ? std::nullopt : std::optional(v.checks);
}

std::size_t class_summary::count(outcome o) const {
  return counts[static_cast<std::size_t>(std::find(outcomes.begin(), outcomes.end(), o) - outcomes.begin())];
}

std::vector<class_summary> summarise(const port_report& p, bool in_part) {
  std::vector<class_summary> all;
  for (const verdict& v : p.verdicts) {
    auto at = std::find_if(all.begin(), all.end(), [&](const class_summary& c) { return c.name == v.class_name; });
    if (at == all.end()) at = all.insert(all.end(), {v.class_name, {}, {}, false, false});
    ++at->counts[static_cast<std::size_t>(std::find(outcomes.begin(), outcomes.end(), v.what) - outcomes.begin())];
    if (const auto checks = known_checks(v)) at->checks = at->checks.value_or(0) + *checks;
    at->failed |= v.fails_the_run(in_part);
    at->undecided |= v.what == outcome::unexercised || v.what == outcome::unauditable || v.what == outcome::stale;
  }
  std::erase_if(all, [&](const class_summary& c) {
    const bool claimed = std::find(p.claims.begin(), p.claims.end(), c.name) != p.claims.end();
    const auto judged = [&](outcome o) { return o != outcome::unclaimed && c.count(o) != 0; };
    return !claimed && std::none_of(outcomes.begin(), outcomes.end(), judged);
  });
  return all;
}

std::vector<explored_row> explored_rows(const port_report& p) {
  const auto shape = [](const explored& e) {
    const coverage& c = e.covered;
    return std::array{c.bound, c.words, c.states, c.states_apart, c.transitions, c.cut_short, c.traces, c.run};
  };
  const auto size = [](const explored& e) { return e.instance.substr(e.instance.find('/') + 1); };
  std::vector<explored_row> rows;
  std::vector<bool> told(p.explorations.size(), false);
  for (std::size_t i = 0; i < p.explorations.size(); ++i) {
    if (told[i]) continue;
    const explored& e = p.explorations[i];
    const coverage& c = e.covered;
    std::size_t alike = 0;
    for (std::size_t k = i; k < p.explorations.size(); ++k) {
      const explored& other = p.explorations[k];
      if (size(other) != size(e) || shape(other) != shape(e)) continue;
      told[k] = true;
      ++alike;
    }
    std::string covered = "100 %";
    if (c.cut_short != 0)
      covered = "?";
    else if (!e.whole())  // never rounded up
      covered = fmt::format("{:.1f} %", static_cast<double>(c.run * 1000 / std::max<std::uint64_t>(c.traces, 1)) / 10);
    rows.push_back({alike == 1 ? e.instance : fmt::format("*/{}, {} kinds", size(e), alike), grouped(c.bound),
                    grouped(c.words), grouped(c.states), grouped(c.states_apart), grouped(c.transitions), covered});
  }
  return rows;
}

std::string described(const failing_trace& t, std::string_view value) {
  return one_line(t.what.empty() ? std::string(value) : fmt::format("{}: {}", t.what, value));
}

std::string place_of(const failing_trace& t) {
  std::string result = t.instance;
  const auto add = [&](const std::string& part) { result += (result.empty() || part.empty() ? "" : ", ") + part; };
  if (t.length != 0) {
    add(t.step < t.length ? fmt::format("step {} of {}", t.step + 1, t.length)
                          : fmt::format("at the end of {}", plural(t.length, "step")));
  } else if (!t.text.empty()) {
    add("without any step");
  }
  add(t.source);
  if (t.shrunk_from != 0) add("shrunk from " + plural(t.shrunk_from, "step"));
  return one_line(result);
}

excerpt steps_of(std::string_view trace_text, std::size_t all_up_to, std::size_t tail) {
  const std::string text = printable(trace_text);
  const std::size_t body = text.starts_with("ringspec trace") ? text.find("\n\n") : std::string::npos;
  excerpt result;
  result.lines = lines_of(std::string_view(text).substr(body == std::string::npos ? 0 : body + 2));
  std::erase_if(result.lines, [](const std::string& line) { return line.empty() || line.starts_with('#'); });
  if (result.lines.size() <= all_up_to) return result;
  const auto first = result.lines.end() - static_cast<std::ptrdiff_t>(std::min(tail, result.lines.size()));
  std::size_t steps = 0;
  bool repeats = false;
  for (auto line = result.lines.begin(); line != first; ++line) {
    repeats |= line->starts_with("repeat ");
    steps += steps_in(*line);
  }
  // A repeated block may reach into the tail, so then only lines can be counted.
  result.before =
      repeats ? fmt::format("... {} before", plural(static_cast<std::size_t>(first - result.lines.begin()), "line"))
              : fmt::format("... {} before", plural(steps, "step"));
  result.lines.erase(result.lines.begin(), first);
  return result;
}

std::string replay_line(const failing_trace& t, std::string_view report_folder) {
  if (t.path.empty()) return "";
  std::string path(report_folder);
  if (!path.empty() && path.back() != '/') path += '/';
  const std::string under = t.under.empty() ? "" : "--under " + shell_word(printable(t.under)) + " ";
  return "ringspec replay " + under + shell_word(printable(path + t.path));
}

std::string reason_of(const verdict& v, bool in_part) {
  return v.what == outcome::stale && in_part ? "a listed deviation that passes in this part of the run" : v.message;
}

std::string part_of(const report& r) { return !r.is_part() ? "" : fmt::format("part {} of {}", r.shard, r.shards); }

std::string headline(const report& r) {
  std::size_t passed = 0, failed = 0, stale = 0, unexercised = 0, unauditable = 0, lenient = 0, cut_short = 0;
  for (const port_report& p : r.ports) {
    passed += p.count(outcome::pass);
    stale += p.count(outcome::stale);
    unexercised += p.count(outcome::unexercised);
    unauditable += p.count(outcome::unauditable);
    cut_short += p.inconclusive ? 1 : 0;
    for (const verdict& v : p.verdicts) {
      if (v.what == outcome::fail) ++(v.level == "MUST" ? failed : lenient);
    }
  }
  std::string parts;
  const auto add = [&](std::size_t n, const std::string& part) {
    if (n != 0) parts += (parts.empty() ? "" : ", ") + part;
  };
  if (r.survey) {
    add(1, fmt::format("{}, {} passed, {} failed", plural(r.ports.size(), "port"), passed, failed + lenient));
    add(r.problems.size(), plural(r.problems.size(), "problem"));
    return "survey: " + parts;
  }
  switch (r.exit_status()) {
    case 0:
      add(1, fmt::format("{} of {}", plural(passed, "requirement"), plural(r.ports.size(), "port")));
      add(lenient, fmt::format("{} SHOULD or MAY failed", lenient));
      add(unexercised + stale, plural(unexercised + stale, "requirement") + " left to the other parts");
      return (r.is_part() ? part_of(r) + " passed: " : "passed: ") + parts;
    case 1:
      add(failed, plural(failed, "requirement"));
      if (!r.is_part()) add(stale, plural(stale, "stale deviation"));
      return "FAILED: " + parts;
    default:
      add(r.problems.size(), plural(r.problems.size(), "problem") + " of the whole run");
      add(r.ports.empty() ? 1 : 0, "no port was judged");
      add(unauditable, plural(unauditable, "requirement") + " unauditable");
      add(unexercised, plural(unexercised, "requirement") + " unexercised");
      add(cut_short, plural(cut_short, "port") + " not judged to the end");
      return "inconclusive: " + parts;
  }
}

std::string_view meaning_of(const report& r) {
  if (r.survey) return "A survey shows what the ports do, claimed or not, and fails nobody for it.";
  switch (r.exit_status()) {
    case 0:
      return r.is_part() ? "Nothing failed in this part of a run; the parts together decide (`ringspec merge`)."
                         : "Every claimed requirement passed.";
    case 1: return "A claimed requirement failed, or an accepted deviation is stale.";
    default: return "Nothing that counts failed, but something that was claimed could not be judged.";
  }
}

}  // namespace ringspec
