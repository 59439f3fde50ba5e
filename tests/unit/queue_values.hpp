// SPDX-License-Identifier: Apache-2.0
//
// What the tests of queues push, and how they look at it again.
#ifndef RINGSPEC_TESTS_UNIT_QUEUE_VALUES_HPP
#define RINGSPEC_TESTS_UNIT_QUEUE_VALUES_HPP

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

namespace ringspec_tests {

/// A value of Bytes bytes, every one of them made from its number, and without a default constructor.
template <std::size_t Bytes, std::size_t Align>
struct alignas(Align) opaque {
  explicit opaque(std::uint64_t number) noexcept {
    for (unsigned char& byte : bytes) {
      number = number * 6364136223846793005u + 1442695040888963407u;
      byte = static_cast<unsigned char>(number >> 56);
    }
  }
  friend bool operator==(const opaque&, const opaque&) = default;
  unsigned char bytes[Bytes];
};

using received = opaque<12, 4>;
using overaligned = opaque<64, 64>;

/// The kinds of the specification, by size and alignment.
using value_kinds = testing::Types<std::uint8_t, std::uint32_t, received, opaque<16, 8>, opaque<24, 8>, overaligned>;

template <class T>
T make(std::uint64_t number) {
  return T(static_cast<T>(number));
}

/// Pushes the values first, first + 1, ..., `count` of them.
template <class Queue>
void push_numbers(Queue& queue, std::uint64_t first, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) queue.push(make<typename Queue::value_type>(first + i));
}

template <class Queue>
void pop_some(Queue& queue, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) queue.pop();
}

/// `count` pairs of one push and one pop.
template <class Queue>
void cycle(Queue& queue, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    push_numbers(queue, i, 1);
    queue.pop();
  }
}

/// Expects the values first, first + 1, ..., `count` of them, through every accessor.
template <class Queue>
void expect_numbers(const Queue& queue, std::uint64_t first, std::size_t count) {
  ASSERT_EQ(queue.size(), count);
  ASSERT_EQ(queue.empty(), count == 0);
  for (std::size_t i = 0; i < count; ++i)
    ASSERT_EQ(queue[i], make<typename Queue::value_type>(first + i)) << "element " << i;
  if (count == 0) return;
  ASSERT_EQ(&queue.front(), &queue[0]);
  ASSERT_EQ(&queue.back(), &queue[count - 1]);
}

}  // namespace ringspec_tests

#endif
