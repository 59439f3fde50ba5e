// SPDX-License-Identifier: Apache-2.0
//
// Where the memory of the port under test comes from: one mimalloc heap per process natively, the tool's own functions
// under a sanitizer or Valgrind.
#pragma once
#include <cstddef>
#include "ringspec/alloc/ledger.hpp"

namespace ringspec::alloc {

/// The sanitizer that this program is built with ("address sanitizer"), or "".
const char* built_with();
/// True if a sanitizer's runtime or Valgrind watches this process's heap.
bool heap_is_watched();
/// Null if there is no memory. Never throws.
void* heap_allocate(std::size_t bytes, std::size_t alignment, family made_by);
void heap_release(void* address, std::size_t bytes, std::size_t alignment, family made_by);
/// Names the allocator, for the report: "mimalloc 209", "the sanitizer's", "libc".
const char* heap_name();

}  // namespace ringspec::alloc
