// SPDX-License-Identifier: Apache-2.0
// expect: the port claims shrink-policy, but its policy is not RS_SHRINK_COUNTED
//
// Claims a rule that its own numbers deny.
#include "ringspec/queue/queue_port.hpp"

namespace acme {

template <class T>
class queue {
 public:
  void push(const T&);
  void pop();
  std::size_t size() const;
  const T& front() const;
  std::size_t capacity() const;
};

}  // namespace acme

template <class T>
struct ringspec::queue_traits<acme::queue<T>> {
  static constexpr std::uint32_t shrink = RS_SHRINK_OWN;
};

RINGSPEC_QUEUE_PORT("acme", RS_OOM_STATUS, ("fifo", "shrink-policy"), acme::queue<T>)
