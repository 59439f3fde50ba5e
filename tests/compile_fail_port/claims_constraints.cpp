// SPDX-License-Identifier: Apache-2.0
// expect: the port claims constraints, but the queue cannot hold values without a default constructor
#include "ringspec/queue/queue_port.hpp"

namespace acme {

template <class T>
class queue {
 public:
  void push(const T&);
  void pop();
  std::size_t size() const;
  const T& front() const;

 private:
  T slots_[4];
};

}  // namespace acme

RINGSPEC_QUEUE_PORT("acme", RS_OOM_NEVER, ("fifo", "constraints"), acme::queue<T>)
