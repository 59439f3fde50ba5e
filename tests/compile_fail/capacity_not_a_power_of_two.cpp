// SPDX-License-Identifier: Apache-2.0
// expect: N must be a power of two from 1 to 2^29 (queue.constraints.power-of-two)
//
// Indices are masked, so three slots cannot be a ring.
#include "ringspec/queue/inline_ring_queue.hpp"

ringspec::inline_ring_queue<int, 3> queue;
