// SPDX-License-Identifier: Apache-2.0
//
// The wrong ports for the classes failure and failure-abort, and the aborting queue without a fault.
#include "wrong_port.hpp"

RINGSPEC_EXPORT_QUEUE_PORTS(wrong_port<fault::abort_none>, wrong_port<fault::failed_growth_says_ok>,
                            wrong_port<fault::failed_growth_half_done>, wrong_port<fault::failure_sticks>,
                            wrong_port<fault::failed_halving_throws>, wrong_port<fault::failed_halving_loses>,
                            wrong_port<fault::retries_each_pop>, wrong_port<fault::failure_exits>)
