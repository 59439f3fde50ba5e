// SPDX-License-Identifier: Apache-2.0
// expect: a value type of your own needs ringspec::value_traits<T>
//
// A type that the adapter has no name for.
#include "ringspec/queue/queue_port.hpp"

struct record {
  std::uint8_t kind;
  std::uint32_t length;
};

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
  static constexpr std::uint32_t oom = RS_OOM_STATUS;
  static constexpr const char* claims[] = {"fifo"};
  template <class T, std::uint64_t N>
  using queue = acme::queue<T>;
  using instances = ringspec::instance_list<ringspec::instance<record, 1>>;
};

}  // namespace

RINGSPEC_EXPORT_QUEUE_PORTS(acme_port)
