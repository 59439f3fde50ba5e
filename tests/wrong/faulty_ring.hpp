// SPDX-License-Identifier: Apache-2.0
//
// What push and pop of a wrong queue do: append, growth, the low-water count, contraction. See faulty_queue.hpp.
//
// [[gnu::noinline]]: there are hundreds of these queues, and without it clang takes a third longer to compile them.
#pragma once

#include "faulty_storage.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

namespace ringspec::wrong {

template <class T, std::uint64_t N, fault F>
class faulty_ring : protected faulty_storage<T, N, F> {
 protected:
  using storage = faulty_storage<T, N, F>;
  using storage::allocate, storage::deallocate, storage::take_and_give_back, storage::keep, storage::drop_kept;
  using storage::capacity_, storage::head_, storage::size_, storage::low_pops_, storage::memory_;
  using storage::inline_slots, storage::slots, storage::wrap, storage::wrapped, storage::element, storage::slot_of,
      storage::store;
  using storage::on_heap, storage::block, storage::set_block, storage::be_empty_inline, storage::give_back;
  using storage::zero_slots, storage::zero_bytes, storage::remembers, storage::first_heap, storage::elsewhere;

  static constexpr std::uint64_t last_capacity = std::uint64_t{1} << 31;

  void forget_claim() {
    if constexpr (remembers) memory_.claimed = 0;
  }
  void claim(std::uint64_t count) {
    if constexpr (remembers) memory_.claimed = count;
  }
  /// What a fault has prepared for the next push does not outlive this.
  void calm_down() {
    forget_claim();
    if constexpr (remembers) memory_.armed = false;
  }

  // ---- push
  enum class manner { pushed, emplaced };

  /// Does this fault read the argument too late? Each one has its own kind of argument and reads all others in time.
  template <fault Front, fault Interior, fault Emplaced>
  bool reads_late(std::uint64_t source, manner how) const {
    if constexpr (F == Front) return how == manner::pushed && source == head_;
    if constexpr (F == Interior) return how == manner::pushed && source != elsewhere && source != head_;
    if constexpr (F == Emplaced) return how == manner::emplaced && source != elsewhere;
    return false;
  }

  [[gnu::noinline]] bool append(const T& value, std::uint64_t source, manner how) {
    forget_claim();
    if constexpr (F == fault::refuses_at_20) {
      if (size_ >= 20) return false;
    }
    if constexpr (F == fault::source_drops_pushes) {
      if (std::exchange(memory_.armed, false) && N > 1) return true;
    }
    if constexpr (F == fault::failure_sticks) {
      if (size_ == 0) memory_.armed = false;
      if (memory_.armed) {
        if (size_ == capacity_) take_and_give_back();  // a push onto a full queue still asks for memory
        throw std::bad_alloc();
      }
    }
    if constexpr (F == fault::lazy_ring) {
      if (!memory_.left_inline && memory_.number++ == 0) take_and_give_back();
    }
    if constexpr (F == fault::allocates_every_64) {
      if (!memory_.left_inline && size_ < N && ++memory_.number % 64 == 0) take_and_give_back();
    }
    const bool full = size_ == capacity_;
    const bool early = F == fault::grows_one_early && on_heap() && size_ + 1 == capacity_;
    const bool grown = (full || early) && grow(value, source, how);
    if (full && !grown) return F == fault::failed_growth_says_ok ? true : throw std::bad_alloc();
    if (!grown) put_in_place(value, source, how);
    count_push();
    return true;
  }

  void put_in_place(const T& value, std::uint64_t source, manner how) {
    const T* argument = &value;
    // As if the values had been moved down to slot 0 before the argument is read: its slot then has another one.
    if (reads_late<fault::alias_normalises_first, fault::interior_normalises_first, fault::emplace_normalises_first>(
            source, how) &&
        head_ != 0 && source < size_)
      argument = &element(source);

    std::uint32_t tail = wrap(head_ + std::uint64_t{size_});
    if constexpr (F == fault::clear_keeps_stale_tail) {
      if (std::exchange(memory_.armed, false)) tail = wrap(memory_.number);
    }
    T* const slot = slots() + tail;
    store(slot, *argument);
    if constexpr (F == fault::order_lost_on_wrap) {
      if (tail == 0 && size_ > 0) exchange_bytes(slot, slots() + (capacity_ - 1));
    }
    if constexpr (F == fault::writes_past_object) {
      if (!on_heap() && size_ + 1 == N) deface(reinterpret_cast<std::uintptr_t>(this) + sizeof *this);
    }
    if constexpr (F == fault::writes_before_block) {
      if (on_heap() && tail == 0) deface(reinterpret_cast<std::uintptr_t>(slot) - 1);
    }
    if constexpr (F == fault::writes_past_block) {
      if (on_heap() && tail + 1 == capacity_) deface(reinterpret_cast<std::uintptr_t>(slot) + sizeof(T));
    }
    ++size_;
    if constexpr (F == fault::push_zeroes_next) {
      if (size_ < capacity_) zero_slots(wrap(head_ + std::uint64_t{size_}), 1);
    }
  }

  static void exchange_bytes(T* a, T* b) {
    auto* const from = reinterpret_cast<unsigned char*>(a);
    std::swap_ranges(from, from + sizeof(T), reinterpret_cast<unsigned char*>(b));
  }

  void restart_count() {
    low_pops_ = 0;
    if constexpr (F == fault::empty_pop_resets) memory_.armed = false;
    if constexpr (F == fault::empty_pop_resets || F == fault::clear_keeps_count) memory_.number = 0;
  }

  void count_push() {
    if (!on_heap() || F == fault::push_never_resets) return;
    const std::uint64_t threshold = low_threshold();
    const bool resets = F == fault::count_reset_on_every_push  ? size_ != threshold
                        : F == fault::push_at_threshold_resets ? size_ >= threshold
                                                               : size_ > threshold;
    if constexpr (F == fault::empty_pop_resets) {
      // A push that lands on the threshold has a requirement of its own: what was lost comes back.
      if (size_ == threshold && low_pops_ + memory_.number > 0) memory_.armed = true;
      if (memory_.armed) low_pops_ += static_cast<std::uint32_t>(std::exchange(memory_.number, 0));
    }
    if (resets) restart_count();
  }

  /// A push onto a full queue. False: no memory.
  [[gnu::noinline]] bool grow(const T& value, std::uint64_t source, manner how) {
    const bool from_heap = on_heap();
    std::uint64_t next = from_heap ? capacity_ * std::uint64_t{2} : first_heap;
    if (F == fault::first_block_16 && !from_heap) next *= 2;
    if (F == fault::grows_fourfold && from_heap) next *= 2;
    if (next > last_capacity || next > PTRDIFF_MAX / sizeof(T))
      throw std::length_error("the queue has its last capacity");
    if constexpr (F == fault::releases_before_allocating) {
      if (from_heap && (size_ + 1) * sizeof(T) <= scratch_bytes) return grow_through_scratch(value, next);
    }
    T* const made = allocate(next);
    if (made == nullptr) {
      if (F == fault::failed_growth_half_done && from_heap) claim(next);
      if constexpr (F == fault::failure_sticks) memory_.armed = true;
      return false;
    }
    if constexpr (F == fault::two_allocations) keep(allocate(first_heap), first_heap);
    T* const to = made;
    if constexpr (F == fault::growth_zeroes_block) zero_bytes(to, next * sizeof(T));
    // The argument first: it may be an element of what is released below.
    const bool late =
        from_heap ? reads_late<fault::alias_after_release, fault::interior_after_release, fault::emplace_after_release>(
                        source, how)
                  : reads_late<fault::alias_after_leaving_inline, fault::interior_after_leaving_inline,
                               fault::emplace_after_leaving_inline>(source, how);
    store(to + size_, value);
    if (late) std::memset(static_cast<void*>(to + size_), 0xDD, sizeof(T));  // as a slot reads that has been given up
    // With an argument from inside, these two would be charged to the alias classes.
    const bool in_slot_order =
        source == elsewhere && ((F == fault::inline_growth_not_unwrapped && !from_heap) ||
                                (F == fault::heap_growth_wrong_at_head_3 && from_heap && head_ == 3));
    for (std::uint64_t i = 0; i < size_; ++i) store(to + i, in_slot_order ? slots()[i] : element(i));

    if (from_heap) retire_block<fault::keeps_old_block>();
    set_block(made, next);
    head_ = 0;
    ++size_;
    return true;
  }

  /// Releases the block that has been copied from, or keeps it if that is the fault.
  template <fault Keeps>
  void retire_block() {
    if constexpr (F == Keeps) {
      keep(block(), capacity_);
    } else {
      const auto middle = reinterpret_cast<std::uintptr_t>(block()) + capacity_ * sizeof(T) / 2;
      const bool small = capacity_ * sizeof(T) <= 4096;  // a larger one might no longer be mapped
      deallocate(block(), capacity_);
      // Not the first byte: an allocator keeps its own data there, and would bring down the process later.
      if (F == fault::writes_released_block && Keeps == fault::keeps_old_block && small) deface(middle);
    }
  }

  static constexpr std::size_t scratch_bytes = std::size_t{1} << 16;
  bool grow_through_scratch(const T& value, std::uint64_t next) {
    alignas(T) static unsigned char scratch[scratch_bytes];
    T* const saved = reinterpret_cast<T*>(scratch);
    for (std::uint64_t i = 0; i < size_; ++i) store(saved + i, element(i));
    store(saved + size_, value);
    const std::uint32_t count = size_ + 1;
    give_back();
    T* const made = allocate(next);
    if (made == nullptr) return false;
    for (std::uint64_t i = 0; i < count; ++i) store(made + i, saved[i]);
    set_block(made, next);
    size_ = count;
    return true;
  }

  // ---- pop and contraction
  [[gnu::noinline]] void remove_oldest() {
    forget_claim();
    const std::uint32_t vacated = wrap(head_);
    if constexpr (F == fault::crashes_on_wrapped_pop) {
      int* volatile nowhere = nullptr;
      if (vacated + 1 == capacity_) *nowhere = 1;
    }
    head_ = wrap(head_ + std::uint64_t{1});
    --size_;
    if constexpr (F == fault::head_left_at_capacity) {
      if (size_ == 0 && head_ == 0) head_ = capacity_;
    }
    if constexpr (F == fault::pop_zeroes_slot) zero_slots(vacated, 1);
    if (!on_heap() || !low_water()) return;
    ++low_pops_;
    if constexpr (F == fault::empty_pop_resets) {
      if (size_ == 0 && !memory_.armed) memory_.number += std::exchange(low_pops_, 0);
    }
    if (low_pops_ >= capacity_ && F != fault::never_shrinks) contract();
  }

  static std::uint64_t previous(std::uint64_t count) { return count == first_heap ? N : count / 2; }
  std::uint64_t low_threshold() const { return std::min<std::uint64_t>(capacity_ / 4, previous(capacity_)); }
  bool low_water() const {
    const std::uint64_t threshold = low_threshold();
    if constexpr (F == fault::threshold_below) return size_ < threshold;
    if constexpr (F == fault::threshold_above) return size_ <= threshold + 1;
    if constexpr (F == fault::depth_before_pop) return size_ + 1 <= threshold;
    return size_ <= threshold;
  }

  [[gnu::noinline]] void contract() {
    std::uint64_t to = previous(capacity_);
    if constexpr (F == fault::jumps_to_inline) {
      while (to > N && size_ <= previous(to)) to = previous(to);
    }
    if (to > N && !halve(to)) {
      if constexpr (F != fault::retries_each_pop) restart_count();
      if (F == fault::failed_halving_loses && size_ > 0) --size_;
      if constexpr (F == fault::failed_halving_throws) throw std::bad_alloc();
      return;
    }
    if (to == N) return_to_inline();
    head_ = 0;
    if constexpr (F != fault::count_carried_over) restart_count();
    if constexpr (F == fault::contraction_zeroes_rest) zero_slots(size_, to - size_);
    if (F == fault::empty_contraction_breaks && size_ == 0) size_ = 1;
  }

  bool halve(std::uint64_t to) {
    T* const made = allocate(to);
    if (made == nullptr) return false;
    const bool in_slot_order = F == fault::halving_loses_when_wrapped && wrapped();
    for (std::uint64_t i = 0; i < size_; ++i) store(made + i, in_slot_order ? slots()[i] : element(i));
    retire_block<fault::halving_keeps_old_block>();
    set_block(made, to);
    return true;
  }

  void return_to_inline() {
    // The block's address is overwritten by the first value.
    T* const old = block();
    const T* const from = slots();
    const std::uint64_t count = capacity_;
    if constexpr (F == fault::to_inline_allocates) take_and_give_back();
    for (std::uint64_t i = 0; i < size_; ++i)
      store(inline_slots() + i, from[F == fault::to_inline_not_unwrapped ? i : wrap(head_ + i)]);
    capacity_ = static_cast<std::uint32_t>(N);
    deallocate(old, count);
    if constexpr (F == fault::stale_capacity_tag) claim(count);
  }
};

}  // namespace ringspec::wrong
