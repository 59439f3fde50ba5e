// SPDX-License-Identifier: Apache-2.0
// expect: T must be copy constructible without exceptions (queue.constraints.nothrow-copy)
//
// Trivially copyable in the words of the language, yet it can only be moved. (A copy constructor that is declared
// noexcept(false) and defaulted would do with clang; g++ takes any trivial copy for one that cannot throw.)
#include "ringspec/queue/inline_ring_queue.hpp"

struct value {
  value() = default;
  value(value&&) = default;
};

ringspec::inline_ring_queue<value, 1> queue;
