// SPDX-License-Identifier: Apache-2.0
// expect: push or emplace returns neither void, bool, a reference nor a pointer
//
// An int is not taken for an rs_status: elsewhere 1 is success.
#include "ringspec/queue/queue_port.hpp"

namespace acme {

template <class T>
class queue {
 public:
  int push(const T&);
  void pop();
  std::size_t size() const;
  const T& front() const;
};

}  // namespace acme

RINGSPEC_QUEUE_PORT("acme", RS_OOM_STATUS, ("fifo"), acme::queue<T>)
