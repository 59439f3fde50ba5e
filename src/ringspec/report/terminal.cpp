// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <algorithm>
#include "ringspec/report/wording.hpp"
#include "ringspec/report/writers.hpp"

namespace ringspec {
namespace {

constexpr std::size_t columns = 80;
constexpr std::size_t label_width = 13;  // "unauditable" and two spaces
constexpr std::size_t whole_trace = 12, trace_tail = 10, whole_output = 20, output_tail = 8;
constexpr std::size_t survey_tail = 4;  // a survey has many failures, and each its file

std::size_t width_of(std::string_view text) {
  // Continuation bytes of UTF-8 take no room.
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80; }));
}

/// Fills lines with words. The first line goes on behind `first`, the others behind `indent` spaces; a word that is too
/// long for a line gets one of its own, for it may be something to copy.
std::string filled(std::string first, std::size_t indent, std::string_view text) {
  std::string result = std::move(first);
  std::size_t used = width_of(result);
  bool fresh = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    const std::size_t width = width_of(word);
    if (!fresh && used + 1 + width > columns) {
      result += '\n' + std::string(indent, ' ');
      used = indent;
      fresh = true;
    }
    if (!fresh) result += ' ';
    result += word;
    used += width + (fresh ? 0 : 1);
    fresh = false;
  }
  return result.substr(0, result.find_last_not_of(' ') + 1) + '\n';
}

std::string joined(const std::vector<std::string>& names) {
  return one_line(fmt::format("{}", fmt::join(names, ", ")));
}

class writer {
 public:
  writer(const report& r, const terminal_options& options) : report_(r), options_(options) {}

  std::string whole() {
    for (const port_report& p : report_.ports) port(p);
    end();
    return std::move(text_);
  }

 private:
  enum class paint : std::uint8_t { good, bad, doubtful, strong, faint };

  [[nodiscard]] std::string painted(paint p, std::string_view text) const {
    if (!options_.colour || text.empty()) return std::string(text);
    constexpr std::string_view codes[] = {"32", "1;31", "33", "1", "2"};
    return fmt::format("\x1b[{}m{}\x1b[0m", codes[static_cast<std::size_t>(p)], text);
  }

  /// Colours the beginning of what was laid out without colours, so that they do not count as width.
  void add(paint p, std::size_t beginning, const std::string& laid_out) {
    text_ += painted(p, laid_out.substr(0, beginning)) + laid_out.substr(beginning);
  }

  void labelled(paint p, std::string_view label, const std::string& content) {
    add(p, 2 + label.size(), filled(fmt::format("  {:<{}}", label, label_width), 2 + label_width, content));
  }

  void port(const port_report& p) {
    heading(p);
    table(p);
    const auto failures = [&](auto&& chosen) {
      for (const verdict& v : p.verdicts) {
        if (chosen(v)) failure(p, v);
      }
    };
    const bool in_part = report_.is_part();
    failures([&](const verdict& v) { return v.fails_the_run(in_part); });
    failures([&](const verdict& v) { return v.what == outcome::fail && !v.fails_the_run(in_part); });
    exploration(p);
    text_ += '\n';
    others(p);
    notes(p);
    if (report_.survey) {
      const auto tried = [&](const std::string& c) {
        return std::any_of(p.verdicts.begin(), p.verdicts.end(),
                           [&](const verdict& v) { return v.class_name == c && known_checks(v); });
      };
      std::vector<std::string> not_tried = p.unclaimed;
      std::erase_if(not_tried, tried);
      text_ += filled("  claimed: ", 4, joined(p.claims));
      if (!not_tried.empty()) text_ += filled("  not tried (survey.json says why): ", 4, joined(not_tried));
      text_ += '\n';
      return;
    }
    if (!p.offered_not_claimed.empty())
      text_ += filled("  offered but not claimed: ", 4, joined(p.offered_not_claimed));
    text_ += filled("  unclaimed: ", 4, p.unclaimed.empty() ? "nothing, every class is claimed" : joined(p.unclaimed));
    text_ += '\n';
  }

  void heading(const port_report& p) {
    std::string facts = p.subject + (p.version.empty() ? "" : " " + p.version);
    const auto also = [&](const std::string& part) {
      if (!part.empty()) facts += ", " + part;
    };
    also(p.language);
    also(plural(p.instances.size(), "instance"));
    also(human(p.steps) + " steps");
    also(human_seconds(p.seconds));
    const std::string name = one_line(p.name);
    add(paint::strong, name.size(), filled(name + ": ", 2, one_line(facts)));
  }

  void table(const port_report& p) {
    std::vector<class_summary> classes = summarise(p, report_.is_part());
    if (classes.empty()) {
      text_ += "  no requirement was judged\n";
      return;
    }
    std::size_t width = 5;
    // What a survey could not try is named in one line below.
    if (report_.survey) std::erase_if(classes, [](const class_summary& c) { return !c.checks && !c.undecided; });
    for (const class_summary& c : classes) width = std::max(width, c.name.size());
    text_ +=
        painted(paint::faint, fmt::format("  {:<{}}  {:>5}  {:>5}  {:>8}", "class", width, "pass", "fail", "checks")) +
        '\n';
    const auto number = [](std::size_t n) { return n == 0 ? std::string("-") : std::to_string(n); };
    for (const class_summary& c : classes) {
      std::string rest;
      for (const outcome o : outcomes) {
        if (o == outcome::pass || o == outcome::fail || c.count(o) == 0) continue;
        rest += fmt::format("{}{} {}", rest.empty() ? "" : ", ", c.count(o), to_text(o));
      }
      if (std::count(p.claims.begin(), p.claims.end(), c.name) == 0)
        rest += rest.empty() ? "not claimed" : ", not claimed";
      const std::string row = fmt::format("{} {:<{}}  {:>5}  {:>5}  {:>8}  ",
                                          c.failed      ? 'x'
                                          : c.undecided ? '?'
                                                        : ' ',
                                          c.name, width, number(c.count(outcome::pass)), number(c.count(outcome::fail)),
                                          c.checks ? human(*c.checks) : "-");
      const paint p_of = c.failed ? paint::bad : c.undecided ? paint::doubtful : paint::good;
      add(p_of, 2 + c.name.size(), filled(row, width + 28, rest));
    }
  }

  void exploration(const port_report& p) {
    const std::vector<explored_row> rows = explored_rows(p);
    if (rows.empty()) return;
    std::size_t width = 8;
    for (const explored_row& r : rows) width = std::max(width, r.instances.size());
    const auto line = [&](std::string_view what, const explored_row& r) {
      return fmt::format("  {:<{}}  {:>5}  {}  {:>9}  {:>9}  {:>11}  {:>7}", what, width, r.bound, r.k, r.states,
                         r.apart, r.transitions, r.covered);
    };
    text_ += '\n';
    text_ +=
        painted(paint::faint, line("explored", {"", "to", "k", "states", p.states_apart, "transitions", "covered"}));
    text_ += '\n';
    for (const explored_row& r : rows) text_ += line(r.instances, r) + '\n';
  }

  void failure(const port_report& p, const verdict& v) {
    const bool claimed = std::count(p.claims.begin(), p.claims.end(), v.class_name) != 0;
    const bool counts = v.fails_the_run(report_.is_part()) && claimed;
    text_ += fmt::format("\n  {} {} ({}{})\n",
                         painted(counts ? paint::bad : paint::doubtful, v.what == outcome::stale ? "STALE"
                                                                        : counts                 ? "FAILED"
                                                                                                 : "failed"),
                         painted(paint::strong, v.requirement), v.level,
                         counts     ? ""
                         : !claimed ? ", not claimed"
                                    : ", does not count");
    text_ += filled("    ", 4, one_line(v.rule));
    if (!v.trace) {
      text_ += filled("    ", 4, one_line(v.message));
      return;
    }
    const failing_trace& t = *v.trace;
    text_ += '\n';
    fact("expected", described(t, t.expected), paint::good);
    fact("seen", described(t, t.seen), paint::bad);
    fact("where", place_of(t), paint::faint);
    if (t.text.find("\nsurvey specification\n") != std::string::npos)
      fact("judged", "by the specification's numbers, since the port's own leave this out", paint::faint);
    steps(t);
    output(t);
    if (const std::string replay = replay_line(t, options_.report_folder); !replay.empty())
      text_ += fmt::format("\n    {}\n", replay);
  }

  void fact(std::string_view label, const std::string& content, paint p) {
    add(p, 4 + label.size(), filled(fmt::format("    {:<8}  ", label), 14, content));
  }

  void steps(const failing_trace& t) {
    const excerpt shown =
        report_.survey ? steps_of(t.text, survey_tail, survey_tail) : steps_of(t.text, whole_trace, trace_tail);
    if (shown.lines.empty()) return;
    text_ += '\n';
    const bool tells = std::any_of(shown.lines.begin(), shown.lines.end(),
                                   [](const std::string& line) { return line.find("->") != std::string::npos; });
    if (tells)
      text_ += "    " + painted(paint::faint, "the steps, and what each should show; the last one differs") + '\n';
    if (!shown.before.empty()) text_ += "    " + painted(paint::faint, shown.before) + '\n';
    // The file leaves room for long operations; here the expectations move up to the longest one that there is.
    const auto split = [](const std::string& line) { return std::min(line.find("->"), line.size()); };
    const auto operation = [&](const std::string& line) {
      return line.substr(0, line.find_last_not_of(' ', split(line) - 1) + 1);
    };
    std::size_t width = 0;
    for (const std::string& line : shown.lines) {
      if (split(line) != line.size() && split(line) != 0) width = std::max(width, operation(line).size());
    }
    for (const std::string& line : shown.lines) {
      if (split(line) == line.size() || split(line) == 0) {
        text_ += "    " + line + '\n';
      } else {
        text_ += filled(fmt::format("    {:<{}} ", operation(line), width), 4 + width + 4, line.substr(split(line)));
      }
    }
  }

  void output(const failing_trace& t) {
    if (t.output.empty()) return;
    const std::vector<std::string> lines = lines_of(printable(t.output));
    const std::size_t first = lines.size() > whole_output ? lines.size() - output_tail : 0;
    text_ += first == 0 ? "\n    the port wrote\n"
                        : fmt::format("\n    the port wrote, last {} of {} lines\n", output_tail, lines.size());
    for (std::size_t i = first; i < lines.size(); ++i) text_ += "    | " + lines[i] + '\n';
  }

  /// What is neither passed nor failed: for each outcome and reason the requirements, or the classes as a whole.
  void others(const port_report& p) {
    const auto same = [](const verdict& a, const verdict& b) { return a.what == b.what && a.message == b.message; };
    std::vector<bool> told(p.verdicts.size(), false);
    for (const outcome o : outcomes) {
      if (o == outcome::pass || o == outcome::fail || (o == outcome::stale && !report_.is_part())) continue;
      if (report_.survey && (o == outcome::unclaimed || o == outcome::elsewhere)) continue;
      if (o == outcome::elsewhere) {
        if (const std::size_t n = p.count(o); n != 0)
          labelled(paint::faint, "elsewhere",
                   plural(n, "requirement") + "; `ringspec explain NAME` says what checks it");
        continue;
      }
      for (std::size_t i = 0; i < p.verdicts.size(); ++i) {
        const verdict& v = p.verdicts[i];
        if (told[i] || v.what != o) continue;
        // The last line says it.
        if (o == outcome::unclaimed && std::count(p.unclaimed.begin(), p.unclaimed.end(), v.class_name) != 0) continue;
        std::vector<std::string> names;
        for (std::size_t k = i; k < p.verdicts.size(); ++k) {
          const verdict& w = p.verdicts[k];
          if (told[k] || !same(v, w)) continue;
          const auto other = [&](const verdict& x) {
            return x.class_name == w.class_name && !same(x, w) && x.what != outcome::elsewhere;
          };
          const bool whole = std::none_of(p.verdicts.begin(), p.verdicts.end(), other);
          names.push_back(whole ? "class " + w.class_name : w.requirement);
          for (std::size_t m = k; m < p.verdicts.size(); ++m) {
            if (m == k || (whole && p.verdicts[m].class_name == w.class_name)) told[m] = true;
          }
        }
        const bool doubtful =
            o == outcome::unexercised || o == outcome::unauditable || o == outcome::deviation || o == outcome::stale;
        labelled(doubtful ? paint::doubtful : paint::faint, to_text(o), joined(names));
        if (const std::string why = reason_of(v, report_.is_part()); !why.empty())
          text_ += filled(std::string(2 + label_width, ' '), 2 + label_width, one_line(why));
      }
    }
  }

  /// Many instances say the same: one line for what they say.
  void notes(const port_report& p) {
    std::vector<std::pair<std::string, std::vector<std::string>>> all;
    for (const std::string& note : p.notes) {
      const std::size_t colon = note.find(": ");
      const std::string instance = note.substr(0, colon);
      const bool from_one =
          colon != std::string::npos && std::count(p.instances.begin(), p.instances.end(), instance) != 0;
      const std::string content = from_one ? note.substr(colon + 2) : note;
      auto at = std::find_if(all.begin(), all.end(), [&](const auto& n) { return n.first == content; });
      if (at == all.end()) at = all.insert(all.end(), {content, {}});
      if (from_one) at->second.push_back(instance);
    }
    for (const auto& [content, instances] : all) {
      std::string line = content;
      if (instances.size() > 1) {
        line += fmt::format(" ({} and {} more)", instances.front(), instances.size() - 1);
      } else if (!instances.empty() && content.find(instances.front()) == std::string::npos) {
        line += fmt::format(" ({})", instances.front());
      }
      labelled(p.inconclusive ? paint::doubtful : paint::faint, "note", one_line(line));
    }
  }

  void end() {
    const auto row = [&](std::string_view label, const std::string& content) {
      if (!content.empty()) text_ += filled(fmt::format("{:<8}  ", label), 10, one_line(content));
    };
    for (const std::string& problem : report_.problems)
      add(paint::doubtful, 7, filled("problem   ", 10, one_line(problem)));
    row("canary", report_.canary);
    row("only", joined(report_.only));
    row("under", report_.under);
    row("shard", part_of(report_));
    row("seed", fmt::format("{}, budget {}, ringspec {}, specification {}, {}", report_.seed, report_.budget,
                            report_.tool_version, report_.spec_version, report_.build));
    row("report", options_.report_folder);
    const int status = report_.exit_status();
    const paint p = status == 0 ? paint::good : status == 1 ? paint::bad : paint::doubtful;
    const std::string line = headline(report_);
    add(p, line.find(':'), filled("", 2, fmt::format("{} (exit status {})", line, status)));
  }

  const report& report_;
  const terminal_options& options_;
  std::string text_;
};

}  // namespace

void print(const report& r, std::FILE* out, const terminal_options& options) {
  const std::string text = writer(r, options).whole();
  std::fwrite(text.data(), 1, text.size(), out);
}

}  // namespace ringspec
