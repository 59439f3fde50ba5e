// SPDX-License-Identifier: Apache-2.0
//
// The memory of a wrong queue: its blocks, its slots, and what its fault has to remember. See faulty_queue.hpp.
#pragma once

#include "faults.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace ringspec::wrong {

/// What faults remember from one call to the next.
template <class T>
struct fault_memory {
  bool armed = false;         // the fault shows at the next push
  bool left_inline = false;   // the queue has been on the heap
  std::uint64_t number = 0;   // a count or a slot
  std::uint64_t claimed = 0;  // if not 0: what capacity() answers
  T* kept = nullptr;          // a block that is still owned, or was
  std::uint64_t kept_slots = 0;
};
struct no_memory {};

/// Changes a byte that is not the queue's. By address, and never to the value it had, so that no compiler drops it and
/// no canary misses it.
inline void deface(std::uintptr_t address) {
  auto* const byte = reinterpret_cast<volatile unsigned char*>(address);
  *byte = static_cast<unsigned char>(*byte + 1U);
}

template <class T, std::uint64_t N, fault F>
class faulty_storage {
 protected:
  static constexpr std::uint64_t first_heap = std::max<std::uint64_t>(8, 2 * N);
  static constexpr bool aligned_new = alignof(T) > __STDCPP_DEFAULT_NEW_ALIGNMENT__&& F != fault::misaligned_heap;
  static constexpr bool remembers = F != fault::none && F != fault::abort_none;
  static constexpr std::uint64_t elsewhere = ~std::uint64_t{0};

  faulty_storage() = default;
  ~faulty_storage() = default;

  // ---- memory
  static std::size_t block_bytes(std::uint64_t count) {
    return (count + (F == fault::one_slot_extra ? 1U : 0U)) * sizeof(T);
  }

  /// Null: no memory.
  static T* allocate(std::uint64_t count) {
    void* made = nullptr;
    if constexpr (aligned_new)
      made = ::operator new (block_bytes(count), std::align_val_t{alignof(T)}, std::nothrow);
    else
      made = ::operator new(block_bytes(count), std::nothrow);
    if constexpr (aborts(F)) {
      if (made == nullptr) F == fault::failure_exits ? std::_Exit(1) : std::abort();
    }
    return static_cast<T*>(made);
  }
  static void deallocate(T* old, std::uint64_t count) {
    const std::size_t bytes = block_bytes(count) - (F == fault::wrong_size_release ? sizeof(T) : 0);
    if constexpr (aligned_new && F != fault::wrong_alignment_release)
      ::operator delete (old, bytes, std::align_val_t{alignof(T)});
    else
      ::operator delete(old, bytes);
  }
  static void take_and_give_back() {
    if (T* const scratch = allocate(first_heap); scratch != nullptr) deallocate(scratch, first_heap);
  }
  void drop_kept() {
    if (memory_.kept != nullptr) deallocate(std::exchange(memory_.kept, nullptr), memory_.kept_slots);
  }
  void keep(T* kept, std::uint64_t count) {
    drop_kept();
    memory_.kept = kept;
    memory_.kept_slots = count;
  }

  // ---- storage: the slots themselves, or the address of a block in their place
  bool on_heap() const { return capacity_ > N; }
  T* block() const {
    T* pointer = nullptr;
    std::memcpy(&pointer, storage_, sizeof pointer);
    return pointer;
  }
  void set_block(T* made, std::uint64_t count) {
    std::memcpy(storage_, &made, sizeof made);
    capacity_ = static_cast<std::uint32_t>(count);
    if constexpr (remembers) memory_.left_inline = true;
    if constexpr (F == fault::release_then_destroy_twice) memory_.kept = nullptr;
  }
  void be_empty_inline() {
    capacity_ = static_cast<std::uint32_t>(N);
    head_ = size_ = low_pops_ = 0;
  }
  void give_back() {
    if (on_heap()) deallocate(block(), capacity_);
    be_empty_inline();
  }
  T* inline_slots() { return reinterpret_cast<T*>(storage_); }
  T* slots() { return on_heap() ? block() : inline_slots(); }
  const T* slots() const { return const_cast<faulty_storage*>(this)->slots(); }
  std::uint32_t wrap(std::uint64_t index) const { return static_cast<std::uint32_t>(index & (capacity_ - 1)); }
  bool wrapped() const { return std::uint64_t{head_} + size_ > capacity_; }
  const T& element(std::uint64_t i) const { return slots()[wrap(head_ + i)]; }
  void zero_slots(std::uint64_t first, std::uint64_t count) { zero_bytes(slots() + first, count * sizeof(T)); }
  static void zero_bytes(void* at, std::size_t bytes) { std::memset(at, 0, bytes); }

  /// The slot that an argument lies in, or `elsewhere`.
  std::uint64_t slot_of(const void* address) const {
    const auto offset = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(slots());
    return offset < capacity_ * sizeof(T) ? offset / sizeof(T) : elsewhere;
  }
  static void store(T* slot, const T& value) {
    if constexpr (F == fault::misaligned_heap) {
      // Through integers, so that no compiler counts on the alignment that T promises.
      std::memcpy(reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(slot)),
                  reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(&value)), sizeof(T));
      return;
    }
    ::new (static_cast<void*>(slot)) T(value);
    if constexpr (F == fault::keeps_low_half)
      zero_bytes(reinterpret_cast<unsigned char*>(slot) + (sizeof(T) + 1) / 2, sizeof(T) / 2);
  }

  alignas(T) alignas(T*) unsigned char storage_[std::max<std::size_t>(N * sizeof(T), sizeof(T*))];
  std::uint32_t capacity_ = static_cast<std::uint32_t>(N);
  std::uint32_t head_ = 0;
  std::uint32_t size_ = 0;
  std::uint32_t low_pops_ = 0;  // low-water pops since the count was reset; 0 while inline
  [[no_unique_address]] std::conditional_t<remembers, fault_memory<T>, no_memory> memory_;
};

}  // namespace ringspec::wrong
