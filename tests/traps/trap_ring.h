// SPDX-License-Identifier: Apache-2.0
//
// A correct ring and its port, the common body of the trap ports. A trap defines what it changes and includes
// this once. Every macro below may be defined before; TRAP_NAME must be.
//
//   TRAP_ON_CONSTRUCT(ring), TRAP_ON_PUSH(ring), TRAP_ON_POP(ring), TRAP_ON_CLEAR(ring)   run before the operation
//   TRAP_CLEAR(ring)                   what clear does
//   TRAP_ALLOCATE(bytes), TRAP_RELEASE(block, bytes)   where memory comes from and goes to
//   TRAP_INLINE                        declared inline capacity: a fresh ring has that capacity
//   TRAP_CLAIMS                        the claimed classes, separated by commas
//   TRAP_DEVIATION, TRAP_REASON        the one accepted deviation
//   TRAP_VALUE, TRAP_KIND, TRAP_MASK   the values' type and its name (int), and which of its bytes count (all)
//   TRAP_ON_STORE(slot)                runs after a value was stored
//   TRAP_START                         what construct answers, after it has done its work
//   TRAP_OFFERS_AT, TRAP_OFFERS_SLOTS, TRAP_INIT, TRAP_OOM, TRAP_SYMBOL, TRAP_INSTANCES
#include "ringspec/port.h"

#include <stdlib.h>
#include <string.h>

#ifndef TRAP_ON_CONSTRUCT
#define TRAP_ON_CONSTRUCT(ring) ((void)(ring))
#endif
#ifndef TRAP_ON_PUSH
#define TRAP_ON_PUSH(ring) ((void)(ring))
#endif
#ifndef TRAP_ON_POP
#define TRAP_ON_POP(ring) ((void)(ring))
#endif
#ifndef TRAP_ON_CLEAR
#define TRAP_ON_CLEAR(ring) ((void)(ring))
#endif
#ifndef TRAP_CLEAR
#define TRAP_CLEAR(ring) ((ring)->head = (ring)->count = 0)
#endif
#ifndef TRAP_ALLOCATE
#define TRAP_ALLOCATE(bytes) malloc(bytes)
#define TRAP_RELEASE(block, bytes) ((void)(bytes), free(block))
#endif
#ifndef TRAP_INLINE
#define TRAP_INLINE 0
#endif
#ifndef TRAP_CLAIMS
#define TRAP_CLAIMS "fifo", "fifo-interior"
#endif
#ifndef TRAP_OFFERS_AT
#define TRAP_OFFERS_AT 1
#endif
#ifndef TRAP_OFFERS_SLOTS
#define TRAP_OFFERS_SLOTS 0
#endif
#ifndef TRAP_VALUE
#define TRAP_VALUE int
#define TRAP_KIND "int"
#endif
#ifndef TRAP_MASK
#define TRAP_MASK NULL
#endif
#ifndef TRAP_ON_STORE
#define TRAP_ON_STORE(slot) ((void)(slot))
#endif
#ifndef TRAP_INIT
#define TRAP_INIT NULL
#endif
#ifndef TRAP_OOM
#define TRAP_OOM RS_OOM_STATUS
#endif
#ifndef TRAP_START
#define TRAP_START RS_OK
#endif
#ifndef TRAP_INSTANCES
#define TRAP_INSTANCES &trap_queue
#endif
#ifndef TRAP_SYMBOL
#define TRAP_SYMBOL ringspec_ports_v1
#endif

typedef TRAP_VALUE trap_value;

struct trap_ring {
  trap_value *slots;
  size_t capacity, head, count;
};

static trap_value *trap_slot(const struct trap_ring *ring, size_t i) {
  return ring->slots + (ring->head + i) % ring->capacity;
}

static void trap_give_back(struct trap_ring *ring) {
  if (ring->slots != NULL) TRAP_RELEASE(ring->slots, ring->capacity * sizeof(trap_value));
}

static rs_status trap_start(struct trap_ring *ring) {
  *ring = (struct trap_ring){.capacity = TRAP_INLINE};
  if (ring->capacity > 0) ring->slots = TRAP_ALLOCATE(ring->capacity * sizeof(trap_value));
  return ring->capacity == 0 || ring->slots != NULL ? RS_OK : RS_NOMEM;
}

static rs_status trap_grow(struct trap_ring *ring) {
  const size_t capacity = ring->capacity == TRAP_INLINE ? 8 : 2 * ring->capacity;
  trap_value *slots = TRAP_ALLOCATE(capacity * sizeof(trap_value));
  if (slots == NULL) return RS_NOMEM;
  for (size_t i = 0; i < ring->count; ++i) slots[i] = *trap_slot(ring, i);
  trap_give_back(ring);
  *ring = (struct trap_ring){.slots = slots, .capacity = capacity, .count = ring->count};
  return RS_OK;
}

static rs_status trap_construct(void *raw) {
  TRAP_ON_CONSTRUCT((struct trap_ring *)raw);
  const rs_status status = trap_start(raw);
  return status == RS_OK ? TRAP_START : status;
}

static void trap_destroy(void *q) { trap_give_back(q); }

static rs_status trap_push(void *q, const void *value) {
  struct trap_ring *ring = q;
  trap_value kept;  // a copy: the argument may lie in the block that growing gives back
  memcpy(&kept, value, sizeof kept);
  TRAP_ON_PUSH(ring);
  const rs_status status = ring->count == ring->capacity ? trap_grow(ring) : RS_OK;
  if (status == RS_OK) {
    *trap_slot(ring, ring->count) = kept;
    TRAP_ON_STORE(trap_slot(ring, ring->count));
    ++ring->count;
  }
  return status;
}

static rs_status trap_pop(void *q) {
  struct trap_ring *ring = q;
  TRAP_ON_POP(ring);
  ring->head = (ring->head + 1) % ring->capacity;
  --ring->count;
  return RS_OK;
}

static void trap_observe(const void *q, rs_queue_seen *seen) {
  const struct trap_ring *ring = q;
  seen->count = ring->count;
  seen->capacity = ring->capacity;
  seen->front = ring->count == 0 ? NULL : trap_slot(ring, 0);
}

static const void *trap_at(const void *q, uint64_t i) { return trap_slot(q, (size_t)i); }

static rs_status trap_clear(void *q) {
  struct trap_ring *ring = q;
  TRAP_ON_CLEAR(ring);
  TRAP_CLEAR(ring);
  return RS_OK;
}

static rs_status trap_release(void *q) {
  trap_give_back(q);
  return trap_start(q);
}

static void trap_slots(const void *q, rs_slots *out) {
  const struct trap_ring *ring = q;
  out->base = ring->slots;
  out->stride = sizeof(trap_value);
  out->slots = ring->capacity;
  out->head = ring->head;
}

static const rs_value trap_kind = {.size = sizeof(rs_value),
                                   .value_size = sizeof(trap_value),
                                   .value_align = _Alignof(trap_value),
                                   .mask = TRAP_MASK,
                                   .kind = TRAP_KIND};

static const rs_queue_policy trap_policy = {.size = sizeof(rs_queue_policy),
                                            .inline_capacity = TRAP_INLINE,
                                            .first_heap = 8,
                                            .growth_num = 2,
                                            .growth_den = 1,
                                            .shrink = RS_SHRINK_NEVER};

static const rs_queue trap_queue = {.size = sizeof(rs_queue),
                                    .value = &trap_kind,
                                    .policy = &trap_policy,
                                    .object_size = sizeof(struct trap_ring),
                                    .object_align = _Alignof(struct trap_ring),
                                    .construct = trap_construct,
                                    .destroy = trap_destroy,
                                    .push = trap_push,
                                    .pop = trap_pop,
                                    .observe = trap_observe,
                                    .at = TRAP_OFFERS_AT ? trap_at : NULL,
                                    .slots = TRAP_OFFERS_SLOTS ? trap_slots : NULL,
                                    .clear = trap_clear,
                                    .release = trap_release};
static const void *const trap_instances[] = {TRAP_INSTANCES, NULL};
static const char *const trap_claims[] = {TRAP_CLAIMS, NULL};

#ifdef TRAP_DEVIATION
static const rs_deviation trap_deviation = {
    .size = sizeof(rs_deviation), .requirement = TRAP_DEVIATION, .reason = TRAP_REASON};
static const rs_deviation *const trap_deviations[] = {&trap_deviation, NULL};
#endif

static const rs_port trap_port = {.size = sizeof(rs_port),
                                  .subject = "queue",
                                  .name = TRAP_NAME,
                                  .version = "",
                                  .language = "c",
                                  .spec = "1.0",
                                  .oom = TRAP_OOM,
                                  .claims = trap_claims,
#ifdef TRAP_DEVIATION
                                  .deviations = trap_deviations,
#endif
                                  .init = TRAP_INIT,
                                  .instances = trap_instances};

RS_EXPORT const rs_port *const *TRAP_SYMBOL(void);

const rs_port *const *TRAP_SYMBOL(void) {
  static const rs_port *const ports[] = {&trap_port, NULL};
  return ports;
}
