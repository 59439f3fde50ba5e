// SPDX-License-Identifier: Apache-2.0
//
// A ring queue with inline storage that conforms to the specification, but for one fault that is chosen at compile
// time.
//
// Without a fault it is a plain reading of spec/queue.md, written independently of the reference queue. Each fault is
// an `if constexpr` at the place where such a mistake would be made. It is kept as small as it can be, so that the
// requirement it breaks is the only one that a gate can charge: where a real mistake would do further harm (memory read
// after its release, slots overwritten in passing), its visible result is produced without that harm. Behaviour after
// the first visible difference does not matter, but no fault brings down the process, apart from crashes_on_wrapped_pop
// and failure_exits, and from release_then_destroy_twice where no ledger stands between the queue and its allocator.
#pragma once

#include "faulty_ring.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

namespace ringspec::wrong {

template <class T, std::uint64_t N, fault F = fault::none>
class faulty_queue : faulty_ring<T, N, F> {
  using ring = faulty_ring<T, N, F>;
  using ring::allocate, ring::take_and_give_back, ring::keep, ring::drop_kept, ring::on_heap, ring::block,
      ring::set_block;
  using ring::append, ring::remove_oldest, ring::restart_count, ring::calm_down, ring::claim;
  using ring::be_empty_inline, ring::give_back, ring::inline_slots, ring::slots, ring::wrap, ring::wrapped,
      ring::element, ring::slot_of;
  using ring::zero_slots, ring::remembers, ring::first_heap, ring::capacity_, ring::head_, ring::size_, ring::low_pops_,
      ring::memory_;
  using typename ring::manner;

  static constexpr bool nothrow = F != fault::move_may_throw;

 public:
  faulty_queue() {
    if constexpr (F == fault::starts_with_one) {
      zero_slots(0, 1);
      size_ = 1;
    }
    if constexpr (F == fault::allocates_at_construction) keep(allocate(first_heap), first_heap);
    if constexpr (F == fault::construction_zeroes) zero_slots(0, N);
  }
  ~faulty_queue() {
    if constexpr (F == fault::destructor_leaks_when_empty) {
      if (size_ == 0) return;
    }
    if constexpr (F == fault::allocates_at_destruction) take_and_give_back();
    give_back();
    if constexpr (remembers) drop_kept();
  }

  faulty_queue(faulty_queue&& from) noexcept(nothrow) { take(from); }
  faulty_queue& operator=(faulty_queue&& from) noexcept(nothrow) {
    if (this == &from) {
      if constexpr (F == fault::self_move_loses) give_back();
      return *this;
    }
    if constexpr (F == fault::assign_from_empty_ignored) {
      if (size_ > 0 && from.size_ == 0 && !from.on_heap()) return *this;
    }
    if constexpr (F == fault::assign_leaks_from_inline) {
      if (!from.on_heap()) be_empty_inline();
    }
    give_back();
    take(from);
    return *this;
  }
  void swap(faulty_queue& other) noexcept(nothrow) {
    if (this == &other) {
      if constexpr (F == fault::self_swap_loses) give_back();
      return;
    }
    if constexpr (F == fault::swap_mixed_loses) {
      if (on_heap() != other.on_heap()) (on_heap() ? other : *this).be_empty_inline();
    }
    faulty_queue spare{without_fault{}};
    spare.take<false>(*this);
    take<false>(other);
    other.take<false>(spare);
  }

  std::uint64_t size() const noexcept {
    if constexpr (F == fault::size_short_when_wrapped)
      return wrapped() && size_ > 1 && size_ < capacity_ ? size_ - 1 : size_;
    if constexpr (F == fault::full_reads_empty) return size_ == capacity_ ? 0 : size_;
    return size_;
  }
  std::uint64_t capacity() const noexcept {
    if constexpr (remembers) {
      if (memory_.claimed != 0) return memory_.claimed;
    }
    return capacity_;
  }
  const T& front() const noexcept {
    if constexpr (F == fault::head_left_at_capacity) return slots()[std::min(head_, capacity_ - 1)];
    return element(0);
  }
  const T& operator[](std::uint64_t i) const noexcept {
    if constexpr (F == fault::at_ignores_wrap) return slots()[std::min<std::uint64_t>(head_ + i, capacity_ - 1)];
    return element(i);
  }
  /// Where the slots are, how many, and which is the oldest value's; never what a fault makes of it.
  const T* first_slot() const noexcept { return slots(); }
  std::uint64_t slot_count() const noexcept { return capacity_; }
  std::uint64_t head_slot() const noexcept { return wrap(head_); }

  /// False: full, which only a bounded queue may say. The argument may be an element of this queue.
  bool push(const T& value) { return append(value, slot_of(&value), manner::pushed); }
  template <class... Field>
  bool emplace_back(const Field&... field) {
    const void* const fields[] = {std::addressof(field)...};
    return append(T(field...), slot_of(fields[0]), manner::emplaced);
  }

  void pop() { remove_oldest(); }

  void clear() {
    calm_down();
    if constexpr (F == fault::clear_allocates) {
      if (!memory_.left_inline) take_and_give_back();
    }
    if constexpr (F == fault::clear_zeroes) zero_slots(0, capacity_);
    if constexpr (F == fault::clear_releases) give_back();
    if constexpr (F == fault::clear_keeps_stale_tail) {
      memory_.armed = head_ != 0;
      memory_.number = wrap(head_ + std::uint64_t{size_});
    }
    size_ = F == fault::clear_leaves_one_when_wrapped && wrapped() ? 1 : 0;
    head_ = 0;
    if constexpr (F == fault::clear_keeps_count) {
      // Kept twice with nothing in between it would be charged as a contraction that comes early.
      if (low_pops_ == memory_.number) restart_count();
      memory_.number = low_pops_;
    } else {
      restart_count();
    }
  }

  void release() {
    calm_down();
    if constexpr (F == fault::release_keeps_block) return clear();
    if constexpr (remembers) memory_.number = 0;
    if constexpr (F == fault::release_then_destroy_twice) {
      if (on_heap()) {
        memory_.kept = block();
        memory_.kept_slots = capacity_;
      }
    }
    give_back();
  }

 private:
  struct without_fault {};
  explicit faulty_queue(without_fault) noexcept {}

  // ---- move
  /// Takes what `from` has; this queue must own no block. The moves that a swap consists of have none of the faults.
  template <bool Faulty = true>
  [[gnu::noinline]] void take(faulty_queue& from) noexcept {
    constexpr fault active = Faulty ? F : fault::none;
    be_empty_inline();
    const bool was_inline = !from.on_heap();
    const std::uint32_t source_size = from.size_;
    const std::uint32_t source_capacity = from.capacity_;
    if (was_inline)
      take_values<active>(from);
    else
      take_block<active>(from);
    from.be_empty_inline();
    if constexpr (remembers) {
      memory_.armed = from.memory_.armed = false;
      memory_.claimed = from.memory_.claimed = 0;
      memory_.left_inline = memory_.left_inline || from.memory_.left_inline;
      memory_.number = std::exchange(from.memory_.number, 0);
    }
    if constexpr (active == fault::source_drops_pushes) from.memory_.armed = true;
    if (active == fault::source_keeps_size && was_inline) from.size_ = source_size;
    if (active == fault::source_capacity_stays && !was_inline) from.claim(source_capacity);
  }

  template <fault Active>
  void take_block(faulty_queue& from) noexcept {
    if constexpr (Active == fault::empty_block_dropped) {
      if (from.size_ == 0) return from.give_back();
    }
    if constexpr (Active == fault::move_allocates) take_and_give_back();
    if (Active == fault::move_rotates_block && from.size_ > 0) {
      auto* const bytes = reinterpret_cast<unsigned char*>(from.slots());
      std::rotate(bytes, bytes + from.head_ * sizeof(T), bytes + from.capacity_ * sizeof(T));
      from.head_ = 0;
    }
    set_block(from.block(), from.capacity_);
    head_ = from.wrap(from.head_);
    size_ = from.size_;
    low_pops_ = Active == fault::count_lost_on_move ? 0 : from.low_pops_;
  }

  template <fault Active>
  void take_values(faulty_queue& from) noexcept {
    const std::uint64_t copied = Active == fault::move_copies_all_slots ? N : from.size_;
    for (std::uint64_t i = 0; i < copied; ++i) {
      const T& value = Active == fault::inline_move_not_unwrapped ? from.slots()[i] : from.element(i);
      std::memcpy(static_cast<void*>(inline_slots() + i), &value, sizeof(T));
    }
    size_ = from.size_;
    if constexpr (Active == fault::move_zeroes_source) from.zero_slots(0, N);
  }
};

}  // namespace ringspec::wrong
