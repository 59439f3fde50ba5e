// SPDX-License-Identifier: Apache-2.0
// expect: the port claims slots, but the queue does not have all of data(), head() and capacity() const
//
// Without the head the gate cannot tell a live slot from an unused one.
#include "ringspec/queue/queue_port.hpp"

namespace acme {

template <class T>
class queue {
 public:
  void push(const T&);
  void pop();
  std::size_t size() const;
  const T& front() const;
  std::size_t capacity() const;
  const T* data() const;
};

}  // namespace acme

RINGSPEC_QUEUE_PORT("acme", RS_OOM_STATUS, ("fifo", "slots"), acme::queue<T>)
