// SPDX-License-Identifier: Apache-2.0
//
// The C++ adapter: one line makes a conformance port of a queue template.
//
//     #include "acme/ring.hpp"
//     #include "ringspec/queue/queue_port.hpp"
//     RINGSPEC_QUEUE_PORT("acme", RS_OOM_STATUS, ("fifo", "inline", "growth"), acme::ring<T, N>)
//
// The line goes into a .cpp file of its own, built as a shared object. T and N (std::uint64_t) are in scope of the
// type expression, so that any shape of template fits; an expression without N is exported once per kind, with inline
// capacity 0. Names and numbers that differ are told by specialising ringspec::queue_traits (port_calls.hpp). A port
// with deviations, fewer instances, or several ports in one object: describe each as a struct derived from
// ringspec::queue_port, and export the list with RINGSPEC_EXPORT_QUEUE_PORTS.
//
// Works with and without exceptions.
#pragma once

#if !defined(__cpp_consteval) || __cplusplus < 202002L || (defined(__clang__) && __clang_major__ < 16)
#error "ringspec: the C++ adapter needs C++20 (-std=c++20) from g++ 12 or clang 16 on; ringspec/port.h needs neither"
#endif

#include "ringspec/port.h"
#include "ringspec/queue/port_calls.hpp"
#include "ringspec/queue/port_kinds.hpp"
#include "ringspec/queue/port_thunks.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <type_traits>

namespace ringspec {
namespace {

/// Base of a port's description. A description adds `name`, `oom`, `claims` (an array of class names) and the alias
/// template `queue<T, N>`; and, where it differs from here, the members below, `instances`, `deviations` (an array)
/// or `init` (a function).
struct queue_port {
  static constexpr const char* version = "";
  static constexpr const char* language = "c++";
  static constexpr const char* spec = "1.0";
};

/// A failure that the port's authors accept; `until` says for how long, or null.
constexpr rs_deviation deviation(const char* requirement, const char* reason, const char* until = nullptr) {
  return {sizeof(rs_deviation), requirement, reason, until};
}

template <class D>
consteval bool claims_class(std::string_view name) {
  for (const char* claim : D::claims) {
    if (claim == nullptr) break;
    if (claim == name) return true;
  }
  return false;
}

/// Whether an instance has what the class `name` is checked with. (Asks the has_... constants, not the table: with
/// -fsanitize=undefined g++ does not compare function pointers in a constant expression.)
template <class Q, class T, std::uint64_t N>
consteval bool can_claim(std::string_view name) {
  constexpr rs_queue_policy policy = policy_of<Q, N>;
  if (name == "alias") return has_at<Q, T> || has_front<Q, T>;
  if (name == "fifo-interior" || name == "alias-interior") return has_at<Q, T>;
  if (name == "alias-emplace") return has_at<Q, T> && has_emplace<Q, T>;
  if (name == "growth-policy" || name == "shrink") return has_capacity<Q>;
  if (name == "shrink-policy") return has_capacity<Q> && policy.shrink == RS_SHRINK_COUNTED;
  if (name == "inline") return policy.inline_capacity >= 1;
  if (name == "bounded") return policy.max_size != 0;
  if (name == "move") return has_move<Q>;
  if (name == "slots" || name == "slots-move") return has_slots<Q, T>;
  return true;
}

template <class D, class I>
consteval bool backs_its_claims() {
  using T = typename I::value;
  using Q = typename D::template queue<T, I::inline_capacity>;
  for (const char* claim : D::claims) {
    if (claim == nullptr) break;
    if (!can_claim<Q, T, I::inline_capacity>(claim)) return false;
  }
  return is_complete<Q, T>;
}

/// A claim that the port cannot back would only come out when the gate runs; here it names the class and what is
/// missing.
template <class D, class I>
consteval const void* checked_table() {
  using T = typename I::value;
  using Q = typename D::template queue<T, I::inline_capacity>;
  constexpr auto backed = [](const char* name) consteval {
    return can_claim<Q, T, I::inline_capacity>(name) || !claims_class<D>(name);
  };
  if constexpr (is_complete<Q, T>) {
    static_assert(backed("fifo-interior"),
                  "ringspec: the port claims fifo-interior, but the queue has no operator[] or at() const that returns "
                  "const T& (or queue_traits<Q>::at)");
    static_assert(backed("alias"),
                  "ringspec: the port claims alias, but the queue has no front() and no operator[] or at() const that "
                  "return const T& (or queue_traits<Q>::front, at)");
    static_assert(backed("alias-interior"),
                  "ringspec: the port claims alias-interior, but the queue has no operator[] or at() const that "
                  "returns const T& (or queue_traits<Q>::at)");
    static_assert(backed("alias-emplace"),
                  "ringspec: the port claims alias-emplace, but the queue has no emplace_back, emplace, EmplaceBack or "
                  "Emplace that takes the fields of T (or queue_traits<Q>::emplace), or no operator[]");
    static_assert(backed("growth-policy"),
                  "ringspec: the port claims growth-policy, but the queue has no capacity() const "
                  "(or queue_traits<Q>::capacity)");
    static_assert(backed("shrink"),
                  "ringspec: the port claims shrink, but the queue has no capacity() const "
                  "(or queue_traits<Q>::capacity)");
    static_assert(backed("shrink-policy"),
                  "ringspec: the port claims shrink-policy, but its policy is not RS_SHRINK_COUNTED "
                  "(queue_traits<Q>::shrink), or the queue has no capacity() const");
    static_assert(backed("inline"),
                  "ringspec: the port claims inline, but its inline_capacity is 0 "
                  "(queue_traits<Q>::inline_capacity, or a type expression without N)");
    static_assert(backed("bounded"),
                  "ringspec: the port claims bounded, but its policy names no max_size (queue_traits<Q>::max_size)");
    static_assert(backed("move"),
                  "ringspec: the port claims move, but the queue is not move constructible, move assignable and "
                  "swappable");
    static_assert(backed("slots") && backed("slots-move"),
                  "ringspec: the port claims slots, but the queue does not have all of data(), head() and capacity() "
                  "const (or queue_traits<Q>::slots)");
  }
  return &queue_table<Q, T, I::inline_capacity>;
}

template <class D, class Instances>
struct instance_tables;
template <class D, class First, class... Rest>
struct instance_tables<D, instance_list<First, Rest...>> {
  static consteval auto make() {
    // What one instance lacks, all lack: it is said once.
    if constexpr (!backs_its_claims<D, First>())
      return std::array<const void*, 2>{checked_table<D, First>(), nullptr};
    else
      return std::array<const void*, sizeof...(Rest) + 2>{checked_table<D, First>(), checked_table<D, Rest>()...,
                                                          nullptr};
  }
  static constexpr auto list = make();
};

template <class D>
struct instances_of {
  using type = std::conditional_t<
      std::is_same_v<typename D::template queue<kind_int, 1>, typename D::template queue<kind_int, 2>>,
      matrix<all_kinds, capacities<0>>, matrix<all_kinds, all_capacities>>;
};
template <class D>
requires requires { typename D::instances; }
struct instances_of<D> {
  using type = typename D::instances;
};

template <class D>
consteval auto claim_list() {
  std::array<const char*, std::size(D::claims) + 1> list{};
  std::size_t used = 0;
  for (const char* claim : D::claims) {
    if (claim == nullptr) break;
    list[used++] = claim;
  }
  return list;
}

template <class D>
consteval auto deviation_list() {
  std::array<const rs_deviation*, std::size(D::deviations) + 1> list{};
  std::size_t used = 0;
  for (const rs_deviation& d : D::deviations) list[used++] = &d;
  return list;
}

template <class D>
consteval std::uint32_t oom_of() {
  constexpr bool stated = requires { D::oom; };
  static_assert(stated,
                "ringspec: a port says what it does when an allocation fails: oom, one of RS_OOM_...; there is no "
                "default");
  if constexpr (stated)
    return D::oom;
  else
    return 0;
}

template <class D>
struct port_parts {
  static_assert(std::is_base_of_v<queue_port, D>, "ringspec: a port's description derives from ringspec::queue_port");
  static constexpr std::uint32_t oom = oom_of<D>();
  static_assert(!claims_class<D>("failure") || oom == RS_OOM_STATUS || oom == 0,
                "ringspec: the port claims failure, which needs RS_OOM_STATUS");
  static_assert(!claims_class<D>("failure-abort") || oom == RS_OOM_ABORTS || oom == 0,
                "ringspec: the port claims failure-abort, which needs RS_OOM_ABORTS");
  static_assert(!claims_class<D>("constraints") ||
                    std::is_default_constructible_v<typename D::template queue<kind_without_default, 1>>,
                "ringspec: the port claims constraints, but the queue cannot hold values without a default "
                "constructor (queue.constraints.no-default-constructor)");

  static constexpr auto claims = claim_list<D>();
  static constexpr auto deviations = [] {
    if constexpr (requires { D::deviations; })
      return deviation_list<D>();
    else
      return std::array<const rs_deviation*, 1>{};
  }();
  static consteval rs_port make() {
    rs_port made{};
    made.size = sizeof made;
    made.subject = "queue";
    made.name = D::name;
    made.version = D::version;
    made.language = D::language;
    made.spec = D::spec;
    made.oom = oom;
    made.claims = claims.data();
    made.deviations = deviations.size() > 1 ? deviations.data() : nullptr;
    if constexpr (requires { &D::init; }) made.init = &D::init;
    made.instances = instance_tables<D, typename instances_of<D>::type>::list.data();
    return made;
  }
};

/// The port that description D describes. A port that must differ from what its description can say is an adjusted
/// copy of it.
template <class D>
inline constexpr rs_port port_of = port_parts<D>::make();

template <class... D>
inline constexpr std::array<const rs_port*, sizeof...(D) + 1> port_list{&port_of<D>..., nullptr};

}  // namespace
}  // namespace ringspec

/// Exports the ports of the given descriptions from this object: RINGSPEC_EXPORT_QUEUE_PORTS(first_port, second_port)
#define RINGSPEC_EXPORT_QUEUE_PORTS(...) \
  extern "C" RS_EXPORT const rs_port* const* ringspec_ports_v1(void) { return ringspec::port_list<__VA_ARGS__>.data(); }

/// Exports one port: RINGSPEC_QUEUE_PORT("name", RS_OOM_..., ("class", ...), type expression in T and N)
#define RINGSPEC_QUEUE_PORT(NAME, OOM, CLAIMS, ...)                 \
  namespace {                                                       \
  template <class T, std::uint64_t N>                               \
  using ringspec_queue = __VA_ARGS__;                               \
  struct ringspec_described : ringspec::queue_port {                \
    static constexpr const char* name = NAME;                       \
    static constexpr std::uint32_t oom = OOM;                       \
    static constexpr const char* claims[] = RINGSPEC_BRACED CLAIMS; \
    template <class T, std::uint64_t N>                             \
    using queue = ringspec_queue<T, N>;                             \
  };                                                                \
  }                                                                 \
  RINGSPEC_EXPORT_QUEUE_PORTS(ringspec_described)

#define RINGSPEC_BRACED(...) \
  { __VA_ARGS__ __VA_OPT__(, ) nullptr }
