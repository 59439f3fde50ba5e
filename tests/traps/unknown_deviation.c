// SPDX-License-Identifier: Apache-2.0
//
// An accepted deviation must name a requirement that exists.
#define TRAP_NAME "trap-unknown-deviation"
#define TRAP_DEVIATION "queue.fifo.nonsense"
#define TRAP_REASON "There is no such requirement."
#include "trap_ring.h"
