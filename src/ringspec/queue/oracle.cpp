// SPDX-License-Identifier: Apache-2.0
//
// The operations: each calls the port, asks the model, and hands both to compare() (judge.cpp).
#include "ringspec/queue/oracle.hpp"
#include <fmt/format.h>
#include <cstdlib>
#include <utility>
#include "ringspec/queue/table.hpp"

namespace ringspec::queue {
namespace {

constexpr std::size_t canary_bytes = 64;

std::size_t storage_alignment(const rs_queue& port) { return port.object_align < 64 ? 64 : port.object_align; }

numbers judged_numbers(const rs_queue_policy& policy, bool counts) {
  numbers n(policy);
  // Without the claim the model expects no contraction; what is seen is taken over.
  n.counted_shrink = n.counted_shrink && counts;
  return n;
}

bool judged_class(const bench_setup& setup, std::string_view class_name) {
  const specification& text = find_subject("queue")->text();
  for (std::size_t i = 0; i < text.requirements.size(); ++i) {
    if ((*setup.judged)[i] && text.requirements[i].class_name == class_name) return true;
  }
  return false;
}

}  // namespace

void value_line::grow() {
  std::vector<value_address> bigger(ring_.size() * 2);
  const std::size_t count = size();
  for (std::size_t i = 0; i < count; ++i) bigger[i] = (*this)[i];
  ring_ = std::move(bigger);
  mask_ = ring_.size() - 1;
  begin_ = 0;
  end_ = count;
}

oracle::oracle(const bench_setup& setup)
    : port_(table_of(*setup.port, setup.instance)),
      numbers_(judged_numbers(*port_.policy, judged_class(setup, "shrink-policy"))),
      judged_(*setup.judged),
      counts_(*setup.counts),
      at_(*setup.at),
      ledger_(alloc::ledger::instance()),
      values_(*port_.value),
      misaligned_(port_.value->value_align - 1),
      oom_(setup.port->oom),
      serves_(setup.serves),
      told_in_(setup.judged->size()) {
  const auto judged = [&](std::string_view name) { return judged_class(setup, name); };
  knows_growth_ = judged("growth-policy");
  reads_back_ = port_.at != nullptr &&
                (judged("fifo-interior") || judged("alias") || judged("alias-interior") || judged("alias-emplace"));
  pops_the_rest_ = !reads_back_ && std::find(judged_.begin(), judged_.end(), true) != judged_.end();
  // With this one judged and not the others of its class, the model keeps to its own capacities, whatever the queue's
  // are, and only what is left where the staircase ends is looked at.
  const auto is_judged = [&](std::string_view name) {
    const auto index = find_subject("queue")->text().index_of(name);
    return index && judged_[*index];
  };
  judges_rest_only_ =
      is_judged("queue.shrink-policy.ends-inline") && !is_judged("queue.shrink-policy.after-c-low-pops");
  knows_contraction_ = judged("shrink-policy") && !judges_rest_only_;
  judges_inline_ = judged("inline");
  judges_storage_ = judged("storage");
  judges_moves_ = judged("move");
  judges_slots_ = (judged("slots") || judged("slots-move")) && port_.slots != nullptr;
  const bool plans = (oom_ == RS_OOM_STATUS && judged("failure")) || (oom_ == RS_OOM_ABORTS && judged("failure-abort"));
  const bool moves = judges_moves_ || judged("slots-move");
  const auto offer = [&](op o, bool is) { offered_ |= std::uint64_t{is} << static_cast<unsigned>(o); };
  for (const op o : {op::create, op::destroy, op::push, op::pop}) offer(o, true);
  offer(op::push_element, judged("alias") || (judged("alias-interior") && port_.at != nullptr));
  offer(op::emplace_element, judged("alias-emplace") && port_.emplace_element != nullptr);
  offer(op::read, judged("fifo-interior") && port_.at != nullptr);
  offer(op::clear, port_.clear != nullptr);
  offer(op::release, judges_storage_ && port_.release != nullptr);
  offer(op::move_construct, moves && port_.move_construct != nullptr);
  offer(op::move_assign, moves && port_.move_assign != nullptr);
  offer(op::self_move, moves && port_.self_move != nullptr);
  offer(op::swap, moves && port_.swap != nullptr);
  offer(op::self_swap, moves && port_.self_swap != nullptr);
  offer(op::fail, plans);
  offer(op::fail_from, plans);

  seen_.size = seen_other_.size = sizeof(rs_queue_seen);
  popped_.resize(values_.size());
  for (queue& q : queues_) {
    const std::size_t alignment = storage_alignment(port_);
    const std::size_t canaries = ledger_.forwards() ? 0 : 2 * std::max(canary_bytes, alignment);
    const std::size_t bytes = (port_.object_size + canaries + alignment - 1) / alignment * alignment;
    // Under a sanitizer the object has its exact size, so that the redzone begins right behind it.
    if (canaries == 0) {
      q.storage = alloc::heap_allocate(port_.object_size, port_.object_align, alloc::family::host);
    } else {
      q.storage = std::aligned_alloc(alignment, bytes);
    }
    if (q.storage == nullptr) throw std::bad_alloc();
    q.object = static_cast<std::byte*>(q.storage) + canaries / 2;
  }
}

oracle::~oracle() {
  ledger_.tell_faults_to(nullptr);
  for (const queue& q : queues_) {
    if (ledger_.forwards())
      alloc::heap_release(q.storage, port_.object_size, port_.object_align, alloc::family::host);
    else
      std::free(q.storage);
  }
}

bool oracle::begin(bool every_step) {
  every_step_ = every_step;
  failure_.reset();
  if (every_step) {
    // Run again, the trace may tell something else, and what it told before is then still to be told.
    for (auto& teller : told_in_) {
      if (teller == at_.trace) teller.reset();
    }
  }
  told_ = {};
  next_value_ = values_.begin();
  wrapped_ = false;
  ledger_.tell_faults_to(&at_.fault_fired);
  ledger_.begin_trace();
  slots_.reset();
  for (queue& q : queues_) {
    q.alive = q.painted = false;
    q.room = 0;
    q.held.clear();
  }
  const bool sound = take_create(queues_[0]);
  settle(queues_[0]);
  return sound;
}

void oracle::settle(queue& q) {
  ledger_.begin_step();
  const bool hot = q.alive && !every_step_ && front_seen_ && !front_missing_;
  q.room = !hot ? 0 : numbers_.max_size == 0 ? q.s.capacity : std::min(q.s.capacity, numbers_.max_size);
}

bool oracle::unexpected_push(queue& q, value_address v, rs_status status) {
  look(q);
  const bool sound = judge_push(op::push, q, v, 0, false, status);
  settle(q);
  return sound;
}

bool oracle::unexpected_pop(queue& q, rs_status status) {
  look(q);
  state after = q.s;
  const transition how = after.pop(numbers_, false);
  q.held.pop();
  const bool sound = judge_pop(q, after, how, status);
  settle(q);
  return sound;
}

bool oracle::unexpected_front(queue& q) {
  const bool sound = compare_front(q);
  settle(q);
  return sound;
}

bool oracle::take_any(const step& s) {
  queue& q = queues_[s.a];
  const bool sound = perform(s, q);
  settle(q);
  if (s.b != s.a) settle(queues_[s.b]);
  return sound;
}

bool oracle::perform(const step& s, queue& q) {
  const op o{s.op};
  if (every_step_) told_ = {s, false, RS_OK, RS_OK, unknown, unknown, 0, 0};
  if (o == op::push) return !q.alive || take_push(q);
  if (o == op::pop) return !q.alive || q.s.count == 0 || take_pop(q);
  if (!offers(o)) return true;
  queue& other = queues_[s.b];
  switch (o) {
    case op::push:
    case op::pop: break;
    case op::create: return q.alive || take_create(q);
    case op::destroy: return !q.alive || take_destroy(q);
    case op::push_element:
    case op::emplace_element: return !q.alive || q.s.count == 0 || take_element(s, o, q);
    case op::read: return !q.alive || q.s.count == 0 || take_read(q, s.number);
    case op::clear: return !q.alive || take_clear(q);
    case op::release: return !q.alive || take_release(q);
    case op::move_construct: return q.alive || !other.alive || take_move(o, q, other);
    case op::move_assign: return !q.alive || !other.alive || take_move(o, q, other);
    case op::self_move:
    case op::self_swap: return !q.alive || take_self(o, q);
    case op::swap: return !q.alive || !other.alive || take_swap(q, other);
    case op::fail:
    case op::fail_from:
      ledger_.plan(s.number, o == op::fail_from);
      told_.applied = true;
      return true;
  }
  return true;
}

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

// ---- construction, destruction, clear -----------------------------------------------------------------------------

bool oracle::take_create(queue& q) {
  paint_storage(q);
  ledger_.begin_step();
  state after = state::fresh(numbers_);
  q.s = after;
  announce(op::create, transition::none, after, 0);
  const rs_status status = port_.construct(q.object);
  outlook due;
  if (judges_inline_) due.allocations = due.releases = 0;
  if (status == RS_OK) {
    q.alive = true;
    q.held.clear();
    look(q);
  } else {
    seen_.count = 0;
    if (ledger_.step.failures != 0) due.status = RS_NOMEM;
  }
  if (knows_growth_) {
    due.capacity = after.capacity;
  } else if (status == RS_OK) {
    adopt(after, seen_.capacity);
  }
  return compare(op::create, q, after, due, status);
}

bool oracle::take_destroy(queue& q) {
  ledger_.begin_step();
  // Without a capacity, a queue that has held more than it has room for has been on the heap.
  const bool heap = q.s.heap || (q.s.capacity == RS_NOT_OFFERED && q.s.where == past::was_on_heap);
  const transition how = heap ? transition::gives_back : transition::none;
  announce(op::destroy, how, q.s, 0);
  where_ = {static_cast<std::uint8_t>(op::destroy), static_cast<std::uint8_t>(how), q.s.situation_phase(), 0};
  port_.destroy(q.object);
  counts_.count(where_);
  q.alive = false;
  q.held.clear();
  // Otherwise what counts is that nothing is left in the end: an object may own more than its block of values.
  const bool stayed_inline = judges_inline_ && q.s.where != past::was_on_heap;
  told_.allocations_due = told_.releases_due = stayed_inline ? 0 : unknown;
  told_.allocations = ledger_.step.attempts;
  told_.releases = ledger_.step.releases;
  if (!check_violations()) return false;
  const std::string of = " by the destruction of " + name_of(q);
  return !stayed_inline || ((told_.allocations == 0 || differs(difference::allocations, "allocations" + of, "0",
                                                               std::to_string(told_.allocations))) &&
                            (told_.releases == 0 || differs(difference::releases, "blocks released" + of, "0",
                                                            std::to_string(told_.releases))));
}

bool oracle::take_clear(queue& q) {
  ledger_.begin_step();
  state after = q.s;
  after.clear();
  announce(op::clear, transition::none, q.s, 0);
  const rs_status status = port_.clear(q.object);
  look(q);
  q.held.clear();
  outlook due;
  if (judges_storage_) due.capacity = q.s.capacity;
  if (judges_storage_ || (judges_inline_ && q.s.where != past::was_on_heap)) due.allocations = due.releases = 0;
  return compare(op::clear, q, after, due, status);
}

bool oracle::take_release(queue& q) {
  ledger_.begin_step();
  state after = q.s;
  after.release(numbers_);
  outlook due;
  due.how = q.s.heap ? transition::gives_back : transition::none;
  announce(op::release, due.how, q.s, 0);
  const rs_status status = port_.release(q.object);
  look(q);
  q.held.clear();
  due.allocations = 0;
  if (seen_.capacity != RS_NOT_OFFERED) due.capacity = after.capacity;
  if (knows_growth_)
    due.releases = q.s.heap ? 1 : 0;
  else if (q.s.heap)
    due.releases = std::max(ledger_.step.releases, 1U);  // one at least
  return compare(op::release, q, after, due, status);
}

}  // namespace ringspec::queue
