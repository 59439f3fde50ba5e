// SPDX-License-Identifier: Apache-2.0
//
// A correct queue that aborts without memory, and says so in words that tools use too: they are no finding.
#include <stdio.h>
#include <stdlib.h>

static void *allocated(size_t bytes) {
  void *block = malloc(bytes);
  if (block == NULL) {
    fputs("SUMMARY: a queue without memory\nqueue: runtime error: no memory\n", stderr);
    abort();
  }
  return block;
}

#define TRAP_NAME "trap-aborts-in-words"
#define TRAP_OOM RS_OOM_ABORTS
#define TRAP_CLAIMS "fifo", "fifo-interior", "growth", "failure-abort"
#define TRAP_ALLOCATE(bytes) allocated(bytes)
#define TRAP_RELEASE(block, bytes) ((void)(bytes), free(block))
#include "trap_ring.h"
