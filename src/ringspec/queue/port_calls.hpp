// SPDX-License-Identifier: Apache-2.0
//
// How the adapter finds the members of a queue. Included by queue_port.hpp.
//
// Each function below calls the first spelling that fits: a function of queue_traits<Q>, then the member names in the
// order in which they are written. When nothing fits, its result type is `missing`; that is the only place where
// "does it have one?" is decided.
#pragma once

#include "ringspec/port.h"
#include "ringspec/queue/port_kinds.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace ringspec {

/// Specialise it, also partially, where your queue's names, meanings or numbers differ from what the adapter assumes.
/// Everything is optional.
///
/// Functions, each taken before the member of that name:
///   construct(void*), push(Q&, const T&), pop(Q&), pop_into(Q&, void*), size(const Q&), front(const Q&),
///   at(const Q&, std::uint64_t), capacity(const Q&), clear(Q&), release(Q&), emplace(Q&, fields...), slots(const Q&)
/// Those that change the queue return void, bool or rs_status; front and at a reference or a pointer. False means full
/// where the queue has a max_size, and no memory where it has none; a queue that knows both returns rs_status.
///
/// Numbers: `static constexpr rs_queue_policy policy()`, or any field of rs_queue_policy by its name (`first_heap`,
/// `max_size`, `shrink`, ...).
///
/// `static constexpr bool no_clear = true` (no_at, no_capacity, no_release, no_emplace, no_move, no_slots) withholds a
/// member that is there.
template <class Queue>
struct queue_traits {};

namespace {

struct missing {};
template <class R>
inline constexpr bool found = !std::is_same_v<std::remove_cvref_t<R>, missing>;

/// A reference to T as a member of a const queue must return it, so that the address is that of the element itself.
template <class R, class T>
concept element_of = std::is_lvalue_reference_v<R> && std::is_same_v<std::remove_cvref_t<R>, T>;

template <class T>
const void* address(const T& element) {
  return std::addressof(element);
}
template <class T>
const void* address(T* element) {
  return element;
}

template <class Q, class T>
decltype(auto) call_push(Q& q, const T& v) {
  if constexpr (requires { queue_traits<Q>::push(q, v); })
    return queue_traits<Q>::push(q, v);
  else if constexpr (requires { q.push(v); })
    return q.push(v);
  else if constexpr (requires { q.push_back(v); })
    return q.push_back(v);
  else if constexpr (requires { q.emplace_back(v); })
    return q.emplace_back(v);
  else if constexpr (requires { q.try_push(v); })
    return q.try_push(v);
  else if constexpr (requires { q.TryPush(v); })
    return q.TryPush(v);
  else if constexpr (requires { q.Push(v); })
    return q.Push(v);
  else if constexpr (requires { q.PushBack(v); })
    return q.PushBack(v);
  else
    return missing{};
}

/// The pop that takes nothing; what it returns, if anything, is the popped value, an optional of it, or whether there
/// was one.
template <class Q>
decltype(auto) call_take(Q& q) {
  if constexpr (requires { q.pop(); })
    return q.pop();
  else if constexpr (requires { q.pop_front(); })
    return q.pop_front();
  else if constexpr (requires { q.try_pop(); })
    return q.try_pop();
  else if constexpr (requires { q.TryPop(); })
    return q.TryPop();
  else if constexpr (requires { q.Pop(); })
    return q.Pop();
  else if constexpr (requires { q.PopFront(); })
    return q.PopFront();
  else
    return missing{};
}

/// The pop that fills its argument.
template <class Q, class T>
decltype(auto) call_take_to(Q& q, T& out) {
  if constexpr (requires { q.pop(out); })
    return static_cast<void>(q.pop(out));
  else if constexpr (requires { q.pop_front(out); })
    return static_cast<void>(q.pop_front(out));
  else if constexpr (requires { q.try_pop(out); })
    return static_cast<void>(q.try_pop(out));
  else if constexpr (requires { q.TryPop(out); })
    return static_cast<void>(q.TryPop(out));
  else if constexpr (requires { q.Pop(out); })
    return static_cast<void>(q.Pop(out));
  else if constexpr (requires { q.PopFront(out); })
    return static_cast<void>(q.PopFront(out));
  else
    return missing{};
}

template <class Q, class T>
decltype(auto) call_pop(Q& q) {
  if constexpr (requires { queue_traits<Q>::pop(q); })
    return queue_traits<Q>::pop(q);
  else if constexpr (found<decltype(call_take(q))>)
    return static_cast<void>(call_take(q));
  else if constexpr (found<decltype(call_take_to(q, std::declval<T&>()))>) {
    alignas(T) unsigned char scratch[sizeof(T)];  // T need not be default constructible
    return call_take_to(q, *std::launder(reinterpret_cast<T*>(scratch)));
  } else
    return missing{};
}

template <class Q>
auto call_size(const Q& q) {
  if constexpr (requires { queue_traits<Q>::size(q); })
    return static_cast<std::uint64_t>(queue_traits<Q>::size(q));
  else if constexpr (requires { q.size(); })
    return static_cast<std::uint64_t>(q.size());
  else if constexpr (requires { q.Size(); })
    return static_cast<std::uint64_t>(q.Size());
  else
    return missing{};
}

template <class Q>
auto call_capacity(const Q& q) {
  if constexpr (requires { requires queue_traits<Q>::no_capacity; })
    return missing{};
  else if constexpr (requires { queue_traits<Q>::capacity(q); })
    return static_cast<std::uint64_t>(queue_traits<Q>::capacity(q));
  else if constexpr (requires { q.capacity(); })
    return static_cast<std::uint64_t>(q.capacity());
  else if constexpr (requires { q.Capacity(); })
    return static_cast<std::uint64_t>(q.Capacity());
  else
    return missing{};
}

template <class Q, class T>
auto call_front(const Q& q) {
  if constexpr (requires { queue_traits<Q>::front(q); })
    return address(queue_traits<Q>::front(q));
  else if constexpr (requires {
                       { q.front() } -> element_of<T>;
                     })
    return address(q.front());
  else if constexpr (requires {
                       { q.Front() } -> element_of<T>;
                     })
    return address(q.Front());
  else
    return missing{};
}

// The index type of a queue may be narrower than the boundary's; the gate passes i < size only, so that nothing is
// lost.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
template <class Q, class T>
auto call_at(const Q& q, std::uint64_t i) {
  if constexpr (requires { requires queue_traits<Q>::no_at; })
    return missing{};
  else if constexpr (requires { queue_traits<Q>::at(q, i); })
    return address(queue_traits<Q>::at(q, i));
  else if constexpr (requires {
                       { q[i] } -> element_of<T>;
                     })
    return address(q[i]);
  else if constexpr (requires {
                       { q.at(i) } -> element_of<T>;
                     })
    return address(q.at(i));
  else
    return missing{};
}
#pragma GCC diagnostic pop

/// Pop that hands the value out: only for a queue that has no front() that gives an address.
template <class Q, class T>
decltype(auto) call_pop_into(Q& q, void* out) {
  if constexpr (requires { queue_traits<Q>::pop_into(q, out); })
    return queue_traits<Q>::pop_into(q, out);
  else if constexpr (found<decltype(call_front<Q, T>(q))>)
    return missing{};
  else if constexpr (std::is_same_v<decltype(call_take(q)), T>)
    return static_cast<void>(::new (out) T(call_take(q)));
  else if constexpr (requires {
                       { *call_take(q) } -> element_of<T>;
                     })
    return static_cast<void>(::new (out) T(*call_take(q)));
  else if constexpr (requires {
                       { *call_take(q) } -> std::same_as<T&&>;
                     })
    return static_cast<void>(::new (out) T(*call_take(q)));
  else if constexpr (found<decltype(call_take_to(q, std::declval<T&>()))>)
    return call_take_to(q, *static_cast<T*>(out));
  else if constexpr (requires(const Q& c) {
                       { c.front() } -> std::same_as<T>;
                     } &&
                     found<decltype(call_pop<Q, T>(q))>)
    return ::new (out) T(std::as_const(q).front()), call_pop<Q, T>(q);
  else
    return missing{};
}

template <class Q>
decltype(auto) call_clear(Q& q) {
  if constexpr (requires { requires queue_traits<Q>::no_clear; })
    return missing{};
  else if constexpr (requires { queue_traits<Q>::clear(q); })
    return queue_traits<Q>::clear(q);
  else if constexpr (requires { q.clear(); })
    return static_cast<void>(q.clear());
  else if constexpr (requires { q.Clear(); })
    return static_cast<void>(q.Clear());
  else
    return missing{};
}

template <class Q>
decltype(auto) call_release(Q& q) {
  if constexpr (requires { requires queue_traits<Q>::no_release; })
    return missing{};
  else if constexpr (requires { queue_traits<Q>::release(q); })
    return queue_traits<Q>::release(q);
  else if constexpr (requires { q.release(); })
    return static_cast<void>(q.release());
  else if constexpr (requires { q.Release(); })
    return static_cast<void>(q.Release());
  else if constexpr (requires {
                       q.clear();
                       q.shrink_to_fit();
                     })
    return q.clear(), static_cast<void>(q.shrink_to_fit());
  else
    return missing{};
}

/// std containers mean another thing by emplace(): emplace_back comes first.
template <class Q, class... Field>
decltype(auto) call_emplace(Q& q, const Field&... field) {
  if constexpr (requires { requires queue_traits<Q>::no_emplace; })
    return missing{};
  else if constexpr (requires { queue_traits<Q>::emplace(q, field...); })
    return queue_traits<Q>::emplace(q, field...);
  else if constexpr (requires { q.emplace_back(field...); })
    return q.emplace_back(field...);
  else if constexpr (requires { q.emplace(field...); })
    return q.emplace(field...);
  else if constexpr (requires { q.EmplaceBack(field...); })
    return q.EmplaceBack(field...);
  else if constexpr (requires { q.Emplace(field...); })
    return q.Emplace(field...);
  else
    return missing{};
}

struct accepts_fields {
  template <class... Field>
  void operator()(const Field&...) const {}
};

template <class Q, class T>
decltype(auto) call_emplace_element(Q& q, const T& element) {
  if constexpr (requires { value_traits<T>::with_fields(element, accepts_fields{}); })
    return value_traits<T>::with_fields(
        element, [&q](const auto&... field) -> decltype(auto) { return call_emplace(q, field...); });
  else
    return missing{};
}

template <class Q>
decltype(auto) call_swap(Q& a, Q& b) {
  if constexpr (requires { a.swap(b); })
    return static_cast<void>(a.swap(b));
  else if constexpr (std::is_swappable_v<Q>) {
    using std::swap;
    return static_cast<void>(swap(a, b));
  } else
    return missing{};
}

/// Whether the swap that is called is declared unable to fail.
template <class Q>
consteval bool swap_is_nothrow() {
  if constexpr (requires(Q & a) { a.swap(a); })
    return noexcept(std::declval<Q&>().swap(std::declval<Q&>()));
  else
    return std::is_nothrow_swappable_v<Q>;
}

/// Where the slots are. By name only when the queue says all three: the address of slot 0, the head, and the capacity.
template <class Q, class T>
auto call_slots(const Q& q) {
  if constexpr (requires { requires queue_traits<Q>::no_slots; })
    return missing{};
  else if constexpr (requires {
                       { queue_traits<Q>::slots(q) } -> std::same_as<rs_slots>;
                     })
    return queue_traits<Q>::slots(q);
  else if constexpr (requires {
                       { q.data() } -> std::convertible_to<const void*>;
                       { q.head() } -> std::integral;
                       { q.capacity() } -> std::integral;
                     })
    return rs_slots{sizeof(rs_slots), q.data(), sizeof(T), static_cast<std::uint64_t>(q.capacity()),
                    static_cast<std::uint64_t>(q.head())};
  else
    return missing{};
}

// What a queue of T offers.
template <class Q, class T>
inline constexpr bool has_push = found<decltype(call_push(std::declval<Q&>(), std::declval<const T&>()))>;
template <class Q, class T>
inline constexpr bool has_pop = found<decltype(call_pop<Q, T>(std::declval<Q&>()))>;
template <class Q>
inline constexpr bool has_size = found<decltype(call_size(std::declval<const Q&>()))>;
template <class Q>
inline constexpr bool has_capacity = found<decltype(call_capacity(std::declval<const Q&>()))>;
template <class Q, class T>
inline constexpr bool has_front = found<decltype(call_front<Q, T>(std::declval<const Q&>()))>;
template <class Q, class T>
inline constexpr bool has_at = found<decltype(call_at<Q, T>(std::declval<const Q&>(), 0))>;
template <class Q, class T>
inline constexpr bool has_pop_into = found<decltype(call_pop_into<Q, T>(std::declval<Q&>(), nullptr))>;
template <class Q>
inline constexpr bool has_clear = found<decltype(call_clear(std::declval<Q&>()))>;
template <class Q>
inline constexpr bool has_release = found<decltype(call_release(std::declval<Q&>()))>;
template <class Q, class T>
inline constexpr bool has_emplace = found<decltype(call_emplace_element(std::declval<Q&>(), std::declval<const T&>()))>;
template <class Q, class T>
inline constexpr bool has_slots = found<decltype(call_slots<Q, T>(std::declval<const Q&>()))>;
template <class Q>
concept withholds_move = requires {
  requires queue_traits<Q>::no_move;
};
// clang-format off
template <class Q>
inline constexpr bool has_move = !withholds_move<Q> && std::is_move_constructible_v<Q> &&
                                 std::is_move_assignable_v<Q> &&
                                 found<decltype(call_swap(std::declval<Q&>(), std::declval<Q&>()))>;
// clang-format on

}  // namespace
}  // namespace ringspec
