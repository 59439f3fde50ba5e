// SPDX-License-Identifier: Apache-2.0
//
// What the end of a process says: the status that waitpid tells, and what a sanitizer or Valgrind wrote before it.
#pragma once
#include <string>
#include <string_view>

namespace ringspec {

/// A tool's finding in one line ("AddressSanitizer: heap-buffer-overflow ring.hpp:24 in acme::Ring::Grow()"), or "" if
/// the output holds none.
std::string finding_in(std::string_view output);

/// The finding if the output holds one, else the status in words: "the process died by SIGSEGV (Segmentation fault)".
std::string death_text(int wait_status, std::string_view output);

/// A tool's report without what is of no use to the port's author (memory around the address, the gate's own frames);
/// output without a finding as it is.
std::string readable_output(std::string_view output);

}  // namespace ringspec
