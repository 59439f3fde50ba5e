// SPDX-License-Identifier: Apache-2.0
#include "ringspec/run/embedded.hpp"
#include <stdexcept>
#include <string>

namespace ringspec {

std::string_view embedded_text(std::string_view name) {
  for (const embedded_file& f : embedded_files()) {
    if (f.name == name) return f.text;
  }
  throw std::out_of_range("this build carries no file spec/" + std::string(name));
}

}  // namespace ringspec
