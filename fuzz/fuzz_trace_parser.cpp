// SPDX-License-Identifier: Apache-2.0
//
// The reader of trace files: whatever it is given, it reads it or refuses it in a sentence; and what it has read it prints,
// and reads as the same again.
#include <cstdio>
#include <cstdlib>
#include "ringspec/run/job.hpp"
#include "ringspec/trace/text.hpp"

namespace {

using namespace ringspec;

bool same(const trace& a, const trace& b) {
  return a.subject == b.subject && a.requirement == b.requirement && a.instance == b.instance && a.port == b.port &&
         a.survey == b.survey && a.about == b.about && a.seed == b.seed && a.steps == b.steps &&
         std::equal(a.expectations.begin(), a.expectations.end(), b.expectations.begin(), b.expectations.end(),
                    [](const trace::expectation& x, const trace::expectation& y) {
                      return x.step == y.step && x.fields == y.fields;  // the lines may differ
                    });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) try {
  const trace first = read_trace({reinterpret_cast<const char*>(data), size}, "input");
  const std::string text = to_text(first, find_subject(first.subject)->operations());
  try {
    if (same(first, read_trace(text, "printed"))) return 0;
    std::fprintf(stderr, "FAILED a trace that was read and printed reads as another one:\n%s", text.c_str());
  } catch (const trace_error& e) {
    std::fprintf(stderr, "FAILED a trace that was read and printed is refused: %s\n%s", e.what(), text.c_str());
  }
  std::abort();
} catch (const trace_error&) {
  return 0;
}
