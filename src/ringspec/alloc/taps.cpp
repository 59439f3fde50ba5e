// SPDX-License-Identifier: Apache-2.0
#include "ringspec/alloc/taps.hpp"
#include <malloc.h>
#include <unistd.h>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include "ringspec/alloc/ledger.hpp"

namespace ringspec::alloc {
namespace {

constexpr std::size_t natural = alignof(std::max_align_t);
constexpr bool power_of_two(std::size_t n) { return n != 0 && (n & (n - 1)) == 0; }
ledger& book() { return ledger::instance(); }

// ---- the malloc family
void* tap_malloc(std::size_t n) {
  void* const p = book().allocate(n, natural, family::malloc_family);
  if (p == nullptr) errno = ENOMEM;
  return p;
}
void tap_free(void* p) {
  // A block from before the tap, or made by a library on the port's behalf (strdup), goes back where it came from.
  if (p != nullptr && !book().release(p, 0, 0, family::malloc_family)) std::free(p);
}
void* tap_calloc(std::size_t n, std::size_t size) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(n, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  void* const p = tap_malloc(bytes);
  if (p != nullptr) std::memset(p, 0, bytes);
  return p;
}
void* tap_realloc(void* old, std::size_t n) {
  // One allocation and one release, always moved: a port that relies on staying in place is found out.
  if (old == nullptr) return tap_malloc(n);
  const block* const b = book().lookup(old);
  if (b == nullptr) return std::realloc(old, n);
  if (n == 0) {
    tap_free(old);
    return nullptr;
  }
  const std::size_t before = b->bytes;
  void* const p = tap_malloc(n);
  if (p == nullptr) return nullptr;
  std::memcpy(p, old, before < n ? before : n);
  tap_free(old);
  return p;
}
void* tap_reallocarray(void* old, std::size_t n, std::size_t size) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(n, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return tap_realloc(old, bytes);
}
void* tap_aligned_alloc(std::size_t alignment, std::size_t n) {
  if (!power_of_two(alignment)) {
    errno = EINVAL;
    return nullptr;
  }
  void* const p = book().allocate(n, alignment, family::malloc_family);
  if (p == nullptr) errno = ENOMEM;
  return p;
}
int tap_posix_memalign(void** out, std::size_t alignment, std::size_t n) {
  if (!power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  void* const p = book().allocate(n, alignment, family::malloc_family);
  if (p == nullptr) return ENOMEM;
  *out = p;
  return 0;
}
std::size_t page() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }
void* tap_valloc(std::size_t n) { return tap_aligned_alloc(page(), n); }
// Whole pages, by its contract: the port may write all of them.
void* tap_pvalloc(std::size_t n) { return tap_valloc(n > SIZE_MAX - page() ? n : (n + page() - 1) & ~(page() - 1)); }
std::size_t tap_usable_size(void* p) {
  const block* const b = p == nullptr ? nullptr : book().lookup(p);
  return b != nullptr ? b->bytes : ::malloc_usable_size(p);
}

// ---- operator new and delete
void* made(void* p) {
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
void* tap_new(std::size_t n) { return made(book().allocate(n, natural, family::plain_new)); }
void* tap_new_nothrow(std::size_t n, const std::nothrow_t&) { return book().allocate(n, natural, family::plain_new); }
void* tap_new_aligned(std::size_t n, std::align_val_t a) {
  return made(book().allocate(n, static_cast<std::size_t>(a), family::aligned_new));
}
void* tap_new_aligned_nothrow(std::size_t n, std::align_val_t a, const std::nothrow_t&) {
  return book().allocate(n, static_cast<std::size_t>(a), family::aligned_new);
}
void tap_delete_sized(void* p, std::size_t n) {
  if (p != nullptr && !book().release(p, n, natural, family::plain_new)) ::operator delete(p);
}
void tap_delete(void* p) { tap_delete_sized(p, 0); }
void tap_delete_nothrow(void* p, const std::nothrow_t&) { tap_delete_sized(p, 0); }
void tap_delete_aligned_sized(void* p, std::size_t n, std::align_val_t a) {
  if (p != nullptr && !book().release(p, n, static_cast<std::size_t>(a), family::aligned_new)) ::operator delete(p, a);
}
void tap_delete_aligned(void* p, std::align_val_t a) { tap_delete_aligned_sized(p, 0, a); }
void tap_delete_aligned_nothrow(void* p, std::align_val_t a, const std::nothrow_t&) {
  tap_delete_aligned_sized(p, 0, a);
}

// ---- what the C++ library gives back: strings are allocated in the port's own code and released in the library's, or the
// other way round. What no port made is none of the ledger's business here.
void* library_malloc(std::size_t n) {
  void* const p = std::malloc(n);
  book().forget(p);
  return p;
}
void* library_new(std::size_t n) {
  void* const p = ::operator new(n);
  book().forget(p);
  return p;
}
void library_free(void* p) { book().lookup(p) != nullptr ? tap_free(p) : std::free(p); }
void* library_realloc(void* p, std::size_t n) {
  return book().lookup(p) != nullptr ? tap_realloc(p, n) : std::realloc(p, n);
}
void library_delete(void* p) { book().lookup(p) != nullptr ? tap_delete(p) : ::operator delete(p); }
void library_delete_sized(void* p, std::size_t n) {
  book().lookup(p) != nullptr ? tap_delete_sized(p, n) : ::operator delete(p);
}

struct entry {
  std::string_view symbol;
  void* tap;
};
template <class Function>
void* address_of(Function* f) {
  return reinterpret_cast<void*>(f);
}

}  // namespace

void* tap_for(std::string_view symbol) {
  static const entry table[] = {
      {"malloc", address_of(tap_malloc)},
      {"free", address_of(tap_free)},
      {"calloc", address_of(tap_calloc)},
      {"realloc", address_of(tap_realloc)},
      {"reallocarray", address_of(tap_reallocarray)},
      {"aligned_alloc", address_of(tap_aligned_alloc)},
      {"memalign", address_of(tap_aligned_alloc)},
      {"posix_memalign", address_of(tap_posix_memalign)},
      {"valloc", address_of(tap_valloc)},
      {"pvalloc", address_of(tap_pvalloc)},
      {"malloc_usable_size", address_of(tap_usable_size)},
      {"_Znwm", address_of(tap_new)},
      {"_Znam", address_of(tap_new)},
      {"_ZnwmRKSt9nothrow_t", address_of(tap_new_nothrow)},
      {"_ZnamRKSt9nothrow_t", address_of(tap_new_nothrow)},
      {"_ZnwmSt11align_val_t", address_of(tap_new_aligned)},
      {"_ZnamSt11align_val_t", address_of(tap_new_aligned)},
      {"_ZnwmSt11align_val_tRKSt9nothrow_t", address_of(tap_new_aligned_nothrow)},
      {"_ZnamSt11align_val_tRKSt9nothrow_t", address_of(tap_new_aligned_nothrow)},
      {"_ZdlPv", address_of(tap_delete)},
      {"_ZdaPv", address_of(tap_delete)},
      {"_ZdlPvm", address_of(tap_delete_sized)},
      {"_ZdaPvm", address_of(tap_delete_sized)},
      {"_ZdlPvRKSt9nothrow_t", address_of(tap_delete_nothrow)},
      {"_ZdaPvRKSt9nothrow_t", address_of(tap_delete_nothrow)},
      {"_ZdlPvSt11align_val_t", address_of(tap_delete_aligned)},
      {"_ZdaPvSt11align_val_t", address_of(tap_delete_aligned)},
      {"_ZdlPvmSt11align_val_t", address_of(tap_delete_aligned_sized)},
      {"_ZdaPvmSt11align_val_t", address_of(tap_delete_aligned_sized)},
      {"_ZdlPvSt11align_val_tRKSt9nothrow_t", address_of(tap_delete_aligned_nothrow)},
      {"_ZdaPvSt11align_val_tRKSt9nothrow_t", address_of(tap_delete_aligned_nothrow)},
  };
  for (const entry& e : table) {
    if (e.symbol == symbol) return e.tap;
  }
  return nullptr;
}

void* library_tap_for(std::string_view symbol) {
  if (symbol == "malloc") return address_of(library_malloc);
  if (symbol == "_Znwm" || symbol == "_Znam") return address_of(library_new);
  if (symbol == "free") return address_of(library_free);
  if (symbol == "realloc") return address_of(library_realloc);
  if (symbol == "_ZdlPv" || symbol == "_ZdaPv") return address_of(library_delete);
  if (symbol == "_ZdlPvm" || symbol == "_ZdaPvm") return address_of(library_delete_sized);
  return nullptr;
}

}  // namespace ringspec::alloc
