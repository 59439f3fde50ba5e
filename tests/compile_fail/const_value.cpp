// SPDX-License-Identifier: Apache-2.0
// expect: T must be an object type without const or volatile
//
// Slots are written again and again.
#include "ringspec/queue/inline_ring_queue.hpp"

ringspec::inline_ring_queue<const int, 1> queue;
