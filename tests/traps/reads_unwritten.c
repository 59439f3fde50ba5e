// SPDX-License-Identifier: Apache-2.0
//
// A queue that decides something by a slot that was never written, and then does the same either way: nothing natively
// can see it. Under memcheck it is a finding in that very step.
#include <stdlib.h>

struct trap_ring;
static void peek(const struct trap_ring *ring);

#define TRAP_NAME "trap-reads-unwritten"
#define TRAP_ON_POP(ring) peek(ring)
#include "trap_ring.h"

static volatile int seen_negative;

static void peek(const struct trap_ring *ring) {
  if (ring->count < ring->capacity && ring->head == 0 && ring->slots[ring->count] < 0) seen_negative = 1;
}
