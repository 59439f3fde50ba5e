// SPDX-License-Identifier: Apache-2.0
//
// A correct queue whose first push also allocates what the process needs once (a table, a thread local, a buffer of
// stdio), and keeps it. That is not the queue's: neither an allocation at the wrong time nor a leak. Its clear of two
// values aborts, so that children which look at a death, or go on after one, have to warm up as well.
#include <stdlib.h>

static void *kept_for_the_process;

static void need_table(void) {
  if (kept_for_the_process == NULL) kept_for_the_process = malloc(1000);
}

#define TRAP_NAME "trap-warms-up"
#define TRAP_ON_PUSH(ring) ((void)(ring), need_table())
#define TRAP_ON_CLEAR(ring) ((ring)->count == 2 ? abort() : (void)0)
#define TRAP_CLAIMS "fifo", "fifo-interior", "growth", "growth-policy", "growth-bytes", "failure", "storage"
#include "trap_ring.h"
