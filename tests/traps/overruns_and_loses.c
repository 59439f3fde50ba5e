// SPDX-License-Identifier: Apache-2.0
//
// One pop damages the byte behind its block and the next value: the trace that is told must be the one that did it, and
// must show it again, though the block of the first look at it is still there.
#include "ringspec/port.h"

struct trap_ring;
static void damage(struct trap_ring *ring);

#define TRAP_NAME "trap-overruns-and-loses"
#define TRAP_ON_POP(ring) damage(ring)
#include "trap_ring.h"

static void damage(struct trap_ring *ring) {
  if (ring->count != 3) return;
  ((unsigned char *)(ring->slots + ring->capacity))[0] ^= 1;
  *trap_slot(ring, 1) ^= 1;
}
