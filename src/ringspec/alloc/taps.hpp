// SPDX-License-Identifier: Apache-2.0
//
// The taps: functions that stand in for the malloc family and operator new/delete inside a loaded port, and report to
// the ledger. The loader writes their addresses into the port's relocations.
#pragma once
#include <string_view>

namespace ringspec::alloc {

/// The tap for an imported symbol ("malloc", "_Znwm", ...), or null if there is none.
void* tap_for(std::string_view symbol);

/// The same for the C++ library, which this program shares with the port: it may release what the port allocated.
void* library_tap_for(std::string_view symbol);

}  // namespace ringspec::alloc
