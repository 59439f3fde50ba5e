// SPDX-License-Identifier: Apache-2.0
//
// The values that the gate puts into queues: full-entropy bytes, so that a lost half, an exchanged field or a stale copy
// cannot look right. Value number k of a trace is entry k mod `different` of a table made once per instance.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include "ringspec/port.h"

namespace ringspec::queue {

/// A value is named by where it is in the table: what a push is given and what is compared, without a multiplication.
using value_address = const std::byte*;

class values {
 public:
  /// How many there are: a prime, so that two values that look alike are never a power of two apart, as a queue's faults
  /// are; fewer of large values.
  [[nodiscard]] std::uint32_t different() const { return different_; }

  explicit values(const rs_value& v)
      : size_(v.value_size),
        mask_(v.mask),
        stride_((v.value_size + v.value_align - 1) / v.value_align * v.value_align),
        different_(how_many(stride_)),
        table_(static_cast<std::byte*>(std::aligned_alloc(alignment(v), round(stride_ * different_, alignment(v))))) {
    end_ = table_.get() + stride_ * different_;
    std::uint64_t x = 0x9E3779B97F4A7C15U;
    std::memset(table_.get(), 0, stride_ * different_);
    for (std::uint32_t k = 0; k < different_; ++k) {
      for (std::size_t i = 0; i < size_; ++i) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        if (mask_ == nullptr || mask_[i] == 0xFF) at(k)[i] = static_cast<std::byte>(x >> 32);
      }
    }
  }

  [[nodiscard]] value_address operator[](std::uint32_t k) const { return table_.get() + stride_ * k; }
  [[nodiscard]] std::uint32_t number_of(value_address value) const {
    return static_cast<std::uint32_t>(static_cast<std::size_t>(value - table_.get()) / stride_);
  }
  [[nodiscard]] value_address begin() const { return table_.get(); }
  [[nodiscard]] value_address end() const { return end_; }
  [[nodiscard]] std::size_t stride() const { return stride_; }

  /// Is this that value? Padding is not compared.
  [[nodiscard]] bool equal(value_address value, const void* seen) const {
    if (mask_ == nullptr) [[likely]]
      return same_bytes(value, static_cast<const std::byte*>(seen));
    return matching_bytes(value, seen) == counted_bytes();
  }
  /// Half of the value's bytes or more, but not all: the right value, damaged.
  [[nodiscard]] bool damaged(value_address value, const void* seen) const {
    const std::size_t same = matching_bytes(value, seen);
    return size_ >= 4 && same < counted_bytes() && same * 2 >= counted_bytes();
  }
  /// The number of the value with these bytes among the first `made`, or different() if there is none.
  [[nodiscard]] std::uint32_t identify(const void* seen, std::uint32_t made) const {
    for (std::uint32_t k = 0; k < made; ++k) {
      if (equal((*this)[k], seen)) return k;
    }
    return different_;
  }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct release {
    void operator()(std::byte* p) const { std::free(p); }
  };
  static std::size_t alignment(const rs_value& v) { return v.value_align < 64 ? 64 : v.value_align; }
  static std::size_t round(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }
  static std::uint32_t how_many(std::size_t stride) {
    for (const std::uint32_t prime : {4093U, 509U, 61U}) {
      if (stride * prime <= std::size_t{4} << 20) return prime;
    }
    return 13;
  }
  std::byte* at(std::uint32_t k) { return table_.get() + stride_ * k; }

  template <class Word>
  static Word load(const std::byte* p) {
    Word w;
    std::memcpy(&w, p, sizeof w);
    return w;
  }
  // The common sizes without a call, and in words that their alignment allows: others cost dear under Valgrind.
  [[nodiscard]] bool same_bytes(const std::byte* a, const std::byte* b) const {
    switch (size_) {
      case 1: return *a == *b;
      case 4: return load<std::uint32_t>(a) == load<std::uint32_t>(b);
      case 12:
        return load<std::uint32_t>(a) == load<std::uint32_t>(b) &&
               load<std::uint32_t>(a + 4) == load<std::uint32_t>(b + 4) &&
               load<std::uint32_t>(a + 8) == load<std::uint32_t>(b + 8);
      case 16:
        return load<std::uint64_t>(a) == load<std::uint64_t>(b) &&
               load<std::uint64_t>(a + 8) == load<std::uint64_t>(b + 8);
      default: return std::memcmp(a, b, size_) == 0;
    }
  }
  [[nodiscard]] std::size_t matching_bytes(value_address value, const void* seen) const {
    std::size_t same = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      const bool counts = mask_ == nullptr || mask_[i] == 0xFF;
      same += counts && static_cast<const std::byte*>(seen)[i] == value[i] ? 1U : 0U;
    }
    return same;
  }
  [[nodiscard]] std::size_t counted_bytes() const {
    std::size_t n = 0;
    for (std::size_t i = 0; i < size_; ++i) n += mask_ == nullptr || mask_[i] == 0xFF ? 1U : 0U;
    return n;
  }

  std::size_t size_;
  const std::uint8_t* mask_;
  std::size_t stride_;
  std::uint32_t different_;
  std::unique_ptr<std::byte, release> table_;
  value_address end_{};
};

}  // namespace ringspec::queue
