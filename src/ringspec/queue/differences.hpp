// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace ringspec::queue {

/// The kinds of difference between what the model expects of a step and what was seen.
enum class difference : std::uint8_t {
  death,     // the process ended or hung inside the step
  survived,  // it went on where abort() was due
  status,
  full,  // RS_FULL where it was not due, or another answer where it was
  count,
  capacity,
  early,         // contracted, or tried to, before the C-th low-water pop
  late,          // did not contract at the C-th low-water pop
  deeper,        // contracted by more than one step
  source_count,  // the second register of a move or swap
  source_capacity,
  allocations,
  wanted_memory,  // an operation that needs no memory failed for want of it
  releases,
  block_bytes,
  released_first,  // released the old block before it had the new one
  front,
  newest,    // the value just pushed
  content,   // any other value
  interior,  // at(i) and the pops disagree
  damaged,   // the right value with some bytes wrong
  address,   // a moved value has another address
  alignment,
  object_canary,
  overrun,
  late_write,
  released_twice,
  wrong_size,
  wrong_function,
  leak,
  slot,  // an unused slot was written
  source_slot,
  fact,  // a declared fact is missing
};

template <class... Kinds>
constexpr std::uint64_t kinds(Kinds... k) {
  return (0U | ... | (std::uint64_t{1} << static_cast<unsigned>(k)));
}

}  // namespace ringspec::queue
