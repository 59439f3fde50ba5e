// SPDX-License-Identifier: Apache-2.0
// A bounded queue in C that never allocates, and its port.
#include "ringspec/port.h"

enum { slots = 8 };

struct mailbox {
  int value[slots];
  unsigned head, count;
};

static rs_status construct(void *raw) {
  struct mailbox *const m = raw;
  m->head = m->count = 0;
  return RS_OK;
}

static void destroy(void *q) { (void)q; }

static rs_status push(void *q, const void *value) {
  struct mailbox *const m = q;
  if (m->count == slots) return RS_FULL;
  m->value[(m->head + m->count) % slots] = *(const int *)value;
  ++m->count;
  return RS_OK;
}

static rs_status pop(void *q) {
  struct mailbox *const m = q;
  m->head = (m->head + 1) % slots;
  --m->count;
  return RS_OK;
}

static void observe(const void *q, rs_queue_seen *seen) {
  const struct mailbox *const m = q;
  seen->count = m->count;
  seen->capacity = slots;
  seen->front = m->count == 0 ? NULL : &m->value[m->head];
}

static const rs_value value = {
    .size = sizeof value, .value_size = sizeof(int), .value_align = _Alignof(int), .kind = "int"};

static const rs_queue_policy policy = {.size = sizeof policy,
                                       .inline_capacity = slots,
                                       .first_heap = 2 * slots,
                                       .growth_num = 2,
                                       .growth_den = 1,
                                       .max_size = slots,
                                       .shrink = RS_SHRINK_NEVER,
                                       .low_divisor = 4};

static const rs_queue instance = {.size = sizeof instance,
                                  .value = &value,
                                  .policy = &policy,
                                  .object_size = sizeof(struct mailbox),
                                  .object_align = _Alignof(struct mailbox),
                                  .facts = RS_Q_MOVE_IS_MEMCPY,
                                  .construct = construct,
                                  .destroy = destroy,
                                  .push = push,
                                  .pop = pop,
                                  .observe = observe};

const rs_port *const *ringspec_ports_v1(void) {
  static const char *const claims[] = {"fifo", "inline", "bounded", NULL};
  static const void *const instances[] = {&instance, NULL};
  static const rs_port mailbox = {.size = sizeof mailbox,
                                  .subject = "queue",
                                  .name = "acme-mailbox",
                                  .version = "",
                                  .language = "c",
                                  .spec = "1.0",
                                  .oom = RS_OOM_NEVER,
                                  .claims = claims,
                                  .instances = instances};
  static const rs_port *const ports[] = {&mailbox, NULL};
  return ports;
}
