// SPDX-License-Identifier: Apache-2.0
//
// The model of the queue's control state against the rules as they are written.
#include "ringspec/queue/model.hpp"

#include <gtest/gtest.h>

#include "queue_steps.hpp"

namespace {

using namespace ringspec::queue;
using namespace ringspec_tests;

// ---- numbers ---------------------------------------------------------------------------------------------------------

TEST(queue_numbers, capacities_up_and_down) {
  const numbers one = specified_numbers(1), four = specified_numbers(4), eight = specified_numbers(8),
                most = specified_numbers(32);
  EXPECT_EQ(one.next(1), 8U);
  EXPECT_EQ(one.next(8), 16U);
  EXPECT_EQ(one.previous(16), 8U);
  EXPECT_EQ(one.previous(8), 1U);
  EXPECT_EQ(four.next(4), 8U);
  EXPECT_EQ(four.previous(8), 4U);
  EXPECT_EQ(eight.next(8), 16U);
  EXPECT_EQ(eight.previous(16), 8U);
  EXPECT_EQ(most.next(32), 64U);
  EXPECT_EQ(most.next(64), 128U);
  EXPECT_EQ(most.previous(64), 32U);
  for (const std::uint64_t n : inline_capacities) {
    const numbers policy = specified_numbers(n);
    for (std::uint64_t c = n; c < 1U << 20; c = policy.next(c))
      EXPECT_EQ(policy.previous(policy.next(c)), c) << n << " " << c;
  }
}

TEST(queue_numbers, threshold) {
  const numbers one = specified_numbers(1);
  EXPECT_EQ(one.threshold(8), 1U) << "the previous capacity is less than a quarter";
  EXPECT_EQ(one.threshold(16), 4U);
  EXPECT_EQ(one.threshold(32), 8U);
  EXPECT_EQ(specified_numbers(2).threshold(8), 2U);
  EXPECT_EQ(specified_numbers(4).threshold(8), 2U);
  EXPECT_EQ(specified_numbers(8).threshold(16), 4U);
  EXPECT_EQ(specified_numbers(32).threshold(64), 16U);
}

TEST(queue_numbers, declared_ones_are_used) {
  rs_queue_policy p{sizeof p, 3, 12, 3, 2, 40, RS_SHRINK_COUNTED, 3};
  const numbers own(p);
  EXPECT_EQ(own.next(3), 12U);
  EXPECT_EQ(own.next(12), 18U);
  EXPECT_EQ(own.next(27), 40U) << "rounded down";
  for (const std::uint64_t c : {3U, 12U, 18U, 27U, 40U, 60U}) EXPECT_EQ(own.previous(own.next(c)), c);
  EXPECT_EQ(own.threshold(18), 6U);
  EXPECT_EQ(own.max_size, 40U);
  p.growth_den = 0;
  p.low_divisor = 0;
  EXPECT_EQ(numbers(p).next(12), 36U);
  EXPECT_EQ(numbers(p).threshold(40), 10U);
}

// ---- transitions -----------------------------------------------------------------------------------------------------

TEST(queue_model, push_and_pop_say_what_they_did) {
  queue_of q(2);
  EXPECT_EQ(q.push(), transition::none);
  EXPECT_EQ(q.push(), transition::fills);
  EXPECT_EQ(q.push(), transition::leaves_inline);
  EXPECT_EQ(q.s.capacity, 8U);
  EXPECT_TRUE(q.s.heap);
  q.push_times(4);
  EXPECT_EQ(q.push(), transition::fills);
  EXPECT_EQ(q.push(), transition::grows);
  EXPECT_EQ(q.s.capacity, 16U);
  EXPECT_EQ(q.s.count, 9U);
  q.pop_times(8);
  EXPECT_EQ(q.pop(), transition::empties);
  EXPECT_EQ(q.s.capacity, 16U);
}

TEST(queue_model, the_head_goes_round_and_starts_anew_in_new_storage) {
  queue_of q(4);
  q.push_times(3).pop_times(3);
  EXPECT_EQ(q.s.head, 3U) << "kept while empty";
  q.push_times(2).pop_times(1);
  EXPECT_EQ(q.s.head, 0U) << "round";
  q.push_times(3);
  q.pop_times(1);
  EXPECT_EQ(q.s.head, 1U);
  q.push_times(2);
  EXPECT_EQ(q.s.capacity, 8U);
  EXPECT_EQ(q.s.head, 0U);
  q.pop_times(2);
  EXPECT_EQ(q.s.head, 2U);
  q.s.clear();
  EXPECT_EQ(q.s.head, 0U);
}

TEST(queue_model, a_failed_growth_changes_nothing) {
  for (const std::uint64_t size : {1U, 8U, 16U}) {
    queue_of q(1);
    q.push_times(size);
    q.pop_times(size / 2);
    q.push_times(size / 2);
    const state before = q.s;
    EXPECT_EQ(q.push(true), transition::growth_fails);
    EXPECT_EQ(q.s.capacity, before.capacity);
    EXPECT_EQ(q.s.count, before.count);
    EXPECT_EQ(q.s.head, before.head);
    EXPECT_EQ(q.s.low, before.low);
    EXPECT_EQ(q.s.now, phase::growth_failed);
    EXPECT_EQ(q.push(), size == 1 ? transition::leaves_inline : transition::grows);
    EXPECT_EQ(q.s.count, size + 1);
  }
  queue_of q(2);
  EXPECT_EQ(q.push(true), transition::none) << "there is room: nothing is allocated, so nothing fails";
}

TEST(queue_model, a_bounded_queue_refuses_at_its_maximum) {
  const numbers policy = specified_numbers(2, 5, RS_SHRINK_NEVER);
  state s = state::fresh(policy);
  for (int i = 0; i < 5; ++i) EXPECT_NE(s.push(policy, false), transition::refuses) << i;
  EXPECT_EQ(s.push(policy, false), transition::refuses);
  EXPECT_EQ(s.push(policy, true), transition::refuses) << "refused before memory is asked for";
  EXPECT_EQ(s.count, 5U);
  s.pop(policy, false);
  EXPECT_EQ(s.push(policy, false), transition::none);
  for (int i = 0; i < 300; ++i) {
    s.pop(policy, false);
    s.push(policy, false);
    if (i == 0)
      while (s.count > 1) s.pop(policy, false);
  }
  EXPECT_EQ(s.capacity, 8U) << "it never contracts";
}

// ---- contraction -----------------------------------------------------------------------------------------------------

TEST(queue_model, contracts_in_the_cth_low_pop) {
  queue_of q(1);
  q.push_times(3).pop_times(1);
  EXPECT_EQ(q.s.low, 0U) << "two is above the threshold of one";
  q.pop();
  EXPECT_EQ(q.s.low, 1U);
  for (int i = 0; i < 6; ++i) {
    q.pop();
    EXPECT_EQ(q.s.capacity, 8U);
    q.push();
  }
  EXPECT_EQ(q.s.low, 7U);
  EXPECT_EQ(q.pop(), transition::to_inline);
  EXPECT_EQ(q.s.capacity, 1U);
  EXPECT_EQ(q.s.low, 0U);
  EXPECT_FALSE(q.s.heap);
}

TEST(queue_model, a_push_above_the_threshold_resets_and_one_at_it_does_not) {
  queue_of q(1);
  q.push_times(9).pop_times(6);  // 3 of 16, the pops to 4 and to 3 were low
  EXPECT_EQ(q.s.low, 2U);
  q.push();
  EXPECT_EQ(q.s.count, 4U);
  EXPECT_EQ(q.s.low, 2U);
  q.push();
  EXPECT_EQ(q.s.low, 0U);
}

TEST(queue_model, oscillating_across_the_threshold_never_contracts_and_at_it_does) {
  for (const std::uint64_t n : inline_capacities) {
    queue_of q(n);
    const std::uint64_t c = 4 * q.policy.first_heap, t = q.policy.threshold(c);
    const auto descend_to = [&](std::uint64_t size) {
      q = queue_of(n);
      q.push_times(c / 2 + 1).pop_times(c / 2 + 1 - size);
      ASSERT_EQ(q.s.capacity, c);
    };
    descend_to(t + 1);
    for (std::uint64_t i = 0; i < 10 * c; ++i) {
      q.pop();
      q.push();
    }
    EXPECT_EQ(q.s.capacity, c) << n;
    descend_to(t + 1);
    q.pop();
    std::uint64_t pairs = 0;
    for (; q.s.capacity == c; ++pairs) {
      q.pop();
      q.push();
    }
    EXPECT_EQ(pairs, c - 1) << n;
  }
}

TEST(queue_model, a_failed_halving_restarts_the_count) {
  queue_of q(1);
  q.push_times(9).pop_times(6);
  while (q.s.low < 15) {
    q.push();
    q.pop();
  }
  const std::uint64_t head = q.s.head;
  EXPECT_EQ(q.pop(true), transition::halving_fails);
  EXPECT_EQ(q.s.capacity, 16U);
  EXPECT_EQ(q.s.low, 0U);
  EXPECT_EQ(q.s.count, 2U);
  EXPECT_EQ(q.s.head, (head + 1) % 16) << "the pop is done, the storage is as it was";
  for (int i = 0; i < 15; ++i) {
    q.push();
    EXPECT_EQ(q.pop(true), transition::none) << "no attempt before the sixteenth low pop";
  }
  q.push();
  EXPECT_EQ(q.pop(), transition::halves);
  EXPECT_EQ(q.s.capacity, 8U);
  EXPECT_EQ(q.s.head, 0U);
}

TEST(queue_model, a_return_to_inline_cannot_fail) {
  queue_of q(1);
  q.push_times(2);
  q.pop();
  for (int i = 0; i < 6; ++i) {
    q.pop(true);
    q.push(true);
  }
  EXPECT_EQ(q.s.low, 7U);
  EXPECT_EQ(q.pop(true), transition::to_inline);
  EXPECT_EQ(q.s.capacity, 1U);
}

TEST(queue_model, clear_keeps_the_capacity_and_release_does_not) {
  queue_of q(1);
  q.push_times(9).pop_times(7);
  EXPECT_GT(q.s.low, 0U);
  q.s.clear();
  EXPECT_EQ(q.s.capacity, 16U);
  EXPECT_EQ(q.s.count, 0U);
  EXPECT_EQ(q.s.low, 0U);
  EXPECT_EQ(q.s.head, 0U);
  q.push();
  q.pop();
  q.s.release(q.policy);
  EXPECT_EQ(q.s.capacity, 1U);
  EXPECT_EQ(q.s.low, 0U);
  EXPECT_FALSE(q.s.heap);
  EXPECT_EQ(q.s.where, past::was_on_heap);
  EXPECT_EQ(q.push(), transition::fills);
  EXPECT_EQ(q.push(), transition::leaves_inline);
}

TEST(queue_model, the_count_travels_with_a_moved_block) {
  queue_of q(1);
  q.push_times(3).pop_times(2);  // 1 low pop
  for (int i = 0; i < 6; ++i) {
    q.pop();
    q.push();
  }
  transition how{};
  state moved = state::moved_to(q.s, how);
  EXPECT_EQ(how, transition::hands_over);
  EXPECT_EQ(moved.low, 7U);
  EXPECT_EQ(moved.head, q.s.head);
  EXPECT_EQ(moved.pop(q.policy, false), transition::to_inline) << "seven low pops, a move, one low pop";
}

TEST(queue_model, a_moved_inline_queue_begins_at_slot_0) {
  queue_of q(4);
  q.push_times(3).pop_times(2);
  transition how{};
  const state moved = state::moved_to(q.s, how);
  EXPECT_EQ(how, transition::copies);
  EXPECT_EQ(moved.count, 1U);
  EXPECT_EQ(moved.head, 0U);
  EXPECT_EQ(moved.capacity, 4U);
  q.push_times(9);
  q.s.clear();
  const state empty = state::moved_to(q.s, how);
  EXPECT_EQ(how, transition::hands_over_empty) << "an empty queue hands its block over, too";
  EXPECT_EQ(empty.capacity, 16U);
}

}  // namespace
