// SPDX-License-Identifier: Apache-2.0
//
// The model of the queue's control state against figures that were worked out without it: closed forms and numbers of
// states.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <deque>
#include <set>

#include "queue_steps.hpp"
#include "ringspec/trace/rng.hpp"

namespace {

using namespace ringspec::queue;
using namespace ringspec_tests;
using ringspec::rng;

// ---- closed forms ----------------------------------------------------------------------------------------------------

std::uint64_t pairs_until_inline(queue_of q) {
  std::uint64_t pairs = 0;
  while (q.s.heap && pairs < 100000) {
    q.push();
    q.pop();
    ++pairs;
  }
  return pairs;
}

TEST(queue_closed_forms, pairs_at_depth_one_until_inline) {
  struct figure {
    std::uint64_t n, peak, pairs;
  };
  for (const figure& f :
       {figure{1, 2, 6}, {1, 9, 19}, {1, 100, 215}, {1, 1000, 1783}, {8, 9, 11}, {8, 100, 207}, {8, 1000, 1775}}) {
    queue_of q(f.n);
    EXPECT_EQ(pairs_until_inline(q.push_times(f.peak).pop_times(f.peak)), f.pairs)
        << "N = " << f.n << ", peak " << f.peak;
  }
}

// The sum of the capacities down the chain, less T(C_peak) + 1.
TEST(queue_closed_forms, the_general_form_holds_for_each_peak) {
  for (const std::uint64_t n : inline_capacities) {
    for (std::uint64_t peak = 1; peak <= 600; ++peak) {
      queue_of q(n);
      q.push_times(peak);
      const std::uint64_t top = q.s.capacity;
      q.pop_times(peak);
      ASSERT_EQ(q.s.capacity, top) << "k pushes and k pops leave the capacity of the peak: N = " << n
                                   << ", k = " << peak;
      std::uint64_t expected = 0;
      for (std::uint64_t c = top; c > n; c = c == q.policy.first_heap ? n : c / 2) expected += c;
      if (expected != 0) expected -= std::min(top / 4, top == q.policy.first_heap ? n : top / 2) + 1;
      ASSERT_EQ(pairs_until_inline(q), expected) << "N = " << n << ", peak " << peak;
    }
  }
}

TEST(queue_closed_forms, growths_and_halvings_are_bounded_by_the_pops) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    rng random(seed);
    queue_of q(inline_capacities[seed % 6]);
    std::uint64_t pops = 0, changes = 0, peak = 0;
    for (int i = 0; i < 4000; ++i) {
      const std::uint32_t up = i / 200 % 2 == 0 ? 5 : 3;
      const bool fails = random.one_in(8);
      transition how = transition::none;
      if (random.one_in(400)) q.s.clear();
      if (random.below(8) < up)
        how = q.push(fails);
      else if (q.s.count != 0)
        how = q.pop(fails), ++pops;
      peak = std::max(peak, q.s.count);
      changes += how == transition::leaves_inline || how == transition::grows || how == transition::halves ||
                 how == transition::halving_fails;
    }
    const double levels =
        peak <= q.policy.inline_capacity ? 0 : std::max(1.0, std::ceil(std::log2(static_cast<double>(peak) / 8)) + 1);
    EXPECT_LE(static_cast<double>(changes), static_cast<double>(pops) / 8 + levels) << "seed " << seed;
  }
}

// ---- reachable states --------------------------------------------------------------------------------------------------

std::size_t reachable_states(std::uint64_t n, std::uint64_t largest, bool failures) {
  const numbers policy = specified_numbers(n);
  std::set<std::array<std::uint64_t, 4>> seen;
  std::deque<state> todo;
  const auto reached = [&](const state& s) {
    if (s.capacity > largest || !seen.insert({s.capacity, s.head, s.count, s.low}).second) return;
    const bool sound = s.count <= s.capacity && s.head < s.capacity && s.low < s.capacity && s.heap == (s.capacity > n);
    EXPECT_TRUE(sound) << "capacity " << s.capacity << ", head " << s.head << ", count " << s.count << ", low "
                       << s.low;
    if (sound) todo.push_back(s);
  };
  reached(state::fresh(policy));
  for (; !todo.empty(); todo.pop_front()) {
    for (const bool fails : {false, true}) {
      if (fails && !failures) continue;
      state pushed = todo.front(), popped = todo.front();
      pushed.push(policy, fails);
      reached(pushed);
      if (popped.count == 0) continue;
      popped.pop(policy, fails);
      reached(popped);
    }
    state cleared = todo.front();
    cleared.clear();
    reached(cleared);
  }
  return seen.size();
}

TEST(queue_states, are_as_many_as_a_model_in_another_language_found) {
  EXPECT_EQ(reachable_states(1, 32, true), 11621U);
  EXPECT_EQ(reachable_states(1, 32, false), 10001U);
  EXPECT_EQ(reachable_states(1, 64, true), 84325U);
  EXPECT_EQ(reachable_states(1, 64, false), 73066U);
}

}  // namespace
