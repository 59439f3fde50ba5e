// SPDX-License-Identifier: Apache-2.0
//
// Bytes as a trace, on the reference queue itself beside its model: see typed.hpp.
#include "fuzz/decode.hpp"
#include "fuzz/typed.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ringspec;
  static fuzz::decoder decoder;
  static fuzz::typed_run run;
  const fuzz::decoded d = decoder.decode({data, size}, queue::operations, fuzz::typed_queues.size());
  run.run(*fuzz::typed_queues[d.instance], d.closely, d.steps);
  return 0;
}
