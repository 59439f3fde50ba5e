// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace ringspec {

/// SplitMix64: the same numbers on every compiler and library, which std:: distributions do not promise.
class rng {
 public:
  explicit rng(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27) * 0x94D049BB133111EBU;
    return z ^ z >> 31;
  }
  /// As if next() had been called so many times.
  void skip(std::uint64_t times) { state_ += times * 0x9E3779B97F4A7C15U; }
  /// 0 .. n-1. The bias is below n / 2^32.
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>((next() >> 32) * n >> 32); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }

 private:
  std::uint64_t state_;
};

/// Another seed from a seed and a name or number.
constexpr std::uint64_t mix(std::uint64_t seed, std::uint64_t with) {
  std::uint64_t z = seed ^ (with + 0x9E3779B97F4A7C15U + (seed << 6) + (seed >> 2));
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
  return z ^ z >> 27;
}

}  // namespace ringspec
