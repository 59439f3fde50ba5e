// SPDX-License-Identifier: Apache-2.0
// expect: the port claims shrink, but the queue has no capacity() const
//
// Claimed, but there is no capacity to look at.
#include "ringspec/queue/queue_port.hpp"

namespace acme {

template <class T>
class queue {
 public:
  void push(const T&);
  void pop();
  std::size_t size() const;
  const T& front() const;
};

}  // namespace acme

RINGSPEC_QUEUE_PORT("acme", RS_OOM_STATUS, ("fifo", "shrink"), acme::queue<T>)
