// SPDX-License-Identifier: Apache-2.0
//
// A correct queue that still lists a deviation: it has to be taken off the list, so the run fails.
#define TRAP_NAME "trap-stale-deviation"
#define TRAP_DEVIATION "queue.fifo.order"
#define TRAP_REASON "Values that wrapped used to change places."
#include "trap_ring.h"
