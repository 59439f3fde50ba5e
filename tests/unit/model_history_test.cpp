// SPDX-License-Identifier: Apache-2.0
//
// What the model remembers for attribution only: the phase after an event, and what the low-water count went through.
#include <gtest/gtest.h>

#include "queue_steps.hpp"

namespace {

using namespace ringspec::queue;
using ringspec_tests::specified_numbers;

class queue_history : public testing::Test {
 protected:
  void push(int k = 1, bool fails = false) {
    for (; k > 0; --k) s.push(policy, fails);
  }
  void pop(int k = 1, bool fails = false) {
    for (; k > 0; --k) s.pop(policy, fails);
  }
  /// On a block of sixteen, at this size, with the count at 0 for no special reason.
  void on_sixteen_at(int size) {
    push(9);
    s.clear();
    push(5);  // above the threshold of 4
    if (size < 5)
      pop(5 - size);
    else
      push(size - 5);
  }
  [[nodiscard]] bool has(std::uint32_t bit) const { return (s.history & bit) != 0; }

  numbers policy = specified_numbers(1);
  state s = state::fresh(policy);
};

TEST_F(queue_history, phase_after_an_event_lasts_until_full_empty_or_new_storage) {
  EXPECT_EQ(s.now, phase::plain);
  push(3);
  pop(3);
  EXPECT_EQ(s.now, phase::drained);
  push(7);
  EXPECT_EQ(s.now, phase::drained);
  push();
  EXPECT_EQ(s.now, phase::plain) << "full: what follows is not about the drain";
  s.clear();
  EXPECT_EQ(s.now, phase::cleared);
  push(8);
  push(1, true);
  EXPECT_EQ(s.now, phase::growth_failed);
  push();
  EXPECT_EQ(s.now, phase::plain);
}

TEST_F(queue_history, an_empty_contraction_is_a_phase_of_its_own) {
  push(2);
  pop(2);
  for (int i = 0; i < 6; ++i) {
    push();
    pop();
  }
  EXPECT_EQ(s.capacity, 1U);
  EXPECT_EQ(s.now, phase::contracted_empty);
}

TEST_F(queue_history, the_past_goes_from_inline_to_long_inline_to_heap) {
  EXPECT_EQ(s.where, past::only_inline);
  for (int i = 1; i < state::long_inline_pushes; ++i) {
    push();
    pop();
  }
  EXPECT_EQ(s.where, past::only_inline);
  push();
  EXPECT_EQ(s.where, past::long_inline);
  pop();
  for (int i = 0; i < 300; ++i) {
    push();
    pop();
  }
  EXPECT_EQ(s.where, past::long_inline) << "a small counter must not begin again";
  push(2);
  EXPECT_EQ(s.where, past::was_on_heap);
  for (int i = 0; i < 300; ++i) {
    pop();
    push();
    ASSERT_EQ(s.where, past::was_on_heap) << i;
  }
  s.release(policy);
  EXPECT_EQ(s.where, past::was_on_heap);
  EXPECT_EQ(s.situation_phase() / phase_count, static_cast<unsigned>(past::was_on_heap));
  EXPECT_EQ(s.situation_phase() % phase_count, static_cast<unsigned>(phase::plain));
}

TEST_F(queue_history, pops_near_the_threshold) {
  on_sixteen_at(6);
  pop();
  EXPECT_TRUE(has(history::near_threshold)) << "landed on T + 1";
  EXPECT_FALSE(has(history::at_threshold));
  EXPECT_EQ(s.low, 0U);
  pop();
  EXPECT_TRUE(has(history::at_threshold));
  EXPECT_EQ(s.low, 1U);
  EXPECT_FALSE(has(history::emptied));
  pop(4);
  EXPECT_TRUE(has(history::emptied));
}

TEST_F(queue_history, pushes_near_the_threshold) {
  on_sixteen_at(2);
  push();
  EXPECT_FALSE(has(history::push_at_threshold)) << "landed below it";
  push();
  EXPECT_TRUE(has(history::push_at_threshold));
  push();
  EXPECT_EQ(s.history, history::reset_by_push) << "nothing else shows after a reset";
  pop();
  EXPECT_TRUE(has(history::reset_by_push));
}

TEST_F(queue_history, a_push_at_the_threshold_with_a_count_of_zero_decides_nothing) {
  push(9);
  s.clear();
  push(4);
  EXPECT_FALSE(has(history::push_at_threshold));
}

TEST_F(queue_history, why_the_count_is_zero) {
  on_sixteen_at(3);
  s.clear();
  EXPECT_EQ(s.history, history::reset_by_clear);
  s.clear();
  EXPECT_EQ(s.history, history::reset_by_clear) << "nothing to reset any more, but the first clear may still show";
  push(3);
  for (int i = 0; i < 15; ++i) {
    pop();
    push();
  }
  pop(1, true);
  EXPECT_EQ(s.history, history::halving_failed);
  for (int i = 0; i < 15; ++i) {
    push();
    pop();
  }
  EXPECT_TRUE(has(history::halving_failed));
  push();
  pop();
  EXPECT_EQ(s.capacity, 8U);
  EXPECT_EQ(s.history, history::after_contraction);
}

TEST_F(queue_history, a_moved_count_is_remembered_and_a_moved_zero_is_not) {
  on_sixteen_at(3);
  transition how{};
  EXPECT_NE(state::moved_to(s, how).history & history::moved, 0U);
  s.clear();
  EXPECT_EQ(state::moved_to(s, how).history & history::moved, 0U);
  s.release(policy);
  push();
  EXPECT_EQ(state::moved_to(s, how).history, 0U);
}

}  // namespace
