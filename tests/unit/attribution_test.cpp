// SPDX-License-Identifier: Apache-2.0
//
// Which situations a rule covers, and how often a requirement was checked.
#include "ringspec/trace/attribution.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "ringspec/trace/rng.hpp"

namespace {

using namespace ringspec;

constexpr rule any{"queue.fifo.order", 0, 0, 0, 0, 1};

TEST(rule, an_empty_set_means_any) {
  EXPECT_TRUE(any.covers({0, 0, 0, 0}));
  EXPECT_TRUE(any.covers({31, 15, 31, 0xFFFFFF}));
}

TEST(rule, each_set_restricts) {
  const rule r = any.on(1U << 3 | 1U << 31).when(1U << 15).while_in(1U << 31 | 1U << 2).after(1U << 5 | 1U << 6);
  EXPECT_TRUE(r.covers({3, 15, 31, 1U << 5}));
  EXPECT_TRUE(r.covers({31, 15, 2, 1U << 6 | 1U})) << "one of the bits is enough";
  EXPECT_FALSE(r.covers({4, 15, 31, 1U << 5}));
  EXPECT_FALSE(r.covers({3, 14, 31, 1U << 5}));
  EXPECT_FALSE(r.covers({3, 15, 30, 1U << 5}));
  EXPECT_FALSE(r.covers({3, 15, 31, 1U << 7}));
  EXPECT_FALSE(r.covers({3, 15, 31, 0}));
  EXPECT_EQ(r.requirement, any.requirement);
  EXPECT_EQ(r.differences, any.differences);
  EXPECT_TRUE(r.counts);
}

TEST(evidence, begins_with_nothing) {
  const auto e = std::make_unique<evidence>();
  EXPECT_EQ(e->judged(), 0U);
  EXPECT_EQ(e->checks(any), 0U);
}

TEST(evidence, counts_each_judged_step_once) {
  const auto e = std::make_unique<evidence>();
  e->count({1, 2, 3, 0});
  e->count_plain(1, 2, 3);
  e->count({1, 2, 3, 1U << 4 | 1U << 9});
  e->count({1, 2, 4, 1U << 9});
  EXPECT_EQ(e->judged(), 4U);
  EXPECT_EQ(e->checks(any), 4U);
  EXPECT_EQ(e->checks(any.while_in(1U << 3)), 3U) << "steps with history have a phase, too";
  EXPECT_EQ(e->checks(any.while_in(1U << 4)), 1U);
  EXPECT_EQ(e->checks(any.after(1U << 9)), 2U);
  EXPECT_EQ(e->checks(any.after(1U << 4)), 1U);
  EXPECT_EQ(e->checks(any.after(1U << 5)), 0U);
  EXPECT_EQ(e->checks(any.on(1U << 2)), 0U);
  EXPECT_EQ(e->checks(any.when(1U << 3)), 0U);
}

TEST(evidence, a_rule_that_only_charges_is_none) {
  const auto e = std::make_unique<evidence>();
  e->count({0, 0, 0, 0});
  rule charging = any;
  charging.counts = false;
  EXPECT_EQ(e->checks(charging), 0U);
  EXPECT_TRUE(charging.covers({0, 0, 0, 0}));
}

TEST(evidence, adds_up) {
  const auto e = std::make_unique<evidence>(), other = std::make_unique<evidence>();
  e->count({31, 15, 31, 1U << 23});
  other->count({31, 15, 31, 1U << 23});
  other->count({0, 0, 0, 1U});
  other->count({0, 0, 0, 0});
  e->add(*other);
  EXPECT_EQ(e->judged(), 4U);
  EXPECT_EQ(e->checks(any.after(1U << 23)), 2U);
  EXPECT_EQ(e->checks(any.after(1U)), 1U);
  EXPECT_EQ(e->checks(any.on(1U << 31)), 2U);
  EXPECT_EQ(other->judged(), 3U);
}

// The counters must give what remembering every step would give.
TEST(evidence, agrees_with_covers_step_by_step) {
  rng random(11);
  const auto e = std::make_unique<evidence>();
  std::vector<situation> all;
  for (int i = 0; i < 5000; ++i) {
    const situation s{static_cast<std::uint8_t>(random.below(32)), static_cast<std::uint8_t>(random.below(16)),
                      static_cast<std::uint8_t>(random.below(32)),
                      random.one_in(2) ? 0 : static_cast<std::uint32_t>(random.next()) & 0xFFFFFFU};
    all.push_back(s);
    e->count(s);
  }
  const auto some = [&](std::uint32_t width) {
    return random.one_in(4) ? 0 : static_cast<std::uint32_t>(random.next()) & ((std::uint64_t{1} << width) - 1);
  };
  for (int i = 0; i < 300; ++i) {
    rule r = any.on(some(32)).when(static_cast<std::uint32_t>(some(16)));
    r = random.one_in(2) ? r.while_in(static_cast<std::uint32_t>(some(32))) : r.after(1U << random.below(24));
    std::uint64_t expected = 0;
    for (const situation& s : all) expected += r.covers(s) ? 1U : 0U;
    ASSERT_EQ(e->checks(r), expected) << i;
  }
}

}  // namespace
