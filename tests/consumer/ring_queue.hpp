// SPDX-License-Identifier: Apache-2.0
// A queue as other projects write them: CamelCase, no exceptions, dead without memory.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>

namespace acme {

template <class T>
class RingQueue {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  RingQueue() = default;
  RingQueue(const RingQueue&) = delete;
  RingQueue& operator=(const RingQueue&) = delete;
  ~RingQueue() { Free(); }

  bool TryPush(const T& value) {
    const T kept = value;  // it may lie in the block that Grow() gives back
    if (size_ == capacity_) Grow();
    slots_[(head_ + size_) % capacity_] = kept;
    ++size_;
    return true;
  }
  bool TryPop(T& out) {
    if (size_ == 0) return false;
    out = slots_[head_];
    head_ = (head_ + 1) % capacity_;
    --size_;
    return true;
  }
  const T& Front() const { return slots_[head_]; }
  std::size_t Size() const { return size_; }
  std::size_t Capacity() const { return capacity_; }
  void Clear() { head_ = size_ = 0; }

 private:
  void Grow() {
    const std::size_t capacity = capacity_ == 0 ? 16 : 2 * capacity_;
#ifdef ACME_BROKEN
    const std::size_t bytes = (capacity - 1) * sizeof(T);
#else
    const std::size_t bytes = capacity * sizeof(T);
#endif
    T* const slots = static_cast<T*>(::operator new(bytes, alignment, std::nothrow));
    if (slots == nullptr) std::abort();
    for (std::size_t i = 0; i < size_; ++i) slots[i] = slots_[(head_ + i) % capacity_];
    Free();
    slots_ = slots;
    capacity_ = capacity;
    head_ = 0;
  }

  void Free() { ::operator delete(slots_, alignment); }

  static constexpr std::align_val_t alignment{alignof(T)};
  T* slots_ = nullptr;
  std::size_t capacity_ = 0, head_ = 0, size_ = 0;
};

}  // namespace acme
