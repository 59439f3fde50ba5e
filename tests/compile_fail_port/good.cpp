// SPDX-License-Identifier: Apache-2.0
//
// What the adapter accepts, at its edges: other names, other index and size types, values that are handed out,
// results, a value type with padding, traits, several ports in one object. This file must compile; without it the
// others could fail for a reason of their own.
#include "ringspec/queue/inline_ring_queue.hpp"
#include "ringspec/queue/queue_port.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

namespace acme {

template <class T>
class camel {
 public:
  void Push(const T& value) { values_.push_back(value); }
  void PopFront() { values_.pop_front(); }
  int Size() const { return static_cast<int>(values_.size()); }
  const T& Front() const { return values_.front(); }
  const T& operator[](int i) const { return values_[static_cast<std::size_t>(i)]; }
  void Clear() { values_.clear(); }

 private:
  std::deque<T> values_;
};

template <class T>
class fills_argument {
 public:
  bool TryPush(const T& value) { return values_.push_back(value), true; }
  bool TryPop(T& out) { return out = values_.front(), values_.pop_front(), true; }
  std::size_t size() const { return values_.size(); }

 private:
  std::deque<T> values_;
};

template <class T>
class returns_optional {
 public:
  T* push(const T& value) { return &values_.emplace_back(value); }
  std::optional<T> pop() {
    const std::optional<T> oldest(values_.front());
    values_.pop_front();
    return oldest;
  }
  std::size_t size() const { return values_.size(); }

 private:
  std::deque<T> values_;
};

// Every name is unknown to the adapter, and the capacity is not const.
template <class T, unsigned N, class Tag>
class foreign {
 public:
  explicit foreign(int) {}
  bool enqueue(const T& value) {
    if (used_ == N) return false;
    values_[used_++] = value;
    return true;
  }
  void dequeue() {
    for (unsigned i = 1; i < used_; ++i) values_[i - 1] = values_[i];
    --used_;
  }
  unsigned used() const { return used_; }
  const T* oldest() const { return values_; }
  unsigned capacity() { return N; }

 private:
  unsigned used_ = 0;
  T values_[N];
};

struct record {
  std::uint8_t kind;
  std::uint32_t length;
};

}  // namespace acme

template <>
struct ringspec::value_traits<acme::record> {
  static constexpr const char* kind = "record";
  static constexpr std::uint8_t mask[] = {0xFF, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF};
  template <class F>
  static decltype(auto) with_fields(const acme::record& r, F f) {
    return f(r.kind, r.length);
  }
};

template <class T, unsigned N, class Tag>
struct ringspec::queue_traits<acme::foreign<T, N, Tag>> {
  using queue = acme::foreign<T, N, Tag>;
  static void construct(void* raw) { ::new (raw) queue(0); }
  static rs_status push(queue& q, const T& value) { return q.enqueue(value) ? RS_OK : RS_FULL; }
  static void pop(queue& q) { q.dequeue(); }
  static std::uint64_t size(const queue& q) { return q.used(); }
  static const T* front(const queue& q) { return q.oldest(); }
  static constexpr bool no_capacity = true;
  static constexpr std::uint64_t max_size = N;
  static constexpr std::uint32_t shrink = RS_SHRINK_NEVER;
};

namespace {

enum class fault { none, some };

template <fault F>
constexpr auto claims_of() {
  std::array<const char*, 3> claims{"fifo"};
  if (F == fault::none) claims[1] = "growth";
  return claims;
}

using few =
    ringspec::matrix<ringspec::kinds<ringspec::kind_received, ringspec::kind_overaligned>, ringspec::capacities<1, 4>>;

struct camel_port : ringspec::queue_port {
  static constexpr const char* name = "camel";
  static constexpr const char* version = "3.1";
  static constexpr std::uint32_t oom = RS_OOM_STATUS;
  static constexpr const char* claims[] = {"fifo", "fifo-interior", "growth"};
  static constexpr rs_deviation deviations[] = {ringspec::deviation("queue.fifo.clear", "An example.", "4.0")};
  template <class T, std::uint64_t N>
  using queue = acme::camel<T>;
};

struct fills_argument_port : ringspec::queue_port {
  static constexpr const char* name = "fills-argument";
  static constexpr std::uint32_t oom = RS_OOM_STATUS;
  static constexpr const char* claims[] = {"fifo"};
  static rs_status init(const rs_host*) { return RS_OK; }
  template <class T, std::uint64_t N>
  using queue = acme::fills_argument<T>;
};

struct returns_optional_port : ringspec::queue_port {
  static constexpr const char* name = "returns-optional";
  static constexpr std::uint32_t oom = RS_OOM_STATUS;
  static constexpr const char* claims[] = {"fifo"};
  template <class T, std::uint64_t N>
  using queue = acme::returns_optional<T>;
};

struct foreign_port : ringspec::queue_port {
  static constexpr const char* name = "foreign";
  static constexpr std::uint32_t oom = RS_OOM_NEVER;
  static constexpr const char* claims[] = {"fifo", "inline", "bounded", nullptr};
  using instances =
      ringspec::matrix<ringspec::kinds<ringspec::kind_int, ringspec::kind_overaligned>, ringspec::all_capacities>;
  template <class T, std::uint64_t N>
  using queue = acme::foreign<T, static_cast<unsigned>(N), void>;
};

struct record_port : ringspec::queue_port {
  static constexpr const char* name = "record";
  static constexpr std::uint32_t oom = RS_OOM_STATUS;
  static constexpr const char* claims[] = {nullptr};
  using instances = ringspec::instance_list<ringspec::instance<acme::record, 2>>;
  template <class T, std::uint64_t N>
  using queue = ringspec::inline_ring_queue<T, N>;
};

template <fault F>
struct template_port : ringspec::queue_port {
  static constexpr const char* name = F == fault::none ? "no-fault" : "some-fault";
  static constexpr std::uint32_t oom = RS_OOM_STATUS;
  static constexpr auto claims = claims_of<F>();
  using instances = few;
  template <class T, std::uint64_t N>
  using queue = ringspec::inline_ring_queue<T, N>;
};

static_assert(ringspec::port_of<template_port<fault::none>>.claims[1] != nullptr);
static_assert(ringspec::port_of<template_port<fault::some>>.claims[1] == nullptr);
static_assert(ringspec::port_of<camel_port>.deviations[0]->until != nullptr &&
              ringspec::port_of<camel_port>.deviations[1] == nullptr);
static_assert(ringspec::policy_of<acme::foreign<ringspec::kind_int, 4, void>, 4>.max_size == 4);
static_assert(ringspec::refused<acme::foreign<ringspec::kind_int, 4, void>> == RS_FULL);
static_assert(ringspec::refused<acme::fills_argument<ringspec::kind_int>> == RS_NOMEM);

}  // namespace

RINGSPEC_EXPORT_QUEUE_PORTS(camel_port, fills_argument_port, returns_optional_port, foreign_port, record_port,
                            template_port<fault::none>, template_port<fault::some>)
