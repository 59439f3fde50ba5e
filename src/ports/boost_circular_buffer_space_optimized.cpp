// SPDX-License-Identifier: Apache-2.0
//
// boost::circular_buffer_space_optimized as a port: a buffer with a limit that takes and gives back memory below it by a
// rule of its own. As with boost::circular_buffer the port refuses at a limit of its own.
//
// Not claimed: `alias` (a push that grows releases its argument before it reads it), `failure` (a pop that finds no memory
// to shrink into throws when the value is gone), `move` (as boost::circular_buffer), `storage` (clear gives the block
// back), inline storage and slots.
#include "ringspec/queue/queue_port.hpp"

#define BOOST_EXCEPTION_DISABLE  // its exception classes would be exported
#define BOOST_CB_TEST            // for internal_capacity(): capacity() is the limit, not what fits without a new block
#include <boost/circular_buffer.hpp>

#include <cstdint>
#include <new>

namespace {

constexpr std::uint64_t limit = 64;

}  // namespace

template <class T>
struct ringspec::queue_traits<boost::circular_buffer_space_optimized<T>> {
  using queue = boost::circular_buffer_space_optimized<T>;

  static constexpr std::uint64_t first_heap = 2;
  static constexpr std::uint64_t max_size = limit;
  static constexpr std::uint32_t shrink = RS_SHRINK_OWN;

  static void construct(void* raw) { ::new (raw) queue(limit); }
  static bool push(queue& q, const T& value) {
    if (q.size() == limit) return false;
    q.push_back(value);
    return true;
  }
  static std::uint64_t capacity(const queue& q) { return q.internal_capacity(); }
};

RINGSPEC_QUEUE_PORT("boost-circular-buffer-space-optimized", RS_OOM_STATUS,
                    ("fifo", "fifo-interior", "growth", "growth-policy", "growth-bytes", "bounded", "shrink"),
                    boost::circular_buffer_space_optimized<T>)
