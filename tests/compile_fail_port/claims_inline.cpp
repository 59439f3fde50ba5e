// SPDX-License-Identifier: Apache-2.0
// expect: the port claims inline, but its inline_capacity is 0
//
// A type expression without N: there are no inline values to count.
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

RINGSPEC_QUEUE_PORT("acme", RS_OOM_STATUS, ("fifo", "inline"), acme::queue<T>)
