// SPDX-License-Identifier: Apache-2.0
// expect: the queue has no default constructor: queue.fifo.starts-empty needs an empty queue
//
// A queue that must be told its capacity.
#include "ringspec/queue/queue_port.hpp"

namespace acme {

template <class T>
class queue {
 public:
  explicit queue(std::size_t capacity);
  void push(const T&);
  void pop();
  std::size_t size() const;
  const T& front() const;
};

}  // namespace acme

RINGSPEC_QUEUE_PORT("acme", RS_OOM_STATUS, ("fifo"), acme::queue<T>)
