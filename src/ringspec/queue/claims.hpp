// SPDX-License-Identifier: Apache-2.0
//
// Which classes a queue port may claim, and which requirements do not apply to it.
#pragma once
#include <string>
#include <string_view>
#include "ringspec/port.h"
#include "ringspec/trace/subject.hpp"

namespace ringspec::queue {

/// Why the port cannot claim the class, or "".
std::string cannot_claim(const rs_port& port, std::string_view c);
/// Whatever a queue declares, two things can be asked of it: whether it takes memory for its first value, and whether it
/// has given back the memory of a burst by the time at which the specification's queue has.
second_look look_again(const rs_port& port);
/// Why the requirement does not apply to the port, or "".
std::string inapplicable(const rs_port& port, std::string_view requirement);

}  // namespace ringspec::queue
