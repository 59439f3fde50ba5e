// SPDX-License-Identifier: Apache-2.0
//
// Two instances of one name: a trace of the second would be replayed on the first.
#define TRAP_NAME "trap-twins"
#define TRAP_INSTANCES &trap_queue, &trap_queue
#include "trap_ring.h"
