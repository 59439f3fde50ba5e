// SPDX-License-Identifier: Apache-2.0
// expect: N must be a power of two from 1 to 2^29 (queue.constraints.power-of-two)
//
// A power of two, but one step beyond the largest. No object is made: it would be 1 GiB.
#include "ringspec/queue/inline_ring_queue.hpp"

static_assert(sizeof(ringspec::inline_ring_queue<char, std::size_t{1} << 30>) != 0);
