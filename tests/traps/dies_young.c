// SPDX-License-Identifier: Apache-2.0
//
// It crashes when a queue is made, so before any trace: still a verdict, and no loss to the ports beside it.
#include <stdlib.h>

#define TRAP_NAME "trap-dies-young"
#define TRAP_ON_CONSTRUCT(ring) ((void)(ring), abort())
#define TRAP_CLAIMS "fifo", "fifo-interior", "growth", "growth-policy"
#include "trap_ring.h"
