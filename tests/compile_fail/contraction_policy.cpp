// SPDX-License-Identifier: Apache-2.0
// expect: the contraction policy P must be low_water or keep_storage
//
// A policy that the queue does not know.
#include "ringspec/queue/inline_ring_queue.hpp"

struct sometimes {
  static constexpr bool contracts = true;
};

ringspec::inline_ring_queue<int, 1, sometimes> queue;
