// SPDX-License-Identifier: Apache-2.0
//
// A queue in the manner of C as a port: malloc and realloc, no inline storage, and abort() when there is no memory.
// It is the conforming port for the class `failure-abort`, and shows what a realloc looks like to the ledger.
#include "ringspec/queue/queue_port.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace {

template <class T>
class aborting_queue {
 public:
  aborting_queue() noexcept = default;
  aborting_queue(const aborting_queue&) = delete;
  aborting_queue& operator=(const aborting_queue&) = delete;
  ~aborting_queue() { std::free(values_); }

  /// False: the next capacity would be past the limit. The argument is copied first, as if it were passed by value.
  bool push(const T& value) noexcept {
    const T copy = value;
    if (size_ == capacity_ && !grow()) return false;
    std::memcpy(static_cast<void*>(values_ + index(size_)), &copy, sizeof copy);
    ++size_;
    return true;
  }
  template <class... Args>
  bool emplace(const Args&... args) noexcept {
    return push(T(args...));
  }

  void pop() noexcept {
    head_ = index(1);
    --size_;
  }
  void clear() noexcept { head_ = size_ = 0; }

  const T& front() const noexcept { return values_[head_]; }
  const T& operator[](std::uint64_t i) const noexcept { return values_[index(i)]; }
  std::uint64_t size() const noexcept { return size_; }
  std::uint64_t capacity() const noexcept { return capacity_; }

 private:
  std::uint64_t index(std::uint64_t i) const noexcept { return (head_ + i) & (capacity_ - 1); }

  bool grow() noexcept {
    const std::uint64_t old = capacity_;
    const std::uint64_t capacity = old == 0 ? 8 : 2 * old;
    if (capacity > (std::uint64_t{1} << 31) ||
        capacity > std::uint64_t{std::numeric_limits<std::ptrdiff_t>::max()} / sizeof(T))
      return false;
    void* block = nullptr;
    if constexpr (alignof(T) <= alignof(std::max_align_t)) {
      block = old == 0 ? std::malloc(capacity * sizeof(T))
                       : std::realloc(static_cast<void*>(values_), capacity * sizeof(T));
      if (block == nullptr) std::abort();
    } else {  // there is no realloc that keeps a larger alignment
      block = std::aligned_alloc(alignof(T), capacity * sizeof(T));
      if (block == nullptr) std::abort();
      if (old != 0) std::memcpy(block, static_cast<const void*>(values_), old * sizeof(T));
      std::free(values_);
    }
    values_ = static_cast<T*>(block);
    capacity_ = capacity;
    // What had wrapped around to the front continues behind the old end; there is room, since the capacity has doubled.
    if (head_ != 0)
      std::memcpy(static_cast<void*>(values_ + old), static_cast<const void*>(values_), head_ * sizeof(T));
    return true;
  }

  T* values_ = nullptr;
  std::uint64_t capacity_ = 0;
  std::uint64_t head_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace

template <class T>
struct ringspec::queue_traits<aborting_queue<T>> {
  static constexpr std::uint32_t shrink = RS_SHRINK_NEVER;
  static rs_status push(aborting_queue<T>& q, const T& value) { return q.push(value) ? RS_OK : RS_TOO_LONG; }
  template <class... Field>
  static rs_status emplace(aborting_queue<T>& q, const Field&... field) {
    return q.emplace(field...) ? RS_OK : RS_TOO_LONG;
  }
};

RINGSPEC_QUEUE_PORT("aborting", RS_OOM_ABORTS,
                    ("fifo", "fifo-interior", "alias", "alias-interior", "alias-emplace", "growth", "growth-policy",
                     "growth-bytes", "failure-abort"),
                    aborting_queue<T>)
