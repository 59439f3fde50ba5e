// SPDX-License-Identifier: Apache-2.0
// expect: the port claims fifo-interior, but the queue has no operator[] or at() const
//
// Claimed, but there is no function to check it with.
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

RINGSPEC_QUEUE_PORT("acme", RS_OOM_STATUS, ("fifo", "fifo-interior"), acme::queue<T>)
