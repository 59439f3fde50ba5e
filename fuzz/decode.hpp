// SPDX-License-Identifier: Apache-2.0
//
// Bytes as a trace. Every string of bytes is one, and each of its prefixes too, so that a fuzzer may cut and splice as it
// likes. Nothing is allocated, and nothing but headers is needed: this also runs under MemorySanitizer and cross-built.
//
//   byte 0     the instance, modulo how many there are; every eighth round of that asks for close scrutiny
//   then steps, by a code (modulo the number of operations + 1) and what is left of the byte:
//     an operation     what is left chooses the registers, mostly the first; one that takes a number has a byte for it
//     the last code    the step before, or the two before, again: a byte says which, and how often
//
// So a step of most operations is one byte, and a run of pushes, or of pairs of push and pop, three or four.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include "ringspec/trace/step.hpp"

namespace ringspec::fuzz {

/// A trace ends here, whatever bytes are left: it bounds what one execution may cost, and is enough to grow beyond a
/// capacity of 64 and to contract twice from there.
inline constexpr std::size_t most_steps = 512;
/// The same under close scrutiny, where each step costs as much as the queue is large.
inline constexpr std::size_t most_close_steps = 32;

struct decoded {
  std::size_t instance{};
  bool closely{};               // read everything back after each step
  std::span<const step> steps;  // in the decoder
};

class decoder {
 public:
  decoded decode(std::span<const std::uint8_t> bytes, std::span<const operation> operations, std::size_t instances) {
    rest_ = bytes;
    operations_ = operations;
    length_ = 0;
    planned_ = false;
    const std::uint8_t first = take();
    while (!rest_.empty() && length_ < most_steps) {
      const std::uint8_t lead = take();
      const std::size_t code = lead % (operations.size() + 1);
      const std::size_t left = lead / (operations.size() + 1);
      if (code == operations.size())
        repeat(take());
      else
        steps_[length_++] = one(static_cast<std::uint8_t>(code), operations[code], left);
    }
    const bool closely = first / instances % 8 == 7;
    if (closely) length_ = std::min(length_, most_close_steps);
    return {first % instances, closely, std::span(steps_).first(length_)};
  }

 private:
  std::uint8_t take() {
    if (rest_.empty()) return 0;
    const std::uint8_t b = rest_.front();
    rest_ = rest_.subspan(1);
    return b;
  }

  step one(std::uint8_t code, const operation& o, std::size_t left) {
    constexpr std::array<std::uint8_t, 8> mostly_a{0, 0, 0, 0, 0, 1, 1, 2};
    step s{code, 0, 0, 0, 0};
    if (o.registers == 1) s.a = left == 15 ? 3 : mostly_a[left % mostly_a.size()];
    if (o.registers == 2) {
      s.a = static_cast<std::uint8_t>(left % register_count);
      s.b = static_cast<std::uint8_t>((s.a + 1 + left / register_count % (register_count - 1)) % register_count);
    }
    if (o.takes_number) {
      const std::uint8_t b = take();
      s.number = b < 128 ? b % 8U : b - 128U;  // small ones matter most
    }
    if (o.registers == 0) planned_ = s.number != 0;
    return s;
  }

  void repeat(std::uint8_t how) {
    const std::size_t block = std::min<std::size_t>(how < 128 ? 1 : 2, length_);
    std::size_t rounds = times(how % 128U);
    for (std::size_t back = 1; back <= block; ++back) {
      // The plain operations are what makes a queue large. After others it is looked at as a whole, and where a plan makes
      // one fail again and again, each may cost an exception: a few are enough.
      const operation& o = operations_[steps_[length_ - back].op];
      if ((planned_ && block == 1) || o.takes_number || o.registers != 1) rounds = std::min(rounds, few);
    }
    for (std::size_t i = 0; i < block * rounds && length_ < most_steps; ++i, ++length_)
      steps_[length_] = steps_[length_ - block];
  }

  /// Small numbers are drawn often, since each step costs time; the large ones reach large capacities, and outlast the
  /// series of low-water pops there.
  static std::size_t times(std::size_t code) {
    constexpr std::array<std::uint8_t, 8> large{17, 24, 32, 33, 48, 65, 96, 129};
    constexpr std::size_t first_large = 128 - large.size();
    return code < first_large ? 1 + code / 8 : large[code - first_large];
  }
  static constexpr std::size_t few = 8;

  std::span<const std::uint8_t> rest_;
  std::span<const operation> operations_;
  std::array<step, most_steps> steps_{};
  std::size_t length_{};
  bool planned_{};  // what comes may be made to fail
};

}  // namespace ringspec::fuzz
