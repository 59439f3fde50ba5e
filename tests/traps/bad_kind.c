// SPDX-License-Identifier: Apache-2.0
//
// The name of its kind has a blank: no trace could name the instance.
#define TRAP_NAME "trap-bad-kind"
#define TRAP_VALUE int
#define TRAP_KIND "an int"
#include "trap_ring.h"
