// SPDX-License-Identifier: Apache-2.0
#include "ring_queue.hpp"
#include "ringspec/queue/queue_port.hpp"

template <class T>
struct ringspec::queue_traits<acme::RingQueue<T>> {
  static constexpr std::uint32_t shrink = RS_SHRINK_NEVER;
  static constexpr std::uint64_t first_heap = 16;
};

RINGSPEC_QUEUE_PORT("acme-ring-queue", RS_OOM_ABORTS, ("fifo", "growth", "growth-policy", "failure-abort"),
                    acme::RingQueue<T>)
