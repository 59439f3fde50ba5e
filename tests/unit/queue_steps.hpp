// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the queue's model, generator and rules share.
#pragma once
#include <algorithm>
#include <cstdint>

#include "ringspec/queue/model.hpp"
#include "ringspec/queue/operations.hpp"

namespace ringspec_tests {

/// The numbers of the specification, for an inline capacity.
inline ringspec::queue::numbers specified_numbers(std::uint64_t inline_capacity, std::uint64_t max_size = 0,
                                                  std::uint32_t shrink = RS_SHRINK_COUNTED) {
  return ringspec::queue::numbers(rs_queue_policy{sizeof(rs_queue_policy), inline_capacity,
                                                  std::max<std::uint64_t>(8, 2 * inline_capacity), 2, 1, max_size,
                                                  shrink, 4});
}

constexpr ringspec::step step_of(ringspec::queue::op o, unsigned a = 0, unsigned b = 0, std::uint32_t number = 0) {
  return {static_cast<std::uint8_t>(o), static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b), 0, number};
}

inline constexpr std::uint64_t inline_capacities[] = {1, 2, 4, 8, 16, 32};

/// A queue's model, with its numbers.
struct queue_of {
  explicit queue_of(std::uint64_t n) : policy(specified_numbers(n)), s(ringspec::queue::state::fresh(policy)) {}
  ringspec::queue::transition push(bool fails = false) { return s.push(policy, fails); }
  ringspec::queue::transition pop(bool fails = false) { return s.pop(policy, fails); }
  queue_of& push_times(std::uint64_t k) {
    while (k-- != 0) push();
    return *this;
  }
  queue_of& pop_times(std::uint64_t k) {
    while (k-- != 0) pop();
    return *this;
  }
  ringspec::queue::numbers policy;
  ringspec::queue::state s;
};

}  // namespace ringspec_tests
