// SPDX-License-Identifier: Apache-2.0
//
// The random numbers, and the random traces made of them. A seed in a report must mean the same with every compiler, so
// some of both are written down here.
#include "ringspec/queue/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "queue_steps.hpp"
#include "ringspec/run/job.hpp"
#include "ringspec/trace/rng.hpp"
#include "ringspec/trace/text.hpp"

namespace {

using namespace ringspec;
using queue::op;
using ringspec_tests::specified_numbers;

constexpr std::uint64_t bit(op o) { return std::uint64_t{1} << static_cast<unsigned>(o); }
constexpr std::uint64_t always = bit(op::create) | bit(op::destroy) | bit(op::push) | bit(op::pop);
constexpr std::uint64_t everything = (std::uint64_t{1} << queue::operations.size()) - 1;

std::vector<step> random_trace(std::uint64_t seed, std::uint64_t offered = everything,
                               std::uint64_t inline_capacity = 1) {
  std::vector<step> steps;
  queue::random_trace(seed, specified_numbers(inline_capacity), offered, steps);
  return steps;
}

std::uint64_t operations_in(const std::vector<step>& steps) {
  std::uint64_t result = 0;
  for (const step& s : steps) result |= std::uint64_t{1} << s.op;
  return result;
}

// ---- numbers ---------------------------------------------------------------------------------------------------------

// From the published SplitMix64, not from this program.
TEST(rng, gives_the_published_numbers) {
  rng random(1234567);
  for (const std::uint64_t n : {6457827717110365317U, 3203168211198807973U, 9817491932198370423U, 4593380528125082431U,
                                16408922859458223821U}) {
    EXPECT_EQ(random.next(), n);
  }
  EXPECT_EQ(rng(0).next(), 0xE220A8397B1DCDAFU);
}

TEST(rng, below_takes_the_high_bits) {
  rng random(42);
  for (const std::uint32_t n : {7U, 1U, 2U, 3U, 0U, 8U, 2U, 8U, 3U, 6U, 2U, 4U}) EXPECT_EQ(random.below(10), n);
  EXPECT_EQ(random.below(1), 0U);
  EXPECT_TRUE(random.one_in(1));
}

TEST(rng, below_is_level) {
  rng random(1);
  std::array<int, 7> seen{};
  for (int i = 0; i < 70000; ++i) ++seen.at(random.below(7));
  for (const int n : seen) EXPECT_NEAR(n, 10000, 400);
}

TEST(rng, mix_gives_another_seed) {
  EXPECT_EQ(mix(0, 0), 0x6F682616BAE3641AU);
  EXPECT_EQ(mix(1, 2), 0xD75F21019EB8C935U);
  EXPECT_EQ(mix(2, 1), 0x829CB6EA51CF6FE9U);
  EXPECT_EQ(mix(UINT64_MAX, 7), 0xA0B32B12F9147713U);
  std::set<std::uint64_t> by_number, by_seed;
  for (std::uint64_t i = 0; i < 10000; ++i) {
    by_number.insert(mix(20, i));
    by_seed.insert(mix(i, 20));
  }
  EXPECT_EQ(by_number.size(), 10000U);
  EXPECT_EQ(by_seed.size(), 10000U);
}

// ---- traces ----------------------------------------------------------------------------------------------------------

std::uint64_t fingerprint(std::uint64_t seeds, std::uint64_t inline_capacity) {
  std::uint64_t hash = 14695981039346656037U;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    for (const step& s : random_trace(seed, everything, inline_capacity)) {
      for (const std::uint64_t part :
           {std::uint64_t{s.op}, std::uint64_t{s.a}, std::uint64_t{s.b}, std::uint64_t{s.number}}) {
        hash = (hash ^ part) * 1099511628211U;
      }
    }
  }
  return hash;
}

// If only one compiler fails here, its traces depend on the order in which it evaluates arguments. If all do, the
// generator was changed: every seed in an old report means another trace now, so say it in CHANGELOG.md and write down
// the new numbers.
TEST(random_traces, mean_the_same_with_every_compiler) {
  EXPECT_EQ(fingerprint(1000, 1), 1874335377777080183U);
  EXPECT_EQ(fingerprint(300, 32), 10936222318465572920U);
}

TEST(random_traces, are_the_same_for_the_same_seed_and_differ_otherwise) {
  std::vector<step> reused = random_trace(99);
  queue::random_trace(7, specified_numbers(1), everything, reused);
  EXPECT_TRUE(reused == random_trace(7)) << "what the vector held before must not matter";
  std::set<std::string> texts;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    trace t;
    t.steps = random_trace(seed);
    texts.insert(to_text(t, queue::operations));
  }
  EXPECT_GT(texts.size(), 990U);
}

TEST(random_traces, use_every_offered_operation) {
  std::uint64_t seen = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) seen |= operations_in(random_trace(seed));
  EXPECT_EQ(seen, everything);
  for (const operation& o : queue::operations) {
    const auto index = static_cast<std::size_t>(&o - queue::operations.data());
    seen = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed)
      seen |= operations_in(random_trace(seed, always | std::uint64_t{1} << index));
    EXPECT_NE(seen >> index & 1U, 0U) << o.name << " alone";
  }
}

TEST(random_traces, use_nothing_that_is_not_offered) {
  rng random(5);
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const std::uint64_t offered = always | (random.next() & random.next() & everything);
    ASSERT_EQ(operations_in(random_trace(seed, offered)) & ~offered, 0U) << seed;
  }
}

// Each trace leaves out about half of the rarer operations, whichever: a pair that always came together would hide the
// faults that show only without one of them. Looked at in traces that are long enough to use all that they may.
TEST(random_traces, switch_operations_on_and_off_independently) {
  constexpr std::size_t kinds = queue::operations.size();
  std::set<std::uint64_t> subsets;
  std::array<std::array<int, kinds>, kinds> with_without{};
  std::array<int, kinds> with{};
  int traces = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const std::vector<step> steps = random_trace(seed, everything, 32);
    const auto rare =
        std::count_if(steps.begin(), steps.end(), [](const step& s) { return (always >> s.op & 1U) == 0; });
    if (rare < 100) continue;
    ++traces;
    const std::uint64_t used = operations_in(steps);
    subsets.insert(used);
    for (std::size_t i = 0; i < kinds; ++i) {
      if ((used >> i & 1U) == 0) continue;
      ++with.at(i);
      for (std::size_t k = 0; k < kinds; ++k) with_without.at(i).at(k) += (used >> k & 1U) == 0 ? 1 : 0;
    }
  }
  ASSERT_GT(traces, 100);
  EXPECT_GT(static_cast<int>(subsets.size()), traces / 2);
  for (std::size_t i = 0; i < kinds; ++i) {
    if ((always >> i & 1U) != 0) continue;
    EXPECT_LT(with.at(i), traces * 8 / 10) << queue::operations.at(i).name;
    EXPECT_GT(with.at(i), traces / 20) << queue::operations.at(i).name;
    for (std::size_t k = 0; k < kinds; ++k) {
      // fail_from stands in for fail now and then.
      const bool pair = static_cast<op>(i) == op::fail && static_cast<op>(k) == op::fail_from;
      if (k == i || (always >> k & 1U) != 0 || pair) continue;
      EXPECT_GT(with_without.at(i).at(k), 0)
          << queue::operations.at(i).name << " never without " << queue::operations.at(k).name;
    }
  }
}

TEST(random_traces, keep_to_the_format) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    trace t;
    t.subject = "queue";
    t.steps = random_trace(seed);
    EXPECT_TRUE(read_trace(to_text(t, queue::operations), "t").steps == t.steps) << seed;
  }
}

// What they are for: growth and contraction at each capacity, second queues, aliased pushes of other elements than the
// front, failures of more than the next allocation.
TEST(random_traces, reach_what_they_are_made_for) {
  for (const std::uint64_t n : {1U, 8U, 32U}) {
    const queue::numbers policy = specified_numbers(n);
    std::map<queue::transition, int> reached;
    std::uint64_t largest = 0;
    bool second = false, interior = false, later_failure = false, ended_plan = false;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
      queue::state s = queue::state::fresh(policy);
      for (const step& made : random_trace(seed, everything, n)) {
        const op o{made.op};
        second = second || (made.a == 1 && o == op::push);
        interior = interior || (o == op::push_element && made.number % 64 != 0);
        later_failure = later_failure || (o == op::fail_from && made.number > 1);
        ended_plan = ended_plan || (o == op::fail && made.number == 0);
        if (made.a != 0) continue;
        if (o == op::push) ++reached[s.push(policy, false)];
        if (o == op::pop && s.count != 0) ++reached[s.pop(policy, false)];
        if (o == op::clear) s.clear();
        largest = std::max(largest, s.capacity);
      }
    }
    using enum queue::transition;
    for (const queue::transition t : {fills, empties, leaves_inline, grows, halves, to_inline})
      EXPECT_GT(reached[t], 50) << n;
    EXPECT_GE(largest, 8 * policy.first_heap) << n;
    EXPECT_TRUE(second && interior && later_failure && ended_plan) << n;
  }
}

TEST(random_traces, end_whatever_a_port_declares) {
  for (const std::uint64_t first_heap : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{20000},
                                         std::uint64_t{1} << 20, std::uint64_t{1} << 32, UINT64_MAX}) {
    const queue::numbers policy(rs_queue_policy{sizeof(rs_queue_policy), 1, first_heap, 2, 1, 0, RS_SHRINK_COUNTED, 4});
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 613U}) {  // the last would be too long
      std::vector<step> steps;
      queue::random_trace(seed, policy, everything, steps);
      EXPECT_LE(steps.size(), max_trace_steps) << first_heap;
      EXPECT_GT(steps.size(), 2U);
    }
  }
}

}  // namespace
