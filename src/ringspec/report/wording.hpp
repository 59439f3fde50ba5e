// SPDX-License-Identifier: Apache-2.0
//
// What the writers have in common: words, numbers, and text that is safe to show.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "ringspec/report/report.hpp"

namespace ringspec {

/// Every outcome, in the order in which reports list them.
inline constexpr std::array outcomes{outcome::pass,        outcome::fail,        outcome::stale,
                                     outcome::unexercised, outcome::unauditable, outcome::deviation,
                                     outcome::newer,       outcome::elsewhere,   outcome::unclaimed};

/// Valid UTF-8 in which no control character is left but the line feed and the tab: others are written as \x1b, "\r\n"
/// becomes a line feed, and what is no text becomes U+FFFD. The result is valid in XML 1.0.
std::string printable(std::string_view text);
/// The same on one line.
std::string one_line(std::string_view text);

/// "0", "1,234", "12.3 k", "4.56 M": three digits are enough to see whether a number is plausible.
std::string human(std::uint64_t n);
/// "1,234,567"
std::string grouped(std::uint64_t n);
/// "42 ms", "4.20 s", "72.1 s", "12 min 5 s"; "" for a time that was not measured.
std::string human_seconds(double seconds);
/// "1 requirement", "2 requirements"
std::string plural(std::size_t n, std::string_view noun);

std::vector<std::string> lines_of(std::string_view text);

/// How often the requirement was checked; nothing where it is not checked at all, or where checking saw nothing.
std::optional<std::uint64_t> known_checks(const verdict& v);

/// What a class came to.
struct class_summary {
  std::string name;
  std::array<std::size_t, outcomes.size()> counts{};  // as in `outcomes`
  std::optional<std::uint64_t> checks;
  bool failed{}, undecided{};

  [[nodiscard]] std::size_t count(outcome o) const;
};
/// The classes that were judged, in the order of the specification: those claimed, and in a survey those tried.
std::vector<class_summary> summarise(const port_report& p, bool in_part);

/// Passes of the explorer over instances that differ in nothing that shows here: a row for all of them.
struct explored_row {
  std::string instances;  // "byte/1", "*/1, 5 kinds"
  std::string bound, k, states, apart, transitions;
  std::string covered;  // "100 %", "37.2 %", "?"
};
std::vector<explored_row> explored_rows(const port_report& p);

/// "capacity of a: 16"
std::string described(const failing_trace& t, std::string_view value);
/// "received/1, step 9 of 9, random trace 7 of seed 1, shrunk from 812 steps"
std::string place_of(const failing_trace& t);

/// The steps of a trace file without its header and comments. Of more than `all_up_to` lines only the last `tail` are
/// left, and `before` says what was ("... 131 steps before").
struct excerpt {
  std::string before;
  std::vector<std::string> lines;
};
excerpt steps_of(std::string_view trace_text, std::size_t all_up_to, std::size_t tail);

/// The line that shows the failure again; "" if the trace was not written.
std::string replay_line(const failing_trace& t, std::string_view report_folder);

/// Why the verdict is neither pass nor fail.
std::string reason_of(const verdict& v, bool in_part);

/// "part 2 of 4", or "" for a whole run.
std::string part_of(const report& r);

/// "FAILED: 2 requirements", "passed: ...", "inconclusive: ...", "survey: ..."
std::string headline(const report& r);
/// What the exit status of this report means, as a sentence.
std::string_view meaning_of(const report& r);

}  // namespace ringspec
