// SPDX-License-Identifier: Apache-2.0
#include "ringspec/alloc/definedness.hpp"
#include <algorithm>
#include <vector>
#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#else
#define RUNNING_ON_VALGRIND 0
#define VALGRIND_MAKE_MEM_UNDEFINED(memory, bytes) (static_cast<void>(memory), static_cast<void>(bytes), 0)
#define VALGRIND_MAKE_MEM_DEFINED(memory, bytes) (static_cast<void>(memory), static_cast<void>(bytes), 0)
#define VALGRIND_GET_VBITS(memory, bits, bytes) 0
#define RINGSPEC_WITHOUT_MEMCHECK 1
#endif

namespace ringspec::alloc {

bool speaks_to_memcheck() {
#ifdef RINGSPEC_WITHOUT_MEMCHECK
  return false;
#else
  return true;
#endif
}

bool definedness_is_watched() {
  static const bool watched = RUNNING_ON_VALGRIND != 0;
  return watched;
}

void make_undefined(const void* memory, std::size_t bytes) {
  if (definedness_is_watched()) static_cast<void>(VALGRIND_MAKE_MEM_UNDEFINED(memory, bytes));
}

void make_defined(const void* memory, std::size_t bytes) {
  if (definedness_is_watched()) static_cast<void>(VALGRIND_MAKE_MEM_DEFINED(memory, bytes));
}

bool none_defined(const void* memory, std::size_t bytes) {
  if (!definedness_is_watched()) return true;
  std::vector<unsigned char> bits(bytes, 0xFF);  // one bit for each, set while it is undefined
  static_cast<void>(VALGRIND_GET_VBITS(memory, bits.data(), bytes));
  return std::all_of(bits.begin(), bits.end(), [](unsigned char b) { return b == 0xFF; });
}

}  // namespace ringspec::alloc
