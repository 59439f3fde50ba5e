// SPDX-License-Identifier: Apache-2.0
//
// absl::InlinedVector as a port: a vector with inline storage, popped by erasing its first value. Not claimed: slots, and
// any contraction.
#include "ringspec/queue/queue_port.hpp"

#include <absl/container/inlined_vector.h>

#include <cstdint>

template <class T, std::size_t N>
struct ringspec::queue_traits<absl::InlinedVector<T, N>> {
  static constexpr std::uint64_t first_heap = 2 * N;
  static constexpr std::uint32_t shrink = RS_SHRINK_NEVER;

  static void pop(absl::InlinedVector<T, N>& q) { q.erase(q.begin()); }
};

namespace {

struct inlined_vector_port : ringspec::queue_port {
  static constexpr const char* name = "absl-inlined-vector";
  static constexpr std::uint32_t oom = RS_OOM_STATUS;
  static constexpr const char* claims[] = {"fifo",          "fifo-interior", "alias",  "alias-interior",
                                           "alias-emplace", "inline",        "growth", "growth-policy",
                                           "growth-bytes",  "failure",       "move",   "storage"};
  static constexpr rs_deviation deviations[] = {
      ringspec::deviation("queue.move.noexcept", "Move assignment and swap are not declared noexcept."),
      ringspec::deviation("queue.storage.clear-keeps-capacity", "clear() gives the block back, and is documented so.")};
  template <class T, std::uint64_t N>
  using queue = absl::InlinedVector<T, N>;
  using instances = ringspec::matrix<ringspec::all_kinds, ringspec::capacities<1, 4, 16>>;
};

}  // namespace

RINGSPEC_EXPORT_QUEUE_PORTS(inlined_vector_port)
