// SPDX-License-Identifier: Apache-2.0
//
// What a run found, as plain data: the writers in this folder turn it into a table, JSON, JUnit and Markdown. Knows
// verdicts, not subjects.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include "ringspec/alloc/ledger.hpp"
#include "ringspec/trace/subject.hpp"

namespace ringspec {

enum class outcome : std::uint8_t {
  pass,
  fail,
  unclaimed,    // not claimed, or it does not apply: the message says why
  unexercised,  // claimed, never checked
  unauditable,  // the ledger cannot see this port
  elsewhere,    // its evidence is not `run`
  deviation,    // fails, and the port accepts that with a reason
  stale,        // listed as a deviation, but passes
  newer,        // younger than the specification that the port was written to: shown, not counted
};
inline constexpr unsigned outcome_count = 9;
/// The most parts that a run can be cut in.
inline constexpr unsigned most_shards = 10'000;
/// "pass", "fail", ..., "new".
std::string to_text(outcome o);

struct failing_trace {
  std::string instance;  // "received/1"
  std::string source;    // "vectors/queue/fifo.order.trace", "random trace 7 of seed 1"
  std::uint64_t ordinal{};
  std::size_t step{}, length{};
  std::size_t shrunk_from{};         // the length of the trace that was found, or 0: this is the one
  std::string what, expected, seen;  // "capacity of a", "16", "12"
  std::string text;                  // the trace file
  std::string under;                 // the command under which it failed, as typed after --under, or ""
  std::string path;                  // where it was written, relative to the report; "" if it was not
  std::string output;                // what the port wrote to stdout and stderr before it died
};

struct verdict {
  std::string requirement, class_name, level, rule;
  outcome what{outcome::unclaimed};
  std::uint64_t checks{};
  std::string message;  // why, for everything but pass and fail
  std::optional<failing_trace> trace;
  std::optional<outcome> would_be;  // of a newer requirement: its verdict if it counted

  /// Does it alone make the exit status 1? A MUST failed, or, unless this is a part of a run, a deviation is stale.
  [[nodiscard]] bool fails_the_run(bool in_part) const;
};

/// An exhaustive pass over the states of one instance.
struct explored {
  std::string instance;
  coverage covered;

  /// Every state within the bound was entered, and every trace of the pass was run.
  [[nodiscard]] bool whole() const { return covered.cut_short == 0 && covered.run == covered.traces; }
};

struct port_report {
  std::string name, module, subject, version, language, spec;
  std::vector<std::string> instances, claims;
  std::vector<std::string> unclaimed;            // classes
  std::vector<std::string> offered_not_claimed;  // classes that the port's functions would allow
  std::string first_failure;                     // the requirement that the earliest failing trace violates, or ""
  std::uint64_t first_failure_ordinal{};         // of that trace, which need not be the one that is reported
  std::vector<std::string> notes;                // sentences
  std::uint64_t steps{};
  alloc::totals memory;                // what the ledger saw, over all traces
  std::vector<explored> explorations;  // in the order of the instances
  std::string states_apart;            // what its states are counted apart for: "heap"
  double seconds{};
  bool inconclusive{};            // something of its run is missing: a note says what
  std::vector<verdict> verdicts;  // in the order of the specification

  [[nodiscard]] std::size_t count(outcome o) const;
  /// `in_part`: what a part of a run does not exercise another one may, and may see the deviation fail.
  [[nodiscard]] bool failed(bool in_part) const;
  [[nodiscard]] bool undecided(bool in_part) const;
};

struct report {
  std::string tool_version, spec_version, budget, build;
  std::string under;                     // the command that ran the children, or ""
  std::uint64_t seed{}, random_steps{};  // steps: for each instance
  std::vector<std::string> sources;      // of the traces: "vectors", ...
  bool suffix{true};                     // explored traces end in the suffix that tells states apart
  unsigned shard{}, shards{1};           // which part of how many this run was, from 1; 0: the whole
  bool survey{};
  std::vector<std::string> only;  // prefixes: what of the specification was asked for; empty = all
  std::vector<port_report> ports;
  std::vector<std::string> problems;  // sentences: why the run as a whole is inconclusive
  std::string canary;                 // what the wrong port of this run showed
  double seconds{};

  [[nodiscard]] bool is_part() const { return shard != 0; }
  /// 0, 1 or 3, in the precedence 1, 3, 0.
  [[nodiscard]] int exit_status() const;
};

}  // namespace ringspec
