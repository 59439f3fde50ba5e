// SPDX-License-Identifier: Apache-2.0
//
// A port of a later boundary only: the symbol's name carries the version.
#define TRAP_NAME "trap-wrong-version"
#define TRAP_SYMBOL ringspec_ports_v2
#include "trap_ring.h"
