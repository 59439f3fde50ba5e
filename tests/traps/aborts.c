// SPDX-License-Identifier: Apache-2.0
//
// clear gives up on a queue of 3 or more values, as a failed assertion does: what it printed to stderr belongs into the
// verdict.
#include <stdio.h>
#include <stdlib.h>

#define TRAP_NAME "trap-abort"
#define TRAP_ON_CLEAR(ring) ((ring)->count >= 3 ? (fputs("trap: giving up\n", stderr), abort()) : (void)0)
#include "trap_ring.h"
