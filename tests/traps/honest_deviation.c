// SPDX-License-Identifier: Apache-2.0
//
// clear keeps the newest value when the values wrap around the end, and the port says so: shown, and not a failure.
#define TRAP_NAME "trap-honest-deviation"
#define TRAP_CLEAR(ring)                                                                           \
  ((ring)->head + (ring)->count > (ring)->capacity                                                 \
       ? ((ring)->head = ((ring)->head + (ring)->count - 1) % (ring)->capacity, (ring)->count = 1) \
       : ((ring)->head = (ring)->count = 0))
#define TRAP_DEVIATION "queue.fifo.clear"
#define TRAP_REASON "clear keeps the newest value when the values wrap around the end."
#include "trap_ring.h"
