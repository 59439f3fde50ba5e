// SPDX-License-Identifier: Apache-2.0
//
// A correct queue that looks whether the storage it is constructed in still holds the gate's paint. A compiler may remove
// what is written to storage before an object begins to live there (g++ -O2 does, where it sees both in one file): then
// nobody could tell a slot that was written from one that was not, and this port fails.
#include "ringspec/queue/inline_ring_queue.hpp"
#include "ringspec/queue/queue_port.hpp"

#include <cstring>
#include <new>

namespace {

template <class T, std::uint64_t N>
using ring = ringspec::inline_ring_queue<T, N>;

}  // namespace

template <class T, std::uint64_t N>
struct ringspec::queue_traits<ringspec::inline_ring_queue<T, N>> {
  using queue = ringspec::inline_ring_queue<T, N>;

  static rs_status construct(void* raw) {
    // Paint has no two equal neighbours.
    unsigned char before[sizeof(queue)];
    std::memcpy(before, raw, sizeof before);
    for (std::size_t i = 1; i < sizeof before; ++i) {
      if (before[i] == before[i - 1]) return RS_THREW;
    }
    ::new (raw) queue;
    return RS_OK;
  }
};

RINGSPEC_QUEUE_PORT("trap-paint", RS_OOM_STATUS, ("fifo", "inline", "slots"), ring<T, N>)
