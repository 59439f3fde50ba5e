// SPDX-License-Identifier: Apache-2.0
//
// Memory that no tap sees: blocks cut from one region of arena_bytes, which the including file provides by
// arena_region(). A block given back is kept for the next request of its size, so that a long run does not use the
// region up.
#include <stddef.h>

enum { arena_bytes = 64 << 20, arena_smallest = 16, arena_sizes = 22 };

static unsigned char *arena_region(void);

struct arena_block {
  struct arena_block *next;
};
static struct arena_block *arena_free[arena_sizes];
static size_t arena_used;

// Sizes are powers of two times the smallest, one list each.
static size_t arena_size_index(size_t bytes) {
  size_t index = 0;
  while (((size_t)arena_smallest << index) < bytes) ++index;
  return index;
}

static void *arena_allocate(size_t bytes) {
  const size_t index = arena_size_index(bytes);
  if (index >= arena_sizes) return NULL;
  struct arena_block *block = arena_free[index];
  if (block != NULL) {
    arena_free[index] = block->next;
    return block;
  }
  const size_t whole = (size_t)arena_smallest << index;
  unsigned char *region = arena_region();
  if (region == NULL || whole > arena_bytes - arena_used) return NULL;
  arena_used += whole;
  return region + (arena_used - whole);
}

static void arena_release(void *memory, size_t bytes) {
  struct arena_block *block = memory;
  struct arena_block **list = &arena_free[arena_size_index(bytes)];
  block->next = *list;
  *list = block;
}
