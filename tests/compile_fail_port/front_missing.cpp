// SPDX-License-Identifier: Apache-2.0
// expect: and no pop that hands the value out: queue.fifo needs one
//
// Nothing of what was pushed can be seen again.
#include "ringspec/queue/queue_port.hpp"

namespace acme {

template <class T>
class queue {
 public:
  void push(const T&);
  void pop();
  std::size_t size() const;
};

}  // namespace acme

RINGSPEC_QUEUE_PORT("acme", RS_OOM_STATUS, ("fifo"), acme::queue<T>)
