// SPDX-License-Identifier: Apache-2.0
//
// The operations that put a value in, take one out, or look at one.
#include <fmt/format.h>
#include <algorithm>
#include "ringspec/queue/oracle.hpp"

namespace ringspec::queue {

// ---- push ---------------------------------------------------------------------------------------------------------

template <class Call>
bool oracle::pushed(op o, queue& q, value_address v, std::uint32_t bits, Call call) {
  ledger_.begin_step();
  const bool fails = ledger_.next_fails();
  if (every_step_) {
    state after = q.s;
    announce(o, after.push(numbers_, fails), q.s, bits);
  }
  const rs_status status = call();
  port_.observe(q.object, &seen_);
  const bool room = q.s.count < q.s.capacity && (numbers_.max_size == 0 || q.s.count < numbers_.max_size);
  if (room && status == RS_OK && as_expected(q, q.s.count + 1) && !every_step_ && bits == 0) {
    accept_push(o, q, v);
    return compare_front(q);
  }
  return judge_push(o, q, v, bits, fails, status);
}

bool oracle::judge_push(op o, queue& q, value_address v, std::uint32_t bits, bool fails, rs_status status) {
  // It did not even ask for memory: whatever is wrong here, it is not how a refusal is taken.
  if (status == RS_OK && ledger_.step.attempts == 0) fails = false;
  state after = q.s;
  outlook due;
  due.history = bits;
  const bool at_max = numbers_.max_size != 0 && q.s.count >= numbers_.max_size;
  if (judges_rest_only_) {
    due.how = after.push(numbers_, fails);
  } else if (knows_growth_ || at_max) {
    due.how = after.push(numbers_, fails);
    due.capacity = knows_growth_ ? after.capacity : unknown;
    const bool grows = due.how == transition::leaves_inline || due.how == transition::grows;
    due.allocations = grows || due.how == transition::growth_fails ? 1 : 0;
    due.releases = due.how == transition::grows ? 1 : 0;
    if (grows) due.bytes = after.capacity * values_.size();
  } else if (ledger_.step.failures != 0 && status != RS_OK) {
    due.how = transition::growth_fails;
    due.capacity = q.s.capacity;
    // It may have got one block and not the next: what it got it may give back.
    due.releases = std::min<std::uint64_t>(ledger_.step.releases, ledger_.step.attempts - ledger_.step.failures);
    after.now = phase::growth_failed;
  } else {
    // The port grows by a rule of its own: what was seen says whether it did.
    const bool grew = seen_.capacity != q.s.capacity || ledger_.step.attempts != 0;
    after.capacity = UINT64_MAX;
    after.push(numbers_, false);
    after.where = q.s.where;
    adopt(after, seen_.capacity);
    if (grew) {
      due.how = q.s.heap || q.s.count > numbers_.inline_capacity ? transition::grows : transition::leaves_inline;
      after.now = phase::plain;
      // A claim to exact blocks holds for whatever capacity the port chose.
      if (seen_.capacity != RS_NOT_OFFERED && seen_.capacity != q.s.capacity && ledger_.step.attempts == 1) {
        due.bytes = seen_.capacity * values_.size();
      }
    } else if (after.count == after.capacity) {
      due.how = transition::fills;
    }
    if (judges_inline_ && q.s.where != past::was_on_heap && after.count <= numbers_.inline_capacity)
      due.how = after.count == after.capacity ? transition::fills : transition::none;
  }
  if (!knows_growth_ && judges_inline_ && q.s.where != past::was_on_heap && after.count <= numbers_.inline_capacity)
    due.allocations = due.releases = 0;
  if (due.how == transition::refuses) due.status = RS_FULL;
  if (due.how == transition::growth_fails) due.status = RS_NOMEM;
  const bool takes = due.status == RS_OK;
  if (takes) q.held.push(v);
  return compare(o, q, after, due, status);
}

bool oracle::take_push(queue& q) {
  const value_address v = fresh_value();
  return pushed(op::push, q, v, 0, [&] { return port_.push(q.object, v); });
}

bool oracle::take_element(const step& s, op o, queue& q) {
  const std::uint64_t i = s.number % q.s.count;
  told_.done.number = static_cast<std::uint32_t>(i);
  const value_address v = q.held[i];
  if (o == op::emplace_element) return pushed(o, q, v, 0, [&] { return port_.emplace_element(q.object, i); });
  const std::uint32_t bits = i == 0 ? history::front_argument : history::interior_argument;
  if (port_.push_element != nullptr) return pushed(o, q, v, bits, [&] { return port_.push_element(q.object, i); });
  const void* argument = nullptr;
  if (i == 0) {
    look(q);
    argument = seen_.front;
  }
  if (argument == nullptr && port_.at != nullptr) argument = port_.at(q.object, i);
  return argument == nullptr || pushed(o, q, v, bits, [&] { return port_.push(q.object, argument); });
}

// ---- pop and read -------------------------------------------------------------------------------------------------

bool oracle::take_pop(queue& q) {
  ledger_.begin_step();
  const bool fails = ledger_.next_fails();
  state after = q.s;
  const transition how = after.pop(numbers_, fails);
  if (every_step_) announce(op::pop, how, q.s, 0);
  const value_address oldest = q.held.front();
  const bool into = front_missing_ && port_.pop_into != nullptr;
  const rs_status status = into ? port_.pop_into(q.object, popped_.data()) : port_.pop(q.object);
  port_.observe(q.object, &seen_);
  if (into && status == RS_OK && !values_.equal(oldest, popped_.data())) [[unlikely]] {
    where_ = {static_cast<std::uint8_t>(op::pop), static_cast<std::uint8_t>(how), q.s.situation_phase(), 0};
    if (!differs(values_.damaged(oldest, popped_.data()) ? difference::damaged : difference::front, "the value popped",
                 describe(oldest), describe(popped_.data()))) {
      return false;
    }
  }
  if (status == RS_OK && as_expected(q, after.count) && how <= transition::empties && !every_step_) {
    accept_pop(q);
    return compare_front(q);
  }
  q.held.pop();
  return judge_pop(q, after, how, status);
}

bool oracle::judge_pop(queue& q, const state& after, transition how, rs_status status) {
  const state& before = q.s;
  const bool contracts = how == transition::halves || how == transition::to_inline;
  outlook due;
  due.how = how;
  // The history of the run that led here, and whether there was anything to carry over.
  due.history = before.history;
  if (contracts || how == transition::halving_fails) {
    if (after.count + 1 == before.low_below) due.history |= history::at_threshold;
    if (after.count == 0) due.history |= history::emptied | history::no_values;
  }
  if (judges_rest_only_ && how == transition::to_inline) {
    where_ = {static_cast<std::uint8_t>(op::pop), static_cast<std::uint8_t>(how), before.situation_phase(),
              due.history};
    if (!holds_nothing(q)) return false;
  } else if (knows_contraction_) {
    due.capacity = after.capacity;
    due.allocations = how == transition::halves || how == transition::halving_fails ? 1 : 0;
    due.releases = contracts ? 1 : 0;
    if (how == transition::halves) due.bytes = after.capacity * values_.size();
    const auto phase_before = before.situation_phase();
    const auto situate = [&](transition t) {
      where_ = {static_cast<std::uint8_t>(op::pop), static_cast<std::uint8_t>(t), phase_before, due.history};
    };
    if ((contracts || how == transition::halving_fails) && status == RS_OK &&
        ledger_.step.attempts + ledger_.step.releases == 0 && seen_.capacity == before.capacity &&
        seen_.count == after.count) {
      situate(how);
      if (!differs(difference::late, "contraction of " + name_of(q),
                   fmt::format("contraction from {} to {} in this pop, the {} low-water pop in a row", before.capacity,
                               before.capacity == after.capacity ? numbers_.previous(before.capacity) : after.capacity,
                               before.low + 1),
                   "none")) {
        return false;
      }
    }
    if (!contracts && how != transition::halving_fails && before.heap && status == RS_OK &&
        (seen_.capacity < before.capacity || ledger_.step.attempts != 0)) {
      const bool attempt = seen_.capacity >= before.capacity;
      situate(seen_.capacity <= numbers_.inline_capacity ? transition::to_inline
              : attempt                                  ? transition::halving_fails
                                                         : transition::halves);
      if (!differs(
              difference::early, "contraction of " + name_of(q),
              fmt::format("none before {} low-water pops in a row (this is number {})", before.capacity, after.low),
              attempt ? std::string("an attempt to contract")
                      : fmt::format("contraction from {} to {}", before.capacity, seen_.capacity))) {
        return false;
      }
    }
    if (how == transition::halves && seen_.capacity < after.capacity) {
      situate(how);
      if (!differs(difference::deeper, "capacity of " + name_of(q), std::to_string(after.capacity),
                   std::to_string(seen_.capacity)))
        return false;
    }
  } else {
    if (judges_inline_ && before.where != past::was_on_heap) due.allocations = due.releases = 0;
    if (judges_rest_only_) {
      // due.how is the model's
    } else if (seen_.capacity < before.capacity) {
      due.how = seen_.capacity <= numbers_.inline_capacity ? transition::to_inline : transition::halves;
      if (after.count == 0) due.history |= history::no_values;
    } else if (ledger_.step.failures != 0) {
      due.how = transition::halving_fails;
    }
  }
  // An ordinary pop does not carry the run's history: it decides nothing about it.
  if (due.how <= transition::empties) due.history = 0;
  state next = after;
  return compare(op::pop, q, next, due, status);
}

bool oracle::take_read(queue& q, std::uint32_t index) {
  const std::uint64_t i = index % q.s.count;
  told_.done.number = static_cast<std::uint32_t>(i);
  ledger_.begin_step();
  announce(op::read, transition::none, q.s, 0);
  where_ = {static_cast<std::uint8_t>(op::read), 0, q.s.situation_phase(), 0};
  const void* const seen = port_.at(q.object, i);
  counts_.count(where_);
  look(q);
  return value_is(q, i, seen, difference::content);
}

}  // namespace ringspec::queue
