// SPDX-License-Identifier: Apache-2.0
// expect: the port claims alias-emplace, but the queue has no emplace_back, emplace, EmplaceBack or Emplace
//
// An emplace that takes a whole T is no emplace from fields.
#include "ringspec/queue/queue_port.hpp"

namespace acme {

template <class T>
class queue {
 public:
  void push(const T&);
  void pop();
  std::size_t size() const;
  const T& front() const;
  const T& operator[](std::size_t) const;
  void emplace(const T&);
};

}  // namespace acme

RINGSPEC_QUEUE_PORT("acme", RS_OOM_STATUS, ("fifo", "alias-emplace"), acme::queue<T>)
