// SPDX-License-Identifier: Apache-2.0
//
// From what the units found to a verdict for each requirement.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>
#include "ringspec/report/report.hpp"
#include "ringspec/run/unit.hpp"

namespace ringspec {

struct loaded_port {
  nlohmann::json about;          // describe() of loader.hpp
  std::string module, shown_as;  // a file; as the user named it
};

struct planned {
  std::size_t port;
  job what;
  unit_result result;
};

struct reported_failure {
  planned* unit;
  failing_trace* trace;  // of the unit's
};
/// Of all failures of one port's units those that a report shows, by requirement: each on the first instance that shows it,
/// whatever found it there, so that it is the same one.
std::map<std::string, reported_failure> reported_failures(const std::vector<planned*>& units,
                                                          const std::vector<std::string>& only);

/// The verdicts of one port over all its units, which come in the order of its instances. `only`: prefixes of the
/// requirements to report, empty for all.
port_report report_on(const loaded_port& p, const std::vector<planned*>& units, const std::vector<std::string>& only,
                      bool survey);

}  // namespace ringspec
