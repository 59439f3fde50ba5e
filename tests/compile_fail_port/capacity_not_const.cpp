// SPDX-License-Identifier: Apache-2.0
// expect: capacity() is there but not const: queue.growth-policy and queue.shrink would be lost silently
//
// A forgotten const would look like a queue without a capacity.
#include "ringspec/queue/queue_port.hpp"

namespace acme {

template <class T>
class queue {
 public:
  void push(const T&);
  void pop();
  std::size_t size() const;
  const T& front() const;
  std::size_t capacity();
};

}  // namespace acme

RINGSPEC_QUEUE_PORT("acme", RS_OOM_STATUS, ("fifo"), acme::queue<T>)
