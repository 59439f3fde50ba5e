// SPDX-License-Identifier: Apache-2.0
//
// It says that it never allocates, so that nobody asks what it does without memory, and allocates all the same.
#define TRAP_NAME "trap-never-says-never"
#define TRAP_OOM RS_OOM_NEVER
#include "trap_ring.h"
