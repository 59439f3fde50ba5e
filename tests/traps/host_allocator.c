// SPDX-License-Identifier: Apache-2.0
//
// A correct queue whose own allocator no tap sees, as with a static libc: it takes the gate's, which init hands over, and
// is then audited like any other, failing allocations included.
#include "ringspec/port.h"

static const rs_host *the_host;

static rs_status take_host(const rs_host *host) {
  the_host = host;
  return RS_OK;
}

#define TRAP_NAME "trap-host-allocator"
#define TRAP_INIT take_host
#define TRAP_ALLOCATE(bytes) the_host->alloc(the_host->self, bytes, _Alignof(int))
#define TRAP_RELEASE(block, bytes) the_host->free(the_host->self, block, bytes, _Alignof(int))
#define TRAP_CLAIMS "fifo", "fifo-interior", "growth", "growth-policy", "growth-bytes", "failure", "storage"
#include "trap_ring.h"
