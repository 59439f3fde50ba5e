// SPDX-License-Identifier: Apache-2.0
//
// The ledger, called as the taps call it. Under a sanitizer it forwards to that tool, which then watches the bytes: what
// concerns redzones, paint and quarantine is skipped there.
#include "ringspec/alloc/ledger.hpp"

#include "ledger_calls.hpp"

#include <gtest/gtest.h>

namespace {

using namespace ringspec_tests;

TEST(ledger, counts_what_happened_since_the_step_began) {
  ledger book;
  book.begin_trace();
  book.begin_step();
  std::byte* const p = make(book, 24);
  std::byte* const q = make(book, 100);
  ASSERT_TRUE(p != nullptr && q != nullptr);
  EXPECT_EQ(book.step.attempts, 2U);
  EXPECT_EQ(book.step.failures, 0U);
  EXPECT_EQ(book.step.releases, 0U);
  EXPECT_EQ(book.step.bytes, 124U);
  EXPECT_EQ(book.step.events, 2U);
  EXPECT_EQ(book.live_bytes(), 124U);
  EXPECT_EQ(book.live().size(), 2U);
  book.begin_step();
  EXPECT_EQ(book.step.events, 0U);
  EXPECT_EQ(book.step.attempts, 0U);
  EXPECT_TRUE(book.release(p, 24, natural, plain));
  EXPECT_TRUE(book.release(q, 0, natural, plain));
  EXPECT_EQ(book.step.releases, 2U);
  EXPECT_EQ(book.step.attempts, 0U);
  EXPECT_EQ(book.step.bytes, 0U);
  EXPECT_EQ(book.step.violations, 0U);
  EXPECT_EQ(book.live_bytes(), 0U);
  EXPECT_TRUE(book.live().empty());
  const totals all = book.take_totals();
  EXPECT_EQ(all.allocations, 2U);
  EXPECT_EQ(all.failures, 0U);
  EXPECT_EQ(all.releases, 2U);
  EXPECT_EQ(all.bytes, 124U);
  EXPECT_EQ(book.take_totals().allocations, 0U) << "taken once";
}

TEST(ledger, sees_a_block_that_goes_before_the_new_one_comes) {
  ledger book;
  void* const old_block = make(book, 8);
  book.begin_step();
  void* const new_block = make(book, 16);
  drop(book, old_block);
  EXPECT_FALSE(book.step.released_first);
  book.begin_step();
  drop(book, new_block);
  book.plan(1, false);
  EXPECT_EQ(make(book, 32), nullptr);
  EXPECT_FALSE(book.step.released_first) << "nothing came";
  void* const late = make(book, 32);
  EXPECT_TRUE(book.step.released_first);
  book.begin_step();
  EXPECT_FALSE(book.step.released_first);
  drop(book, late);
}

TEST(ledger, blocks_are_aligned_and_may_be_empty) {
  ledger book;
  for (const std::size_t alignment : {16U, 32U, 64U, 4096U}) {
    std::byte* const p = make(book, 24, alignment, family::aligned_new);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % alignment, 0U);
    EXPECT_TRUE(book.release(p, 24, alignment, family::aligned_new));
  }
  std::byte* const none = make(book, 0);
  std::byte* const nothing = make(book, 0);
  EXPECT_NE(none, nullptr);
  EXPECT_NE(none, nothing);
  EXPECT_EQ(book.live().size(), 2U);
  EXPECT_EQ(book.find(none), nullptr) << "it contains no byte";
  drop(book, none);
  drop(book, nothing);
  EXPECT_EQ(book.step.violations, 0U);
}

TEST(ledger, more_than_there_is_fails_without_a_plan) {
  ledger book;
  if (book.forwards()) GTEST_SKIP() << watched;
  for (const std::size_t bytes : {SIZE_MAX, SIZE_MAX - 8, SIZE_MAX / 2}) EXPECT_EQ(make(book, bytes), nullptr) << bytes;
  EXPECT_EQ(book.step.attempts, 3U);
  EXPECT_EQ(book.step.failures, 0U);
  EXPECT_EQ(book.step.bytes, 0U);
  EXPECT_TRUE(book.live().empty());
}

TEST(ledger, finds_the_block_around_an_address) {
  ledger book;
  std::byte* const p = make(book, 24);
  std::byte* const q = make(book, 1);
  EXPECT_EQ(book.find(p), book.lookup(p));
  EXPECT_EQ(book.find(p + 23), book.lookup(p));
  EXPECT_NE(book.find(p + 24), book.lookup(p));
  EXPECT_NE(book.find(p - 1), book.lookup(p));
  EXPECT_EQ(book.find(q), book.lookup(q));
  ASSERT_NE(book.lookup(p), nullptr);
  EXPECT_EQ(book.lookup(p)->bytes, 24U);
  EXPECT_EQ(book.lookup(p)->alignment, natural);
  EXPECT_EQ(book.lookup(p)->made_by, plain);
  EXPECT_EQ(book.lookup(p + 16), nullptr) << "look-up is by the block's own address";
  drop(book, p);
  EXPECT_EQ(book.find(p), nullptr);
  EXPECT_EQ(book.lookup(p), nullptr);
  drop(book, q);
}

TEST(ledger, a_foreign_address_is_not_its_own) {
  ledger book;
  int local = 0;
  book.begin_step();
  EXPECT_FALSE(book.release(&local, 0, natural, plain));
  EXPECT_EQ(book.step.releases, 0U);
  EXPECT_EQ(book.step.violations, 0U);
  EXPECT_EQ(book.find(&local), nullptr);
  EXPECT_EQ(book.lookup(&local), nullptr);
}

TEST(ledger, leaks_are_told_by_trace) {
  ledger book;
  book.begin_trace();
  void* const kept = make(book, 8);
  void* const shed = make(book, 8);
  EXPECT_EQ(book.leaked_blocks(), 2U);
  drop(book, shed);
  EXPECT_EQ(book.leaked_blocks(), 1U);
  book.begin_trace();
  EXPECT_EQ(book.leaked_blocks(), 0U) << "a block of an earlier trace is nobody's leak";
  EXPECT_EQ(book.live().size(), 1U);
  void* const again = make(book, 8);
  EXPECT_EQ(book.leaked_blocks(), 1U);
  drop(book, kept);
  EXPECT_EQ(book.leaked_blocks(), 1U);
  drop(book, again);
  EXPECT_EQ(book.leaked_blocks(), 0U);
}

// ---- the fault plan ------------------------------------------------------------------------------------------------

/// Which of the next six allocations fail, as "..x...".
std::string next_six(ledger& book) {
  std::string result;
  for (int i = 0; i < 6; ++i) {
    const bool due = book.next_fails();
    void* const p = make(book, 8);
    EXPECT_EQ(due, p == nullptr) << "next_fails() told otherwise";
    result += p == nullptr ? 'x' : '.';
    if (p != nullptr) drop(book, p);
  }
  return result;
}

TEST(fault_plan, the_kth_allocation_fails) {
  ledger book;
  EXPECT_EQ(next_six(book), "......");
  book.plan(1, false);
  EXPECT_EQ(next_six(book), "x.....");
  book.plan(3, false);
  EXPECT_EQ(next_six(book), "..x...");
  EXPECT_EQ(next_six(book), "......");
}

TEST(fault_plan, from_the_kth_on_all_fail) {
  ledger book;
  book.plan(1, true);
  EXPECT_EQ(next_six(book), "xxxxxx");
  book.plan(4, true);
  EXPECT_EQ(next_six(book), "...xxx");
  EXPECT_EQ(next_six(book), "xxxxxx");
}

TEST(fault_plan, zero_ends_it_and_a_new_one_replaces_it) {
  ledger book;
  book.plan(2, true);
  EXPECT_EQ(next_six(book), ".xxxxx");
  book.plan(0, false);
  EXPECT_EQ(next_six(book), "......");
  book.plan(2, true);
  EXPECT_EQ(next_six(book), ".xxxxx");
  book.plan(0, true);
  EXPECT_EQ(next_six(book), "......");
  book.plan(1, true);
  book.plan(2, false);
  EXPECT_EQ(next_six(book), ".x....");
}

TEST(fault_plan, outlives_a_step_and_ends_with_the_trace) {
  ledger book;
  volatile std::uint32_t flag = 0;
  book.tell_faults_to(&flag);
  book.begin_trace();
  book.plan(2, true);
  drop(book, make(book, 8));
  EXPECT_EQ(flag, 0U);
  book.begin_step();
  EXPECT_TRUE(book.next_fails());
  EXPECT_EQ(make(book, 8), nullptr);
  EXPECT_EQ(flag, 1U);
  EXPECT_EQ(book.step.attempts, 1U);
  EXPECT_EQ(book.step.failures, 1U);
  EXPECT_EQ(book.step.bytes, 0U);
  book.begin_trace();
  EXPECT_EQ(flag, 0U);
  EXPECT_EQ(next_six(book), "......");
  EXPECT_EQ(flag, 0U);
}

// ---- bytes ---------------------------------------------------------------------------------------------------------

TEST(ledger, a_new_block_is_painted) {
  ledger book;
  std::byte* const p = make(book, 700);
  EXPECT_TRUE(still_painted(p, 700));
  drop(book, p);
}

TEST(ledger, a_released_block_is_poison_and_not_given_out_at_once) {
  ledger book;
  if (book.forwards()) GTEST_SKIP() << watched;
  std::byte* const p = make(book, 24);
  drop(book, p);
  for (int i = 0; i < 24; ++i) EXPECT_EQ(p[i], std::byte{0xDD});
  for (int i = 0; i < 15; ++i) {
    std::byte* const q = make(book, 24);
    EXPECT_NE(q, p);
    drop(book, q);
  }
}

}  // namespace
