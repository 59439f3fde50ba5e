// SPDX-License-Identifier: Apache-2.0
// expect: second::ring: N must be a power of two from 1 to 2^29
//
// The constraints hold for the second implementation too.
#include "ports/second_ring.hpp"

second::ring<int, 3> queue;
