// SPDX-License-Identifier: Apache-2.0
//
// Opens a shared object with the taps in place: after loading, the relocations of the object, and of whatever else came
// in with it, that name the malloc family or operator new/delete are overwritten with the taps. Only the port's own
// calls are seen, so "0 allocations" is exact; it works the same natively, under sanitizers and under Valgrind.
#pragma once
#include <cstddef>
#include <string>

namespace ringspec::alloc {

struct opened {
  void* handle{};         // of dlopen; never closed: a port may have left pointers to itself behind
  std::size_t patched{};  // relocations overwritten
  std::string error;      // a sentence if handle is null
};

/// `path` must contain a slash (dlopen searches the library path otherwise).
opened open_with_taps(const std::string& path);

/// Takes the taps out of the C++ library again, for who measures what this program itself does in it: its allocations would
/// pay for them. A port whose blocks the library releases must not be called after this.
void untap_library();

}  // namespace ringspec::alloc
