// SPDX-License-Identifier: Apache-2.0
//
// All memory comes from a static arena, so the ledger sees no allocation at any depth. The port is right as a queue,
// but nothing that is told by allocations can be judged: unauditable, never passed. What it says about inline storage
// is not even true.
#include "trap_arena.h"

static unsigned char *arena_region(void) {
  static _Alignas(64) unsigned char region[arena_bytes];
  return region;
}

#define TRAP_NAME "trap-static-arena"
#define TRAP_ALLOCATE(bytes) arena_allocate(bytes)
#define TRAP_RELEASE(block, bytes) arena_release(block, bytes)
#define TRAP_INLINE 4
#define TRAP_CLAIMS "fifo", "inline", "growth", "growth-policy", "storage"
#include "trap_ring.h"
