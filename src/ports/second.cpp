// SPDX-License-Identifier: Apache-2.0
//
// The second implementation as a port. Not claimed: `bounded`, `failure-abort`, and `layout` (its object is a larger
// one on purpose).
#include "ports/second_ring.hpp"
#include "ringspec/queue/queue_port.hpp"

RINGSPEC_QUEUE_PORT("second", RS_OOM_STATUS,
                    ("fifo", "fifo-interior", "alias", "alias-interior", "alias-emplace", "inline", "growth",
                     "growth-policy", "growth-bytes", "shrink", "shrink-policy", "failure", "move", "storage", "slots",
                     "slots-move", "constraints"),
                    second::ring<T, N>)
