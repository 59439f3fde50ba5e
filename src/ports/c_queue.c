// SPDX-License-Identifier: Apache-2.0
//
// A ring queue in plain C11 and its port, as a model to copy. The first half is an ordinary C queue, which takes
// nothing from ringspec but its status codes; put yours there. The second half is what the gate needs: a thin function
// for each operation, the numbers that the queue goes by, and a list of what it claims.
//
//   cc -std=c11 -O2 -fPIC -shared -fvisibility=hidden -I src -o c_queue.so src/ports/c_queue.c
//   ringspec verify --port ./c_queue.so

#include "ringspec/port.h"

#include <stdlib.h>
#include <string.h>

// ---- the queue ------------------------------------------------------------------------------------------------------

// Values live in one heap block; an empty queue that never held anything has none. The capacity is 0 or a power of two,
// so that a slot's index is masked and not divided. The number of values is stored, since two equal indices could mean
// an empty ring as well as a full one.
struct ring {
  unsigned char *slots;
  size_t capacity, head, count;
  size_t value_size;
};

enum { first_capacity = 4 };
static const size_t last_capacity = (size_t)1 << 31;

static void ring_init(struct ring *r, size_t value_size) { *r = (struct ring){.value_size = value_size}; }

static void *ring_at(const struct ring *r, size_t i) {
  return r->slots + ((r->head + i) & (r->capacity - 1)) * r->value_size;
}

// Gives back the block and leaves a queue that works like a fresh one.
static void ring_release(struct ring *r) {
  free(r->slots);
  ring_init(r, r->value_size);
}

// The values stay where they are; only the numbers change, so clearing never touches the allocator.
static void ring_clear(struct ring *r) { r->head = r->count = 0; }

static rs_status ring_grow_and_push(struct ring *r, const void *value) {
  const size_t capacity = r->capacity == 0 ? (size_t)first_capacity : 2 * r->capacity;
  if (capacity > last_capacity || capacity > (size_t)PTRDIFF_MAX / r->value_size) return RS_TOO_LONG;
  // Not realloc: it moves the block in storage order, which is not the queue's order once the values wrap, and it would
  // free the old block while `value` may still point into it.
  unsigned char *slots = malloc(capacity * r->value_size);
  if (slots == NULL) return RS_NOMEM;
  if (r->count > 0) {
    // The values lie in at most two runs: from the head to the end of the block, and from its start.
    const size_t first = r->capacity - r->head < r->count ? r->capacity - r->head : r->count;
    memcpy(slots, r->slots + r->head * r->value_size, first * r->value_size);
    memcpy(slots + first * r->value_size, r->slots, (r->count - first) * r->value_size);
  }
  memcpy(slots + r->count * r->value_size, value, r->value_size);
  free(r->slots);  // last, since `value` may point into it
  r->slots = slots;
  r->capacity = capacity;
  r->head = 0;
  ++r->count;
  return RS_OK;
}

// `value` may point to a value of this queue.
static rs_status ring_push(struct ring *r, const void *value) {
  if (r->count == r->capacity) return ring_grow_and_push(r, value);
  memcpy(ring_at(r, r->count), value, r->value_size);
  ++r->count;
  return RS_OK;
}

static void ring_pop(struct ring *r) {
  r->head = (r->head + 1) & (r->capacity - 1);
  --r->count;
}

// Moving is copying the object and making the source forget its block. `to` holds no queue yet.
static void ring_move_to_raw(struct ring *to, struct ring *from) {
  *to = *from;
  ring_init(from, from->value_size);
}

static void ring_move(struct ring *to, struct ring *from) {
  if (to == from) return;
  free(to->slots);
  ring_move_to_raw(to, from);
}

static void ring_swap(struct ring *a, struct ring *b) {
  const struct ring kept = *a;
  *a = *b;
  *b = kept;
}

// ---- the port: one function for each operation ----------------------------------------------------------------------

struct descriptor {
  uint32_t id, length;
  uint64_t offset;
};

// The gate hands over raw storage of object_size bytes. One constructor for each value type is all that differs here;
// a queue whose element type is fixed at compile time has one set of functions for each.
static rs_status construct_int(void *raw) {
  ring_init(raw, sizeof(int));
  return RS_OK;
}
static rs_status construct_descriptor(void *raw) {
  ring_init(raw, sizeof(struct descriptor));
  return RS_OK;
}

static void destroy(void *q) { ring_release(q); }
static rs_status push(void *q, const void *value) { return ring_push(q, value); }
static rs_status pop(void *q) {
  ring_pop(q);
  return RS_OK;
}
static const void *at(const void *q, uint64_t i) { return ring_at(q, (size_t)i); }
static rs_status clear(void *q) {
  ring_clear(q);
  return RS_OK;
}
static rs_status release(void *q) {
  ring_release(q);
  return RS_OK;
}
static rs_status move_construct(void *raw, void *from) {
  ring_move_to_raw(raw, from);
  return RS_OK;
}
static rs_status move_assign(void *to, void *from) {
  ring_move(to, from);
  return RS_OK;
}
static rs_status self_move(void *q) { return move_assign(q, q); }
static rs_status swap(void *a, void *b) {
  ring_swap(a, b);
  return RS_OK;
}
static rs_status self_swap(void *q) { return swap(q, q); }

// Called after every step. `seen->size` belongs to the gate and stays as it is.
static void observe(const void *q, rs_queue_seen *seen) {
  const struct ring *r = q;
  seen->count = r->count;
  seen->capacity = r->capacity;
  seen->front = r->count == 0 ? NULL : ring_at(r, 0);
}

// ---- the port: numbers, claims, tables ------------------------------------------------------------------------------

// What the gate expects of capacities is computed from these numbers: state the ones your code goes by.
static const rs_queue_policy policy = {
    .size = sizeof(rs_queue_policy),
    .inline_capacity = 0,  // no value lives in the object itself
    .first_heap = first_capacity,
    .growth_num = 2,
    .growth_den = 1,
    .max_size = 0,  // unbounded
    .shrink = RS_SHRINK_NEVER,
};

static const rs_value int_value = {
    .size = sizeof(rs_value), .value_size = sizeof(int), .value_align = _Alignof(int), .kind = "int"};

// No mask: the descriptor has no padding, so every byte of it counts.
_Static_assert(sizeof(struct descriptor) == 16, "a descriptor with padding needs an rs_value.mask");
static const rs_value descriptor_value = {
    .size = sizeof(rs_value), .value_size = 16, .value_align = _Alignof(struct descriptor), .kind = "descriptor"};

// The members that are not named stay null: C has no emplace, and a pop that hands out the value is not needed where
// observe gives the front. Facts: a moved ring is a copied object, and nothing in it can fail. RS_Q_COPIES_ARG is not
// among them: push takes a pointer, which may point into the queue. A push that takes its value by value would state it
// and not claim the alias classes.
#define INSTANCE(value_, construct_)                                                                       \
  {                                                                                                        \
    .size = sizeof(rs_queue), .value = (value_), .policy = &policy, .object_size = sizeof(struct ring),    \
    .object_align = _Alignof(struct ring),                                                                 \
    .facts = RS_Q_NOTHROW_MOVE | RS_Q_NOTHROW_ASSIGN | RS_Q_NOTHROW_SWAP | RS_Q_MOVE_IS_MEMCPY,            \
    .construct = (construct_), .destroy = destroy, .push = push, .pop = pop, .observe = observe, .at = at, \
    .clear = clear, .release = release, .move_construct = move_construct, .move_assign = move_assign,      \
    .self_move = self_move, .swap = swap, .self_swap = self_swap                                           \
  }

static const rs_queue int_queue = INSTANCE(&int_value, construct_int);
static const rs_queue descriptor_queue = INSTANCE(&descriptor_value, construct_descriptor);
static const void *const instances[] = {&int_queue, &descriptor_queue, NULL};

// Claimed is what the queue promises its users: not "inline" (there is no inline storage), not "shrink" (it never
// does), not "bounded". A promised class that is broken fails the gate; one that is not listed is only reported.
static const char *const claims[] = {
    "fifo",         "fifo-interior", "alias", "alias-interior", "growth", "growth-policy",
    "growth-bytes", "failure",       "move",  "storage",        NULL};

static const rs_port port = {
    .size = sizeof(rs_port),
    .subject = "queue",
    .name = "c-queue",
    .version = "",
    .language = "c",
    .spec = "1.0",
    .oom = RS_OOM_STATUS,  // a failed malloc is answered with RS_NOMEM
    .claims = claims,
    .instances = instances,
};

const rs_port *const *ringspec_ports_v1(void) {
  static const rs_port *const ports[] = {&port, NULL};
  return ports;
}
