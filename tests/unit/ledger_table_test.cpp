// SPDX-License-Identifier: Apache-2.0
//
// The ledger's table against std::map: many blocks, in an order that nobody chose, with the table growing under way.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>
#include <vector>

#include "ringspec/alloc/ledger.hpp"
#include "ringspec/trace/rng.hpp"

namespace {

using namespace ringspec;
using namespace ringspec::alloc;

struct known {
  std::size_t bytes, alignment;
  family made_by;
  int epoch;
};

class pair_of_books {
 public:
  explicit pair_of_books(std::uint64_t seed) : random_(seed) { book.begin_trace(); }
  ~pair_of_books() {
    while (!map_.empty()) release_one();
  }

  void allocate_one() {
    static constexpr std::size_t alignments[] = {16, 16, 16, 32, 64};
    const std::size_t alignment = alignments[random_.below(5)];
    const family made_by = alignment > 16      ? family::aligned_new
                           : random_.one_in(2) ? family::plain_new
                                               : family::malloc_family;
    const std::size_t bytes = random_.one_in(50) ? 0 : 1 + random_.below(random_.one_in(10) ? 3000 : 100);
    void* const p = book.allocate(bytes, alignment, made_by);
    ASSERT_NE(p, nullptr);
    ASSERT_TRUE(map_.emplace(static_cast<std::byte*>(p), known{bytes, alignment, made_by, epoch_}).second)
        << "given out twice";
    std::memset(p, 0x77, bytes);
    bytes_ += bytes;
    order_.push_back(static_cast<std::byte*>(p));
  }

  void release_one() {
    const std::size_t i = random_.below(static_cast<std::uint32_t>(order_.size()));
    std::byte* const p = order_[i];
    order_[i] = order_.back();
    order_.pop_back();
    const known k = map_.at(p);
    map_.erase(p);
    bytes_ -= k.bytes;
    ASSERT_TRUE(book.release(p, k.bytes, k.alignment, k.made_by));
    ASSERT_EQ(book.lookup(p), nullptr);
  }

  void next_trace() {
    book.begin_trace();
    ++epoch_;
  }

  void compare() {
    ASSERT_EQ(book.live().size(), map_.size());
    ASSERT_EQ(book.live_bytes(), bytes_);
    std::size_t leaked = 0;
    std::set<const block*> blocks(book.live().begin(), book.live().end());
    ASSERT_EQ(blocks.size(), map_.size());
    for (const auto& [p, k] : map_) {
      const block* const b = book.lookup(p);
      ASSERT_TRUE(b != nullptr && blocks.contains(b));
      ASSERT_EQ(b->address, p);
      ASSERT_EQ(b->bytes, k.bytes);
      ASSERT_EQ(b->alignment, k.alignment);
      ASSERT_EQ(b->made_by, k.made_by);
      leaked += k.epoch == epoch_ ? 1U : 0U;
    }
    ASSERT_EQ(book.leaked_blocks(), leaked);
    if (!order_.empty()) {
      std::byte* const p = order_[random_.below(static_cast<std::uint32_t>(order_.size()))];
      if (const std::size_t bytes = map_.at(p).bytes; bytes != 0) {
        ASSERT_EQ(book.find(p + bytes - 1), book.lookup(p));
      }
    }
    book.inspect();
    ASSERT_EQ(book.step.violations, 0U);
  }

  [[nodiscard]] std::size_t size() const { return map_.size(); }
  rng& random() { return random_; }
  ledger book;

 private:
  rng random_;
  std::map<std::byte*, known> map_;
  std::vector<std::byte*> order_;
  std::size_t bytes_{};
  int epoch_{};
};

TEST(ledger_table, agrees_with_a_map_over_100000_operations) {
  pair_of_books books(20);
  std::size_t most = 0;
  for (int i = 0; i < 100000; ++i) {
    // Up for a while, then down: between 0 and some 3000 blocks.
    const std::uint32_t up = i / 10000 % 2 == 0 ? 65 : 35;
    if (books.size() == 0 || books.random().below(100) < up)
      books.allocate_one();
    else
      books.release_one();
    most = std::max(most, books.size());
    if (i % 5000 == 0) books.next_trace();
    if (i % 500 == 0) books.compare();
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(most, 2000U) << "the table did not have to grow";
  EXPECT_GT(books.book.take_totals().allocations, 45000U);
}

// When the table fills up it forgets released blocks, but not those that the running trace may release again.
TEST(ledger_table, knows_a_second_release_however_many_blocks_came_between) {
  ledger book;
  book.begin_trace();
  void* const p = book.allocate(24, 16, family::plain_new);
  ASSERT_TRUE(book.release(p, 24, 16, family::plain_new));
  // Larger ones, so that none has the address of the first.
  std::vector<void*> many;
  for (int i = 0; i < 3000; ++i) many.push_back(book.allocate(64, 16, family::plain_new));
  book.begin_step();
  EXPECT_TRUE(book.release(p, 24, 16, family::plain_new));
  EXPECT_EQ(book.step.violations, violation::released_twice);
  for (void* const m : many) EXPECT_TRUE(book.release(m, 64, 16, family::plain_new));
  EXPECT_EQ(book.live_bytes(), 0U);
}

TEST(paint, writes_its_pattern_and_nothing_else) {
  for (const std::size_t bytes : {0U, 1U, 255U, 256U, 257U, 700U}) {
    std::vector<std::byte> memory(bytes + 1, std::byte{0x42});
    paint(memory.data(), bytes);
    for (std::size_t i = 0; i < bytes; ++i) ASSERT_EQ(memory[i], paint_at(i)) << i;
    EXPECT_EQ(memory[bytes], std::byte{0x42});
    EXPECT_TRUE(still_painted(memory.data(), bytes));
  }
}

TEST(paint, any_stretch_is_known_by_its_offset) {
  std::vector<std::byte> memory(1200);
  paint(memory.data(), memory.size());
  for (std::size_t from = 0; from < 600; ++from) {
    for (const std::size_t bytes : {0U, 1U, 16U, 64U, 255U, 256U, 257U, 513U}) {
      ASSERT_TRUE(still_painted(memory.data() + from, bytes, from)) << from << " " << bytes;
      if (bytes < 16) continue;
      ASSERT_FALSE(still_painted(memory.data() + from, bytes, from + 1)) << "a copy from elsewhere looks untouched";
      ASSERT_FALSE(still_painted(memory.data() + from, bytes, from + 128));
    }
  }
}

TEST(paint, a_single_changed_byte_shows) {
  std::vector<std::byte> memory(700);
  for (const std::size_t from : {0U, 1U, 100U, 255U, 300U}) {
    paint(memory.data(), memory.size());
    for (std::size_t i = from; i < memory.size(); ++i) {
      memory[i] ^= std::byte{0x80};
      ASSERT_FALSE(still_painted(memory.data() + from, memory.size() - from, from)) << i;
      ASSERT_TRUE(still_painted(memory.data() + from, i - from, from)) << i;
      memory[i] ^= std::byte{0x80};
    }
  }
}

}  // namespace
