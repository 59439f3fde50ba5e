// SPDX-License-Identifier: Apache-2.0
//
// A bounded queue as a port: N values inline, then a block of 2N, then one of 4N, and full at 4N. It never gives a
// block back before release() or destruction. It is the conforming port for the class `bounded`.
#include "ringspec/queue/queue_port.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace {

template <class T, std::uint64_t N>
class bounded_ring {
 public:
  static constexpr std::uint64_t max_size = 4 * N;

  bounded_ring() noexcept {}
  bounded_ring(const bounded_ring&) = delete;
  bounded_ring& operator=(const bounded_ring&) = delete;
  ~bounded_ring() { release(); }

  /// False: the queue is full, and nothing has changed.
  bool push(const T& value) { return emplace(value); }

  template <class... Args>
  bool emplace(const Args&... args) {
    if (size_ == max_size) return false;
    if (size_ == capacity_) {
      grow_and_append(args...);
    } else {
      ::new (static_cast<void*>(slots() + (head_ + size_) % capacity_)) T(args...);
    }
    ++size_;
    return true;
  }

  void pop() noexcept {
    head_ = (head_ + 1) % capacity_;
    --size_;
  }

  const T& front() const noexcept { return slots()[head_]; }
  const T& operator[](std::uint64_t i) const noexcept { return slots()[(head_ + i) % capacity_]; }
  std::uint64_t size() const noexcept { return size_; }
  std::uint64_t capacity() const noexcept { return capacity_; }

  void clear() noexcept { head_ = size_ = 0; }

  void release() noexcept {
    clear();
    if (block_ != nullptr) std::allocator<T>().deallocate(block_, capacity_);
    block_ = nullptr;
    capacity_ = N;
  }

 private:
  T* slots() noexcept { return block_ != nullptr ? block_ : reinterpret_cast<T*>(inline_slots_); }
  const T* slots() const noexcept { return block_ != nullptr ? block_ : reinterpret_cast<const T*>(inline_slots_); }

  template <class... Args>
  void grow_and_append(const Args&... args) {
    const std::uint64_t capacity = 2 * capacity_;
    T* const block = std::allocator<T>().allocate(capacity);
    ::new (static_cast<void*>(block + size_)) T(args...);  // before the old slots go: the arguments may refer to them
    for (std::uint64_t i = 0; i != size_; ++i) ::new (static_cast<void*>(block + i)) T((*this)[i]);
    if (block_ != nullptr) std::allocator<T>().deallocate(block_, capacity_);
    block_ = block;
    capacity_ = capacity;
    head_ = 0;
  }

  T* block_ = nullptr;
  std::uint64_t capacity_ = N;
  std::uint64_t head_ = 0;
  std::uint64_t size_ = 0;
  alignas(T) std::byte inline_slots_[N * sizeof(T)];
};

}  // namespace

template <class T, std::uint64_t N>
struct ringspec::queue_traits<bounded_ring<T, N>> {
  static constexpr std::uint64_t first_heap = 2 * N;
  static constexpr std::uint64_t max_size = bounded_ring<T, N>::max_size;
  static constexpr std::uint32_t shrink = RS_SHRINK_NEVER;
};

RINGSPEC_QUEUE_PORT("bounded", RS_OOM_STATUS,
                    ("fifo", "fifo-interior", "alias", "alias-interior", "alias-emplace", "inline", "growth",
                     "growth-policy", "growth-bytes", "bounded", "failure", "storage"),
                    bounded_ring<T, N>)
