// SPDX-License-Identifier: Apache-2.0
//
// Moves and swaps: the operations of the oracle that take two queues, or one as both.
#include <fmt/format.h>
#include <algorithm>
#include <utility>
#include "ringspec/queue/oracle.hpp"

namespace ringspec::queue {

bool oracle::exchange_facts(op o, const situation& where) {
  const std::uint64_t needed = o == op::move_construct                      ? RS_Q_NOTHROW_MOVE
                               : o == op::move_assign || o == op::self_move ? RS_Q_NOTHROW_ASSIGN
                                                                            : RS_Q_NOTHROW_SWAP;
  if ((port_.facts & needed) != 0 || !judges_moves_) return true;
  where_ = where;
  return differs(difference::fact, "declaration of the operation", "unable to fail (noexcept)", "able to fail");
}

bool oracle::take_move(op o, queue& to, queue& from) {
  look(from);
  front_before_ = seen_.front;
  ledger_.begin_step();
  const bool construct = o == op::move_construct;
  outlook due;
  due.allocations = 0;
  state after = state::moved_to(from.s, due.how);
  if (construct) {
    paint_storage(to);
    to.s = state::fresh(numbers_);
  } else if (to.s.heap) {
    due.history = history::replaces_block;
  }
  announce(o, due.how, from.s, due.history);
  if (!exchange_facts(o, {static_cast<std::uint8_t>(o), static_cast<std::uint8_t>(due.how), 0, 0})) return false;
  const rs_status status =
      construct ? port_.move_construct(to.object, from.object) : port_.move_assign(to.object, from.object);
  if (construct && status != RS_OK) {
    // There is no destination to look at; the source must be as it was.
    look(from);
    after = from.s;
    return compare(o, from, after, due, status);
  }
  port_.observe(from.object, &seen_other_);
  look(to);
  to.alive = true;
  std::swap(to.held, from.held);
  from.held.clear();
  due.capacity = knows_growth_ || from.s.heap ? after.capacity : unknown;
  const bool replaces = !construct && to.s.heap;
  if (knows_growth_)
    due.releases = replaces ? 1 : 0;
  else if (replaces)
    due.releases = std::max(ledger_.step.releases, 1U);  // one at least
  const bool handed_over = due.how == transition::hands_over;
  if (!compare(o, to, after, due, status)) return false;
  if (handed_over && front_before_ != seen_.front &&
      !differs(difference::address, "address of the oldest value", fmt::format("{}", front_before_),
               fmt::format("{}", seen_.front))) {
    return false;
  }
  if (seen_other_.count != 0 && !differs(difference::source_count, "size of the source " + name_of(from), "0",
                                         std::to_string(seen_other_.count))) {
    return false;
  }
  if (seen_other_.capacity != RS_NOT_OFFERED && seen_other_.capacity != numbers_.inline_capacity &&
      !differs(difference::source_capacity, "capacity of the source " + name_of(from),
               std::to_string(numbers_.inline_capacity), std::to_string(seen_other_.capacity))) {
    return false;
  }
  from.s.release(numbers_);
  from.s.now = phase::moved_from;
  if (!knows_growth_) {
    adopt(from.s, seen_other_.capacity);
  }
  return check_slots(from, difference::source_slot);
}

bool oracle::take_self(op o, queue& q) {
  look(q);
  front_before_ = seen_.front;
  ledger_.begin_step();
  outlook due;
  due.how = !q.s.heap ? transition::copies : q.s.count == 0 ? transition::hands_over_empty : transition::hands_over;
  announce(o, due.how, q.s, 0);
  if (!exchange_facts(o, {static_cast<std::uint8_t>(o), static_cast<std::uint8_t>(due.how), 0, 0})) return false;
  const rs_status status = o == op::self_move ? port_.self_move(q.object) : port_.self_swap(q.object);
  look(q);
  due.capacity = q.s.capacity;
  due.allocations = 0;
  if (knows_growth_) due.releases = 0;
  const bool same_place = q.s.heap;
  state after = q.s;
  if (!compare(o, q, after, due, status)) return false;
  return !same_place || front_before_ == seen_.front ||
         differs(difference::address, "address of the oldest value", fmt::format("{}", front_before_),
                 fmt::format("{}", seen_.front));
}

bool oracle::take_swap(queue& a, queue& b) {
  look(b);
  const void* const front_of_b = b.s.heap && b.s.count != 0 ? seen_.front : nullptr;
  look(a);
  const void* const front_of_a = a.s.heap && a.s.count != 0 ? seen_.front : nullptr;
  ledger_.begin_step();
  outlook due;
  transition other{};
  state after_a = state::moved_to(b.s, due.how);
  state after_b = state::moved_to(a.s, other);
  announce(op::swap, due.how, a.s, 0);
  if (!exchange_facts(op::swap, {static_cast<std::uint8_t>(op::swap), static_cast<std::uint8_t>(due.how), 0, 0}))
    return false;
  const rs_status status = port_.swap(a.object, b.object);
  port_.observe(b.object, &seen_other_);
  look(a);
  std::swap(a.held, b.held);
  due.capacity = knows_growth_ || b.s.heap ? after_a.capacity : unknown;
  const std::uint64_t capacity_of_b = knows_growth_ || a.s.heap ? after_b.capacity : unknown;
  due.allocations = 0;
  if (knows_growth_) due.releases = 0;
  if (seen_other_.count != after_b.count) {
    where_ = {static_cast<std::uint8_t>(op::swap), static_cast<std::uint8_t>(due.how), a.s.situation_phase(), 0};
    if (!differs(difference::source_count, "size of " + name_of(b), std::to_string(after_b.count),
                 std::to_string(seen_other_.count)))
      return false;
  }
  if (!compare(op::swap, a, after_a, due, status)) return false;
  if (capacity_of_b != unknown && seen_other_.capacity != capacity_of_b &&
      !differs(difference::source_capacity, "capacity of " + name_of(b), std::to_string(capacity_of_b),
               std::to_string(seen_other_.capacity))) {
    return false;
  }
  b.s = after_b;
  if (!knows_growth_) adopt(b.s, seen_other_.capacity);
  const auto kept = [&](const void* before, const void* now) {
    return before == nullptr || before == now ||
           differs(difference::address, "address of the oldest value", fmt::format("{}", before),
                   fmt::format("{}", now));
  };
  return kept(front_of_b, seen_.front) && kept(front_of_a, seen_other_.front) && read_back(b) &&
         check_slots(b, difference::source_slot);
}

}  // namespace ringspec::queue
