// SPDX-License-Identifier: Apache-2.0
// expect: no size() const or Size() const: queue.fifo needs one; or specialise ringspec::queue_traits<Q>::size
//
// Only empty() is there, and that is not enough.
#include "ringspec/queue/queue_port.hpp"

namespace acme {

template <class T>
class queue {
 public:
  void push(const T&);
  void pop();
  bool empty() const;
  const T& front() const;
};

}  // namespace acme

RINGSPEC_QUEUE_PORT("acme", RS_OOM_STATUS, ("fifo"), acme::queue<T>)
