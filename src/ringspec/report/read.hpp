// SPDX-License-Identifier: Apache-2.0
//
// A report back from its JSON form, and one report from the parts of a run.
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>
#include "ringspec/report/report.hpp"

namespace ringspec {

/// A report that cannot be read, or parts that do not belong together: what() is one sentence, "FILE: ..." or
/// "FILE: at /ports/0/name: ...".
class report_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads what to_json() wrote; members that this version does not know are passed over. The text of a trace is in a file of
/// its own and stays empty. Throws report_error, whatever the text is.
report read_report(std::string_view text, std::string_view file);

/// A part of a run, and the file that it was read from.
struct part {
  report content;
  std::string file;
};

/// One report of all parts: checks and steps add up, of the failing traces of a requirement the first on the first instance
/// stays, and its verdict is the worst one. Parts that are missing make it inconclusive. Throws report_error if the parts
/// are not of one run.
report merge(const std::vector<part>& parts);

}  // namespace ringspec
