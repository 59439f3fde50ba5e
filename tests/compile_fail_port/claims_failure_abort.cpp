// SPDX-License-Identifier: Apache-2.0
// expect: the port claims failure-abort, which needs RS_OOM_ABORTS
//
// A port that reports a failure does not abort.
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

RINGSPEC_QUEUE_PORT("acme", RS_OOM_STATUS, ("fifo", "failure-abort"), acme::queue<T>)
