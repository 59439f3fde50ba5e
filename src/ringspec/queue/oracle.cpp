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
    const std::size_t canaries = 2 * canary_bytes();
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

bool oracle::begin(const scrutiny& s) {
  every_step_ = s.every_step;
  beyond_ = s.beyond;
  failure_.reset();
  if (every_step_ && !beyond_) {
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
