// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace ringspec {

/// "died by SIGSEGV (Segmentation fault)", "exited with status 0": what waitpid's status says.
std::string death_text(int wait_status);

}  // namespace ringspec
