// SPDX-License-Identifier: Apache-2.0
// expect: the port claims alias, but the queue has no front()
//
// A pop that hands the value out is the only way to a value: there is no reference that could be pushed again.
#include "ringspec/queue/queue_port.hpp"

#include <optional>

namespace acme {

template <class T>
class queue {
 public:
  void push(const T&);
  std::optional<T> pop();
  std::size_t size() const;
};

}  // namespace acme

RINGSPEC_QUEUE_PORT("acme", RS_OOM_STATUS, ("fifo", "alias"), acme::queue<T>)
