// SPDX-License-Identifier: Apache-2.0
//
// A queue of bytes through every capacity up to the last one, 2^31 slots, and back to inline storage. Takes 3 GiB at the
// last growth, and some seconds.
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include "ringspec/queue/inline_ring_queue.hpp"

namespace {

using queue = ringspec::inline_ring_queue<std::uint8_t, 1>;

constexpr std::uint64_t last = std::uint64_t{1} << 31;

/// The k-th value: no period of it is one of the capacities.
std::uint8_t value(std::uint64_t k) { return static_cast<std::uint8_t>(k % 251); }

void expect(bool holds, const char* what, std::uint64_t expected, std::uint64_t seen) {
  if (holds) return;
  std::fprintf(stderr, "capacity: %s: expected %" PRIu64 ", seen %" PRIu64 "\n", what, expected, seen);
  std::exit(1);
}
void expect_equal(const char* what, std::uint64_t expected, std::uint64_t seen) {
  expect(expected == seen, what, expected, seen);
}

std::uint64_t blocks = 0;  // that are alive
std::uint64_t largest = 0;

}  // namespace

void* operator new(std::size_t bytes) {
  void* const p = std::malloc(bytes);
  if (p == nullptr) throw std::bad_alloc();
  ++blocks;
  largest = bytes > largest ? bytes : largest;
  return p;
}
void operator delete(void* p) noexcept {
  if (p == nullptr) return;
  --blocks;
  std::free(p);
}
void operator delete(void* p, std::size_t) noexcept { operator delete(p); }

int main() {
  queue q;
  std::uint64_t pushed = 0, popped = 0;
  const auto push = [&] {
    q.push(value(pushed));
    ++pushed;
  };
  const auto pop = [&] {
    expect_equal("the oldest value", value(popped), q.front());
    q.pop();
    ++popped;
  };
  // One value lies before the others, so that each growth copies from a wrapped layout.
  std::uint64_t capacity = 1;
  while (capacity < last) {
    const std::uint64_t next = capacity == 1 ? 8 : 2 * capacity;
    while (q.size() < capacity) push();
    pop();
    push();
    push();
    expect_equal("the capacity after a growth", next, q.capacity());
    capacity = next;
  }
  while (q.size() < last) push();
  expect_equal("the last capacity", last, q.capacity());
  expect_equal("the largest block", last, largest);
  bool refused = false;
  try {
    push();
  } catch (const std::length_error&) {
    refused = true;
  }
  expect(refused, "a push beyond the last capacity throws std::length_error", 1, 0);
  expect_equal("the size after it", last, q.size());
  expect_equal("the capacity after it", last, q.capacity());
  expect_equal("the blocks after it", 1, blocks);
  while (!q.empty()) pop();
  // Low-water pops so far: those that left at most a quarter. Each capacity takes as many of them as it has slots.
  expect_equal("the capacity after the drain", last, q.capacity());
  std::uint64_t low = last / 4 + 1;
  while (q.capacity() != 1) {
    const std::uint64_t from = q.capacity();
    std::uint64_t pairs = 0;
    while (q.capacity() == from) {
      push();
      pop();
      ++pairs;
    }
    expect_equal("the pairs before a contraction", from - low, pairs);
    expect_equal("the capacity after a contraction", from == 8 ? 1 : from / 2, q.capacity());
    low = 0;
  }
  expect_equal("the blocks in the end", 0, blocks);
  std::printf("capacity: to 2^31 slots and back, %" PRIu64 " values\n", pushed);
}
