// SPDX-License-Identifier: Apache-2.0
//
// The wrong ports for the classes fifo and fifo-interior, and the queue without a fault.
#include "wrong_port.hpp"

RINGSPEC_EXPORT_QUEUE_PORTS(wrong_port<fault::none>, wrong_port<fault::starts_with_one>,
                            wrong_port<fault::order_lost_on_wrap>, wrong_port<fault::keeps_low_half>,
                            wrong_port<fault::size_short_when_wrapped>, wrong_port<fault::full_reads_empty>,
                            wrong_port<fault::head_left_at_capacity>, wrong_port<fault::clear_leaves_one_when_wrapped>,
                            wrong_port<fault::clear_keeps_stale_tail>, wrong_port<fault::refuses_at_20>,
                            wrong_port<fault::crashes_on_wrapped_pop>, wrong_port<fault::writes_past_object>,
                            wrong_port<fault::at_ignores_wrap>)
