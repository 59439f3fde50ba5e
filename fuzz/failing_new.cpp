// SPDX-License-Identifier: Apache-2.0
#include "fuzz/failing_new.hpp"
#include <cstdlib>
#include <new>

namespace ringspec::fuzz {

heap_account the_heap;

namespace {

void* take(std::size_t bytes, std::size_t alignment) {
  heap_account& h = the_heap;
  if (h.counting) {
    ++h.attempts;
    if (h.next_fails()) {
      h.failing = h.and_all_after;
      h.fail_in = 0;
      return nullptr;
    }
    if (h.fail_in != 0) --h.fail_in;
    h.bytes += bytes;
  }
  void* result = nullptr;
  if (alignment <= alignof(std::max_align_t))
    result = std::malloc(bytes != 0 ? bytes : 1);
  else if (::posix_memalign(&result, alignment, bytes) != 0)
    result = nullptr;
  if (h.counting && result != nullptr) {
    if (h.live == h.blocks.size()) std::abort();  // four queues have four blocks, and one more while one of them grows
    h.blocks[h.live++] = {result, bytes, alignment};
  }
  return result;
}

void* take_or_throw(std::size_t bytes, std::size_t alignment) {
  if (void* const result = take(bytes, alignment)) return result;
  throw std::bad_alloc();
}

void give(void* address, std::size_t bytes, std::size_t alignment) {
  heap_account& h = the_heap;
  if (h.counting && address != nullptr) {
    ++h.releases;
    std::size_t i = 0;
    while (i < h.live && h.blocks[i].address != address) ++i;
    if (i == h.live) {
      h.wrong = "a release of what is no live block of a queue";
      return;
    }
    if (bytes != 0 && bytes != h.blocks[i].bytes) h.wrong = "a release with another size than the allocation";
    if (alignment != h.blocks[i].alignment) h.wrong = "a release with another alignment than the allocation";
    h.blocks[i] = h.blocks[--h.live];
  }
  std::free(address);
}

constexpr std::size_t plain = alignof(std::max_align_t);
constexpr std::size_t of(std::align_val_t a) { return static_cast<std::size_t>(a); }

}  // namespace
}  // namespace ringspec::fuzz

using ringspec::fuzz::give;
using ringspec::fuzz::of;
using ringspec::fuzz::plain;
using ringspec::fuzz::take;
using ringspec::fuzz::take_or_throw;

// The C++ library has to find these, whatever the visibility of the rest.
#pragma GCC visibility push(default)
void* operator new(std::size_t n) { return take_or_throw(n, plain); }
void* operator new[](std::size_t n) { return take_or_throw(n, plain); }
void* operator new(std::size_t n, std::align_val_t a) { return take_or_throw(n, of(a)); }
void* operator new[](std::size_t n, std::align_val_t a) { return take_or_throw(n, of(a)); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return take(n, plain); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return take(n, plain); }
void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept { return take(n, of(a)); }
void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept { return take(n, of(a)); }
void operator delete(void* p) noexcept { give(p, 0, plain); }
void operator delete[](void* p) noexcept { give(p, 0, plain); }
void operator delete(void* p, std::size_t n) noexcept { give(p, n, plain); }
void operator delete[](void* p, std::size_t n) noexcept { give(p, n, plain); }
void operator delete(void* p, std::align_val_t a) noexcept { give(p, 0, of(a)); }
void operator delete[](void* p, std::align_val_t a) noexcept { give(p, 0, of(a)); }
void operator delete(void* p, std::size_t n, std::align_val_t a) noexcept { give(p, n, of(a)); }
void operator delete[](void* p, std::size_t n, std::align_val_t a) noexcept { give(p, n, of(a)); }
void operator delete(void* p, const std::nothrow_t&) noexcept { give(p, 0, plain); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { give(p, 0, plain); }
void operator delete(void* p, std::align_val_t a, const std::nothrow_t&) noexcept { give(p, 0, of(a)); }
void operator delete[](void* p, std::align_val_t a, const std::nothrow_t&) noexcept { give(p, 0, of(a)); }
#pragma GCC visibility pop
