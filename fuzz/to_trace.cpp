// SPDX-License-Identifier: Apache-2.0
//
// ringspec-fuzz-to-trace FILE: the trace that the targets fuzz_queue_trace and fuzz_queue_typed make of the bytes in a
// file. RINGSPEC_PORT says for which port, as for the target.
#include <fmt/format.h>
#include <exception>
#include <fstream>
#include <iterator>
#include <vector>
#include "fuzz/chosen_port.hpp"
#include "fuzz/decode.hpp"
#include "ringspec/trace/text.hpp"

int main(int argc, char** argv) try {
  using namespace ringspec;
  std::ifstream in(argc == 2 ? argv[1] : "", std::ios::binary);
  if (!in) {
    fmt::print(stderr,
               "usage: ringspec-fuzz-to-trace FILE >TRACE (FILE as a fuzzer left it: crash-..., or of a corpus)\n");
    return 2;
  }
  const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
  const fuzz::chosen_port& c = fuzz::the_port();
  static fuzz::decoder decoder;
  const fuzz::decoded d = decoder.decode({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()},
                                         c.about->operations(), c.instances.size());
  trace t;
  t.subject = c.about->name();
  t.instance = c.instances[d.instance];
  t.port = c.shown_as;
  t.about = "From bytes of a fuzzer.";
  t.steps.assign(d.steps.begin(), d.steps.end());
  fmt::print("{}", to_text(t, c.about->operations()));
  return 0;
} catch (const std::exception& e) {
  fmt::print(stderr, "ringspec-fuzz-to-trace: {}\n", e.what());
  return 2;
}
