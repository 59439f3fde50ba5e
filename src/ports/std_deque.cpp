// SPDX-License-Identifier: Apache-2.0
//
// std::deque as a port: what a queue that knows nothing of this specification can still prove. It has no inline
// storage, so one instance per kind. Not claimed: everything about capacity (it has none to show), inline storage and
// slots; `growth` (libstdc++ releases its old map before it allocates the next node); `move` (it allocates for the
// source of a move, and a self-move empties it); `storage` (an emptied deque keeps two blocks).
#include "ringspec/queue/queue_port.hpp"

#include <deque>

template <class T>
struct ringspec::queue_traits<std::deque<T>> {
  // Pops give blocks back, but there is no capacity that could go down.
  static constexpr std::uint32_t shrink = RS_SHRINK_NEVER;
};

RINGSPEC_QUEUE_PORT("std-deque", RS_OOM_STATUS,
                    ("fifo", "fifo-interior", "alias", "alias-interior", "alias-emplace", "failure"), std::deque<T>)
