// SPDX-License-Identifier: Apache-2.0
// expect: size() is there but not const: queue.fifo needs it on a const queue
//
// The gate looks at a queue through a pointer to const.
#include "ringspec/queue/queue_port.hpp"

namespace acme {

template <class T>
class queue {
 public:
  void push(const T&);
  void pop();
  std::size_t size();
  const T& front() const;
};

}  // namespace acme

RINGSPEC_QUEUE_PORT("acme", RS_OOM_STATUS, ("fifo"), acme::queue<T>)
