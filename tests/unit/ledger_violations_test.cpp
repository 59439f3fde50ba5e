// SPDX-License-Identifier: Apache-2.0
//
// What a port may do wrong with a block, and what the ledger says of it.
#include <gtest/gtest.h>

#include <cstring>

#include "ledger_calls.hpp"

namespace {

using namespace ringspec_tests;

TEST(ledger_violations, a_second_release) {
  ledger book;
  void* const p = make(book, 24);
  drop(book, p);
  book.begin_step();
  EXPECT_TRUE(book.release(p, 24, natural, plain)) << "it was from here, so it goes nowhere else";
  EXPECT_EQ(book.step.violations, violation::released_twice);
  EXPECT_EQ(book.step.releases, 0U);
  EXPECT_EQ(book.live_bytes(), 0U);
  EXPECT_GT(book.step.events, 0U) << "a fast path looks at this only";
}

TEST(ledger_violations, a_release_with_another_size) {
  ledger book;
  for (const std::size_t said : {1U, 23U, 25U, 48U}) {
    void* const p = make(book, 24);
    book.begin_step();
    EXPECT_TRUE(book.release(p, said, natural, plain));
    EXPECT_EQ(book.step.violations, violation::wrong_size) << said;
    EXPECT_EQ(book.step.releases, 1U);
    EXPECT_EQ(book.live_bytes(), 0U);
  }
}

TEST(ledger_violations, a_release_by_another_function) {
  using enum family;
  struct example {
    family made;
    std::size_t made_at;
    family released;
    std::size_t released_at;
    bool wrong;
  };
  for (const example& e : {example{plain_new, 16, malloc_family, 16, true},
                           {malloc_family, 16, plain_new, 16, true},
                           {aligned_new, 64, plain_new, 16, true},
                           {plain_new, 16, aligned_new, 16, true},
                           {aligned_new, 64, aligned_new, 32, true},
                           {host, 16, malloc_family, 16, true},
                           {aligned_new, 64, aligned_new, 64, false},
                           {malloc_family, 64, malloc_family, 0, false},
                           {plain_new, 16, plain_new, 16, false},
                           {host, 16, host, 0, false}}) {
    ledger book;
    void* const p = make(book, 128, e.made_at, e.made);
    book.begin_step();
    EXPECT_TRUE(book.release(p, 0, e.released_at, e.released));
    EXPECT_EQ(book.step.violations, e.wrong ? violation::wrong_function : 0U)
        << static_cast<int>(e.made) << " by " << static_cast<int>(e.released);
  }
}

TEST(ledger_violations, a_write_behind_a_block) {
  for (const std::size_t bytes : {0U, 1U, 24U, 250U, 4096U}) {
    for (std::size_t beyond = 0; beyond < 16; ++beyond) {
      ledger book;
      if (book.forwards()) GTEST_SKIP() << watched;
      std::byte* const p = make(book, bytes);
      std::byte* const q = make(book, bytes);
      std::memset(p, 0x11, bytes);
      std::memset(q, 0x11, bytes);
      book.begin_step();
      book.inspect();
      EXPECT_EQ(book.step.violations, 0U);
      p[bytes + beyond] ^= std::byte{1};
      book.inspect();
      EXPECT_EQ(book.step.violations, violation::overrun) << bytes << "+" << beyond;
      EXPECT_GT(book.step.events, 0U);
      book.begin_step();
      book.inspect();
      drop(book, p);
      EXPECT_EQ(book.step.violations, 0U) << "one write is one finding";
      q[bytes + beyond] ^= std::byte{1};
      drop(book, q);
      EXPECT_EQ(book.step.violations, violation::overrun) << "a release looks, too";
    }
  }
}

TEST(ledger_violations, a_write_before_a_block) {
  for (const std::size_t alignment : {1U, 16U, 64U}) {
    for (std::size_t before = 1; before <= 16; ++before) {
      ledger book;
      if (book.forwards()) GTEST_SKIP() << watched;
      auto* const p = static_cast<std::byte*>(book.allocate(24, alignment, family::aligned_new));
      book.begin_step();
      book.inspect();
      EXPECT_EQ(book.step.violations, 0U);
      *(p - before) ^= std::byte{1};
      book.inspect();
      EXPECT_EQ(book.step.violations, violation::overrun) << "-" << before;
      book.begin_step();
      EXPECT_TRUE(book.release(p, 24, alignment, family::aligned_new));
    }
  }
}

TEST(ledger, a_block_is_aligned_as_asked_and_no_more) {
  ledger book;
  if (book.forwards()) GTEST_SKIP() << watched;
  for (const std::size_t alignment : {16U, 32U, 64U, 4096U}) {
    for (const std::size_t bytes : {0U, 1U, 48U, 64U, 768U, 100000U}) {
      const auto at = reinterpret_cast<std::uintptr_t>(book.allocate(bytes, alignment, family::aligned_new));
      EXPECT_EQ(at % (2 * alignment), alignment) << bytes;
    }
  }
}

TEST(ledger_violations, a_write_after_release) {
  for (const std::size_t bytes : {1U, 2U, 24U, 250U}) {
    for (const std::size_t at : {std::size_t{0}, bytes / 2, bytes - 1}) {
      ledger book;
      if (book.forwards()) GTEST_SKIP() << watched;
      std::byte* const p = make(book, bytes);
      drop(book, p);
      book.begin_step();
      book.inspect();
      EXPECT_EQ(book.step.violations, 0U);
      p[at] ^= std::byte{1};
      book.inspect();
      EXPECT_EQ(book.step.violations, violation::written_after_release) << bytes << " at " << at;
      EXPECT_GT(book.step.events, 0U);
      book.begin_step();
      book.inspect();
      EXPECT_EQ(book.step.violations, 0U) << "one write is one finding";
    }
  }
}

// A block stays in quarantine while sixteen more are released, and is looked at before it goes.
TEST(ledger_violations, a_write_after_release_shows_at_the_latest_when_quarantine_ends) {
  ledger book;
  if (book.forwards()) GTEST_SKIP() << watched;
  std::byte* const p = make(book, 24);
  drop(book, p);
  p[7] = std::byte{0};
  for (int i = 0; i < 15; ++i) {
    book.begin_step();
    drop(book, make(book, 24));
    EXPECT_EQ(book.step.violations, 0U) << i;
  }
  book.begin_step();
  drop(book, make(book, 24));
  EXPECT_EQ(book.step.violations, violation::written_after_release);
  for (int i = 0; i < 40; ++i) {
    book.begin_step();
    drop(book, make(book, 24));
    book.inspect();
    EXPECT_EQ(book.step.violations, 0U) << "told once";
  }
}

}  // namespace
