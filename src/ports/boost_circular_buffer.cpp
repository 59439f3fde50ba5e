// SPDX-License-Identifier: Apache-2.0
//
// boost::circular_buffer as a port, used as what it is: a buffer of a fixed number of slots, which it takes when it is
// made. Nothing in it grows, and a push onto a full one overwrites the oldest value, so the port refuses at its limit as
// a user has to. It goes by a limit of its own and not by full(), which is true of a buffer without slots as well.
//
// Not claimed: `move` (what was moved from has no slots, and drops what is pushed; a self-move empties), `failure` and
// `growth` (after construction it asks for nothing), `storage`, inline storage and slots.
#include "ringspec/queue/queue_port.hpp"

#include <boost/circular_buffer.hpp>

#include <cstdint>
#include <new>

namespace {

constexpr std::uint64_t limit = 16;

}  // namespace

template <class T>
struct ringspec::queue_traits<boost::circular_buffer<T>> {
  // All slots are there from the beginning, and there is no growth after that.
  static constexpr std::uint64_t first_heap = limit;
  static constexpr std::uint64_t growth_num = 1;
  static constexpr std::uint64_t max_size = limit;
  static constexpr std::uint32_t shrink = RS_SHRINK_NEVER;

  static void construct(void* raw) { ::new (raw) boost::circular_buffer<T>(limit); }
  static bool push(boost::circular_buffer<T>& q, const T& value) {
    if (q.size() == limit) return false;
    q.push_back(value);
    return true;
  }
};

RINGSPEC_QUEUE_PORT("boost-circular-buffer", RS_OOM_STATUS,
                    ("fifo", "fifo-interior", "alias", "alias-interior", "bounded"), boost::circular_buffer<T>)
