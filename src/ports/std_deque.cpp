// SPDX-License-Identifier: Apache-2.0
//
// std::deque as a port: what a queue that knows nothing of this specification can still prove. It has no inline
// storage, so one instance per kind. Not claimed: everything about capacity (it has none to show), about inline
// storage and slots; `move` (libstdc++ allocates for the source of a move) and `storage` (an emptied deque keeps a
// block).
#include "ringspec/queue/queue_port.hpp"

#include <deque>

template <class T>
struct ringspec::queue_traits<std::deque<T>> {
  // Pops give blocks back, but there is no capacity that could go down.
  static constexpr std::uint32_t shrink = RS_SHRINK_NEVER;
};

RINGSPEC_QUEUE_PORT("std-deque", RS_OOM_STATUS,
                    ("fifo", "fifo-interior", "alias", "alias-interior", "alias-emplace", "growth", "failure"),
                    std::deque<T>)
