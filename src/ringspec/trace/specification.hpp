// SPDX-License-Identifier: Apache-2.0
//
// The specification as data, read from its Markdown (spec/SUBJECT.md), which is the single source.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringspec {

struct requirement {
  std::string name;                           // "queue.growth-policy.doubles-when-full"
  std::string class_name;                     // "growth-policy"
  std::string level;                          // MUST, SHOULD, MAY
  std::string since;                          // "1.0"
  std::string evidence;                       // run, build, audit, nightly
  std::string rule, source, why, checked_by;  // paragraphs, joined to one line each
};

struct requirement_class {
  std::string name;   // "growth-policy"
  std::string about;  // one paragraph
  std::string needs;  // what a port has to offer, or ""
};

struct specification {
  std::string subject;  // "queue"
  std::string version;  // "1.0"
  std::vector<requirement_class> classes;
  std::vector<requirement> requirements;  // in the order of the text

  [[nodiscard]] const requirement* find(std::string_view name) const;
  [[nodiscard]] std::optional<std::size_t> index_of(std::string_view name) const;
  [[nodiscard]] bool has_class(std::string_view name) const;
};

/// Reads the Markdown. Throws std::runtime_error with file and line on a heading or a line of facts that does not parse:
/// the text is ours, so that is a fault of the build, found by the first run.
specification parse_specification(std::string_view subject, std::string_view markdown);

/// "1.10" > "1.9". Missing parts are 0.
bool version_less(std::string_view a, std::string_view b);

/// The names closest to what was typed, best first, at most three; empty if none is near.
std::vector<std::string> suggestions(std::string_view typed, const std::vector<std::string>& names);

}  // namespace ringspec
