// SPDX-License-Identifier: Apache-2.0
// expect: Pop or PopFront: queue.fifo needs one; or specialise ringspec::queue_traits<Q>::pop
//
// A name that the adapter does not know.
#include "ringspec/queue/queue_port.hpp"

namespace acme {

template <class T>
class queue {
 public:
  void push(const T&);
  void dequeue();
  std::size_t size() const;
  const T& front() const;
};

}  // namespace acme

RINGSPEC_QUEUE_PORT("acme", RS_OOM_STATUS, ("fifo"), acme::queue<T>)
