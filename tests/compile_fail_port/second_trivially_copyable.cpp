// SPDX-License-Identifier: Apache-2.0
// expect: second::ring: T must be trivially copyable
//
// The constraints hold for the second implementation too.
#include "ports/second_ring.hpp"

struct value {
  value() = default;
  value(const value&) noexcept {}
};

second::ring<value, 1> queue;
