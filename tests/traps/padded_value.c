// SPDX-License-Identifier: Apache-2.0
//
// Values with padding, which the queue fills with rubbish of its own each time it stores one. The mask says which bytes
// count; the others must never alarm.
#include "ringspec/port.h"

struct padded {
  uint8_t kind;
  uint32_t id;
};
static const uint8_t counted[sizeof(struct padded)] = {0xFF, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF};
static void scribble(void *value);

#define TRAP_NAME "trap-padded-value"
#define TRAP_VALUE struct padded
#define TRAP_KIND "padded"
#define TRAP_MASK counted
#define TRAP_ON_STORE(slot) scribble(slot)
#define TRAP_CLAIMS "fifo", "fifo-interior", "growth", "growth-policy", "failure"
#include "trap_ring.h"

static void scribble(void *value) {
  static uint8_t rubbish;
  for (size_t k = 1; k < 4; ++k) ((uint8_t *)value)[k] = ++rubbish;
}
