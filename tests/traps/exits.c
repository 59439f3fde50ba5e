// SPDX-License-Identifier: Apache-2.0
//
// A push onto a queue of 6 values ends the process with status 0, which looks like a clean end unless the end itself is
// recorded.
#define TRAP_NAME "trap-exit"
#define TRAP_ON_PUSH(ring) ((ring)->count == 6 ? exit(0) : (void)0)
#include "trap_ring.h"
