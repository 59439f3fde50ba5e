// SPDX-License-Identifier: Apache-2.0
//
// The reference queue with one fault, under the reference's own namespace and names (cmake/fork_reference.cmake writes
// the header). The verdict must be about this code, and not about the templates of the process that loads it.
//
// Two things make it the hardest case. The queue is compiled with default visibility, as in a project that sets none;
// and its value type is a plain one. The kinds of the adapter are local to this file, which would already keep the
// linker from merging a queue of them with another one.
#pragma GCC visibility push(default)
#include "ringspec/queue/inline_ring_queue.hpp"
#pragma GCC visibility pop

#include "ringspec/queue/queue_port.hpp"

#include <cstdint>

static_assert(ringspec::inline_ring_queue<std::uint32_t, 1>::next_capacity(8) == 32,
              "this is the reference itself: the folder of the fork must come first on the include path");

template <>
struct ringspec::value_traits<std::uint32_t> {
  static constexpr const char* kind = "plain";
};

namespace {

struct trap_fork : ringspec::queue_port {
  static constexpr const char* name = "trap-fork";
  static constexpr std::uint32_t oom = RS_OOM_STATUS;
  static constexpr const char* claims[] = {"fifo", "fifo-interior", "growth", "growth-policy"};
  using instances = ringspec::matrix<ringspec::kinds<std::uint32_t>, ringspec::capacities<1, 2, 4>>;
  template <class T, std::uint64_t N>
  using queue = ringspec::inline_ring_queue<T, N>;
};

}  // namespace

RINGSPEC_EXPORT_QUEUE_PORTS(trap_fork)
