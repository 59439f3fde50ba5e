// SPDX-License-Identifier: Apache-2.0
// expect: N must be a power of two from 1 to 2^29 (queue.constraints.power-of-two)
//
// There is no queue without an inline slot.
#include "ringspec/queue/inline_ring_queue.hpp"

ringspec::inline_ring_queue<int, 0> queue;
