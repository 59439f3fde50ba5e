// SPDX-License-Identifier: Apache-2.0
//
// Its clear writes the slot that the last pop left once more, with the very bytes that it still holds: no comparison of
// bytes can see it, definedness bits can.
#include "ringspec/port.h"

struct trap_ring;
static void remember(const struct trap_ring *ring);
static void forget(void);
static void write_again(const struct trap_ring *ring);

#define TRAP_NAME "trap-rewrites-slots"
#define TRAP_ON_PUSH(ring) ((void)(ring), forget())
#define TRAP_ON_POP(ring) remember(ring)
#define TRAP_ON_CLEAR(ring) write_again(ring)
#define TRAP_OFFERS_SLOTS 1
#define TRAP_CLAIMS "fifo", "fifo-interior", "slots"
#include "trap_ring.h"

static trap_value *left, left_value;

static void remember(const struct trap_ring *ring) {
  left = trap_slot(ring, 0);
  left_value = *left;
}
static void forget(void) { left = NULL; }
static void write_again(const struct trap_ring *ring) {
  const int is_of_this_ring = left >= ring->slots && left < ring->slots + ring->capacity;
  if (left != NULL && is_of_this_ring) *(volatile trap_value *)left = left_value;
}
