// SPDX-License-Identifier: Apache-2.0
//
// The reference queue and its memory: what it allocates, gives back, writes, and does when there is none.
#include "ringspec/queue/inline_ring_queue.hpp"

#include "allocation_watch.hpp"
#include "queue_values.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace {

using namespace ringspec_tests;
using ringspec::inline_ring_queue;
using ringspec::keep_storage;

// Watches the allocations of each test. At its end every block has gone back, with its own size and alignment.
template <class T>
class inline_ring_queue_memory : public testing::Test {
 protected:
  void SetUp() override {
    watch = {};
    watch.on = true;
  }
  void TearDown() override {
    watch.on = false;
    EXPECT_EQ(watch.blocks, 0u);
    EXPECT_EQ(watch.mismatches, 0u);
  }
};
// One that growth takes by value, one with unused space behind it in the object, one over-aligned.
using memory_kinds = testing::Types<std::uint8_t, received, overaligned>;
TYPED_TEST_SUITE(inline_ring_queue_memory, memory_kinds);

template <class Call>
bool runs_out_of_memory(Call call) {
  watch.plan(1, true);
  bool failed = false;
  try {
    call();
  } catch (const std::bad_alloc&) {
    failed = true;
  }
  watch.plan(0, false);
  return failed;
}

TYPED_TEST(inline_ring_queue_memory, neither_allocates_nor_counts_while_inline) {
  inline_ring_queue<TypeParam, 4> queue;
  for (std::uint64_t turn = 0; turn < 10000; ++turn) {
    push_numbers(queue, turn, 1 + turn % 4);
    pop_some(queue, queue.size());
    ASSERT_EQ(queue.low_water_count(), 0u);
  }
  queue.clear();
  inline_ring_queue<TypeParam, 4> moved(std::move(queue));
  swap(queue, moved);
  EXPECT_EQ(watch.allocations, 0u);
}

TYPED_TEST(inline_ring_queue_memory, allocates_once_per_growth_and_per_halving) {
  inline_ring_queue<TypeParam, 1> queue;
  std::size_t growths = 0;
  for (const std::size_t capacity : {8u, 16u, 32u}) {
    push_numbers(queue, 0, capacity / 2 + 1 - queue.size());
    EXPECT_EQ(queue.capacity(), capacity);
    EXPECT_EQ(watch.allocations, ++growths);
    EXPECT_EQ(watch.blocks, 1u);
    EXPECT_EQ(watch.live[0].bytes, capacity * sizeof(TypeParam));
  }
  pop_some(queue, queue.size());
  cycle(queue, 1000);
  EXPECT_TRUE(queue.is_inline());
  EXPECT_EQ(watch.allocations, growths + 2);  // 32 to 16 to 8; the way to inline needs none
  EXPECT_EQ(watch.blocks, 0u);
}

// The argument is each element in turn, from each head: with room, leaving inline, and growing on the heap. Released
// blocks are painted over, so that an argument that is read too late shows.
TYPED_TEST(inline_ring_queue_memory, pushes_its_own_elements) {
  for (const std::size_t size : {1u, 2u, 7u, 8u, 16u})
    for (std::size_t head = 0; head < 16; ++head)
      for (std::size_t i = 0; i < size; ++i) {
        inline_ring_queue<TypeParam, 2, keep_storage> queue;
        push_numbers(queue, 0, size - 1);
        for (std::size_t turn = 0; turn < head; ++turn) {
          push_numbers(queue, size - 1 + turn, 1);
          queue.pop();
        }
        push_numbers(queue, size - 1 + head, 1);
        if (head % 2 == 0)
          queue.push(queue[i]);
        else
          queue.emplace(queue[i]);
        ASSERT_EQ(queue.back(), make<TypeParam>(head + i)) << "size " << size << " head " << head;
        ASSERT_EQ(queue.front(), make<TypeParam>(head));
      }
}

TYPED_TEST(inline_ring_queue_memory, keeps_everything_when_growth_fails) {
  inline_ring_queue<TypeParam, 2> queue;
  for (const std::size_t capacity : {2u, 8u, 16u}) {
    queue.clear();
    cycle(queue, 1);  // the head is 1: the values wrap around
    push_numbers(queue, capacity, capacity);
    EXPECT_TRUE(runs_out_of_memory([&] { queue.push(queue.front()); }));
    EXPECT_TRUE(runs_out_of_memory([&] { queue.emplace(queue.back()); }));
    EXPECT_EQ(queue.capacity(), capacity);
    EXPECT_EQ(queue.head(), 1u);
    expect_numbers(queue, capacity, capacity);
    push_numbers(queue, capacity + capacity, 1);
    expect_numbers(queue, capacity, capacity + 1);
  }
}

TYPED_TEST(inline_ring_queue_memory, stays_silent_when_halving_fails_and_tries_again_a_capacity_later) {
  inline_ring_queue<TypeParam, 1> queue;
  push_numbers(queue, 0, 9);
  pop_some(queue, 6);  // two of them at or below the threshold of 4
  cycle(queue, 13);
  for (const std::size_t pops_until_attempt : {1u, 16u, 16u}) {
    const std::size_t before = watch.allocations;
    EXPECT_FALSE(runs_out_of_memory([&] { cycle(queue, pops_until_attempt); }));
    EXPECT_EQ(watch.allocations, before + 1);
    EXPECT_EQ(queue.capacity(), 16u);
    EXPECT_EQ(queue.size(), 3u);
  }
  cycle(queue, 15);
  EXPECT_EQ(queue.capacity(), 16u);
  push_numbers(queue, 15, 1);
  queue.pop();
  EXPECT_EQ(queue.capacity(), 8u);
  expect_numbers(queue, 13, 3);
}

TYPED_TEST(inline_ring_queue_memory, moves_the_block_and_the_low_water_count_with_it) {
  inline_ring_queue<TypeParam, 1> queue, other;
  push_numbers(queue, 0, 2);
  push_numbers(other, 0, 100);
  pop_some(queue, 2);
  cycle(queue, 5);
  const void* const block = queue.data();
  other = std::move(queue);  // empty, with seven of eight low-water pops behind it
  EXPECT_EQ(other.data(), block);
  EXPECT_EQ(watch.blocks, 1u);
  cycle(other, 1);
  EXPECT_TRUE(other.is_inline());
  push_numbers(other, 0, 2);
  other = std::move(queue);  // an empty inline queue replaces a block
  EXPECT_TRUE(other.empty() && other.is_inline());
  EXPECT_EQ(watch.blocks, 0u);
}

// Whether all slots from `first` on still have the paint of the allocation.
template <class Queue>
bool untouched_from(const Queue& queue, std::size_t first) {
  for (std::size_t slot = first; slot < queue.capacity(); ++slot) {
    std::array<unsigned char, sizeof(typename Queue::value_type)> bytes;
    std::memcpy(bytes.data(), queue.data() + slot, bytes.size());
    for (const unsigned char byte : bytes)
      if (byte != paint) return false;
  }
  return true;
}

TYPED_TEST(inline_ring_queue_memory, writes_no_unused_slot_of_a_block) {
  inline_ring_queue<TypeParam, 1> queue;
  push_numbers(queue, 0, 2);
  EXPECT_TRUE(untouched_from(queue, 2));
  push_numbers(queue, 2, 7);
  EXPECT_TRUE(untouched_from(queue, 9));
  pop_some(queue, 7);
  EXPECT_TRUE(untouched_from(queue, 9));
  cycle(queue, 13);
  ASSERT_EQ(queue.capacity(), 8u);
  EXPECT_TRUE(untouched_from(queue, 2));
  inline_ring_queue<TypeParam, 1> moved(std::move(queue));
  moved.clear();
  EXPECT_TRUE(untouched_from(moved, 2));
}

}  // namespace
