// SPDX-License-Identifier: Apache-2.0
//
// The wrong ports for the classes slots and slots-move.
#include "wrong_port.hpp"

RINGSPEC_EXPORT_QUEUE_PORTS(wrong_port<fault::construction_zeroes>, wrong_port<fault::push_zeroes_next>,
                            wrong_port<fault::pop_zeroes_slot>, wrong_port<fault::clear_zeroes>,
                            wrong_port<fault::growth_zeroes_block>, wrong_port<fault::contraction_zeroes_rest>,
                            wrong_port<fault::move_copies_all_slots>, wrong_port<fault::move_zeroes_source>)
