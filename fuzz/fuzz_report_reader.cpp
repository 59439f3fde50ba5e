// SPDX-License-Identifier: Apache-2.0
//
// The reader of report.json: whatever it is given, it reads it or refuses it in a sentence; and what it has read it writes,
// and reads as the same again.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include "ringspec/report/read.hpp"
#include "ringspec/report/writers.hpp"

namespace {

/// What was read, or nothing if the reader refused it.
bool read(std::string_view text, std::string_view file, ringspec::report& into) try {
  into = ringspec::read_report(text, file);
  return true;
} catch (const std::runtime_error&) {
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ringspec::report first, second;
  if (!read({reinterpret_cast<const char*>(data), size}, "input", first)) return 0;
  const std::string written = to_json(first);
  if (read(written, "written", second) && to_json(second) == written) return 0;
  std::fprintf(stderr, "FAILED a report that was read and written reads as another one:\n%s", written.c_str());
  std::abort();
}
