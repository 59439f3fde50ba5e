// SPDX-License-Identifier: Apache-2.0
//
// The forms in which a report leaves the program. All of them say the same, from the same data, and none of them needs
// the others: a machine reads report.json, a CI tool junit.xml, a reviewer summary.md, and whoever ran it the terminal.
//
// Whatever a port said about itself or wrote before it died may hold any bytes. In each form invalid UTF-8 becomes
// U+FFFD; where a control character would do harm it is written as \x1b.
#pragma once
#include <cstdio>
#include <string>
#include "ringspec/report/report.hpp"

namespace ringspec {

/// The number that report.json carries as "schema". It changes when a field goes or changes its meaning; fields may be
/// added under the same number.
inline constexpr int report_schema = 1;

/// report.json, as spec/report.schema.json describes it. A figure that was not measured is null, never 0.
std::string to_json(const report& r);

/// junit.xml: a suite for each port, a test case for each requirement, and a suite for the run as a whole if it has
/// problems. It has a failure or an error exactly if the exit status of the report is not 0.
std::string to_junit(const report& r);

/// summary.md, for people and for the summary page of a CI run. Paths in it are relative to the report.
std::string to_markdown(const report& r);

struct terminal_options {
  bool colour{};
  std::string report_folder;  // what the lines to copy put before the path of a trace; "" if nothing was written
};

/// The report for a terminal of 80 columns.
void print(const report& r, std::FILE* out, const terminal_options& options);

}  // namespace ringspec
