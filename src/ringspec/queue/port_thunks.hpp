// SPDX-License-Identifier: Apache-2.0
//
// From a C++ queue to the function table of port.h. Included by queue_port.hpp.
#pragma once

#include "ringspec/port.h"
#include "ringspec/queue/port_calls.hpp"
#include "ringspec/queue/port_kinds.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace ringspec {
namespace {

// ---- failures -------------------------------------------------------------------------------------------------------

[[maybe_unused]] inline char* error_text() {
  static char text[256] = "";  // no allocation: the ledger counts what a port allocates
  return text;
}
[[maybe_unused]] inline const char* last_error() { return error_text(); }

/// The status of the exception that is being handled, which is not bad_alloc.
[[maybe_unused]] inline rs_status caught() {
#if defined(__cpp_exceptions)
  const char* what = "an exception that is not a std::exception";
  try {
    throw;
  } catch (const std::length_error&) {
    return RS_TOO_LONG;
  } catch (const std::exception& e) {
    std::strncpy(error_text(), e.what(), 255);
    return RS_THREW;
  } catch (...) {
    std::strncpy(error_text(), what, 255);
  }
#endif
  return RS_THREW;
}

/// No exception crosses the boundary.
template <class F>
rs_status guarded(F call) {
#if defined(__cpp_exceptions)
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return RS_NOMEM;  // here and not in caught(), because throwing again costs as much as the first time
  } catch (...) {
    return caught();
  }
#else
  return call();
#endif
}

// ---- the declared numbers -------------------------------------------------------------------------------------------

template <class Q, std::uint64_t N>
consteval rs_queue_policy make_policy() {
  using traits = queue_traits<Q>;
  rs_queue_policy p{sizeof(rs_queue_policy), N, 0, 2, 1, 0, RS_SHRINK_COUNTED, 4};
  if constexpr (requires { traits::policy(); }) {
    p = traits::policy();
    p.size = sizeof p;
  } else {
    if constexpr (requires { traits::inline_capacity; }) p.inline_capacity = traits::inline_capacity;
    p.first_heap = 2 * p.inline_capacity > 8 ? 2 * p.inline_capacity : 8;
    if constexpr (requires { traits::first_heap; }) p.first_heap = traits::first_heap;
    if constexpr (requires { traits::growth_num; }) p.growth_num = traits::growth_num;
    if constexpr (requires { traits::growth_den; }) p.growth_den = traits::growth_den;
    if constexpr (requires { traits::max_size; }) p.max_size = traits::max_size;
    if constexpr (requires { traits::shrink; }) p.shrink = traits::shrink;
    if constexpr (requires { traits::low_divisor; }) p.low_divisor = traits::low_divisor;
  }
  return p;
}
template <class Q, std::uint64_t N>
inline constexpr rs_queue_policy policy_of = make_policy<Q, N>();

// ---- what a call said ----------------------------------------------------------------------------------------------

/// What `false` or a null pointer means: a queue without a largest size refuses only what it finds no memory for.
template <class Q>
inline constexpr rs_status refused = policy_of<Q, 0>.max_size != 0 ? RS_FULL : RS_NOMEM;

/// What a function that changes the queue said about its success. The adapter cannot know what a number or an object
/// means; only a function of queue_traits may answer an rs_status, which is an int.
template <class Q, bool MayBeStatus = true, class F>
rs_status status_of(F call) {
  using R = decltype(call());
  if constexpr (std::is_void_v<R>) {
    call();
    return RS_OK;
  } else if constexpr (std::is_same_v<R, bool>) {
    return call() ? RS_OK : refused<Q>;
  } else if constexpr (std::is_lvalue_reference_v<R>) {
    call();
    return RS_OK;
  } else if constexpr (std::is_pointer_v<R>) {
    return call() != nullptr ? RS_OK : refused<Q>;
  } else {
    static_assert(
        MayBeStatus && std::is_same_v<R, rs_status>,
        "ringspec: push or emplace returns neither void, bool, a reference nor a pointer: say what its result means in "
        "ringspec::queue_traits<Q>::push (or emplace), which returns rs_status");
    return call();
  }
}

// ---- what every port must have --------------------------------------------------------------------------------------

template <class Q>
concept has_construct = std::is_default_constructible_v<Q> || requires(void* p) {
  queue_traits<Q>::construct(p);
};
template <class Q>
concept has_some_size = requires(Q& q) {
  q.size();
};
template <class Q>
concept has_some_capacity = requires(Q& q) {
  q.capacity();
};
template <class Q>
concept withholds_capacity = requires {
  requires queue_traits<Q>::no_capacity;
};

// clang-format off
template <class Q>
inline constexpr bool capacity_is_lost = !has_capacity<Q> && has_some_capacity<Q> && !withholds_capacity<Q>;
template <class Q, class T>
inline constexpr bool is_complete = has_construct<Q> && has_push<Q, T> && has_pop<Q, T> && has_size<Q> &&
                                    (has_front<Q, T> || has_pop_into<Q, T>) && !capacity_is_lost<Q>;
// clang-format on

/// Says in an error message each what is_complete misses.
template <class Q, class T>
consteval void explain_what_is_missing() {
  static_assert(has_construct<Q>,
                "ringspec: the queue has no default constructor: queue.fifo.starts-empty needs an empty queue; "
                "or specialise ringspec::queue_traits<Q>::construct(void*)");
  static_assert(has_push<Q, T>,
                "ringspec: no push, push_back, emplace_back, try_push, TryPush, Push or PushBack that takes const T&: "
                "queue.fifo needs one; or specialise ringspec::queue_traits<Q>::push");
  static_assert(has_pop<Q, T>,
                "ringspec: no pop, pop_front, try_pop, TryPop, Pop or PopFront: queue.fifo needs one; "
                "or specialise ringspec::queue_traits<Q>::pop");
  static_assert(has_size<Q> || !has_some_size<Q>,
                "ringspec: size() is there but not const: queue.fifo needs it on a const queue");
  static_assert(has_size<Q> || has_some_size<Q>,
                "ringspec: no size() const or Size() const: queue.fifo needs one; "
                "or specialise ringspec::queue_traits<Q>::size");
  static_assert(has_front<Q, T> || has_pop_into<Q, T>,
                "ringspec: no front() const or Front() const that returns const T&, and no pop that hands the value "
                "out: queue.fifo needs one; or specialise ringspec::queue_traits<Q>::front or pop_into");
  static_assert(!capacity_is_lost<Q>,
                "ringspec: capacity() is there but not const: queue.growth-policy and queue.shrink would be lost "
                "silently; make it const, specialise ringspec::queue_traits<Q>::capacity, or say "
                "ringspec::queue_traits<Q>::no_capacity = true");
}

// ---- the table ------------------------------------------------------------------------------------------------------

template <class Q, class T>
struct thunks {
  static Q& of(void* p) { return *std::launder(static_cast<Q*>(p)); }
  static const Q& of(const void* p) { return *std::launder(static_cast<const Q*>(p)); }

  static rs_status construct(void* raw) {
    return guarded([raw]() -> rs_status {
      if constexpr (requires { queue_traits<Q>::construct(raw); }) {
        return status_of<Q>([raw]() -> decltype(auto) { return queue_traits<Q>::construct(raw); });
      } else {
        ::new (raw) Q;  // without (): an aggregate's slots must not be zeroed by the adapter
        return RS_OK;
      }
    });
  }
  static void destroy(void* q) { of(q).~Q(); }

  static rs_status push(void* q, const void* value) {
    constexpr bool by_traits = requires(Q & queue, const T& v) { queue_traits<Q>::push(queue, v); };
    return guarded([q, value] {
      return status_of<Q, by_traits>(
          [q, value]() -> decltype(auto) { return call_push(of(q), *static_cast<const T*>(value)); });
    });
  }
  static rs_status pop(void* q) {
    return guarded([q] { return status_of<Q>([q]() -> decltype(auto) { return call_pop<Q, T>(of(q)); }); });
  }
  static rs_status pop_into(void* q, void* out) {
    return guarded(
        [q, out] { return status_of<Q>([q, out]() -> decltype(auto) { return call_pop_into<Q, T>(of(q), out); }); });
  }
  static void observe(const void* q, rs_queue_seen* seen) {
    const Q& queue = of(q);
    seen->count = call_size(queue);
    if constexpr (has_capacity<Q>)
      seen->capacity = call_capacity(queue);
    else
      seen->capacity = RS_NOT_OFFERED;
    seen->front = nullptr;
    if constexpr (has_front<Q, T>) {
      if (seen->count != 0) seen->front = call_front<Q, T>(queue);
    }
  }
  static const void* at(const void* q, std::uint64_t i) { return call_at<Q, T>(of(q), i); }
  static rs_status emplace_element(void* q, std::uint64_t i) {
    return guarded([q, i] {
      return status_of<Q>([q, i]() -> decltype(auto) {
        const T& element = *static_cast<const T*>(call_at<Q, T>(std::as_const(of(q)), i));
        return call_emplace_element(of(q), element);
      });
    });
  }
  static rs_status clear(void* q) {
    return guarded([q] { return status_of<Q>([q]() -> decltype(auto) { return call_clear(of(q)); }); });
  }
  static rs_status release(void* q) {
    return guarded([q] { return status_of<Q>([q]() -> decltype(auto) { return call_release(of(q)); }); });
  }
  static rs_status move_construct(void* raw, void* from) {
    return guarded([raw, from]() -> rs_status {
      ::new (raw) Q(std::move(of(from)));
      return RS_OK;
    });
  }
  static rs_status move_assign(void* to, void* from) {
    return guarded([to, from]() -> rs_status {
      of(to) = std::move(of(from));
      return RS_OK;
    });
  }
  static rs_status self_move(void* q) {
    return guarded([q]() -> rs_status {
      Q& itself = of(q);
      of(q) = std::move(itself);
      return RS_OK;
    });
  }
  static rs_status swap(void* a, void* b) {
    return guarded([a, b]() -> rs_status {
      call_swap(of(a), of(b));
      return RS_OK;
    });
  }
  static rs_status self_swap(void* q) { return swap(q, q); }
  static void slots(const void* q, rs_slots* out) {
    const rs_slots all = call_slots<Q, T>(of(q));
    // The gate's struct may be an older and shorter one.
    const std::size_t size = out->size;
    std::memcpy(out, &all, size < sizeof all ? size : sizeof all);
    out->size = size;
  }
};

template <class Q, class T, std::uint64_t N>
consteval rs_queue make_queue_table() {
  rs_queue table{};
  if constexpr (!is_complete<Q, T>) {
    explain_what_is_missing<Q, T>();
  } else {
    using to = thunks<Q, T>;
    table.size = sizeof table;
    table.value = &value_of<T>;
    table.policy = &policy_of<Q, N>;
    table.object_size = sizeof(Q);
    table.object_align = alignof(Q);
    table.construct = &to::construct;
    table.destroy = &to::destroy;
    table.push = &to::push;
    table.pop = &to::pop;
    table.observe = &to::observe;
    if constexpr (has_pop_into<Q, T>) table.pop_into = &to::pop_into;
    if constexpr (has_at<Q, T>) table.at = &to::at;
    // push_element stays null: in C++ push(q[i]) is push of a reference, which is what the gate does without it.
    if constexpr (has_at<Q, T> && has_emplace<Q, T>) table.emplace_element = &to::emplace_element;
    if constexpr (has_clear<Q>) table.clear = &to::clear;
    if constexpr (has_release<Q>) table.release = &to::release;
    if constexpr (has_move<Q>) {
      if constexpr (std::is_nothrow_move_constructible_v<Q>) table.facts |= RS_Q_NOTHROW_MOVE;
      if constexpr (std::is_nothrow_move_assignable_v<Q>) table.facts |= RS_Q_NOTHROW_ASSIGN;
      if constexpr (swap_is_nothrow<Q>()) table.facts |= RS_Q_NOTHROW_SWAP;
      table.move_construct = &to::move_construct;
      table.move_assign = &to::move_assign;
      table.self_move = &to::self_move;
      table.swap = &to::swap;
      table.self_swap = &to::self_swap;
    }
    if constexpr (has_slots<Q, T>) table.slots = &to::slots;
    table.last_error = &last_error;
  }
  return table;
}

/// The function table of queue type Q, holding T, at inline capacity N.
template <class Q, class T, std::uint64_t N>
inline constexpr rs_queue queue_table = make_queue_table<Q, T, N>();

}  // namespace
}  // namespace ringspec
