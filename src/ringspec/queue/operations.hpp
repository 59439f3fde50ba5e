// SPDX-License-Identifier: Apache-2.0
//
// The operations of subject "queue", once: the enumeration, the text format, the oracle, the generator and the help all
// come from this table.
#pragma once
#include <array>
#include <cstdint>
#include "ringspec/trace/step.hpp"

namespace ringspec::queue {

// clang-format off
//    name            registers  number  help
#define RINGSPEC_QUEUE_OPERATIONS(X)                                                                     \
  X(create,           1, false, "construct an empty queue in a register that has none")                  \
  X(destroy,          1, false, "destroy the queue")                                                     \
  X(push,             1, false, "push a fresh value; values are numbered #0, #1, ... in a trace")        \
  X(push_element,     1, true,  "push(q[i]): the argument aliases element i (modulo the size)")          \
  X(emplace_element,  1, true,  "emplace from the fields of q[i] (modulo the size)")                     \
  X(pop,              1, false, "remove the oldest value")                                               \
  X(read,             1, true,  "read element i (modulo the size)")                                      \
  X(clear,            1, false, "remove all values, keep the storage")                                   \
  X(release,          1, false, "remove all values, give the storage back")                              \
  X(move_construct,   2, false, "construct the first, which must not exist, by moving the second")       \
  X(move_assign,      2, false, "assign to the first by moving the second")                              \
  X(self_move,        1, false, "move-assign the queue to itself")                                       \
  X(swap,             2, false, "exchange two queues")                                                   \
  X(self_swap,        1, false, "swap the queue with itself")                                            \
  X(fail,             0, true,  "let the k-th allocation from now fail; 0 ends the plan")                \
  X(fail_from,        0, true,  "let the k-th allocation from now fail and all after it; 0 ends the plan")
// clang-format on

enum class op : std::uint8_t {
#define RINGSPEC_QUEUE_NAME(name, registers, number, help) name,
  RINGSPEC_QUEUE_OPERATIONS(RINGSPEC_QUEUE_NAME)
#undef RINGSPEC_QUEUE_NAME
};

inline constexpr auto operations = std::to_array<operation>({
#define RINGSPEC_QUEUE_ROW(name, registers, number, help) {#name, registers, number, help},
    RINGSPEC_QUEUE_OPERATIONS(RINGSPEC_QUEUE_ROW)
#undef RINGSPEC_QUEUE_ROW
});

}  // namespace ringspec::queue
