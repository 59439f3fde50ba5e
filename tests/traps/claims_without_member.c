// SPDX-License-Identifier: Apache-2.0
//
// A class is claimed whose function is not there: "fifo-interior" cannot be judged without at.
#define TRAP_NAME "trap-claims-without-member"
#define TRAP_CLAIMS "fifo", "fifo-interior"
#define TRAP_OFFERS_AT 0
#include "trap_ring.h"
