// SPDX-License-Identifier: Apache-2.0
// expect: the port claims failure, which needs RS_OOM_STATUS
//
// A port that aborts reports nothing.
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

RINGSPEC_QUEUE_PORT("acme", RS_OOM_ABORTS, ("fifo", "failure"), acme::queue<T>)
