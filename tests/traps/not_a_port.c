// SPDX-License-Identifier: Apache-2.0
//
// A shared object that exports something, but no list of ports.
#include "ringspec/port.h"

RS_EXPORT int not_a_port(void);

int not_a_port(void) { return 0; }
