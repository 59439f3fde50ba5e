// SPDX-License-Identifier: Apache-2.0
//
// A second implementation of spec/queue.md. It shares neither code nor design with the reference, so that what both
// do is more likely to be what the specification says, and a requirement that only the reference can meet is noticed.
//
// Differences on purpose:
//  - Positions are free-running 64-bit numbers: value number i is in slot i mod capacity, in every storage. A change of
//    storage therefore keeps all positions and copies value by value; nothing is unwrapped, nothing moves to slot 0.
//  - The inline array and the block pointer are separate members.
//  - There is no low-water counter. `read_` counts the pops, and `high_at_` is what it was when the series of low pops
//    began; their distance is the count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace second {

template <class T, std::uint64_t N>
class ring {
  // Destruction first: what has a destructor is not trivially copyable either, and the message should name the cause.
  static_assert(std::is_trivially_destructible_v<T>, "second::ring: T must be trivially destructible");
  static_assert(std::is_trivially_copyable_v<T>, "second::ring: T must be trivially copyable");
  static_assert(std::is_nothrow_copy_constructible_v<T>, "second::ring: T must be nothrow copy constructible");
  static_assert(N >= 1 && N <= (std::uint64_t{1} << 29) && (N & (N - 1)) == 0,
                "second::ring: N must be a power of two from 1 to 2^29");

 public:
  static constexpr std::uint64_t first_block = N > 4 ? 2 * N : 8;
  static constexpr std::uint64_t last_capacity = std::uint64_t{1} << 31;

  /// The capacity after a growth from `capacity`. Throws std::length_error past 2^31 values or PTRDIFF_MAX bytes.
  static constexpr std::uint64_t next_capacity(std::uint64_t capacity) {
    const std::uint64_t next = capacity < first_block ? first_block : capacity * 2;
    if (next > last_capacity || next > std::uint64_t{std::numeric_limits<std::ptrdiff_t>::max()} / sizeof(T))
      throw std::length_error("second::ring: the next capacity is past the limit");
    return next;
  }

  ring() noexcept {}  // not defaulted: the inline slots stay as they are even when the object is value-initialised
  ring(ring&& from) noexcept { take(from); }
  ring& operator=(ring&& from) noexcept {
    if (&from != this) {
      release();
      take(from);
    }
    return *this;
  }
  ring(const ring&) = delete;
  ring& operator=(const ring&) = delete;
  ~ring() { release(); }

  friend void swap(ring& a, ring& b) noexcept {
    if (&a == &b) return;
    ring third(std::move(a));
    a = std::move(b);
    b = std::move(third);
  }

  void push(const T& value) {
    if (size() == capacity_) {
      push_growing(value);
    } else {
      ::new (static_cast<void*>(slot(write_))) T(value);
      ++write_;
    }
    if (block_ != nullptr) note_if_high();
  }

  /// The value is complete before anything is touched, so that the arguments may refer into this queue.
  template <class... Args>
  void emplace(Args&&... args) {
    const T value(std::forward<Args>(args)...);
    push(value);
  }

  void pop() noexcept {
    ++read_;
    if (block_ == nullptr) return;
    note_if_high();  // a contraction may leave more values than the new mark: the pops that follow it are then not low
    if (read_ - high_at_ == capacity_) contract();
  }

  const T& front() const noexcept { return *slot(read_); }
  const T& operator[](std::uint64_t i) const noexcept { return *slot(read_ + i); }
  std::uint64_t size() const noexcept { return write_ - read_; }
  std::uint64_t capacity() const noexcept { return capacity_; }

  void clear() noexcept { read_ = write_ = high_at_ = 0; }

  void release() noexcept {
    clear();
    give_back(std::exchange(block_, nullptr), std::exchange(capacity_, N));
  }

  // For the classes slots and slots-move: where the slots are, and which is the oldest value's.
  const void* data() const noexcept { return base(); }
  std::uint64_t head() const noexcept { return read_ & (capacity_ - 1); }

 private:
  const T* base() const noexcept { return block_ != nullptr ? block_ : reinterpret_cast<const T*>(inline_slots_); }
  T* base() noexcept { return block_ != nullptr ? block_ : reinterpret_cast<T*>(inline_slots_); }
  const T* slot(std::uint64_t position) const noexcept { return base() + (position & (capacity_ - 1)); }
  T* slot(std::uint64_t position) noexcept { return base() + (position & (capacity_ - 1)); }

  std::uint64_t smaller_capacity() const noexcept { return capacity_ == first_block ? N : capacity_ / 2; }
  std::uint64_t low_water() const noexcept {
    const std::uint64_t quarter = capacity_ / 4;
    return quarter < smaller_capacity() ? quarter : smaller_capacity();
  }

  void note_if_high() noexcept {
    if (size() > low_water()) high_at_ = read_;
  }

  static void give_back(T* block, std::uint64_t capacity) noexcept {
    if (block != nullptr) std::allocator<T>().deallocate(block, capacity);
  }

  /// Copies the live values to the slots that their positions have in a storage of `capacity` slots.
  void copy_to(T* slots, std::uint64_t capacity) const noexcept {
    for (std::uint64_t i = read_; i != write_; ++i)
      ::new (static_cast<void*>(slots + (i & (capacity - 1)))) T(*slot(i));
  }

  /// The old storage, into which `value` may refer, stays until the new one is complete.
  void push_growing(const T& value) {
    const std::uint64_t bigger = next_capacity(capacity_);
    T* const block = std::allocator<T>().allocate(bigger);
    ::new (static_cast<void*>(block + (write_ & (bigger - 1)))) T(value);
    copy_to(block, bigger);
    ++write_;
    give_back(std::exchange(block_, block), std::exchange(capacity_, bigger));
  }

  void contract() noexcept {
    high_at_ = read_;  // also when there is no memory: the next attempt is a whole series away
    const std::uint64_t smaller = smaller_capacity();
    T* block = nullptr;
    if (smaller == N) {
      copy_to(reinterpret_cast<T*>(inline_slots_), N);
    } else {
      try {
        block = std::allocator<T>().allocate(smaller);
      } catch (const std::bad_alloc&) {
        return;
      }
      copy_to(block, smaller);
    }
    give_back(std::exchange(block_, block), std::exchange(capacity_, smaller));
  }

  /// Precondition: this queue is empty and inline.
  void take(ring& from) noexcept {
    if (from.block_ != nullptr) {
      block_ = std::exchange(from.block_, nullptr);
      capacity_ = std::exchange(from.capacity_, N);
      read_ = from.read_;
      write_ = from.write_;
      high_at_ = from.high_at_;
    } else {
      read_ = 0;
      write_ = 0;
      for (std::uint64_t i = from.read_; i != from.write_; ++i)
        ::new (static_cast<void*>(slot(write_++))) T(*from.slot(i));
    }
    from.clear();
  }

  std::uint64_t read_ = 0;     // position of the oldest value, and the number of pops since the last clear
  std::uint64_t write_ = 0;    // position of the next value
  std::uint64_t high_at_ = 0;  // read_ when the size was last seen above the low-water mark
  std::uint64_t capacity_ = N;
  T* block_ = nullptr;
  alignas(T) std::byte inline_slots_[N * sizeof(T)];
};

}  // namespace second
