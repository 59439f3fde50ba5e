// SPDX-License-Identifier: Apache-2.0
//
// The wrong ports for the class bounded, and the bounded queue without a fault.
#include "wrong_port.hpp"

RINGSPEC_EXPORT_QUEUE_PORTS(wrong_port<fault::bounded_none>, wrong_port<fault::full_one_early>,
                            wrong_port<fault::refusal_drops_oldest>, wrong_port<fault::refusal_sticks>)
