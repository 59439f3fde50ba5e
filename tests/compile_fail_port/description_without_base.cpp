// SPDX-License-Identifier: Apache-2.0
// expect: a port's description derives from ringspec::queue_port
//
// The defaults of a description come from its base.
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

struct acme_port {
  static constexpr const char* name = "acme";
  static constexpr std::uint32_t oom = RS_OOM_STATUS;
  static constexpr const char* claims[] = {"fifo"};
  template <class T, std::uint64_t N>
  using queue = acme::queue<T>;
};

}  // namespace

RINGSPEC_EXPORT_QUEUE_PORTS(acme_port)
