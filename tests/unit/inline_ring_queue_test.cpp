// SPDX-License-Identifier: Apache-2.0
//
// The reference queue on its own, without the gate: a fault shows here before any port is loaded. Order, capacities and
// arithmetic; what concerns memory is in inline_ring_queue_memory_test.cpp.
#include "ringspec/queue/inline_ring_queue.hpp"

#include "queue_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <stdexcept>
#include <type_traits>

namespace {

using namespace ringspec_tests;
using ringspec::inline_ring_queue;
using ringspec::keep_storage;

// ---- comparison with std::deque ------------------------------------------------------------------------------------

// A deque, and the rule of contraction as it is written: C consecutive low-water pops; a push above T ends the series.
// Its arithmetic is its own, not the queue's. (noinline in this part is for the compiler's sake: there are 36 queues.)
struct capacity_model {
  std::size_t inline_capacity;
  std::size_t first = std::max<std::size_t>(8, 2 * inline_capacity);
  std::size_t capacity = inline_capacity;
  std::size_t low_pops = 0;

  std::size_t previous() const { return capacity == first ? inline_capacity : capacity / 2; }
  bool low(std::size_t size) const { return size <= std::min(capacity / 4, previous()); }
  void pushed(std::size_t size) {
    if (size > capacity) capacity = capacity == inline_capacity ? first : 2 * capacity;
    if (!low(size)) low_pops = 0;
  }
  void popped(std::size_t size) {
    if (capacity == inline_capacity) return;
    low_pops = low(size) ? low_pops + 1 : 0;
    if (low_pops < capacity) return;
    capacity = previous();
    low_pops = 0;
  }
};

template <class Queue, class T>
[[gnu::noinline]] bool same(const Queue& queue, const std::deque<T>& values, std::size_t capacity) {
  bool equal = queue.size() == values.size() && queue.capacity() == capacity && queue.head() < capacity &&
               queue.is_inline() == (capacity == Queue::inline_capacity) &&
               reinterpret_cast<std::uintptr_t>(queue.data()) % alignof(T) == 0;
  for (std::size_t i = 0; equal && i < values.size(); ++i) equal = queue[i] == values[i];
  return equal;
}

// Moves the contents away and back, by one of two ways, and through itself.
template <class Queue>
[[gnu::noinline]] bool move_about(Queue& queue, bool by_swap) {
  Queue& itself = queue;
  queue = std::move(itself);
  queue.swap(itself);
  Queue other(std::move(queue));
  const bool left_fresh = queue.empty() && queue.is_inline();
  push_numbers(queue, 0, by_swap ? 1 : Queue::inline_capacity + 1);  // usable at once
  if (by_swap)
    swap(queue, other);
  else
    queue = std::move(other);
  return left_fresh;
}

// Random numbers that are the same everywhere, which those of std::uniform_int_distribution are not.
class dice {
 public:
  explicit dice(std::size_t seed) : engine_(static_cast<std::mt19937::result_type>(seed)) {}
  [[gnu::noinline]] std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }

 private:
  std::mt19937 engine_;
};

constexpr std::uint64_t all_steps = 4000;

// The steps until the queue and the deque differ; all_steps if they never do.
template <class T, std::size_t N>
[[gnu::noinline]] std::uint64_t steps_in_agreement() {
  dice random(N);
  inline_ring_queue<T, N> queue;
  std::deque<T> values;
  capacity_model expected{N};
  std::size_t peak = 0;
  for (std::uint64_t step = 0; step < all_steps; ++step) {
    if (step % 100 == 0) peak = 1 + random.below(step % 300 == 0 ? 100 : 10);
    const std::size_t choice = random.below(100);
    if (choice < 50 && queue.size() < peak) {
      const std::size_t i = random.below(queue.size() + 1);  // the element to push again; behind the last: a new value
      values.push_back(i < values.size() ? values[i] : make<T>(step));
      if (i == queue.size())
        queue.push(values.back());
      else if (choice < 25)
        queue.push(queue[i]);
      else
        queue.emplace(queue[i]);
      expected.pushed(values.size());
    } else if (choice < 95 && !queue.empty()) {
      queue.pop();
      values.pop_front();
      expected.popped(values.size());
    } else if (choice == 95) {
      queue.clear();
      values.clear();
      expected.low_pops = 0;
    } else if (choice == 96 && random.below(4) == 0) {
      queue.release();
      values.clear();
      expected = {N};
    } else if (choice >= 97) {
      if (!move_about(queue, choice == 97)) return step;
    }
    if (!same(queue, values, expected.capacity)) return step;
  }
  return all_steps;
}

template <class T>
class inline_ring_queue_of : public testing::Test {};
TYPED_TEST_SUITE(inline_ring_queue_of, value_kinds);

TYPED_TEST(inline_ring_queue_of, agrees_with_deque_at_every_inline_capacity) {
  EXPECT_EQ((steps_in_agreement<TypeParam, 1>()), all_steps);
  EXPECT_EQ((steps_in_agreement<TypeParam, 2>()), all_steps);
  EXPECT_EQ((steps_in_agreement<TypeParam, 4>()), all_steps);
  EXPECT_EQ((steps_in_agreement<TypeParam, 8>()), all_steps);
  EXPECT_EQ((steps_in_agreement<TypeParam, 16>()), all_steps);
  EXPECT_EQ((steps_in_agreement<TypeParam, 32>()), all_steps);
}

TEST(inline_ring_queue, swaps_every_pair_of_sizes) {
  for (std::size_t left = 0; left < 12; ++left)
    for (std::size_t right = 0; right < 12; ++right) {
      inline_ring_queue<received, 4> a, b;
      cycle(a, 3);  // so that inline contents wrap around
      cycle(b, 2);
      push_numbers(a, 100, left);
      push_numbers(b, 200, right);
      swap(a, b);
      expect_numbers(a, 200, right);
      expect_numbers(b, 100, left);
    }
}

// ---- capacities ----------------------------------------------------------------------------------------------------

template <class Queue, std::size_t C>
concept has_next = requires {
  typename std::integral_constant<std::size_t, Queue::next_capacity(C)>;
};

struct giant {
  unsigned char bytes[std::size_t{1} << 57];
};
using ring_1 = inline_ring_queue<std::uint8_t, 1>;
using ring_2 = inline_ring_queue<std::uint8_t, 2>;
using ring_32 = inline_ring_queue<std::uint8_t, 32>;
using ring_max = inline_ring_queue<std::uint8_t, std::size_t{1} << 29>;
using ring_of_giants = inline_ring_queue<giant, 1>;

// queue.growth-policy.next-capacity: a pure constexpr function; where it throws it is no constant.
static_assert(ring_1::next_capacity(1) == 8 && ring_1::next_capacity(8) == 16 && ring_1::next_capacity(16) == 32);
static_assert(ring_2::next_capacity(2) == 8 && ring_32::next_capacity(32) == 64);
static_assert(ring_max::next_capacity(std::size_t{1} << 29) == std::size_t{1} << 30);
static_assert(ring_1::next_capacity(std::size_t{1} << 30) == ring_1::max_capacity);
static_assert(has_next<ring_1, std::size_t{1} << 30> && !has_next<ring_1, ring_1::max_capacity>);
static_assert(ring_of_giants::next_capacity(16) == 32);  // 2^62 bytes; 64 of them would pass PTRDIFF_MAX
static_assert(has_next<ring_of_giants, 16> && !has_next<ring_of_giants, 32>);

static_assert(ring_1::previous_capacity(8) == 1 && ring_1::previous_capacity(16) == 8);
static_assert(ring_32::previous_capacity(64) == 32 && ring_32::previous_capacity(128) == 64);
static_assert(ring_1::low_water_threshold(8) == 1 && ring_1::low_water_threshold(16) == 4);
static_assert(ring_2::low_water_threshold(8) == 2 && ring_32::low_water_threshold(64) == 16);

TEST(inline_ring_queue, next_capacity_throws_beyond_the_limits) {
  EXPECT_THROW(static_cast<void>(ring_1::next_capacity(ring_1::max_capacity)), std::length_error);
  EXPECT_THROW(static_cast<void>(ring_of_giants::next_capacity(32)), std::length_error);
}

// k pushes and k pops keep the capacity of the peak; then so many pairs of one push and one pop lead back to inline.
template <std::size_t N>
std::size_t pairs_until_inline(std::size_t peak) {
  inline_ring_queue<received, N> queue;
  push_numbers(queue, 0, peak);
  const std::size_t capacity = queue.capacity();
  pop_some(queue, peak);
  EXPECT_EQ(queue.capacity(), capacity) << "after a peak of " << peak;
  std::size_t pairs = 0;
  for (; !queue.is_inline(); ++pairs) cycle(queue, 1);
  return pairs;
}

TEST(inline_ring_queue, drains_in_the_stated_number_of_pairs) {
  EXPECT_EQ(pairs_until_inline<1>(2), 6u);
  EXPECT_EQ(pairs_until_inline<1>(9), 19u);
  EXPECT_EQ(pairs_until_inline<1>(100), 215u);
  EXPECT_EQ(pairs_until_inline<1>(1000), 1783u);
  EXPECT_EQ(pairs_until_inline<8>(9), 11u);
  EXPECT_EQ(pairs_until_inline<8>(100), 207u);
  EXPECT_EQ(pairs_until_inline<8>(1000), 1775u);
}

// Pairs whose pop lands on the threshold never add up, since their push went above it; pairs one lower do.
TEST(inline_ring_queue, contracts_only_below_an_oscillation_across_the_threshold) {
  inline_ring_queue<received, 1> queue;
  push_numbers(queue, 0, 9);
  pop_some(queue, 5);
  cycle(queue, 10 * 16);
  EXPECT_EQ(queue.capacity(), 16u);
  queue.pop();
  cycle(queue, 13);
  EXPECT_EQ(queue.capacity(), 16u);
  cycle(queue, 1);
  EXPECT_EQ(queue.capacity(), 8u);
}

TEST(inline_ring_queue, keep_storage_never_contracts_by_itself) {
  inline_ring_queue<received, 1, keep_storage> queue;
  push_numbers(queue, 0, 100);
  pop_some(queue, 100);
  const void* const block = queue.data();
  cycle(queue, 10000);
  EXPECT_EQ(queue.capacity(), 128u);
  auto moved(std::move(queue));
  EXPECT_EQ(moved.data(), block);
  moved.release();
  EXPECT_TRUE(moved.is_inline());
}

// ---- emplace, preconditions ----------------------------------------------------------------------------------------

struct picky {
  explicit picky(int n) : number(n) {
    if (n < 0) throw std::invalid_argument("negative");
  }
  int number;
};

TEST(inline_ring_queue, passes_on_what_a_constructor_throws) {
  inline_ring_queue<picky, 1> queue;
  EXPECT_THROW(queue.emplace(-1), std::invalid_argument);
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.emplace(1).number, 1);
  EXPECT_THROW(queue.emplace(-2), std::invalid_argument);  // a full queue: it must not have grown either
  EXPECT_TRUE(queue.is_inline());
  EXPECT_EQ(queue.emplace(2).number, 2);
  EXPECT_EQ(queue.size(), 2u);
}

#if defined(_GLIBCXX_ASSERTIONS)
TEST(inline_ring_queue, checks_its_preconditions_where_the_standard_library_does) {
  inline_ring_queue<received, 1> queue;
  EXPECT_DEATH(queue.pop(), "pop\\(\\) on an empty queue");
  EXPECT_DEATH(static_cast<void>(queue.front()), "front\\(\\) of an empty queue");
  EXPECT_DEATH(static_cast<void>(queue[0]), "index beyond the size");
}
#endif

}  // namespace
