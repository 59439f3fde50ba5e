// SPDX-License-Identifier: Apache-2.0
//
// A unit: all chosen sources on one instance of one port, whatever happens to the children that run it.
#pragma once
#include <memory>
#include <string>
#include <vector>
#include "ringspec/report/report.hpp"
#include "ringspec/run/watch.hpp"

namespace ringspec {

struct unit_result {
  struct failed_requirement {
    std::string requirement;
    failing_trace trace;
  };
  std::unique_ptr<evidence> counts;
  alloc::totals memory;
  std::vector<coverage> explored;            // pass by pass
  std::vector<failed_requirement> failures;  // in the order in which they were found
  std::string blind;
  std::vector<std::string> notes;
  std::string error;  // the port could not even be opened
  bool out_of_time{};
  bool stopped{};  // by too many deaths: a note says so
  double seconds{};
};

/// From a child's {"failure": {...}}.
failing_trace trace_from(const nlohmann::json& told);

/// Runs the unit to its end. After a death the trace that did it is run again under full scrutiny, and the rest goes on in
/// a new child; after three deaths of one requirement the unit stops.
unit_result run_unit(job what, deadline until);

}  // namespace ringspec
