// SPDX-License-Identifier: Apache-2.0
//
// One trace by itself in watched children, as `replay` shows it, and shrinking one.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "ringspec/report/report.hpp"
#include "ringspec/run/watch.hpp"

namespace ringspec {

struct lone_run {
  std::vector<nlohmann::json> failures;  // as the child told them; the first is the one that counts
  std::string error;                     // the module or port is not usable
  std::string blind;                     // why the ledger cannot see this port's memory, or ""
  std::string output;                    // the last of what it wrote
  std::string death;                     // how the process died, or ""
  std::uint32_t lost_step{};             // where it died
};

/// Runs the trace once in a watched child, and should the child die of it, again to tell what it was that died. `what` is
/// a job with all that is not about the trace.
lone_run run_alone(job what, std::span<const step> steps, deadline until, const emitter& on_line);

/// The same in this process, without child and watchdog: a death is the end of both.
lone_run run_in_process(job what, std::span<const step> steps, const emitter& on_line);

/// Longer than any trace takes.
inline constexpr std::chrono::seconds longest_replay{600};

struct shrinking {
  std::optional<failing_trace> trace;  // nothing: it does not fail again, or the child was lost on the way
  std::string error;
  bool finished{};  // there was time to try everything
  std::size_t tried{};
  double seconds{};
};

/// The smallest trace that fails what.requirement as these steps do, found within what.seconds; what.source says where
/// they come from.
shrinking shrink_alone(job what, std::span<const step> steps, deadline until);

}  // namespace ringspec
