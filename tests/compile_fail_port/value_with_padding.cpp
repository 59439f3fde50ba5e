// SPDX-License-Identifier: Apache-2.0
// expect: T has padding (or a type whose bytes may differ for equal values)
//
// Three bytes of padding would be compared as if they meant something.
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

template <>
struct ringspec::value_traits<record> {
  static constexpr const char* kind = "record";
};

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
