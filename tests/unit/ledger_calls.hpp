// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the ledger share.
#pragma once
#include <gtest/gtest.h>

#include <cstddef>

#include "ringspec/alloc/ledger.hpp"

namespace ringspec_tests {

using namespace ringspec::alloc;

inline constexpr family plain = family::plain_new;
inline constexpr std::size_t natural = 16;

inline std::byte* make(ledger& book, std::size_t bytes, std::size_t alignment = natural, family made_by = plain) {
  return static_cast<std::byte*>(book.allocate(bytes, alignment, made_by));
}
inline void drop(ledger& book, void* p) { EXPECT_TRUE(book.release(p, 0, natural, plain)); }
inline constexpr const char* watched = "the sanitizer watches the bytes of each block here";

}  // namespace ringspec_tests
