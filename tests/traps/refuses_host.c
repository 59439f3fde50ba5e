// SPDX-License-Identifier: Apache-2.0
//
// A port whose init does not answer RS_OK: nothing of it may be called.
#include "ringspec/port.h"

static rs_status refuse(const rs_host *host) {
  (void)host;
  return 7;
}

#define TRAP_NAME "trap-refuses-host"
#define TRAP_INIT refuse
#include "trap_ring.h"
