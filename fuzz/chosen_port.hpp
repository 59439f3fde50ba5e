// SPDX-License-Identifier: Apache-2.0
//
// The port that is fuzzed, loaded into this process with the taps in place.
#pragma once
#include <memory>
#include <string>
#include <vector>
#include "ringspec/trace/subject.hpp"

namespace ringspec::fuzz {

struct chosen_port {
  const rs_port* port{};
  const subject* about{};
  std::string shown_as;  // MODULE:PORT, as `ringspec replay --port` takes it; "" for the reference
  std::vector<std::string> instances;
  std::vector<bool> judged;
};

/// The environment variable RINGSPEC_PORT says which, as MODULE[:PORT]; else it is reference.so beside the program, or
/// the reference of the build. Ends the program with a sentence if it cannot be loaded.
const chosen_port& the_port();

}  // namespace ringspec::fuzz
