// SPDX-License-Identifier: Apache-2.0
//
// A queue in which a sanitizer finds something and, by its options, goes on. It must not pass in silence.
#include <stdio.h>

#define TRAP_NAME "trap-goes-on"
#define TRAP_ON_CLEAR(ring) ((void)(ring), (void)fputs("ring.c:24:9: runtime error: trap: shift exponent\n", stderr))
#include "trap_ring.h"
