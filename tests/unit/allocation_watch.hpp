// SPDX-License-Identifier: Apache-2.0
//
// A global operator new that counts, fails when told to, paints, and remembers the size and alignment of each block.
// Included by one file of a program, which must let libstdc++ see it; while nobody watches it only forwards.
#ifndef RINGSPEC_TESTS_UNIT_ALLOCATION_WATCH_HPP
#define RINGSPEC_TESTS_UNIT_ALLOCATION_WATCH_HPP

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

namespace ringspec_tests {
namespace {

struct allocation_watch {
  struct block {
    void* address;
    std::size_t bytes, align;
  };
  std::array<block, 64> live{};  // an array: the watch itself must not allocate
  std::size_t blocks = 0, allocations = 0, releases = 0, mismatches = 0;
  std::size_t countdown = 0;  // the allocation that fails, counted from now; 0: none
  bool on = false, all_after = false;

  /// Lets the k-th allocation from now fail, and all after it if that is said. 0 ends the plan.
  void plan(std::size_t k, bool and_all_after) {
    countdown = k;
    all_after = and_all_after;
  }
  [[nodiscard]] bool next_fails() const { return countdown == 1; }
  bool take() {
    ++allocations;
    if (countdown == 0 || --countdown != 0) return true;
    if (all_after) countdown = 1;
    return false;
  }
};
allocation_watch watch;

constexpr unsigned char paint = 0xA5;  // what fresh and released blocks hold
constexpr std::size_t plain = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

[[gnu::noinline]] void* watched_new(std::size_t bytes, std::size_t align) noexcept {
  if (watch.on && !watch.take()) return nullptr;
  void* const address = std::aligned_alloc(align, (bytes + align - 1) / align * align);
  if (watch.on && address != nullptr) {
    std::memset(address, paint, bytes);
    watch.live.at(watch.blocks++) = {address, bytes, align};
  }
  return address;
}

[[gnu::noinline]] void watched_delete(void* address, std::size_t bytes, std::size_t align) noexcept {
  for (std::size_t i = 0; i < watch.blocks; ++i) {
    const auto block = watch.live[i];
    if (block.address != address) continue;
    if (block.bytes != bytes || block.align != align) ++watch.mismatches;
    ++watch.releases;
    std::memset(address, paint, block.bytes);
    watch.live[i] = watch.live[--watch.blocks];
    break;
  }
  std::free(address);
}

inline void* or_throw(void* address) {
  if (address == nullptr) throw std::bad_alloc();
  return address;
}
inline std::size_t number(std::align_val_t align) { return static_cast<std::size_t>(align); }

}  // namespace
}  // namespace ringspec_tests

void* operator new(std::size_t n) {
  return ringspec_tests::or_throw(ringspec_tests::watched_new(n, ringspec_tests::plain));
}
void* operator new(std::size_t n, std::align_val_t a) {
  return ringspec_tests::or_throw(ringspec_tests::watched_new(n, ringspec_tests::number(a)));
}
void* operator new(std::size_t n, const std::nothrow_t&) noexcept {
  return ringspec_tests::watched_new(n, ringspec_tests::plain);
}
void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return ringspec_tests::watched_new(n, ringspec_tests::number(a));
}
void operator delete(void* p) noexcept { ringspec_tests::watched_delete(p, 0, ringspec_tests::plain); }
void operator delete(void* p, std::size_t n) noexcept { ringspec_tests::watched_delete(p, n, ringspec_tests::plain); }
void operator delete(void* p, std::align_val_t a) noexcept {
  ringspec_tests::watched_delete(p, 0, ringspec_tests::number(a));
}
void operator delete(void* p, std::size_t n, std::align_val_t a) noexcept {
  ringspec_tests::watched_delete(p, n, ringspec_tests::number(a));
}

#endif
