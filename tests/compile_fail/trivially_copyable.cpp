// SPDX-License-Identifier: Apache-2.0
// expect: T must be trivially copyable (queue.constraints.trivially-copyable)
//
// A copy constructor of its own: memcpy would not do what it does.
#include "ringspec/queue/inline_ring_queue.hpp"

struct value {
  value() = default;
  value(const value&) noexcept {}
};

ringspec::inline_ring_queue<value, 1> queue;
