// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>

namespace ringspec::fuzz {

/// The reference queue of one value type and inline capacity, as functions: what runs traces is compiled once, and a
/// fuzzer sees it once and not once for each instance.
struct typed_queue {
  const char* kind;
  std::size_t inline_capacity, first_heap, value_size;
  void (*construct)(void* raw);
  void (*destroy)(void* q);
  void (*push)(void* q, const void* value);
  void (*push_element)(void* q, std::size_t i);
  void (*emplace_element)(void* q, std::size_t i);
  void (*pop)(void* q);
  void (*clear)(void* q);
  void (*release)(void* q);
  void (*move_construct)(void* raw, void* from);
  void (*move_assign)(void* to, void* from);
  void (*swap)(void* a, void* b);
  struct seen {
    std::size_t size, capacity;
    bool empty, is_inline, ends_agree;
    const void* slots;
  };
  seen (*observe)(const void* q);
  bool (*holds)(const void* q, std::size_t i, const void* value);  // element i has these bytes
};

inline constexpr std::size_t largest_typed_queue = 4096;  // bytes of an object

/// As the port of the reference lists them: kinds outside, inline capacities inside.
extern const std::span<const typed_queue* const> typed_queues;

}  // namespace ringspec::fuzz
