// SPDX-License-Identifier: Apache-2.0
// expect: second::ring: T must be nothrow copy constructible
//
// Trivially copyable, yet it can only be moved.
#include "ports/second_ring.hpp"

struct value {
  value() = default;
  value(value&&) = default;
};

second::ring<value, 1> queue;
