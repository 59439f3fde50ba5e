// SPDX-License-Identifier: Apache-2.0
//
// Which classes a queue port may claim, and which requirements do not apply to it.
#pragma once
#include <string>
#include <string_view>
#include "ringspec/port.h"

namespace ringspec::queue {

/// Why the port cannot claim the class, or "".
std::string cannot_claim(const rs_port& port, std::string_view c);
/// Why the requirement does not apply to the port, or "".
std::string inapplicable(const rs_port& port, std::string_view requirement);

}  // namespace ringspec::queue
