/* SPDX-License-Identifier: Apache-2.0
 *
 * ringspec/port.h: the whole boundary between the gate and an implementation under test (a "port").
 *
 * C11, no dependency, usable from any language that can build a shared object with the C calling convention.
 *
 * How it works. A port is a shared object that exports ONE function, ringspec_ports_v1(). It returns a null-terminated
 * list of ports; each names its subject ("queue"), the classes of the specification that it claims, and one table of
 * functions for each instantiation that it offers (one value type, one inline capacity). The gate loads the object in a
 * child process of its own, calls the functions with short lists of operations ("traces") and judges after every call
 * what it sees.
 *
 * Conventions that hold everywhere:
 *  - Every struct starts with `size`, its own sizeof as its writer knew it. A reader never touches what lies beyond it:
 *    a newer gate reads an older port, and the other way round. Structs only ever grow at the end.
 *  - Every list is a null-terminated array of POINTERS, never an array of structs (that would freeze the struct's size).
 *  - Strings are UTF-8, zero-terminated, and live as long as the process. Reserved words are 0.
 *  - Unless said otherwise all calls come from one thread, and no function may throw, unwind or longjmp out.
 *  - A function pointer that is null says "this port does not offer that"; what it costs is said beside it.
 */
/* The comments below are columns. */
/* clang-format off */
#ifndef RINGSPEC_PORT_H
#define RINGSPEC_PORT_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define RS_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define RS_EXPORT __attribute__((visibility("default")))
#else
#define RS_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- statuses ----------------------------------------------------------------------------------------------------
 * int32_t and not an enum: an unknown value must become a verdict ("returned 7"), not undefined behaviour. */
typedef int32_t rs_status;
#define RS_OK 0
#define RS_NOMEM 1    /* an allocation failed; nothing changed */
#define RS_FULL 2     /* a bounded port is at its max_size; nothing changed */
#define RS_TOO_LONG 3 /* the capacity or the byte size would pass the limit (length_error); nothing changed */
#define RS_THREW 4    /* any other failure; rs_queue.last_error may say which */

/* ---- what the gate offers to the port ----------------------------------------------------------------------------
 * Given to rs_port.init. Valid until the process ends. A port whose allocator the gate cannot see (statically linked,
 * no_std, another libc) allocates here to be auditable; everybody else may ignore it. */
typedef struct rs_host {
  size_t size;
  void *self;                                                      /* first argument of the functions below */
  void *(*alloc)(void *self, size_t bytes, size_t align);          /* null: no memory (perhaps on purpose) */
  void (*free)(void *self, void *p, size_t bytes, size_t align);   /* bytes, align: 0 if not known; p may be null */
  void (*note)(void *self, const char *utf8);                      /* a line of text for the report */
} rs_host;

/* A failure that the port's authors know and accept: shown as "deviation" while it fails, as stale once it passes. */
typedef struct rs_deviation {
  size_t size;
  const char *requirement; /* "queue.move.self-move-keeps"; an unknown name is refused */
  const char *reason;      /* one sentence for the report */
  const char *until;       /* free text (a version, a date), or null */
} rs_deviation;

/* ---- a port ------------------------------------------------------------------------------------------------------*/
/* What the port does when an allocation fails. There is no default: 0 is refused. */
#define RS_OOM_STATUS 1u /* it reports RS_NOMEM: the class queue.failure may be claimed */
#define RS_OOM_ABORTS 2u /* the process dies by abort(): the class queue.failure-abort may be claimed */
#define RS_OOM_NEVER 3u  /* it never allocates */

typedef struct rs_port {
  size_t size;
  const char *subject;  /* "queue" */
  const char *name;     /* [A-Za-z0-9._:+-]+ */
  const char *version;  /* of the implementation; free text, "" if none */
  const char *language; /* free text: "c++", "c", "rust", "zig" */
  const char *spec;     /* the specification that this port was written to: "1.0". Later requirements are shown, not counted */
  uint32_t oom;         /* RS_OOM_... */
  uint32_t reserved;
  const char *const *claims;             /* class names without the subject: "fifo", "growth-policy", null */
  const rs_deviation *const *deviations; /* null, or a null-terminated list */
  rs_status (*init)(const rs_host *);    /* null, or called once before any other function; not RS_OK: refused */
  const void *const *instances;          /* null-terminated; for subject "queue" each points to an rs_queue */
} rs_port;

/* The one exported symbol: a null-terminated list, the same at each call. One object may hold many ports. The ABI's
 * version is in the symbol's name. */
RS_EXPORT const rs_port *const *ringspec_ports_v1(void);

/* ---- subject "queue" ----------------------------------------------------------------------------------------------
 * A value is value_size opaque bytes at an address aligned to value_align. The gate writes a self-describing pattern
 * into each byte whose mask byte is 0xFF and compares exactly those bytes, so that padding never alarms. */
typedef struct rs_value {
  size_t size;
  size_t value_size, value_align; /* bytes; value_align a power of two */
  const uint8_t *mask;            /* value_size bytes, each 0xFF (compared) or 0x00 (padding); null: all are compared */
  const char *kind;               /* its name in traces and reports: "int", "received", ... [A-Za-z0-9._-]+ */
} rs_value;

/* The port's declared numbers. They parametrise what the gate expects of the classes that are named beside them. */
#define RS_SHRINK_NEVER 0u    /* capacity never goes down but by release, move or destruction */
#define RS_SHRINK_COUNTED 1u  /* after C consecutive low-water pops at capacity C: queue.shrink-policy may be claimed */
#define RS_SHRINK_OWN 2u      /* a rule of the port's own: only the safety of contractions is judged */
typedef struct rs_queue_policy {
  size_t size;
  uint64_t inline_capacity;         /* values held in the object itself; 0: none. inline, growth-policy */
  uint64_t first_heap;              /* capacity of the first heap block. growth-policy */
  uint64_t growth_num, growth_den;  /* a full heap block of C grows to C * num / den. growth-policy */
  uint64_t max_size;                /* 0: unbounded. bounded */
  uint32_t shrink;                  /* RS_SHRINK_... shrink, shrink-policy */
  uint32_t low_divisor;             /* a pop is low-water if the size after it is at most min(C / low_divisor, previous
                                       capacity). shrink-policy */
} rs_queue_policy;

/* What the gate sees after each call. `size` is set by the gate. */
#define RS_NOT_OFFERED UINT64_MAX
typedef struct rs_queue_seen {
  size_t size;
  uint64_t count;    /* number of values */
  uint64_t capacity; /* values that fit without a new block; RS_NOT_OFFERED */
  const void *front; /* address of the oldest value, inside the queue; null: empty, or not offered */
} rs_queue_seen;

/* Where the queue's slots are (classes slots and slots-move). */
typedef struct rs_slots {
  size_t size;
  const void *base; /* address of slot 0 */
  size_t stride;    /* bytes from slot to slot */
  uint64_t slots;   /* how many there are: the capacity */
  uint64_t head;    /* index of the oldest value's slot; value i is in slot (head + i) mod slots */
} rs_slots;

/* rs_queue.facts: what the language decides. The bits say what holds, so 0 claims nothing. */
#define RS_Q_NOTHROW_MOVE (1ull << 0)   /* move construction cannot fail */
#define RS_Q_NOTHROW_ASSIGN (1ull << 1) /* move assignment cannot fail */
#define RS_Q_NOTHROW_SWAP (1ull << 2)   /* swap cannot fail */
#define RS_Q_MOVE_IS_MEMCPY (1ull << 3) /* moving copies the whole object (Rust, C): slots-move does not apply */
#define RS_Q_COPIES_ARG (1ull << 4)     /* an argument is copied before the call (Rust, by-value C): alias does not apply */

/* One instantiation. q is object_size bytes at an address aligned to object_align, in storage of the gate; the object is
 * never relocated behind the port's back. Two parameters are never the same object (self_move and self_swap exist for
 * that), and a value pointer points into q only where it is said. The gate keeps the preconditions as long as the port
 * was right so far: pop and front only when count > 0, element i only when i < count.
 *
 * Functions that change a queue return a status; on anything but RS_OK nothing may have changed. */
typedef struct rs_queue {
  size_t size;
  const rs_value *value;
  const rs_queue_policy *policy;
  size_t object_size, object_align;
  uint64_t facts; /* RS_Q_... */

  /* Required. */
  rs_status (*construct)(void *q_raw);              /* an empty queue in raw storage; on failure there is no object */
  void (*destroy)(void *q);                         /* ends the object and releases what it owns */
  rs_status (*push)(void *q, const void *value);    /* value may lie inside q, as got from front or at */
  rs_status (*pop)(void *q);                        /* removes the oldest */
  void (*observe)(const void *q, rs_queue_seen *);  /* fills count, capacity, front; one call, it is on the hot path */

  /* Optional: null, and the classes and requirements named are not judged. */
  rs_status (*pop_into)(void *q, void *out);                /* pop that moves the value out; required if observe never gives front */
  const void *(*at)(const void *q, uint64_t i);             /* address of value i, 0 is the oldest: fifo-interior, alias-interior */
  rs_status (*push_element)(void *q, uint64_t i);           /* push(q[i]) as the language writes it; null: push(q, at(q, i)) */
  rs_status (*emplace_element)(void *q, uint64_t i);        /* construct a copy in place from the fields of q[i]: alias-emplace */
  rs_status (*clear)(void *q);                              /* empties, keeps the storage: fifo.clear..., storage */
  rs_status (*release)(void *q);                            /* empties and gives the storage back: storage */
  rs_status (*move_construct)(void *dst_raw, void *src);    /* move: all five of move_construct .. self_swap */
  rs_status (*move_assign)(void *dst, void *src);
  rs_status (*self_move)(void *q);                          /* q = move(q) */
  rs_status (*swap)(void *a, void *b);
  rs_status (*self_swap)(void *q);                          /* swap(q, q) */
  void (*slots)(const void *q, rs_slots *);                 /* slots, slots-move */
  const char *(*last_error)(void);                          /* the text behind RS_THREW; valid until the next call */
} rs_queue;

#ifdef __cplusplus
}
#endif
#endif
