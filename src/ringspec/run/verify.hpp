// SPDX-License-Identifier: Apache-2.0
//
// The main job: a plan of units (an instance of a port each), run in watched children, and the verdicts over all of them.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>
#include "ringspec/report/report.hpp"
#include "ringspec/run/modules.hpp"

namespace ringspec {

/// Fixed numbers of steps, so that a seed means the same everywhere.
struct budget {
  std::string name;
  std::uint64_t random_steps;  // for each instance
};
/// "smoke", "gate", "nightly".
const std::vector<budget>& budgets();

/// Where traces come from.
inline const std::vector<std::string> all_sources{"vectors", "explore", "random"};

struct verify_options {
  std::vector<port_choice> ports;
  std::string subject;                // "": all
  std::vector<std::string> only;      // prefixes of requirement names; empty: all
  std::vector<std::string> required;  // classes that each port has to claim
  std::vector<std::string> sources = all_sources;
  bool identify{true};  // explored traces end in the suffix that tells states apart
  budget how_much;
  std::uint64_t seed{1};
  unsigned shard{}, shards{1};  // from 1; 0: the whole run
  unsigned jobs{1};
  unsigned timeout_seconds{600};
  bool survey{};
  bool shrink{true};  // the traces that are reported
  std::string under;  // the command that runs each child, as typed; "": none
};

/// Units done, units in all, and what is being run.
using progress_listener = std::function<void(std::size_t done, std::size_t all, const std::string& what)>;

/// Throws load_error if a port cannot be loaded or is refused; that a port misbehaves is in the report.
report verify(const verify_options& options, const progress_listener& progress);

}  // namespace ringspec
