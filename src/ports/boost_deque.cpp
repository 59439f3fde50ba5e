// SPDX-License-Identifier: Apache-2.0
//
// boost::container::deque as a port. Not claimed: everything about capacity (it has none to show), inline storage and
// slots.
#include "ringspec/queue/queue_port.hpp"

#include <boost/container/deque.hpp>

template <class T>
struct ringspec::queue_traits<boost::container::deque<T>> {
  // Pops give blocks back, but there is no capacity that could go down.
  static constexpr std::uint32_t shrink = RS_SHRINK_NEVER;
};

namespace {

struct deque_port : ringspec::queue_port {
  static constexpr const char* name = "boost-deque";
  static constexpr std::uint32_t oom = RS_OOM_STATUS;
  static constexpr const char* claims[] = {"fifo",   "fifo-interior", "alias", "alias-interior", "alias-emplace",
                                           "growth", "failure",       "move",  "storage"};
  static constexpr rs_deviation deviations[] = {ringspec::deviation(
      "queue.growth.new-before-old",
      "The array of block pointers is replaced before the new block is there; the values stay where they are.")};
  template <class T, std::uint64_t N>
  using queue = boost::container::deque<T>;
  // No over-aligned values: the allocator of Boost.Container asks for the alignment of malloc only, so where they lie
  // is the heap's choice.
  using instances = ringspec::matrix<ringspec::kinds<ringspec::kind_byte, ringspec::kind_int, ringspec::kind_received,
                                                     ringspec::kind_descriptor, ringspec::kind_checked>,
                                     ringspec::capacities<0>>;
};

}  // namespace

RINGSPEC_EXPORT_QUEUE_PORTS(deque_port)
