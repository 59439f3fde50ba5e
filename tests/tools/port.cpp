// SPDX-License-Identifier: Apache-2.0
#include "ring.hpp"
#include "ringspec/queue/queue_port.hpp"

template <class T>
struct ringspec::queue_traits<acme::Ring<T>> {
  static constexpr std::uint32_t shrink = RS_SHRINK_NEVER;
  static constexpr std::uint64_t first_heap = 4;
};

namespace {

struct acme_port : ringspec::queue_port {
  static constexpr const char* name = "acme";
  static constexpr std::uint32_t oom = RS_OOM_STATUS;
  static constexpr const char* claims[] = {"fifo", "growth", "growth-policy", "failure"};
  template <class T, std::uint64_t>
  using queue = acme::Ring<T>;
  // One is enough: what is tested is the tool.
  using instances = ringspec::instance_list<ringspec::instance<ringspec::kind_checked, 0>>;
};

}  // namespace

RINGSPEC_EXPORT_QUEUE_PORTS(acme_port)
