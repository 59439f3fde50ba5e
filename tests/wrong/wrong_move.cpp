// SPDX-License-Identifier: Apache-2.0
//
// The wrong ports for the class move.
#include "wrong_port.hpp"

RINGSPEC_EXPORT_QUEUE_PORTS(wrong_port<fault::inline_move_not_unwrapped>, wrong_port<fault::move_rotates_block>,
                            wrong_port<fault::move_allocates>, wrong_port<fault::source_keeps_size>,
                            wrong_port<fault::source_capacity_stays>, wrong_port<fault::source_drops_pushes>,
                            wrong_port<fault::count_lost_on_move>, wrong_port<fault::empty_block_dropped>,
                            wrong_port<fault::assign_from_empty_ignored>, wrong_port<fault::assign_leaks_from_inline>,
                            wrong_port<fault::self_move_loses>, wrong_port<fault::self_swap_loses>,
                            wrong_port<fault::swap_mixed_loses>, wrong_port<fault::move_may_throw>)
