// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include "ringspec/alloc/heap.hpp"

namespace ringspec {

inline constexpr const char* tool_version = "0.1.0";

/// The compiler and the sanitizers that this program was built with: "g++ 12.2.0", "clang 19.1.7, address sanitizer".
inline std::string build_text() {
#if defined(__clang__)
  std::string text = "clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
                     std::to_string(__clang_patchlevel__);
#else
  std::string text = "g++ " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) + "." +
                     std::to_string(__GNUC_PATCHLEVEL__);
#endif
  if (*alloc::built_with() != '\0') text += std::string(", ") + alloc::built_with();
  return text;
}

}  // namespace ringspec
