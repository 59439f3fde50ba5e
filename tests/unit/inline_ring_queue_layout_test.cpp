// SPDX-License-Identifier: Apache-2.0
//
// The class queue.layout: what the object looks like. Nearly all of it is decided when this file compiles.
#include "ringspec/queue/inline_ring_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace {

using ringspec::inline_ring_queue;
using ringspec::keep_storage;

struct received {
  std::uint32_t id, size, offset;
};
struct descriptor {
  std::uint32_t id, size;
  std::uint64_t offset;
};
struct checked {
  std::uint64_t id;
  std::uint32_t a, b;
  std::uint64_t checksum;
};
struct alignas(64) overaligned {
  overaligned() = delete;
  unsigned char bytes[64];
};
struct odd {
  unsigned char bytes[5];
};

template <class Q>
constexpr std::size_t rounded(std::size_t bytes) {
  return (bytes + alignof(Q) - 1) / alignof(Q) * alignof(Q);
}

// queue.layout.general-size and queue.layout.counters-offset, computed from the words of the rule.
template <class T, std::size_t N>
constexpr bool layout_is_general() {
  using Q = inline_ring_queue<T, N>;
  static_assert(alignof(Q) == std::max(alignof(T), alignof(void*)));
  constexpr std::size_t slots = rounded<Q>(std::max(N * sizeof(T), sizeof(void*)));
  static_assert(Q::counters_offset() == slots);
  static_assert(sizeof(Q) == rounded<Q>(slots + 4 * sizeof(std::uint32_t)));
  static_assert(sizeof(inline_ring_queue<T, N, keep_storage>) == sizeof(Q));
  return true;
}

template <class T>
constexpr bool layout_is_general_at_all_capacities() {
  return layout_is_general<T, 1>() && layout_is_general<T, 2>() && layout_is_general<T, 4>() &&
         layout_is_general<T, 8>() && layout_is_general<T, 16>() && layout_is_general<T, 32>();
}

static_assert(layout_is_general_at_all_capacities<std::uint8_t>());
static_assert(layout_is_general_at_all_capacities<std::uint32_t>());
static_assert(layout_is_general_at_all_capacities<received>());
static_assert(layout_is_general_at_all_capacities<descriptor>());
static_assert(layout_is_general_at_all_capacities<checked>());
static_assert(layout_is_general_at_all_capacities<overaligned>());
static_assert(layout_is_general_at_all_capacities<odd>());

// The figures that the specification names are those of a machine with 64-bit pointers.
static_assert(sizeof(void*) == 8);

// queue.layout.descriptor
static_assert(sizeof(received) == 12 && sizeof(inline_ring_queue<received, 1>) == 32);
static_assert(sizeof(descriptor) == 16 && sizeof(inline_ring_queue<descriptor, 1>) == 32);
static_assert(inline_ring_queue<received, 1>::counters_offset() == 16);
static_assert(inline_ring_queue<descriptor, 1>::counters_offset() == 16);

// queue.layout.small-values
static_assert(sizeof(inline_ring_queue<std::uint8_t, 1>) == 24);
static_assert(sizeof(inline_ring_queue<std::uint32_t, 1>) == 24);
static_assert(sizeof(inline_ring_queue<odd, 1>) == 24);
static_assert(sizeof(inline_ring_queue<std::uint64_t, 1>) == 24);
static_assert(inline_ring_queue<std::uint8_t, 1>::counters_offset() == 8);
static_assert(inline_ring_queue<std::uint64_t, 1>::counters_offset() == 8);

// A connection of 96 bytes, then the queue, then 56 bytes more: the footprint of the specification's model.
struct connection {
  alignas(8) std::byte before[96];
  inline_ring_queue<received, 1> received_buffers;
  alignas(8) std::byte after[56];
};
static_assert(sizeof(connection) == 184);

// queue.move.noexcept, and what follows from owning a block.
// clang-format 14 takes these && for references.
// clang-format off
template <class Q>
constexpr bool moves_and_does_not_copy =
    std::is_nothrow_default_constructible_v<Q> && std::is_nothrow_move_constructible_v<Q> &&
    std::is_nothrow_move_assignable_v<Q> && std::is_nothrow_swappable_v<Q> && std::is_nothrow_destructible_v<Q> &&
    !std::is_copy_constructible_v<Q> && !std::is_copy_assignable_v<Q>;
// clang-format on
static_assert(moves_and_does_not_copy<inline_ring_queue<received, 1>>);
static_assert(moves_and_does_not_copy<inline_ring_queue<overaligned, 32>>);
static_assert(moves_and_does_not_copy<inline_ring_queue<descriptor, 1, keep_storage>>);

// Slot 0 is at the very start of the object while the queue is inline, and elsewhere on the heap.
TEST(inline_ring_queue_layout, inline_slots_come_first) {
  inline_ring_queue<received, 2> queue;
  EXPECT_EQ(static_cast<const void*>(queue.data()), static_cast<const void*>(&queue));
  for (std::uint32_t i = 0; i < 3; ++i) queue.emplace(i, i, i);
  ASSERT_FALSE(queue.is_inline());
  EXPECT_NE(static_cast<const void*>(queue.data()), static_cast<const void*>(&queue));
  queue.release();
  EXPECT_EQ(static_cast<const void*>(queue.data()), static_cast<const void*>(&queue));
}

}  // namespace
