// SPDX-License-Identifier: Apache-2.0
// expect: the port claims move, but the queue is not move constructible, move assignable and swappable
//
// A queue that cannot be moved.
#include "ringspec/queue/queue_port.hpp"

namespace acme {

template <class T>
class queue {
 public:
  queue();
  queue(const queue&) = delete;
  queue& operator=(const queue&) = delete;
  void push(const T&);
  void pop();
  std::size_t size() const;
  const T& front() const;
};

}  // namespace acme

RINGSPEC_QUEUE_PORT("acme", RS_OOM_STATUS, ("fifo", "move"), acme::queue<T>)
