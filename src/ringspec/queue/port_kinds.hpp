// SPDX-License-Identifier: Apache-2.0
//
// The value kinds that a C++ port is exercised with, and the lists of instances made of them. Included by
// queue_port.hpp.
//
// A kind has a constructor that takes each of its fields by reference, so that `emplace(q[i].field, ...)` can be
// called on any queue whatever way it constructs its values; apart from that the kinds are plain: trivially copyable,
// trivially destructible, no padding.
#pragma once

#include "ringspec/port.h"

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace ringspec {

/// What the gate must know of a value type. The six kinds have it; specialise it for a type of your own: `kind` (its
/// name in traces), `mask` (optional: sizeof(T) bytes, 0xFF compared, 0x00 padding), and `with_fields(const T&, f)`
/// (optional: calls f with references to the fields; without it `emplace_element` is not offered).
template <class T>
struct value_traits {};

// Internal linkage on purpose, for everything that is compiled into a port: two ports in one process, or a port and
// the gate, must never have their kinds and thunks merged by the dynamic linker, or one would be judged by running
// the other's code.
namespace {

struct kind_byte {
  std::uint8_t value;

  kind_byte() = default;
  explicit kind_byte(const std::uint8_t& v) : value(v) {}
};

struct kind_int {
  std::uint32_t value;

  kind_int() = default;
  explicit kind_int(const std::uint32_t& v) : value(v) {}
};

struct kind_received {
  std::uint32_t id, length, offset;

  kind_received() = default;
  kind_received(const std::uint32_t& i, const std::uint32_t& l, const std::uint32_t& o) : id(i), length(l), offset(o) {}
};

struct kind_descriptor {
  std::uint32_t id, length;
  std::uint64_t offset;

  kind_descriptor() = default;
  kind_descriptor(const std::uint32_t& i, const std::uint32_t& l, const std::uint64_t& o)
      : id(i), length(l), offset(o) {}
};

struct kind_checked {
  std::uint64_t id;
  std::uint32_t length, flags;
  std::uint64_t checksum;

  kind_checked() = default;
  kind_checked(const std::uint64_t& i, const std::uint32_t& l, const std::uint32_t& f, const std::uint64_t& c)
      : id(i), length(l), flags(f), checksum(c) {}
};

struct alignas(64) kind_overaligned {
  std::uint64_t words[8];

  kind_overaligned() = default;
  explicit kind_overaligned(const std::uint64_t (&w)[8]) { std::memcpy(words, w, sizeof words); }
};

static_assert(sizeof(kind_byte) == 1 && sizeof(kind_int) == 4 && sizeof(kind_received) == 12 &&
              sizeof(kind_descriptor) == 16 && sizeof(kind_checked) == 24 && sizeof(kind_overaligned) == 64);

/// For who claims `constraints`: no instance has it, since many a good queue makes its slots as an array of T.
struct kind_without_default {
  std::uint32_t value;

  kind_without_default() = delete;
};

/// One instance: the port's queue of T with inline capacity N.
template <class T, std::uint64_t N>
struct instance {
  using value = T;
  static constexpr std::uint64_t inline_capacity = N;
};
template <class... Instance>
struct instance_list {};

template <class... T>
struct kinds {};
template <std::uint64_t... N>
struct capacities {};
using all_kinds = kinds<kind_byte, kind_int, kind_received, kind_descriptor, kind_checked, kind_overaligned>;
using all_capacities = capacities<1, 2, 4, 8, 16, 32>;

template <class... List>
struct joined;
template <class... A>
struct joined<instance_list<A...>> {
  using type = instance_list<A...>;
};
template <class... A, class... B, class... Rest>
struct joined<instance_list<A...>, instance_list<B...>, Rest...> {
  using type = typename joined<instance_list<A..., B...>, Rest...>::type;
};

template <class T, class Capacities>
struct matrix_row;
template <class T, std::uint64_t... N>
struct matrix_row<T, capacities<N...>> {
  using type = instance_list<instance<T, N>...>;
};

template <class Kinds, class Capacities>
struct matrix_of;
template <class... T, class Capacities>
struct matrix_of<kinds<T...>, Capacities> {
  using type = typename joined<typename matrix_row<T, Capacities>::type...>::type;
};

/// Every kind at every inline capacity; kinds outside, capacities inside.
template <class Kinds, class Capacities>
using matrix = typename matrix_of<Kinds, Capacities>::type;

}  // namespace

template <>
struct value_traits<kind_byte> {
  static constexpr const char* kind = "byte";
  template <class F>
  static decltype(auto) with_fields(const kind_byte& v, F f) {
    return f(v.value);
  }
};
template <>
struct value_traits<kind_int> {
  static constexpr const char* kind = "int";
  template <class F>
  static decltype(auto) with_fields(const kind_int& v, F f) {
    return f(v.value);
  }
};
template <>
struct value_traits<kind_received> {
  static constexpr const char* kind = "received";
  template <class F>
  static decltype(auto) with_fields(const kind_received& v, F f) {
    return f(v.id, v.length, v.offset);
  }
};
template <>
struct value_traits<kind_descriptor> {
  static constexpr const char* kind = "descriptor";
  template <class F>
  static decltype(auto) with_fields(const kind_descriptor& v, F f) {
    return f(v.id, v.length, v.offset);
  }
};
template <>
struct value_traits<kind_checked> {
  static constexpr const char* kind = "checked";
  template <class F>
  static decltype(auto) with_fields(const kind_checked& v, F f) {
    return f(v.id, v.length, v.flags, v.checksum);
  }
};
template <>
struct value_traits<kind_overaligned> {
  static constexpr const char* kind = "overaligned";
  template <class F>
  static decltype(auto) with_fields(const kind_overaligned& v, F f) {
    return f(v.words);
  }
};

namespace {

template <class T>
consteval rs_value make_value() {
  static_assert(
      requires { value_traits<T>::kind; },
      "ringspec: a value type of your own needs ringspec::value_traits<T> with `static constexpr const char* kind`");
  static_assert(std::is_trivially_copyable_v<T>,
                "ringspec: the gate writes and compares values as bytes: T must be trivially copyable");
  rs_value made{sizeof(rs_value), sizeof(T), alignof(T), nullptr, value_traits<T>::kind};
  if constexpr (requires { value_traits<T>::mask; }) {
    static_assert(sizeof(value_traits<T>::mask) == sizeof(T),
                  "ringspec: value_traits<T>::mask needs one byte per byte of T");
    made.mask = value_traits<T>::mask;
  } else {
    static_assert(std::has_unique_object_representations_v<T>,
                  "ringspec: T has padding (or a type whose bytes may differ for equal values): give "
                  "ringspec::value_traits<T> a `mask`");
  }
  return made;
}

/// The description of T that goes into a port's tables.
template <class T>
inline constexpr rs_value value_of = make_value<T>();

}  // namespace
}  // namespace ringspec
