// SPDX-License-Identifier: Apache-2.0
#include "ringspec/alloc/heap.hpp"
#include <dlfcn.h>
#include <cstdio>
#include <cstdlib>
#include <new>
#include "ringspec/alloc/definedness.hpp"
#ifndef RINGSPEC_MIMALLOC_SONAME
#define RINGSPEC_MIMALLOC_SONAME "libmimalloc.so.2.0"
#endif

namespace ringspec::alloc {
namespace {

#if defined(__has_feature)
#define RINGSPEC_HAS(feature) __has_feature(feature)
#else
#define RINGSPEC_HAS(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || RINGSPEC_HAS(address_sanitizer)
constexpr const char* sanitizer = "address sanitizer";
#elif defined(__SANITIZE_THREAD__) || RINGSPEC_HAS(thread_sanitizer)
constexpr const char* sanitizer = "thread sanitizer";
#elif RINGSPEC_HAS(memory_sanitizer)
constexpr const char* sanitizer = "memory sanitizer";
#else
constexpr const char* sanitizer = "";
#endif

// mimalloc is opened, not linked: a linked libmimalloc would replace the allocator of the whole process, which no
// sanitizer runtime survives.
struct mimalloc {
  using heap_allocate_function = void* (*)(void*, std::size_t, std::size_t);
  void* heap{};
  heap_allocate_function allocate{};
  void (*release)(void*){};
  int version{};

  mimalloc() {
    if (heap_is_watched()) return;
    void* const library = ::dlopen(RINGSPEC_MIMALLOC_SONAME, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return;
    const auto heap_new = reinterpret_cast<void* (*)()>(::dlsym(library, "mi_heap_new"));
    const auto version_of = reinterpret_cast<int (*)()>(::dlsym(library, "mi_version"));
    allocate = reinterpret_cast<heap_allocate_function>(::dlsym(library, "mi_heap_malloc_aligned"));
    release = reinterpret_cast<void (*)(void*)>(::dlsym(library, "mi_free"));
    if (heap_new == nullptr || version_of == nullptr || allocate == nullptr || release == nullptr) {
      allocate = nullptr;
      return;
    }
    version = version_of();
    heap = heap_new();
  }
};

mimalloc& library() {
  static mimalloc instance;
  return instance;
}

}  // namespace

const char* built_with() { return sanitizer; }

bool heap_is_watched() {
  static const bool watched = *sanitizer != '\0' || definedness_is_watched() ||
                              ::dlsym(RTLD_DEFAULT, "__asan_init") != nullptr ||
                              ::dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr;
  return watched;
}

const char* heap_name() {
  static char name[32];
  if (heap_is_watched()) return definedness_is_watched() ? "memcheck's" : "the sanitizer's";
  if (library().allocate == nullptr) return "libc";
  std::snprintf(name, sizeof name, "mimalloc %d", library().version);
  return name;
}

void* heap_allocate(std::size_t bytes, std::size_t alignment, family made_by) {
  if (mimalloc& m = library(); m.allocate != nullptr) return m.allocate(m.heap, bytes, alignment);
  // The tool that watches must see the family that the port asked for, or its own mismatch checks go blind.
  switch (made_by) {
    case family::plain_new: return ::operator new(bytes, std::nothrow);
    case family::aligned_new: return ::operator new (bytes, std::align_val_t{alignment}, std::nothrow);
    case family::malloc_family:
    case family::host: break;
  }
  if (alignment <= alignof(std::max_align_t)) return std::malloc(bytes);
  void* result = nullptr;
  return ::posix_memalign(&result, alignment, bytes) == 0 ? result : nullptr;
}

void heap_release(void* address, std::size_t, std::size_t alignment, family made_by) {
  if (mimalloc& m = library(); m.allocate != nullptr) return m.release(address);
  switch (made_by) {
    case family::plain_new: return ::operator delete(address);
    case family::aligned_new: return ::operator delete (address, std::align_val_t{alignment});
    case family::malloc_family:
    case family::host: break;
  }
  std::free(address);
}

}  // namespace ringspec::alloc
