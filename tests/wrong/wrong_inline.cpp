// SPDX-License-Identifier: Apache-2.0
//
// The wrong ports for the class inline.
#include "wrong_port.hpp"

RINGSPEC_EXPORT_QUEUE_PORTS(wrong_port<fault::allocates_at_construction>, wrong_port<fault::allocates_at_destruction>,
                            wrong_port<fault::lazy_ring>, wrong_port<fault::clear_allocates>,
                            wrong_port<fault::allocates_every_64>)
