// SPDX-License-Identifier: Apache-2.0
//
// A pop from a queue of 6 values never comes back: only the watchdog ends it.
static volatile int trap_forever = 1;

#define TRAP_NAME "trap-endless-loop"
#define TRAP_ON_POP(ring)                      \
  while ((ring)->count == 6 && trap_forever) { \
  }
#include "trap_ring.h"
