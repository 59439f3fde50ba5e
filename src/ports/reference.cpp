// SPDX-License-Identifier: Apache-2.0
//
// The reference queue as a port. Not claimed: `bounded` (it has no maximum) and `failure-abort` (it throws).
#include "ringspec/queue/inline_ring_queue.hpp"
#include "ringspec/queue/queue_port.hpp"

RINGSPEC_QUEUE_PORT("reference", RS_OOM_STATUS,
                    ("fifo", "fifo-interior", "alias", "alias-interior", "alias-emplace", "inline", "growth",
                     "growth-policy", "growth-bytes", "shrink", "shrink-policy", "failure", "move", "storage", "slots",
                     "slots-move", "layout", "constraints"),
                    ringspec::inline_ring_queue<T, N>)
