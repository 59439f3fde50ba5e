// SPDX-License-Identifier: Apache-2.0
//
// The faults of the wrong queues: for each requirement that traces can check, at least one queue that breaks it and, as
// far as that is possible, nothing else. The gate must catch each one and charge it to the requirement named in
// expected.txt. The order is that of the specification.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace ringspec::wrong {

enum class fault {
  none,          // conforms: shows that what a wrong port is caught for is its fault
  bounded_none,  // conforms, with a largest size
  abort_none,    // conforms, and dies by abort() when an allocation fails

  // fifo
  starts_with_one,                // a fresh queue has one value, all zero
  order_lost_on_wrap,             // a push that wraps around changes places with the value before it
  keeps_low_half,                 // the upper half of a value's bytes is stored as zero
  size_short_when_wrapped,        // size() is one short while the values wrap around
  full_reads_empty,               // size() is 0 when the queue is full
  head_left_at_capacity,          // the pop that empties the last slot leaves head == capacity
  clear_leaves_one_when_wrapped,  // clear() of wrapped values leaves one
  clear_keeps_stale_tail,         // the first push after clear() goes to the slot where it would have gone before
  refuses_at_20,                  // full at size 20, without being bounded
  crashes_on_wrapped_pop,         // the pop that wraps the head writes through a null pointer
  writes_past_object,             // the push that fills the inline slots writes the byte behind the object
  // fifo-interior
  at_ignores_wrap,  // operator[] does not wrap around
  // alias, alias-interior, alias-emplace: the argument is read too late, when it is the front, another element, or
  // given to emplace_back by its fields
  alias_normalises_first,
  alias_after_leaving_inline,
  alias_after_release,
  interior_normalises_first,
  interior_after_leaving_inline,
  interior_after_release,
  emplace_normalises_first,
  emplace_after_leaving_inline,
  emplace_after_release,
  // inline
  allocates_at_construction,  // and releases at destruction
  allocates_at_destruction,   // takes a block and gives it back
  lazy_ring,                  // the first push takes a block and gives it back
  clear_allocates,            // clear() takes a block and gives it back
  allocates_every_64,         // each 64th inline push takes a block and gives it back
  // growth
  inline_growth_not_unwrapped,  // leaving inline copies in the order of the slots
  heap_growth_wrong_at_head_3,  // growth on the heap does so when the head is 3
  releases_before_allocating,   // growth on the heap saves the values elsewhere and releases the old block first
  misaligned_heap,              // a block for over-aligned values comes from the plain operator new
  // growth-policy
  grows_one_early,  // on the heap, with one slot free
  first_block_16,   // the first block is twice as large as declared
  grows_fourfold,   // on the heap
  two_allocations,  // growth takes a second block beside the new one
  keeps_old_block,  // growth keeps the old block until the next change of storage
  // growth-bytes
  one_slot_extra,  // blocks have one slot more than the capacity
  // bounded
  full_one_early,        // full at max_size - 1
  refusal_drops_oldest,  // a refused push removes the oldest value
  refusal_sticks,        // pushes are refused until the queue is empty
  // shrink
  halving_loses_when_wrapped,  // a halving of wrapped values copies in the order of the slots
  to_inline_not_unwrapped,     // the return to inline storage does so, wrapped or not
  empty_contraction_breaks,    // a contraction of an empty queue leaves one value
  // shrink-policy
  never_shrinks,
  count_reset_on_every_push,  // except one that lands on the threshold: that is push_at_threshold_resets
  threshold_below,            // depth < T is low
  threshold_above,            // depth <= T + 1 is low
  depth_before_pop,           // the depth before the pop is judged
  push_at_threshold_resets,
  push_never_resets,
  count_carried_over,  // a contraction does not reset the count
  empty_pop_resets,    // a pop that empties the queue resets the count
  jumps_to_inline,     // a contraction goes as far down as the values allow
  stale_capacity_tag,  // after the return to inline storage capacity() is the old one until the next change
  halving_keeps_old_block,
  to_inline_allocates,  // the return to inline storage takes a block and gives it back
  // failure
  failed_growth_says_ok,
  failed_growth_half_done,  // after a failed growth on the heap capacity() is the new one until the next change
  failure_sticks,           // after a failed growth pushes fail until clear()
  failed_halving_throws,
  failed_halving_loses,  // a failed halving loses the newest value
  retries_each_pop,      // a failed halving is tried again at the next low pop
  // failure-abort
  failure_exits,  // a failed allocation ends the process by _Exit(1)
  // move
  inline_move_not_unwrapped,  // inline values are moved in the order of the slots
  move_rotates_block,         // a moved block's values are rotated down to slot 0
  move_allocates,             // a move of a block takes another and gives it back
  source_keeps_size,          // an inline source keeps its size
  source_capacity_stays,      // capacity() of the source is the old one until the next change
  source_drops_pushes,        // the source ignores its first push
  count_lost_on_move,
  empty_block_dropped,        // the block of an empty source is released instead of handed over
  assign_from_empty_ignored,  // values survive the assignment of an empty inline queue
  assign_leaks_from_inline,   // assignment of an inline queue forgets the old block
  self_move_loses,
  self_swap_loses,
  swap_mixed_loses,  // swap of inline and heap storage loses the inline values
  move_may_throw,    // the moves and swap are not noexcept
  // storage
  clear_releases,
  clear_keeps_count,  // of low-water pops, unless there were none since the last clear()
  release_keeps_block,
  destructor_leaks_when_empty,
  release_then_destroy_twice,  // destruction releases again what release() released
  wrong_size_release,          // the sized release says one value less
  wrong_alignment_release,     // an over-aligned block goes to the plain operator delete
  writes_released_block,       // growth writes a byte of the old block after its release
  writes_past_block,           // a push into the last slot of a block writes the byte behind it
  writes_before_block,         // a push into slot 0 of a block writes the byte before it
  // slots
  construction_zeroes,
  push_zeroes_next,
  pop_zeroes_slot,
  clear_zeroes,
  growth_zeroes_block,
  contraction_zeroes_rest,
  // slots-move
  move_copies_all_slots,
  move_zeroes_source,
};

constexpr bool is_bounded(fault f) {
  return f == fault::bounded_none || f == fault::full_one_early || f == fault::refusal_drops_oldest ||
         f == fault::refusal_sticks;
}

constexpr bool aborts(fault f) { return f == fault::abort_none || f == fault::failure_exits; }

/// The enumerator as the compiler spells it, so that no second list of the names can disagree with the first.
template <fault F>
consteval std::string_view enumerator() {
  // "... F = ringspec::wrong::fault::starts_with_one]", perhaps with more behind a ';'
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.find("fault::", text.find("F = ")) + std::string_view("fault::").size());
  return text.substr(0, text.find_first_of("];"));
}

/// The port's name, zero-terminated: "wrong-starts-with-one".
template <fault F>
inline constexpr auto port_name = [] {
  constexpr std::string_view prefix = "wrong-";
  constexpr std::string_view name = enumerator<F>();
  std::array<char, prefix.size() + name.size() + 1> made{};
  for (std::size_t i = 0; i < prefix.size(); ++i) made[i] = prefix[i];
  for (std::size_t i = 0; i < name.size(); ++i) made[prefix.size() + i] = name[i] == '_' ? '-' : name[i];
  return made;
}();

}  // namespace ringspec::wrong
