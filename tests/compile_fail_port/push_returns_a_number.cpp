// SPDX-License-Identifier: Apache-2.0
// expect: push or emplace returns neither void, bool, a reference nor a pointer
//
// Is 0 success or failure? The adapter does not guess.
#include "ringspec/queue/queue_port.hpp"

namespace acme {

template <class T>
class queue {
 public:
  unsigned push(const T&);
  void pop();
  std::size_t size() const;
  const T& front() const;
};

}  // namespace acme

RINGSPEC_QUEUE_PORT("acme", RS_OOM_STATUS, ("fifo"), acme::queue<T>)
