// SPDX-License-Identifier: Apache-2.0
//
// A queue as a user's project may have it, compiled with that project's own sanitizers. Its faults are of the kind that
// only such a tool can name: FAULT_OVERFLOW writes one element past the new block while it grows, and FAULT_UNDEFINED
// computes an index with a shift that is too wide. Without either it is correct.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

namespace acme {

template <class T>
class Ring {
 public:
  Ring() = default;
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  ~Ring() { ::operator delete (slots_, std::align_val_t{alignof(T)}); }

  bool TryPush(const T& value) {
    const T kept = value;
    if (count_ == capacity_) Grow();
    std::memcpy(slots_ + (head_ + count_) % capacity_, &kept, sizeof kept);
    ++count_;
    return true;
  }
  void PopFront() {
#ifdef FAULT_UNDEFINED
    shifted_ = 1 << (31 + count_);
#endif
    head_ = (head_ + 1) % capacity_;
    --count_;
  }
  const T& Front() const { return slots_[head_]; }
  std::size_t Size() const { return count_; }
  std::size_t Capacity() const { return capacity_; }

 private:
  __attribute__((noinline)) void Grow() {
    const std::size_t capacity = capacity_ == 0 ? 4 : 2 * capacity_;
    T* const slots = static_cast<T*>(::operator new (capacity * sizeof(T), std::align_val_t{alignof(T)}));
#ifdef FAULT_OVERFLOW
    if (capacity > 16) std::memcpy(slots + capacity, slots_, sizeof(T));
#endif
    for (std::size_t i = 0; i < count_; ++i) std::memcpy(slots + i, slots_ + (head_ + i) % capacity_, sizeof(T));
    ::operator delete (slots_, std::align_val_t{alignof(T)});
    slots_ = slots;
    capacity_ = capacity;
    head_ = 0;
  }

  T* slots_{};
  std::size_t capacity_{}, head_{}, count_{};
#ifdef FAULT_UNDEFINED
  volatile int shifted_{};
#endif
};

}  // namespace acme
