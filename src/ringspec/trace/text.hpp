// SPDX-License-Identifier: Apache-2.0
//
// The text format of traces (spec/trace.md): reading, with line and column in every error, and writing.
#pragma once
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include "ringspec/trace/step.hpp"

namespace ringspec {

/// A trace that cannot be read: what() is one sentence, "FILE:LINE:COLUMN: ...".
class trace_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The operation table of a subject, or an empty span if there is no such subject.
using operation_lookup = std::function<std::span<const operation>(std::string_view subject)>;

/// Reads one trace. `file` is used in errors only. Throws trace_error. A trace has at most max_trace_steps steps.
trace parse_trace(std::string_view text, std::string_view file, const operation_lookup& operations);
inline constexpr std::size_t max_trace_steps = std::size_t{1} << 19;

/// "push_element a 3"
std::string to_text(const step& s, std::span<const operation> operations);
/// "status=ok size=2"
std::string to_text(std::span<const field> fields);
/// The whole file. `notes` gives what stands behind each step ("-> status=ok ..."), or nothing.
std::string to_text(const trace& t, std::span<const operation> operations);

}  // namespace ringspec
