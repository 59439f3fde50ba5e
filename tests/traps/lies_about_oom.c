// SPDX-License-Identifier: Apache-2.0
//
// It says that it reports a failed allocation, and aborts: that is a failure of its class failure, not the end of the run.
#include <stdlib.h>

static void *allocate_or_abort(size_t bytes) {
  void *block = malloc(bytes);
  if (block == NULL) abort();
  return block;
}

#define TRAP_NAME "trap-lies-about-oom"
#define TRAP_ALLOCATE(bytes) allocate_or_abort(bytes)
#define TRAP_RELEASE(block, bytes) ((void)(bytes), free(block))
#define TRAP_CLAIMS "fifo", "fifo-interior", "failure"
#include "trap_ring.h"
