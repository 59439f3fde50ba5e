// SPDX-License-Identifier: Apache-2.0
//
// A correct queue that talks to stdout. Nothing of it may end up in what the gate reads or prints there, and the buffer
// that stdio allocates is not the queue's.
#include <stdio.h>

#define TRAP_NAME "trap-prints"
#define TRAP_ON_CONSTRUCT(ring) ((void)(ring), (void)puts("trap: constructing"))
#define TRAP_ON_PUSH(ring) ((void)(ring), (void)puts("trap: pushing"))
#define TRAP_CLAIMS "fifo", "fifo-interior", "growth", "growth-policy"
#include "trap_ring.h"
