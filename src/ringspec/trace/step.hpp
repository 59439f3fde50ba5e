// SPDX-License-Identifier: Apache-2.0
//
// A trace: a list of operations on one subject. This file knows no subject: an operation is a number into the subject's
// own table.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ringspec {

/// One operation of a subject's table, as the text format, the generator and the documentation need it.
struct operation {
  std::string_view name;  // "push_element"
  unsigned registers;     // how many registers it takes: 0, 1 or 2
  bool takes_number;      // "push_element a 3"
  std::string_view help;  // one line
};

inline constexpr unsigned register_count = 4;
inline constexpr std::string_view register_names = "abcd";

/// One step. Eight bytes, so that a trace is cheap to keep in memory shared with the process that watches.
struct step {
  std::uint8_t op{};
  std::uint8_t a{}, b{};  // registers
  std::uint8_t reserved{};
  std::uint32_t number{};
  friend bool operator==(const step&, const step&) = default;
};
static_assert(sizeof(step) == 8);

/// "size=2": one thing that is expected of, or was seen in, a step.
struct field {
  std::string key, value;
  friend bool operator==(const field&, const field&) = default;
};

/// What a trace file holds.
struct trace {
  std::string subject;
  std::string requirement;       // that it serves, or that it violates
  std::string instance = "*/*";  // pattern over KIND/N
  std::string port;              // in reports: the module and the port's name
  std::string survey;            // in reports: by whose numbers a survey judged it, "own" or "specification"
  std::string about;             // one sentence
  std::optional<std::uint64_t> seed;
  std::vector<step> steps;
  struct expectation {
    std::size_t step;  // index into steps
    std::size_t line;  // of the file
    std::vector<field> fields;
  };
  std::vector<expectation> expectations;  // in the order of the steps
};

/// Does KIND/N match the pattern ("*/1", "received/*")?
bool instance_matches(std::string_view pattern, std::string_view instance);

}  // namespace ringspec
