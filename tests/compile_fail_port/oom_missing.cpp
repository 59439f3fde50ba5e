// SPDX-License-Identifier: Apache-2.0
// expect: a port says what it does when an allocation fails: oom, one of RS_OOM_...; there is no default
//
// A description that leaves it open.
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

namespace {

struct acme_port : ringspec::queue_port {
  static constexpr const char* name = "acme";
  static constexpr const char* claims[] = {"fifo"};
  template <class T, std::uint64_t N>
  using queue = acme::queue<T>;
};

}  // namespace

RINGSPEC_EXPORT_QUEUE_PORTS(acme_port)
