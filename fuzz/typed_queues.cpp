// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>
#include "fuzz/typed_queue.hpp"
#include "ringspec/queue/inline_ring_queue.hpp"
#include "ringspec/queue/port_kinds.hpp"

namespace ringspec::fuzz {
namespace {

template <class T, std::size_t N>
struct typed_functions {
  using ring_queue = inline_ring_queue<T, N>;
  static ring_queue& in(void* q) { return *static_cast<ring_queue*>(q); }
  static const ring_queue& in(const void* q) { return *static_cast<const ring_queue*>(q); }

  static void push(void* q, const void* value) { in(q).push(*static_cast<const T*>(value)); }
  static void emplace_element(void* q, std::size_t i) {
    value_traits<T>::with_fields(in(std::as_const(q))[i], [&](const auto&... fields) { in(q).emplace(fields...); });
  }
  static typed_queue::seen observe(const void* p) {
    const ring_queue& q = in(p);
    const bool ends = q.empty() || (&q.front() == &q[0] && &q.back() == &q[q.size() - 1]);
    return {q.size(), q.capacity(), q.empty(), q.is_inline(), ends, q.data()};
  }

  static_assert(sizeof(ring_queue) <= largest_typed_queue);
  static constexpr typed_queue table{
      .kind = value_traits<T>::kind,
      .inline_capacity = N,
      .first_heap = ring_queue::first_heap_capacity,
      .value_size = sizeof(T),
      .construct = [](void* raw) { ::new (raw) ring_queue; },
      .destroy = [](void* q) { in(q).~ring_queue(); },
      .push = push,
      .push_element = [](void* q, std::size_t i) { in(q).push(in(q)[i]); },
      .emplace_element = emplace_element,
      .pop = [](void* q) { in(q).pop(); },
      .clear = [](void* q) { in(q).clear(); },
      .release = [](void* q) { in(q).release(); },
      .move_construct = [](void* raw, void* from) { ::new (raw) ring_queue(std::move(in(from))); },
      .move_assign = [](void* to, void* from) { in(to) = std::move(in(from)); },
      .swap = [](void* a, void* b) { in(a).swap(in(b)); },
      .observe = observe,
      .holds = [](const void* q, std::size_t i, const void* v) { return std::memcmp(&in(q)[i], v, sizeof(T)) == 0; },
  };
};

template <class... T, std::uint64_t... N>
constexpr auto typed_matrix(kinds<T...>, capacities<N...>) {
  std::array<const typed_queue*, sizeof...(T) * sizeof...(N)> all{};
  std::size_t next = 0;
  const auto row = [&]<class Kind>(Kind*) { ((all[next++] = &typed_functions<Kind, N>::table), ...); };
  (row(static_cast<T*>(nullptr)), ...);
  return all;
}
constexpr auto all_typed = typed_matrix(all_kinds{}, all_capacities{});

}  // namespace

constinit const std::span<const typed_queue* const> typed_queues = all_typed;

}  // namespace ringspec::fuzz
