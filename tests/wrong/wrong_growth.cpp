// SPDX-License-Identifier: Apache-2.0
//
// The wrong ports for the classes growth, growth-policy and growth-bytes.
#include "wrong_port.hpp"

RINGSPEC_EXPORT_QUEUE_PORTS(wrong_port<fault::inline_growth_not_unwrapped>,
                            wrong_port<fault::heap_growth_wrong_at_head_3>,
                            wrong_port<fault::releases_before_allocating>, wrong_port<fault::misaligned_heap>,
                            wrong_port<fault::grows_one_early>, wrong_port<fault::first_block_16>,
                            wrong_port<fault::grows_fourfold>, wrong_port<fault::two_allocations>,
                            wrong_port<fault::keeps_old_block>, wrong_port<fault::one_slot_extra>)
