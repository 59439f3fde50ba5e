// SPDX-License-Identifier: Apache-2.0
// expect: T must be an object type without const or volatile
//
// A reference has no slot to live in.
#include "ringspec/queue/inline_ring_queue.hpp"

ringspec::inline_ring_queue<int&, 1> queue;
