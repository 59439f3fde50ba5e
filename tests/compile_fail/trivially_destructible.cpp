// SPDX-License-Identifier: Apache-2.0
// expect: T must be trivially destructible (queue.constraints.trivially-destructible)
//
// A destructor of its own, which the queue would never run.
#include "ringspec/queue/inline_ring_queue.hpp"

struct value {
  ~value() {}
};

ringspec::inline_ring_queue<value, 1> queue;
