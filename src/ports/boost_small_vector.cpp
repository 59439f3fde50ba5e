// SPDX-License-Identifier: Apache-2.0
//
// boost::container::small_vector as a port: a vector with inline storage, popped by erasing its first value. Not claimed:
// `move` and `storage` (a vector whose block was moved or released has no inline storage any more, and a swap allocates),
// slots, and any contraction.
#include "ringspec/queue/queue_port.hpp"

#include <boost/container/small_vector.hpp>

#include <cstdint>

template <class T, std::size_t N>
struct ringspec::queue_traits<boost::container::small_vector<T, N>> {
  using queue = boost::container::small_vector<T, N>;

  // What the object has room for, which for small values is more than N.
  static constexpr std::uint64_t inline_capacity = (sizeof(queue) - queue::s_start) / sizeof(T);
  // Growth is by three fifths, and by one value where that is less.
  static constexpr std::uint64_t growth_num = 8;
  static constexpr std::uint64_t growth_den = 5;
  static constexpr std::uint64_t first_heap = inline_capacity == 1 ? 2 : inline_capacity * growth_num / growth_den;
  static constexpr std::uint32_t shrink = RS_SHRINK_NEVER;

  static void pop(queue& q) { q.erase(q.begin()); }
};

namespace {

struct small_vector_port : ringspec::queue_port {
  static constexpr const char* name = "boost-small-vector";
  static constexpr std::uint32_t oom = RS_OOM_STATUS;
  static constexpr const char* claims[] = {"fifo",          "fifo-interior", "alias",  "alias-interior",
                                           "alias-emplace", "inline",        "growth", "growth-policy",
                                           "growth-bytes",  "failure"};
  template <class T, std::uint64_t N>
  using queue = boost::container::small_vector<T, N>;
  // No over-aligned values: the allocator of Boost.Container asks for the alignment of malloc only, so where they lie
  // is the heap's choice.
  using instances = ringspec::matrix<ringspec::kinds<ringspec::kind_byte, ringspec::kind_int, ringspec::kind_received,
                                                     ringspec::kind_descriptor, ringspec::kind_checked>,
                                     ringspec::capacities<1, 16>>;
};

}  // namespace

RINGSPEC_EXPORT_QUEUE_PORTS(small_vector_port)
