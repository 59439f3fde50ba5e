// SPDX-License-Identifier: Apache-2.0
//
// Judging: comparing a step with its outlook, reading back, and charging a difference to a requirement.
#include <fmt/format.h>
#include <algorithm>
#include <cstring>
#include "ringspec/queue/oracle.hpp"
#include "ringspec/queue/rules.hpp"

namespace ringspec::queue {
namespace {

std::string capacity_text(std::uint64_t c) { return c == RS_NOT_OFFERED ? "not offered" : std::to_string(c); }

/// What a trace can go on beyond: the values are there, and the model's picture of the queue still fits.
constexpr std::uint64_t harmless =
    kinds(difference::fact, difference::allocations, difference::releases, difference::block_bytes,
          difference::released_first, difference::address, difference::slot, difference::source_slot);

bool moves_values(transition t) {
  return t != transition::none && t != transition::fills && t != transition::empties && t != transition::gives_back;
}

}  // namespace

std::string to_text(rs_status s) {
  switch (s) {
    case RS_OK: return "ok";
    case RS_NOMEM: return "nomem";
    case RS_FULL: return "full";
    case RS_TOO_LONG: return "too-long";
    case RS_THREW: return "threw";
    default: return fmt::format("{}", s);
  }
}

std::string oracle::name_of(const queue& q) const {
  return std::string(1, register_names[static_cast<std::size_t>(&q - queues_.data())]);
}

std::string oracle::describe(const void* value) const {
  if (value == nullptr) return "none";
  const std::uint32_t k = values_.identify(value, wrapped_ ? values_.different() : values_.number_of(next_value_));
  if (k != values_.different()) return fmt::format("#{}", k);
  const auto* const first = static_cast<const std::byte*>(value);
  if (std::all_of(first, first + values_.size(), [](std::byte b) { return b == alloc::poison; }))
    return "memory that was released";
  std::string bytes;
  const std::size_t shown = std::min<std::size_t>(values_.size(), 16);
  for (std::size_t i = 0; i < shown; ++i)
    bytes += fmt::format("{:02x}", static_cast<unsigned>(static_cast<const std::byte*>(value)[i]));
  return fmt::format("no value of this trace ({}{})", bytes, shown < values_.size() ? "..." : "");
}

void oracle::adopt(state& s, std::uint64_t seen_capacity) const {
  if (judges_rest_only_) return;
  const past before = s.where;
  s.set_capacity(numbers_, seen_capacity);
  if (seen_capacity != RS_NOT_OFFERED) return;
  // Without a capacity, what the queue holds is all there is to go by.
  s.heap = false;
  s.where = s.count > numbers_.inline_capacity ? past::was_on_heap : before;
}

void oracle::announce(op o, transition how, const state& before, std::uint32_t bits) {
  if (every_step_) {
    told_.applied = true;
    at_.where = {static_cast<std::uint8_t>(o), static_cast<std::uint8_t>(how), before.situation_phase(), bits};
  }
}

bool oracle::differs(difference kind, std::string what, std::string expected, std::string seen) {
  const std::uint64_t bit = kinds(kind);
  if ((bit & ledger_differences()) != 0) {
    for (const queue& q : queues_) {
      if (q.alive) check_coverage(q);
    }
    if (!blind_.empty()) return true;
  }
  const specification& text = find_subject("queue")->text();
  for (const rule& r : rules()) {
    if ((r.differences & bit) == 0 || !r.covers(where_)) continue;
    const auto index = text.index_of(r.requirement);
    if (!index || !judged_[*index]) continue;
    if ((bit & harmless) != 0) {
      // One trace tells it, so that the others get to see what comes after it.
      if (!serves_.empty() && serves_ != r.requirement) return true;
      if (told_in_[*index] && (beyond_ || *told_in_[*index] != at_.trace)) return true;
      told_in_[*index] = at_.trace;
    }
    failure_ = failure{0, where_, *index, std::move(what), std::move(expected), std::move(seen)};
    return false;
  }
  return true;
}

bool oracle::compare(op o, queue& q, const state& after, const outlook& due, rs_status status) {
  where_ = {static_cast<std::uint8_t>(o), static_cast<std::uint8_t>(due.how), q.s.situation_phase(), due.history};
  if (every_step_ && judges_slots_) where_.history |= history::slots_compared;
  counts_.count(where_);
  const alloc::account& moved = ledger_.step;
  if (every_step_) {
    told_.status_due = due.status;
    told_.status_seen = status;
    told_.allocations_due = due.allocations;
    told_.releases_due = due.releases;
    told_.allocations = moved.attempts;
    told_.releases = moved.releases;
  }
  const auto name = [&] { return name_of(q); };
  q.s = after;
  if (!check_violations()) return false;
  if (oom_ == RS_OOM_ABORTS && moved.failures != 0 &&
      !differs(difference::survived, "end of the process", "abort() inside the call, since an allocation failed",
               "the call returned " + to_text(status))) {
    return false;
  }
  // What failed for want of memory where none was due has asked for it: that is the cause.
  if (status == RS_NOMEM && due.allocations == 0 && moved.failures != 0 &&
      !differs(difference::wanted_memory, "allocations", "0", fmt::format("{}, and it failed", moved.attempts))) {
    return false;
  }
  if (status != due.status) {
    const bool about_full = due.status == RS_FULL || (status == RS_FULL && due.status == RS_OK);
    std::string seen = to_text(status);
    if (status == RS_THREW && port_.last_error != nullptr) {
      if (const char* const why = port_.last_error(); why != nullptr) seen += fmt::format(" ({})", why);
    }
    if (!differs(about_full ? difference::full : difference::status, "status", to_text(due.status), seen)) return false;
  }
  if (o == op::create && status != RS_OK) return true;
  if (seen_.count != after.count &&
      !differs(difference::count, "size of " + name(), std::to_string(after.count), std::to_string(seen_.count))) {
    return false;
  }
  if (due.capacity == unknown) {
    // Taken over as seen, where the port's own rule decides.
    if (seen_.capacity != q.s.capacity) adopt(q.s, seen_.capacity);
  } else if (seen_.capacity != due.capacity && !differs(difference::capacity, "capacity of " + name(),
                                                        capacity_text(due.capacity), capacity_text(seen_.capacity))) {
    return false;
  }
  if (due.allocations != unknown && moved.attempts != due.allocations &&
      !differs(difference::allocations, "allocations", std::to_string(due.allocations),
               std::to_string(moved.attempts))) {
    return false;
  }
  if (due.releases != unknown && moved.releases != due.releases &&
      !differs(difference::releases, "blocks released", std::to_string(due.releases), std::to_string(moved.releases))) {
    return false;
  }
  if (due.bytes != unknown && moved.bytes != due.bytes &&
      !differs(difference::block_bytes, "bytes of the new block", std::to_string(due.bytes),
               std::to_string(moved.bytes))) {
    return false;
  }
  if (moved.released_first &&
      !differs(difference::released_first, "order of the blocks",
               "the new block first, then the release of the old one", "the old block was released first")) {
    return false;
  }
  if (!compare_front(q)) return false;
  const bool reads_back = moves_values(due.how) || due.history != 0 || o == op::emplace_element;
  return !reads_back || (read_back(q) && check_slots(q, difference::slot, moved.attempts != moved.failures));
}

bool oracle::compare_front(const queue& q) {
  if (q.held.empty()) return true;
  if (seen_.front == nullptr) {
    front_missing_ = true;  // for all queues of this port
    for (queue& each : queues_) each.room = 0;
    // Never given and no other way to a value, or given before: either way the value cannot be compared.
    if (!front_seen_ && (port_.pop_into != nullptr || port_.at != nullptr)) return true;
    return differs(difference::front, "front of " + name_of(q),
                   front_seen_ ? "an address, as before" : "an address (or rs_queue.pop_into)", "null");
  }
  front_seen_ = true;
  const bool just_pushed = q.held.size() == 1;
  return value_is(q, 0, seen_.front, just_pushed ? difference::newest : difference::front);
}

bool oracle::value_is(const queue& q, std::size_t index, const void* seen, difference otherwise) {
  const value_address due = q.held[index];
  if (!aligned(seen)) {
    return differs(difference::alignment, fmt::format("address of element {} of {}", index, name_of(q)),
                   fmt::format("a multiple of {}", port_.value->value_align), fmt::format("{}", seen));
  }
  if (values_.equal(due, seen)) [[likely]]
    return true;
  // The argument of a push may be damaged by being another value by then: that is told as what it is.
  const bool aliased = otherwise == difference::newest && where_.op != static_cast<std::uint8_t>(op::push);
  if (!aliased && values_.damaged(due, seen)) otherwise = difference::damaged;
  return differs(otherwise, fmt::format("element {} of {}", index, name_of(q)),
                 fmt::format("#{}", values_.number_of(due)), describe(seen));
}

bool oracle::read_back(const queue& q) {
  if (!q.alive || !reads_back_) return true;
  for (std::size_t i = 0; i < q.held.size(); ++i) {
    const void* const seen = port_.at(q.object, i);
    if (seen != nullptr && values_.equal(q.held[i], seen) && aligned(seen)) [[likely]] {
      continue;
    }
    const bool pushed = where_.op <= static_cast<std::uint8_t>(op::emplace_element);
    if (seen == nullptr) {
      if (!differs(difference::interior, fmt::format("address of element {} of {}", i, name_of(q)), "inside the queue",
                   "null"))
        return false;
      continue;
    }
    // Two ways to the same value: if the pops give what the model says, it is at(i) that is wrong.
    const std::string seen_text = describe(seen);
    const bool aliased = i + 1 == q.held.size() && (where_.op == static_cast<std::uint8_t>(op::push_element) ||
                                                    where_.op == static_cast<std::uint8_t>(op::emplace_element));
    const bool damaged = !aliased && values_.damaged(q.held[i], seen);
    if (!aligned(seen)) return value_is(q, i, seen, difference::content);
    const difference kind = damaged                            ? difference::damaged
                            : pushed && i + 1 == q.held.size() ? difference::newest
                            : i == 0                           ? difference::front
                                                               : difference::content;
    const bool only_interior = kind != difference::damaged && pops_agree(q);
    return differs(only_interior ? difference::interior : kind, fmt::format("element {} of {}", i, name_of(q)),
                   fmt::format("#{}", values_.number_of(q.held[i])), seen_text);
  }
  return true;
}

bool oracle::pops_agree(const queue& q) {
  std::vector<std::byte> out(values_.size());
  for (std::size_t i = 0; i < q.held.size(); ++i) {
    look(q);
    if (seen_.count != q.held.size() - i) return false;
    if (seen_.front != nullptr) {
      if (!values_.equal(q.held[i], seen_.front)) return false;
      if (port_.pop(q.object) != RS_OK) return false;
    } else if (port_.pop_into == nullptr || port_.pop_into(q.object, out.data()) != RS_OK ||
               !values_.equal(q.held[i], out.data())) {
      return false;
    }
  }
  return true;
}

bool oracle::inspect() {
  ledger_.inspect();
  if (!check_violations() || !check_canaries()) return false;
  for (queue& q : queues_) {
    if (!q.alive) continue;
    check_coverage(q);
    if (!read_back(q)) return false;
  }
  if (!every_step_) return true;
  return std::all_of(queues_.begin(), queues_.end(), [&](queue& q) { return check_slots(q, difference::slot); });
}

bool oracle::finish() {
  if (every_step_) told_ = {};
  for (queue& q : queues_) {
    // Without an at(i) that is claimed only pops can read the values that are left.
    while (pops_the_rest_ && q.alive && q.s.count != 0) {
      if (!take_pop(q)) return false;
    }
    if (q.alive && !take_destroy(q)) return false;
  }
  if (!check_canaries()) return false;
  ledger_.inspect();
  if (!check_violations()) return false;
  const std::size_t leaked = ledger_.leaked_blocks();
  if (leaked == 0) return true;
  if (!differs(difference::leak, "blocks left after the last destruction", "0", std::to_string(leaked))) return false;
  if (blind_.empty()) {
    remark_ =
        "blocks are left when the last queue is destroyed: a leak, unless the port keeps them on purpose; claim the "
        "class 'storage' to have it judged";
  }
  return true;
}

failure oracle::failed(std::size_t step_index) {
  failure result = *failure_;
  result.step = step_index;
  return result;
}

std::optional<failure> oracle::death(const position& where, const std::string& how, bool by_abort) {
  where_ = where.where;
  failure_.reset();
  if (oom_ == RS_OOM_ABORTS && where.fault_fired != 0) {
    const std::uint8_t o = std::min(where_.op, static_cast<std::uint8_t>(op::emplace_element));
    where_ = {o, static_cast<std::uint8_t>(transition::growth_fails), where_.phase, 0};
    if (by_abort) {
      counts_.count(where_);
      return std::nullopt;
    }
    differs(difference::survived, "end of the process", "abort() inside the call, since an allocation failed", how);
  } else {
    differs(difference::death, "the call", "returns", how);
  }
  if (!failure_) return std::nullopt;
  failure_->step = where.step;
  return failure_;
}

observation oracle::observed(std::size_t step_index) const {
  observation result;
  result.index = step_index;
  result.done = told_.done;
  result.applied = told_.applied;
  const auto o = static_cast<op>(told_.done.op);
  if (!told_.applied || o == op::fail || o == op::fail_from) return result;
  const auto due = [&](std::string key, std::string value) {
    result.expected.push_back({std::move(key), std::move(value)});
  };
  const auto seen = [&](std::string key, std::string value) {
    result.seen.push_back({std::move(key), std::move(value)});
  };
  const auto tell = [&](const queue& q, const std::string& prefix) {
    if (!q.alive) return;
    rs_queue_seen now{};
    now.size = sizeof now;
    port_.observe(q.object, &now);
    due(prefix + "size", std::to_string(q.held.size()));
    seen(prefix + "size", std::to_string(now.count));
    if (now.capacity != RS_NOT_OFFERED) {
      due(prefix + "capacity", std::to_string(q.s.capacity));
      seen(prefix + "capacity", std::to_string(now.capacity));
    }
    if (now.front == nullptr && now.count != 0) return;
    due(prefix + "front", q.held.empty() ? "none" : fmt::format("#{}", values_.number_of(q.held.front())));
    // Values of one byte look alike: the expected one is recognised first.
    const bool right = now.count != 0 && !q.held.empty() && values_.equal(q.held.front(), now.front);
    seen(prefix + "front", now.count == 0 ? "none" : right ? result.expected.back().value : describe(now.front));
  };
  if (o != op::read && o != op::destroy) {
    due("status", to_text(told_.status_due));
    seen("status", to_text(told_.status_seen));
  }
  tell(queues_[told_.done.a], "");
  if (operations[told_.done.op].registers == 2)
    tell(queues_[told_.done.b], std::string(1, register_names[told_.done.b]) + ".");
  due("allocations",
      told_.allocations_due == unknown ? std::to_string(told_.allocations) : std::to_string(told_.allocations_due));
  seen("allocations", std::to_string(told_.allocations));
  due("releases", told_.releases_due == unknown ? std::to_string(told_.releases) : std::to_string(told_.releases_due));
  seen("releases", std::to_string(told_.releases));
  return result;
}

}  // namespace ringspec::queue
