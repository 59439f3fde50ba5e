// SPDX-License-Identifier: Apache-2.0
//
// The wrong ports for the classes alias, alias-interior and alias-emplace.
#include "wrong_port.hpp"

RINGSPEC_EXPORT_QUEUE_PORTS(wrong_port<fault::alias_normalises_first>, wrong_port<fault::alias_after_leaving_inline>,
                            wrong_port<fault::alias_after_release>, wrong_port<fault::interior_normalises_first>,
                            wrong_port<fault::interior_after_leaving_inline>, wrong_port<fault::interior_after_release>,
                            wrong_port<fault::emplace_normalises_first>,
                            wrong_port<fault::emplace_after_leaving_inline>, wrong_port<fault::emplace_after_release>)
