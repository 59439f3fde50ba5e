// SPDX-License-Identifier: Apache-2.0
//
// A fault as a port. Every port claims all that its queue offers, so that the requirement that reports a fault first is
// told from all the others.
#pragma once

#include "faulty_bounded.hpp"

#include "ringspec/queue/queue_port.hpp"

#include <array>
#include <cstdint>
#include <type_traits>

template <class T, std::uint64_t N, ringspec::wrong::fault F>
struct ringspec::queue_traits<ringspec::wrong::faulty_queue<T, N, F>> {
  // Not by name: some faults make capacity() lie, and the slots are where they are.
  static rs_slots slots(const ringspec::wrong::faulty_queue<T, N, F>& q) {
    return {sizeof(rs_slots), q.first_slot(), sizeof(T), q.slot_count(), q.head_slot()};
  }
};

template <class T, std::uint64_t N, ringspec::wrong::fault F>
struct ringspec::queue_traits<ringspec::wrong::faulty_bounded<T, N, F>>
    : ringspec::queue_traits<ringspec::wrong::faulty_queue<T, N, ringspec::wrong::fault::none>> {
  static constexpr std::uint64_t max_size = ringspec::wrong::faulty_bounded<T, N, F>::max_size;
};

namespace {

using ringspec::wrong::fault;

template <fault F>
struct wrong_port : ringspec::queue_port {
  static constexpr const char* name = ringspec::wrong::port_name<F>.data();
  static constexpr std::uint32_t oom = ringspec::wrong::aborts(F) ? RS_OOM_ABORTS : RS_OOM_STATUS;
  static constexpr std::array claims{
      "fifo",
      "fifo-interior",
      "alias",
      "alias-interior",
      "alias-emplace",
      "inline",
      "growth",
      "growth-policy",
      "growth-bytes",
      "shrink",
      "shrink-policy",
      "move",
      "storage",
      "slots",
      "slots-move",
      ringspec::wrong::aborts(F) ? "failure-abort" : "failure",
      ringspec::wrong::is_bounded(F) ? "bounded" : static_cast<const char*>(nullptr),
  };
  template <class T, std::uint64_t N>
  using queue = std::conditional_t<ringspec::wrong::is_bounded(F), ringspec::wrong::faulty_bounded<T, N, F>,
                                   ringspec::wrong::faulty_queue<T, N, F>>;
  // The plain and the aligned functions for memory; a queue of one, the smallest that can wrap, and one with room to
  // wrap.
  using instances = ringspec::matrix<ringspec::kinds<ringspec::kind_received, ringspec::kind_overaligned>,
                                     ringspec::capacities<1, 2, 4>>;
};

}  // namespace
