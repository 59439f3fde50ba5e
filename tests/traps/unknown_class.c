// SPDX-License-Identifier: Apache-2.0
//
// A misspelt class would otherwise be a promise that nobody checks.
#define TRAP_NAME "trap-unknown-class"
#define TRAP_CLAIMS "fifo", "fifoo"
#include "trap_ring.h"
