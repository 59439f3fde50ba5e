// SPDX-License-Identifier: Apache-2.0
//
// As static_arena.c, with a region that the port maps itself: past the malloc family, and outside the port's file.
#define _DEFAULT_SOURCE  // MAP_ANONYMOUS
#include "trap_arena.h"

#include <sys/mman.h>

static unsigned char *arena_region(void) {
  static unsigned char *region;
  if (region == NULL) {
    void *mapped = mmap(NULL, arena_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped != MAP_FAILED) region = mapped;
  }
  return region;
}

#define TRAP_NAME "trap-mmap-arena"
#define TRAP_ALLOCATE(bytes) arena_allocate(bytes)
#define TRAP_RELEASE(block, bytes) arena_release(block, bytes)
#define TRAP_INLINE 4
#define TRAP_CLAIMS "fifo", "inline", "growth", "growth-policy", "storage"
#include "trap_ring.h"
