// SPDX-License-Identifier: Apache-2.0
//
// Where modules are: beside the command, in the build and when installed alike.
#pragma once
#include <string>
#include <vector>

namespace ringspec {

/// PREFIX/lib/ringspec for a command in PREFIX/bin.
std::string module_folder();
/// The path of this program.
std::string own_path();

/// One port, or all ports of a module ("" as port).
struct port_choice {
  std::string module;
  std::string port;
  std::string shown_as;  // the module as it was typed; a file by its whole path, so that a trace finds it from anywhere
};
/// What the user typed: a file, the name of a module beside the command ("reference"), or either with ":NAME" for one of
/// its ports. Throws load_error (loader.hpp) with a sentence and suggestions.
port_choice find_module(const std::string& typed);
/// The names that find_module takes, of the folder `kind` ("ports").
std::vector<std::string> module_names(const std::string& kind);

}  // namespace ringspec
