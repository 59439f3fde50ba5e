// SPDX-License-Identifier: Apache-2.0
//
// The wrong ports for the classes shrink and shrink-policy.
#include "wrong_port.hpp"

RINGSPEC_EXPORT_QUEUE_PORTS(wrong_port<fault::halving_loses_when_wrapped>, wrong_port<fault::to_inline_not_unwrapped>,
                            wrong_port<fault::empty_contraction_breaks>, wrong_port<fault::never_shrinks>,
                            wrong_port<fault::count_reset_on_every_push>, wrong_port<fault::threshold_below>,
                            wrong_port<fault::threshold_above>, wrong_port<fault::depth_before_pop>,
                            wrong_port<fault::push_at_threshold_resets>, wrong_port<fault::push_never_resets>,
                            wrong_port<fault::count_carried_over>, wrong_port<fault::empty_pop_resets>,
                            wrong_port<fault::jumps_to_inline>, wrong_port<fault::stale_capacity_tag>,
                            wrong_port<fault::halving_keeps_old_block>, wrong_port<fault::to_inline_allocates>)
