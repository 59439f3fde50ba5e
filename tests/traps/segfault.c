// SPDX-License-Identifier: Apache-2.0
//
// Right until a queue holds 6 values; the next push writes through a null pointer. The run must go on, and the crash be
// charged with the trace that did it.
static int *volatile trap_nowhere;  // volatile, or the compiler would know that it is null

#define TRAP_NAME "trap-segfault"
#define TRAP_ON_PUSH(ring) ((void)((ring)->count == 6 && (*trap_nowhere = 1)))
#include "trap_ring.h"
