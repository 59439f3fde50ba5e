// SPDX-License-Identifier: Apache-2.0
// expect: the port claims storage, but the queue has no clear() or no release()
//
// clear() alone does not give the storage back.
#include "ringspec/queue/queue_port.hpp"

namespace acme {

template <class T>
class queue {
 public:
  void push(const T&);
  void pop();
  std::size_t size() const;
  const T& front() const;
  void clear();
};

}  // namespace acme

RINGSPEC_QUEUE_PORT("acme", RS_OOM_STATUS, ("fifo", "storage"), acme::queue<T>)
