// SPDX-License-Identifier: Apache-2.0
//
// The wrong ports for the class storage.
#include "wrong_port.hpp"

RINGSPEC_EXPORT_QUEUE_PORTS(wrong_port<fault::clear_releases>, wrong_port<fault::clear_keeps_count>,
                            wrong_port<fault::release_keeps_block>, wrong_port<fault::destructor_leaks_when_empty>,
                            wrong_port<fault::release_then_destroy_twice>, wrong_port<fault::wrong_size_release>,
                            wrong_port<fault::wrong_alignment_release>, wrong_port<fault::writes_released_block>,
                            wrong_port<fault::writes_past_block>, wrong_port<fault::writes_before_block>)
