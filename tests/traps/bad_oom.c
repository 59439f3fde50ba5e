// SPDX-License-Identifier: Apache-2.0
//
// What happens when memory runs out has no default.
#define TRAP_NAME "trap-bad-oom"
#define TRAP_OOM 0
#include "trap_ring.h"
