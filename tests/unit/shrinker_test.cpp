// SPDX-License-Identifier: Apache-2.0
//
// The shrinker on faults of an imagined subject, without any port.
#include "ringspec/trace/shrinker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "ringspec/trace/rng.hpp"
#include "ringspec/trace/text.hpp"

namespace {

using namespace ringspec;

enum code : std::uint8_t { open, put, take, set, empty, join };
constexpr auto table = std::to_array<operation>({{"open", 1, false, ""},
                                                 {"put", 1, false, ""},
                                                 {"take", 1, false, ""},
                                                 {"set", 1, true, ""},
                                                 {"empty", 1, false, ""},
                                                 {"join", 2, false, ""}});

constexpr step made(code c, unsigned a = 0, unsigned b = 0, std::uint32_t number = 0) {
  return {c, static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b), 0, number};
}

std::string text_of(std::span<const step> steps) {
  std::string result;
  for (const step& s : steps) result += (result.empty() ? "" : "; ") + to_text(s, table);
  return result;
}

std::vector<step> any_trace(std::uint64_t seed, std::size_t length) {
  rng random(seed);
  std::vector<step> result;
  while (result.size() < length) {
    step s = made(static_cast<code>(random.below(table.size())), random.below(4), 0);
    if (random.one_in(2)) s = made(random.one_in(2) ? put : take);
    const operation& o = table[s.op];
    if (o.registers > 1) s.b = static_cast<std::uint8_t>((s.a + 1 + random.below(3)) % 4);
    if (o.takes_number) s.number = random.below(50);
    result.push_back(s);
  }
  return result;
}

/// Calls `fails` after each step with the depths of the registers; what holds in the end is where it failed.
struct depths {
  std::array<std::uint64_t, 4> now{}, highest{};
  std::uint64_t emptied{}, takes_in_a_row{};
  void take_in(const step& s) {
    std::uint64_t& d = now[s.a];
    takes_in_a_row = s.op == take ? takes_in_a_row + 1 : 0;
    if (s.op == put) ++d;
    if (s.op == take && d != 0) --d;
    if (s.op == empty) d = 0, ++emptied;
    if (s.op == join) d += now[s.b], now[s.b] = 0;
    highest[s.a] = std::max(highest[s.a], d);
  }
};

template <class Fault>
same_failure when(Fault fault) {
  return [fault](std::span<const step> steps) -> std::optional<std::size_t> {
    depths d;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      d.take_in(steps[i]);
      if (fault(d, steps[i])) return i + 1;
    }
    return std::nullopt;
  };
}

const std::function<bool()> for_ever = [] { return false; };

/// Many traces that fail end as the same one.
void all_end_as(const std::string& smallest, const same_failure& fails, std::size_t length = 120) {
  unsigned failing = 0;
  for (std::uint64_t seed = 1; failing < 40 && seed < 2000; ++seed) {
    const std::vector<step> steps = any_trace(seed, length);
    const shrunk_trace s = shrink(steps, table, fails, for_ever);
    if (!s.fails) continue;
    ++failing;
    ASSERT_EQ(text_of(s.steps), smallest) << "seed " << seed;
    ASSERT_TRUE(s.finished);
    ASSERT_TRUE(fails(s.steps));
  }
  EXPECT_EQ(failing, 40U) << "too few of the random traces fail";
}

TEST(shrinker, leaves_alone_what_does_not_fail) {
  const std::vector<step> steps{made(put), made(take)};
  const shrunk_trace s = shrink(steps, table, when([](const depths&, const step&) { return false; }), for_ever);
  EXPECT_FALSE(s.fails);
  EXPECT_EQ(s.steps, steps);
  EXPECT_EQ(s.tried, 1U);
}

TEST(shrinker, what_always_fails_ends_as_nothing) {
  const shrunk_trace s = shrink(
      any_trace(3, 50), table, [](std::span<const step>) { return std::optional<std::size_t>(0); }, for_ever);
  EXPECT_TRUE(s.fails);
  EXPECT_TRUE(s.steps.empty());
}

TEST(shrinker, cuts_behind_the_failing_step) {
  std::size_t longest = 0;
  const auto fails = when([](const depths& d, const step&) { return d.now[0] >= 2; });
  const auto watched = [&](std::span<const step> c) {
    longest = std::max(longest, c.size());
    return c.size() == 500 ? std::optional<std::size_t>(2) : fails(c);
  };
  std::vector<step> steps(500, made(put));
  const shrunk_trace s = shrink(steps, table, watched, for_ever);
  EXPECT_EQ(text_of(s.steps), "put a; put a");
  EXPECT_EQ(longest, 500U);
  EXPECT_LT(s.tried, 100U) << "the rest was not thrown away at once";
}

TEST(shrinker, cuts_each_candidate_behind_its_failing_step) {
  std::vector<step> steps(12, made(put));
  steps.insert(steps.end(), 9, made(take));
  const auto fails = [&](std::span<const step> c) {
    return c.size() == 21   ? std::optional<std::size_t>(21)
           : c.size() == 20 ? std::optional<std::size_t>(3)
                            : std::nullopt;
  };
  EXPECT_EQ(shrink(steps, table, fails, for_ever).steps.size(), 3U);
}

TEST(shrinker, drops_what_has_no_part_in_it) {
  all_end_as("empty a", when([](const depths& d, const step&) { return d.emptied == 1; }));
}

TEST(shrinker, keeps_the_number_of_equal_steps) {
  all_end_as("put a; put a; put a; put a; put a; put a; put a",
             when([](const depths& d, const step&) { return d.highest[0] >= 7 || d.highest[2] >= 7; }));
}

TEST(shrinker, takes_away_together_what_goes_together) {
  // Each put has its take: none can go alone.
  const auto fails = [](std::span<const step> steps) -> std::optional<std::size_t> {
    std::int64_t depth = 0;
    bool reached = false;
    for (const step& s : steps) {
      depth += s.op == put ? 1 : s.op == take ? -1 : 0;
      reached = reached || depth >= 3;
    }
    return reached && depth == 0 ? std::optional(steps.size()) : std::nullopt;
  };
  std::vector<step> steps;
  for (int i = 0; i < 30; ++i) steps.insert(steps.end(), {made(put), made(put), made(set, 1, 0, 9), made(take)});
  steps.insert(steps.end(), 30, made(take));
  const shrunk_trace s = shrink(steps, table, fails, for_ever);
  EXPECT_EQ(text_of(s.steps), "put a; put a; put a; take a; take a; take a");
}

TEST(shrinker, lowers_numbers) {
  all_end_as("set a 7", when([](const depths&, const step& s) { return s.op == set && s.number >= 7; }));
  all_end_as("set a 1", when([](const depths&, const step& s) { return s.op == set && s.number % 2 == 1; }));
}

TEST(shrinker, lowers_registers) {
  all_end_as("join a b", when([](const depths&, const step& s) { return s.op == join; }));
  all_end_as("put a; join a b", when([](const depths& d, const step& s) { return s.op == join && d.now[s.a] != 0; }));
}

TEST(shrinker, finds_the_simpler_operation) {
  // Two takes would do as well as one empty, but not the other way round.
  all_end_as("put a; put a; put a; empty a",
             when([](const depths& d, const step&) { return d.highest[0] >= 3 && d.now[0] == 0; }));
}

TEST(shrinker, goes_over_to_a_smaller_scale) {
  // Either nine and sixteen takes in pairs, or two and eight: nothing between them fails.
  const auto fails = [](std::span<const step> steps) -> std::optional<std::size_t> {
    std::size_t puts = 0, pairs = 0;
    while (puts < steps.size() && steps[puts] == made(put)) ++puts;
    if (puts == steps.size() || steps[puts] != made(empty)) return std::nullopt;
    std::size_t i = puts + 1;
    for (; i + 1 < steps.size() && steps[i] == made(put) && steps[i + 1] == made(take); i += 2) ++pairs;
    const bool right = i == steps.size() && ((puts == 9 && pairs == 16) || (puts == 2 && pairs == 8));
    return right ? std::optional(steps.size()) : std::nullopt;
  };
  std::vector<step> steps(9, made(put));
  steps.push_back(made(empty));
  for (int i = 0; i < 16; ++i) steps.insert(steps.end(), {made(put), made(take)});
  const shrunk_trace s = shrink(steps, table, fails, for_ever);
  EXPECT_EQ(s.steps.size(), 19U) << text_of(s.steps);
}

struct row {
  step what;
  std::size_t times;
};
std::vector<step> rows(std::initializer_list<row> all) {
  std::vector<step> result;
  for (const row& r : all) result.insert(result.end(), r.times, r.what);
  return result;
}

// Two traces fail and no other: nearly each of these ways from the one to the other is known to one pass only.
TEST(shrinker, knows_many_ways) {
  constexpr step p = made(put), t = made(take), e = made(empty), j = made(join, 0, 1), first = made(set, 0, 0, 0);
  const struct {
    const char* name;
    std::vector<step> from, to;
  } ways[] = {
      {"without a chunk", rows({{first, 1}, {p, 7}, {t, 2}, {p, 2}, {t, 2}, {p, 2}, {t, 8}, {p, 8}}),
       rows({{first, 1}, {p, 7}, {t, 8}, {p, 8}})},
      {"a shorter row", rows({{first, 1}, {p, 12}, {t, 9}}), rows({{first, 1}, {p, 11}, {t, 9}})},
      {"one for many", rows({{p, 9}, {t, 5}, {p, 9}}), rows({{p, 9}, {e, 1}, {p, 9}})},
      {"without pairs", rows({{p, 12}, {t, 9}}), rows({{p, 10}, {t, 7}})},
      {"without triples", rows({{first, 1}, {p, 9}, {t, 4}, {p, 5}}), rows({{first, 1}, {p, 8}, {t, 3}, {p, 4}})},
      {"a lower number", rows({{p, 12}, {made(set, 0, 0, 4), 1}, {t, 9}}),
       rows({{p, 12}, {made(set, 0, 0, 2), 1}, {t, 9}})},
      {"a lower number everywhere", rows({{p, 12}, {made(set, 0, 0, 4), 1}, {t, 9}, {made(set, 0, 0, 4), 1}}),
       rows({{p, 12}, {made(set, 0, 0, 2), 1}, {t, 9}, {made(set, 0, 0, 2), 1}})},
      {"the other register", rows({{made(put, 1), 8}, {made(take, 1), 8}}), rows({{p, 8}, {t, 8}})},
      {"the other register from here on", rows({{p, 8}, {made(join, 1, 0), 1}, {made(take, 1), 8}}),
       rows({{p, 8}, {made(join, 0, 1), 1}, {t, 8}})},
      {"rows together", rows({{first, 1}, {p, 6}, {t, 3}, {p, 6}, {t, 3}}),
       rows({{first, 1}, {p, 12}, {t, 3}, {t, 3}})},
      {"neighbours together", rows({{first, 1}, {p, 2}, {t, 2}, {e, 1}, {p, 3}, {t, 3}}),
       rows({{first, 1}, {p, 3}, {t, 3}, {e, 1}, {p, 2}, {t, 2}})},
      {"a join past its registers", rows({{made(join, 1, 0), 1}, {made(put, 1), 8}, {made(take, 1), 8}}),
       rows({{p, 8}, {made(join, 1, 0), 1}, {made(take, 1), 8}})},
      {"another step and fewer", rows({{first, 1}, {p, 9}, {t, 2}, {p, 9}}),
       rows({{first, 1}, {p, 8}, {e, 1}, {p, 9}})},
      {"any word", rows({{e, 2}, {t, 1}, {e, 1}}), rows({{t, 2}, {e, 1}, {t, 1}})},
      {"another beginning", rows({{t, 9}, {p, 2}, {t, 8}, {p, 3}, {j, 1}}),
       rows({{p, 6}, {t, 3}, {p, 2}, {t, 2}, {p, 2}, {t, 2}, {j, 1}})},
  };
  for (const auto& way : ways) {
    const auto fails = [&](std::span<const step> c) {
      const bool known = std::equal(c.begin(), c.end(), way.from.begin(), way.from.end()) ||
                         std::equal(c.begin(), c.end(), way.to.begin(), way.to.end());
      return known ? std::optional(c.size()) : std::nullopt;
    };
    EXPECT_EQ(text_of(shrink(way.from, table, fails, for_ever).steps), text_of(way.to)) << way.name;
  }
}

TEST(shrinker, long_traces_are_quick) {
  const auto fails = when([](const depths& d, const step& s) { return s.op == empty && d.highest[0] >= 20; });
  std::vector<step> steps = any_trace(5, 20'000);
  steps.insert(steps.end(), 20, made(put));
  steps.push_back(made(empty));
  const shrunk_trace s = shrink(steps, table, fails, for_ever);
  EXPECT_TRUE(s.fails);
  EXPECT_EQ(s.steps.size(), 21U) << text_of(s.steps);
  EXPECT_LT(s.tried, 60'000U);
}

// Each candidate is simpler than the best so far, so that shrinking ends; and none is tried twice.
TEST(shrinker, goes_down_only) {
  const auto fails = when([](const depths& d, const step& s) { return s.op == take && d.highest[0] >= 4; });
  std::vector<step> best;
  std::vector<std::string> seen;
  const auto watched = [&](std::span<const step> c) {
    EXPECT_TRUE(seen.empty() || simpler(c, best)) << text_of(c);
    seen.push_back(text_of(c));
    const auto end = fails(c);
    if (end) best.assign(c.begin(), c.begin() + static_cast<std::ptrdiff_t>(*end));
    return end;
  };
  const shrunk_trace s = shrink(any_trace(8, 200), table, watched, for_ever);
  ASSERT_TRUE(s.fails);
  EXPECT_EQ(s.steps, best);
  EXPECT_EQ(s.tried, seen.size());
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
}

TEST(shrinker, stops_when_time_is_over) {
  const auto fails = when([](const depths& d, const step&) { return d.highest[0] >= 4; });
  for (const std::size_t allowed : {0U, 1U, 5U, 20U}) {
    std::size_t asked = 0;
    const std::vector<step> steps = any_trace(8, 200);
    const shrunk_trace s = shrink(steps, table, fails, [&] { return asked++ == allowed; });
    EXPECT_TRUE(s.fails);
    EXPECT_FALSE(s.finished);
    EXPECT_EQ(s.tried, allowed + 1);
    EXPECT_TRUE(fails(s.steps)) << "what is there when the time is over must fail as well";
  }
}

TEST(shrinker, the_order_of_traces) {
  const std::vector<step> two{made(join), made(join)}, three(3, made(open));
  EXPECT_TRUE(simpler(two, three)) << "the shorter one";
  const std::vector<step> rows{made(take), made(take), made(put)}, turns{made(put), made(take), made(put)};
  EXPECT_TRUE(simpler(rows, turns)) << "the one with fewer rows";
  const std::vector<step> first{made(put), made(take)}, second{made(take), made(put)};
  EXPECT_TRUE(simpler(first, second));
  EXPECT_FALSE(simpler(second, first));
  EXPECT_FALSE(simpler(first, first));
  EXPECT_TRUE(simpler(std::vector{made(set, 0, 0, 9)}, std::vector{made(set, 1, 0, 0)})) << "registers before numbers";
}

}  // namespace
