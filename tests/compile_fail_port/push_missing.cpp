// SPDX-License-Identifier: Apache-2.0
// expect: Push or PushBack that takes const T&: queue.fifo needs one; or specialise ringspec::queue_traits<Q>::push
//
// A name that the adapter does not know.
#include "ringspec/queue/queue_port.hpp"

namespace acme {

template <class T>
class queue {
 public:
  void enqueue(const T&);
  void pop();
  std::size_t size() const;
  const T& front() const;
};

}  // namespace acme

RINGSPEC_QUEUE_PORT("acme", RS_OOM_STATUS, ("fifo"), acme::queue<T>)
