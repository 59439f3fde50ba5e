// SPDX-License-Identifier: Apache-2.0
//
// What a process has to bring along before it can load a module: the runtimes of sanitizers come first or not at all, so
// they are found in the file, and the child that will load it is started with them.
#pragma once
#include <string>
#include <vector>

namespace ringspec {

struct runtime_needs {
  std::vector<std::string> preload;  // for LD_PRELOAD, in this order: paths, or names that the dynamic linker finds
  std::string symbolizer;            // the program that names functions for them, "" if none was found beside them
  std::string problem;               // a sentence: the module cannot be loaded by anybody as it is built
};

/// Reads the module's ELF headers and does not load it. What is no ELF file, or is a damaged one, needs nothing: loading
/// it says what is wrong.
runtime_needs needs_of(const std::string& module);

/// The sentence that refuses a module whose runtimes this very process lacks, or "".
std::string lacks_runtime(const std::string& module);

/// The environment for a child that loads the module, as "NAME=value": this process's own, with the runtimes preloaded
/// and with options under which a sanitizer's finding ends the step that caused it.
std::vector<std::string> child_environment(const std::string& module);

/// The command that runs a child, from what was typed after --under; "valgrind" gets the options that make its first
/// finding the end of the step, before those that were typed. Throws std::runtime_error if this program cannot work
/// under it.
std::vector<std::string> tool_command(const std::string& typed);

}  // namespace ringspec
