// SPDX-License-Identifier: Apache-2.0
//
// What a watched child is told to do, and what it tells back: JSON, one object a line.
#pragma once
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>
#include "ringspec/run/board.hpp"

namespace ringspec {

struct job {
  std::string kind;  // "describe", "run", "autopsy", "replay", "shrink"
  std::string module, port;
  std::string shown_as;  // the module as a trace names it: as the user would type it
  std::string subject;
  std::size_t instance{};
  std::uint64_t seed{};
  std::uint64_t first{};  // ordinal to begin with
  std::uint64_t random_steps{};
  std::vector<std::string> sources;  // "vectors", "explore", "random"
  std::string budget;                // whose bounds the explorer keeps
  unsigned shard{}, shards{1};       // runs the traces whose ordinals leave this remainder
  bool identify{true};               // explored traces end in the suffix that tells states apart
  // "": the claims are judged. "own": a survey, by the port's own numbers; "specification": its second look, by the
  // specification's.
  std::string survey;
  std::vector<bool> judged;  // by requirement of the specification
  std::string requirement;   // that a trace from a report was written for, or that it is to fail when it is shrunk
  std::string source;        // where the trace comes from, if the job is about one that was told before
  double seconds{1};         // shrink: the time for it
  bool cold{};               // no warm-up
  std::string death;         // autopsy: how the process died
  std::string under;         // the command that runs the child, as typed after --under; "": none
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(job, kind, module, port, shown_as, subject, instance, seed, first, random_steps,
                                   sources, budget, shard, shards, identify, survey, judged, requirement, source,
                                   seconds, cold, death, under)

/// Takes one line of the child's answer:
///   {"ports": [...]}                    describe
///   {"error": "sentence"}               the module or port is not usable
///   {"failure": {...}}                  a failed requirement with its trace
///   {"observation": {...}}              a step of a replay
///   {"shrunk": {...}}                   does the trace fail, and was there time for all; the trace comes as a failure
///   {"done": {"blind": "...", "note": "..."}}
using emitter = std::function<void(const nlohmann::json&)>;

/// Does the job in this process. Autopsy, replay and shrink read the trace from the board. Never throws.
void perform(const job& what, board& b, const emitter& emit);

/// The hand-written traces of a subject that fit an instance, in the order of the specification.
struct written_trace {
  std::uint64_t ordinal;  // from 1, the same for every instance
  std::string file;
  trace content;
};
const std::vector<written_trace>& written_traces(const subject& s);
/// Reads a trace, whatever its subject. Throws trace_error.
trace read_trace(std::string_view text, std::string_view file);

/// The trace with which a child warms up; written traces follow, then explored, then random ones.
inline constexpr std::uint64_t warm_up_ordinal = 0;
/// Ordinals from here on are explored traces, and random ones.
inline constexpr std::uint64_t first_explored = std::uint64_t{1} << 20;
inline constexpr std::uint64_t first_random = std::uint64_t{1} << 50;

}  // namespace ringspec
