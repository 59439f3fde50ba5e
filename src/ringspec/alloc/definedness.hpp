// SPDX-License-Identifier: Apache-2.0
//
// Definedness: under memcheck every byte has a bit that says whether it was ever written. Paint shows a write that changes
// a byte; this shows one that does not. Natively all of it does nothing.
#pragma once
#include <cstddef>

namespace ringspec::alloc {

/// True if this program can talk to memcheck: it was compiled with the header that Valgrind brings.
bool speaks_to_memcheck();
/// True if it runs under Valgrind.
bool definedness_is_watched();
/// The bytes count as never written; they keep their content.
void make_undefined(const void* memory, std::size_t bytes);
/// The bytes count as written: for the gate's own copies.
void make_defined(const void* memory, std::size_t bytes);
/// True if no bit of these bytes was written; also true where nobody watches.
bool none_defined(const void* memory, std::size_t bytes);

}  // namespace ringspec::alloc
