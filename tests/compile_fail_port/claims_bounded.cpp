// SPDX-License-Identifier: Apache-2.0
// expect: the port claims bounded, but its policy names no max_size
//
// Bounded, but by how many?
#include "ringspec/queue/queue_port.hpp"

namespace acme {

template <class T>
class queue {
 public:
  bool push(const T&);
  void pop();
  std::size_t size() const;
  const T& front() const;
};

}  // namespace acme

RINGSPEC_QUEUE_PORT("acme", RS_OOM_STATUS, ("fifo", "bounded"), acme::queue<T>)
