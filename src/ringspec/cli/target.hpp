// SPDX-License-Identifier: Apache-2.0
//
// What a trace file is run on: the port that was typed or that the trace names, the instance, and what is judged there.
#pragma once
#include <string>
#include <vector>
#include "ringspec/run/job.hpp"
#include "ringspec/trace/step.hpp"

namespace ringspec::cli {

struct target {
  std::string module, shown_as, port;
  std::size_t instance;
  std::string instance_name;
  std::string survey;
  std::vector<bool> judged;
  bool fits = true;      // the trace was written for this instance
  std::string unjudged;  // why nobody answers for the trace's requirement on this port, or ""
};

/// `port` and `under` as typed, or "". Throws usage_error.
target choose(const trace& t, const std::string& port, const std::string& under);

/// The job of running this trace there.
job job_for(const trace& t, const target& to, const std::string& under);

/// The requirement that the trace names, or null if it names none. Throws usage_error if there is none of this name.
const requirement* requirement_of(const trace& t, const std::string& file);

}  // namespace ringspec::cli
