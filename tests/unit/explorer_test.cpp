// SPDX-License-Identifier: Apache-2.0
//
// The explorer counts what an independent count finds, its traces lead where it says, and its suffix tells states apart.
#include "ringspec/trace/explorer.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>
#include "queue_steps.hpp"
#include "ringspec/queue/space.hpp"

namespace ringspec::queue {
namespace {

using ringspec_tests::specified_numbers;

constexpr std::uint64_t everything = ~std::uint64_t{0};

explorer<space> exploration_to(std::uint64_t n, std::uint64_t bound, std::uint64_t offered,
                               bool every_operation = false, unsigned words = 1,
                               std::uint64_t most_states = 1'000'000) {
  return {space(specified_numbers(n), offered, false, {bound, every_operation}), words, most_states, true};
}

/// The states of the rules as they are written down, counted without the model.
std::size_t independent_count(unsigned n, unsigned bound, bool failures) {
  using place = std::array<unsigned, 4>;  // capacity, head, size, low-water count
  std::set<place> seen;
  std::vector<place> open{{n, 0, 0, 0}};
  while (!open.empty()) {
    const place p = open.back();
    open.pop_back();
    if (p[0] > bound || !seen.insert(p).second) continue;
    const unsigned first = std::max(8U, 2 * n);
    const auto smaller = [&](unsigned c) { return c == first ? n : c / 2; };
    const auto low = [&](unsigned c) { return std::min(c / 4, smaller(c)); };
    const auto [c, h, s, l] = p;
    const unsigned grown = s < c ? c : c == n ? first : 2 * c;
    open.push_back({grown, s < c ? h : 0, s + 1, grown == n || s + 1 > low(grown) ? 0 : l});
    open.push_back({c, 0, 0, 0});
    if (s == 0) continue;
    const unsigned next = (h + 1) % c;
    if (c == n || s - 1 > low(c)) {
      open.push_back({c, next, s - 1, l});
    } else if (l + 1 < c) {
      open.push_back({c, next, s - 1, l + 1});
    } else {
      open.push_back({smaller(c), 0, s - 1, 0});
      if (failures && smaller(c) > n) open.push_back({c, next, s - 1, 0});
    }
  }
  return seen.size();
}

TEST(queue_explorer, counts_the_states_that_an_independent_count_finds) {
  for (const unsigned n : {1U, 2U, 4U, 8U, 16U, 32U}) {
    for (const unsigned bound : {n, std::max(16U, 2 * n), 64U}) {
      EXPECT_EQ(exploration_to(n, bound, everything).about().states, independent_count(n, bound, true))
          << n << ' ' << bound;
      const std::uint64_t calm = everything & ~(1ULL << static_cast<unsigned>(op::fail));
      EXPECT_EQ(exploration_to(n, bound, calm).about().states, independent_count(n, bound, false)) << n << ' ' << bound;
    }
  }
}

TEST(queue_explorer, counts_the_published_states) {
  EXPECT_EQ(exploration_to(1, 32, everything).about().states, 11'621U);
  EXPECT_EQ(exploration_to(1, 64, everything).about().states, 84'325U);
  EXPECT_EQ(exploration_to(1, 128, everything).about().states, 637'285U);
  EXPECT_EQ(independent_count(1, 128, true), 637'285U);
}

TEST(queue_explorer, counts_heap_states_apart) {
  EXPECT_EQ(exploration_to(32, 32, everything).about().states_apart, 0U);
  for (const unsigned n : {1U, 2U, 4U, 8U, 16U, 32U}) {
    const coverage c = exploration_to(n, 64, everything).about();
    EXPECT_GT(c.states_apart, 0U);
    EXPECT_EQ(c.states - c.states_apart, exploration_to(n, n, everything).about().states);
  }
}

/// What the outside sees of a step.
using answer = std::array<std::uint64_t, 2>;  // size, capacity

/// The model's answers to the steps of register a; failures as the plan in the trace says.
std::vector<answer> answers(const numbers& n, state s, const std::vector<step>& steps, std::size_t first = 0) {
  std::vector<answer> result;
  bool fails = false;
  for (std::size_t i = first; i < steps.size(); ++i) {
    if (steps[i].a != 0) continue;
    switch (static_cast<op>(steps[i].op)) {
      case op::fail: fails = steps[i].number == 1; break;
      case op::push:
      case op::push_element:
      case op::emplace_element: s.push(n, fails); break;
      case op::pop:
        if (s.count != 0) s.pop(n, fails);
        break;
      case op::clear: s.clear(); break;
      case op::release: s.release(n); break;
      case op::create: s = state::fresh(n); break;
      default: break;
    }
    result.push_back({s.count, s.capacity});
  }
  return result;
}

TEST(queue_explorer, the_suffix_tells_apart_all_states_that_can_be_told_apart) {
  for (const std::uint64_t n : {1U, 4U, 16U}) {
    const numbers policy = specified_numbers(n);
    const space all(policy, everything, false, {2 * policy.first_heap, false});
    // Two states that differ in the head only answer alike for ever, so one of each such set will do.
    std::map<std::array<std::uint64_t, 3>, state> states;
    exploration_to(n, 2 * policy.first_heap, everything).visit(0, [&](std::uint64_t, const std::vector<step>& steps) {
      state s = state::fresh(policy);
      for (const step& each : steps) {
        const op o{each.op};
        if (o == op::push) s.push(policy, false);
        if (o == op::pop && s.count != 0) s.pop(policy, false);
        if (s.capacity <= all.bound()) states.try_emplace({s.capacity, s.count, s.low}, s);
      }
      return states.size() < 3'000;
    });
    ASSERT_GT(states.size(), 100U);
    // Those of one size and capacity are told apart by nothing but the suffix.
    std::vector<step> suffix;
    for (auto a = states.begin(); a != states.end(); ++a) {
      suffix.clear();
      all.identify(a->second, suffix);
      const auto due = answers(policy, a->second, suffix);
      for (auto b = states.lower_bound({a->first[0], a->first[1], 0}); b != states.end(); ++b) {
        if (b->first[0] != a->first[0] || b->first[1] != a->first[1]) break;
        if (b == a) continue;
        ASSERT_NE(answers(policy, b->second, suffix), due)
            << "capacity " << a->first[0] << ", size " << a->first[1] << ": low-water counts " << a->first[2] << " and "
            << b->first[2];
      }
    }
  }
}

TEST(queue_explorer, every_state_is_reached_and_every_operation_tried_in_it) {
  const numbers policy = specified_numbers(2);
  const explorer<space> pass = exploration_to(2, 16, everything, true);
  const space all(policy, everything, false, {16, true});
  std::set<std::uint64_t> reached;
  std::uint64_t traces = 0;
  pass.visit(0, [&](std::uint64_t index, const std::vector<step>& steps) {
    EXPECT_EQ(index, traces++);
    state s = state::fresh(policy);
    bool fails = false;
    for (const step& each : steps) {
      reached.insert(all.place_of(s));
      const op o{each.op};
      if (o == op::fail) fails = each.number == 1;
      if (o == op::push) s.push(policy, fails);
      if (o == op::pop && s.count != 0) s.pop(policy, fails);
      if (o == op::clear) s.clear();
      if (o != op::push && o != op::pop && o != op::clear && o != op::fail) break;
    }
    return true;
  });
  EXPECT_EQ(traces, pass.about().traces);
  std::size_t within = 0;
  for (const std::uint64_t place : reached) within += all.inside(all.at(place)) ? 1 : 0;
  EXPECT_EQ(within, pass.about().states);
  EXPECT_GT(pass.about().transitions, 20 * pass.about().states);
}

TEST(queue_explorer, a_visit_goes_on_where_it_is_told) {
  const explorer<space> pass = exploration_to(1, 8, everything, true, 2);
  std::vector<std::vector<step>> whole;
  pass.visit(0, [&](std::uint64_t, const std::vector<step>& steps) { return whole.push_back(steps), true; });
  ASSERT_EQ(whole.size(), pass.about().traces);
  for (std::size_t first = 0; first < whole.size(); first += 37) {
    std::size_t next = first;
    pass.visit(first, [&](std::uint64_t index, const std::vector<step>& steps) {
      EXPECT_EQ(index, next);
      EXPECT_EQ(steps, whole[next]) << next;
      return ++next < first + 50;
    });
    EXPECT_EQ(next, std::min(first + 50, whole.size()));
  }
}

TEST(queue_explorer, words_of_k_operations_are_all_there) {
  const coverage one = exploration_to(1, 8, everything, true, 1).about(),
                 two = exploration_to(1, 8, everything, true, 2).about();
  EXPECT_EQ(one.transitions, two.transitions);
  std::set<std::vector<std::uint8_t>> words;
  exploration_to(1, 1, everything & 0xffU, false, 3).visit(0, [&](std::uint64_t, const std::vector<step>& steps) {
    std::vector<std::uint8_t> word;
    for (std::size_t i = 0; i < std::min<std::size_t>(steps.size(), 3); ++i) word.push_back(steps[i].op);
    return words.insert(word), true;
  });
  const auto word = [](op a, op b, op c) {
    return std::vector{static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b), static_cast<std::uint8_t>(c)};
  };
  for (const op b : {op::push, op::pop, op::clear}) {
    for (const op c : {op::push, op::clear}) EXPECT_TRUE(words.contains(word(op::push, b, c)));
  }
}

TEST(queue_explorer, says_that_it_was_cut_short) {
  EXPECT_EQ(exploration_to(1, 32, everything).about().cut_short, 0U);
  const coverage c = exploration_to(1, 32, everything, false, 1, 100).about();
  EXPECT_EQ(c.cut_short, 1U);
  EXPECT_EQ(c.states, 100U);
}

TEST(queue_explorer, a_port_of_odd_numbers_ends_too) {
  rs_queue_policy p{};
  p.size = sizeof p;
  for (const std::uint64_t inline_capacity : {0U, 1U, 3U}) {
    for (const std::uint64_t first_heap : {0U, 1U, 2U, 5U}) {
      for (const std::uint32_t divisor : {0U, 1U, 100U}) {
        for (const std::uint64_t most : {0U, 1U, 7U}) {
          p.inline_capacity = inline_capacity;
          p.first_heap = first_heap;
          p.low_divisor = divisor;
          p.max_size = most;
          p.growth_num = 3;
          p.growth_den = 2;
          p.shrink = divisor == 1 ? RS_SHRINK_NEVER : RS_SHRINK_COUNTED;
          const explorer<space> pass(space(numbers(p), everything, false, {16, true}), 1, 5'000, true);
          std::uint64_t traces = 0;
          pass.visit(0, [&](std::uint64_t, const std::vector<step>& steps) {
            EXPECT_LE(steps.size(), 1U << 19);
            return ++traces < 2'000;
          });
          EXPECT_GE(traces, 1U);
        }
      }
    }
  }
}

}  // namespace
}  // namespace ringspec::queue
