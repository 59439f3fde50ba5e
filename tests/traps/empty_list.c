// SPDX-License-Identifier: Apache-2.0
//
// The list of ports is there and holds none: a gate that judges nothing must not be green.
#include "ringspec/port.h"

const rs_port *const *ringspec_ports_v1(void) {
  static const rs_port *const none[] = {NULL};
  return none;
}
