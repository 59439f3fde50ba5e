// SPDX-License-Identifier: Apache-2.0
//
// The executable specification of the inline ring queue's control state: capacity, size, head and low-water count. It
// does not hold values (the oracle does) and it does not know ports; it answers what each operation does.
#pragma once
#include <algorithm>
#include <cstdint>
#include "ringspec/port.h"

namespace ringspec::queue {

/// What a step did to the queue, as far as attribution cares.
enum class transition : std::uint8_t {
  none,
  fills,          // a push that makes size equal capacity
  empties,        // a pop that leaves no value
  leaves_inline,  // growth from inline storage to the first heap block
  grows,          // growth from heap to heap
  halves,         // contraction to a smaller heap block
  to_inline,      // contraction to inline storage
  growth_fails,
  halving_fails,
  copies,            // a move of inline contents
  hands_over,        // a move of a heap block with values in it
  hands_over_empty,  // a move of a heap block without values
  refuses,           // a bounded queue at its maximum
  gives_back,        // a destruction or release of a queue with a heap block
};

/// What has just happened to a queue and may still show: kept until the queue is next full, empty, grown or contracted.
enum class phase : std::uint8_t { plain, drained, cleared, moved_from, growth_failed, refused, contracted_empty };
inline constexpr unsigned phase_count = 8;

/// How far a queue has been from inline storage. In a situation's phase it stands above the phase proper.
enum class past : std::uint8_t { was_on_heap, only_inline, long_inline };

/// What the low-water count has been through since it was last zero for an ordinary reason, and facts of a single step.
namespace history {
inline constexpr std::uint32_t front_argument = 1U << 0;     // push of the front element
inline constexpr std::uint32_t interior_argument = 1U << 1;  // push of another element
inline constexpr std::uint32_t at_threshold = 1U << 2;       // a counted pop landed exactly on T
inline constexpr std::uint32_t near_threshold = 1U << 3;     // a pop landed on T + 1
inline constexpr std::uint32_t push_at_threshold = 1U << 4;  // a push landed exactly on T while the count was not 0
inline constexpr std::uint32_t reset_by_push = 1U << 5;      // a push above T put the count back to 0
inline constexpr std::uint32_t after_contraction = 1U << 6;  // the count was put to 0 by a contraction
inline constexpr std::uint32_t emptied = 1U << 7;            // a counted pop left no value
inline constexpr std::uint32_t reset_by_clear = 1U << 8;     // a clear put the count back to 0
inline constexpr std::uint32_t moved = 1U << 9;              // the count came along with a moved block
inline constexpr std::uint32_t halving_failed = 1U << 10;    // the count was put to 0 by a failed halving
inline constexpr std::uint32_t replaces_block = 1U << 11;    // move assignment over a queue with a heap block
inline constexpr std::uint32_t no_values = 1U << 12;         // a contraction of an empty queue
inline constexpr std::uint32_t slots_compared = 1U << 13;    // the unused slots were looked at after this step
}  // namespace history

/// A port's declared numbers.
struct numbers {
  std::uint64_t inline_capacity{}, first_heap{}, growth_num{2}, growth_den{1}, max_size{};
  std::uint64_t low_divisor{4};
  bool counted_shrink{true};

  explicit numbers(const rs_queue_policy& p)
      : inline_capacity(p.inline_capacity),
        first_heap(p.first_heap),
        growth_num(p.growth_num),
        growth_den(p.growth_den == 0 ? 1 : p.growth_den),
        max_size(p.max_size),
        low_divisor(p.low_divisor == 0 ? 4 : p.low_divisor),
        counted_shrink(p.shrink == RS_SHRINK_COUNTED) {}

  [[nodiscard]] std::uint64_t next(std::uint64_t capacity) const {
    return capacity <= inline_capacity ? first_heap : capacity * growth_num / growth_den;
  }
  /// The capacity before this one on the way up: rounding makes it no plain division. Logarithmic.
  [[nodiscard]] std::uint64_t previous(std::uint64_t capacity) const {
    if (capacity <= first_heap) return inline_capacity;
    std::uint64_t step = first_heap;
    while (next(step) < capacity && next(step) > step) step = next(step);
    return step;
  }
  /// T(C). Only for heap capacities.
  [[nodiscard]] std::uint64_t threshold(std::uint64_t capacity) const {
    return std::min(capacity / low_divisor, previous(capacity));
  }
};

/// One queue's control state: a plain value.
struct state {
  std::uint64_t capacity{}, count{}, head{}, low{};
  std::uint64_t low_below{};  // a pop is low-water if the size after it is below this: T + 1 on the heap, 0 inline
  std::uint32_t history{};
  phase now{phase::plain};
  std::uint8_t inline_pushes{};  // counted up to long_inline_pushes
  past where{past::only_inline};
  bool heap{};

  static state fresh(const numbers& n) {
    state s;
    s.capacity = n.inline_capacity;
    return s;
  }

  void set_capacity(const numbers& n, std::uint64_t c) {
    capacity = c;
    heap = c > n.inline_capacity;
    if (heap) where = past::was_on_heap;
    low_below = heap && n.counted_shrink ? n.threshold(c) + 1 : 0;
  }

  /// Bits of the counting that matter to a contraction, not to a single step.
  void restart_count(std::uint32_t because) {
    low = 0;
    history = because;
  }

  // ---- the operations. Preconditions are the caller's. `fails`: an allocation made by this step would fail.

  transition push(const numbers& n, bool fails) {
    if (n.max_size != 0 && count >= n.max_size) {
      now = phase::refused;
      return transition::refuses;
    }
    if (count != capacity) return push_with_room();
    if (fails) {
      now = phase::growth_failed;
      return transition::growth_fails;
    }
    const transition result = heap ? transition::grows : transition::leaves_inline;
    set_capacity(n, n.next(capacity));
    head = 0;
    now = phase::plain;
    push_with_room();
    return result;
  }

  /// What a push does where there is room for it.
  transition push_with_room() {
    ++count;
    if (where == past::only_inline && ++inline_pushes == long_inline_pushes) where = past::long_inline;
    note_push();
    if (count != capacity) return transition::none;
    now = phase::plain;
    return transition::fills;
  }

  transition pop(const numbers& n, bool fails) {
    if (!pop_contracts()) return pop_without_contraction();
    take_oldest();
    note_low_pop();
    if (count == 0) now = phase::drained;
    return contract(n, fails);
  }

  /// Is the next pop the last low-water pop of a contraction?
  [[nodiscard]] bool pop_contracts() const { return count <= low_below && low + 1 == capacity; }

  /// What a pop does that does not contract.
  transition pop_without_contraction() {
    take_oldest();
    if (count < low_below) {
      note_low_pop();
    } else if (low_below != 0 && count == low_below) {
      history |= history::near_threshold;
    }
    if (count != 0) return transition::none;
    now = phase::drained;
    return transition::empties;
  }

  /// Keeps the count on a push. A push that lands above T puts it to 0; one that lands at or below T leaves it.
  void note_push() {
    if (count >= low_below) {
      if (low == 0 && history == 0) return;  // as nearly always
      // Whatever else had put the count to 0 does not show any more after this.
      history = low != 0 ? history::reset_by_push : history & history::reset_by_push;
      low = 0;
    } else if (low != 0 && count + 1 == low_below) {
      history |= history::push_at_threshold;
    }
  }

  void take_oldest() {
    head = head + 1 == capacity ? 0 : head + 1;
    --count;
  }

  /// Keeps the count on a low-water pop; `count` is already the depth after it.
  void note_low_pop() {
    if (count + 1 == low_below) history |= history::at_threshold;
    if (count == 0) history |= history::emptied;
    ++low;
  }

  transition contract(const numbers& n, bool fails) {
    const std::uint64_t to = n.previous(capacity);
    if (to > n.inline_capacity && fails) {
      restart_count(history::halving_failed);
      return transition::halving_fails;
    }
    set_capacity(n, to);
    head = 0;
    restart_count(history::after_contraction);
    now = count == 0 ? phase::contracted_empty : phase::plain;
    return heap ? transition::halves : transition::to_inline;
  }

  void clear() {
    count = head = 0;
    restart_count(low != 0 ? history::reset_by_clear : history & history::reset_by_clear);
    if (now != phase::moved_from) now = phase::cleared;
  }

  /// Empty and inline again, but no stranger to the heap.
  void release(const numbers& n) {
    const past before = where;
    *this = fresh(n);
    where = before == past::was_on_heap ? before : past::only_inline;
  }

  /// What the destination has after a move from `source`; the source is then fresh(), moved from.
  static state moved_to(const state& source, transition& how) {
    state result = source;
    if (result.now != phase::moved_from) result.now = phase::plain;
    if (source.heap) {
      how = source.count == 0 ? transition::hands_over_empty : transition::hands_over;
      if (result.low != 0) result.history |= history::moved;
    } else {
      how = transition::copies;
      result.head = 0;
      result.low = 0;
      result.history = 0;
    }
    return result;
  }

  /// The phase as a situation carries it.
  [[nodiscard]] std::uint8_t situation_phase() const {
    return static_cast<std::uint8_t>(static_cast<unsigned>(now) + phase_count * static_cast<unsigned>(where));
  }
  static constexpr std::uint8_t long_inline_pushes = 32;
};

}  // namespace ringspec::queue
