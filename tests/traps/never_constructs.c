// SPDX-License-Identifier: Apache-2.0
//
// Its construction fails, so that nobody can ask it for a capacity: a verdict, and no refusal of what it claims.
#define TRAP_NAME "trap-never-constructs"
#define TRAP_START RS_THREW
#define TRAP_CLAIMS "fifo", "fifo-interior", "growth", "growth-policy"
#include "trap_ring.h"
