// SPDX-License-Identifier: Apache-2.0
#include "ringspec/queue/space.hpp"
#include <algorithm>
#include "ringspec/trace/explorer.hpp"

namespace ringspec::queue {
namespace {

constexpr std::uint32_t steady_pairs = 100'000;  // requirement inline.steady
constexpr std::uint64_t most_states_quickly = 200'000, most_states_nightly = 1'000'000;
constexpr std::uint32_t name_bits = 16;  // of each of the four numbers in a place
constexpr std::uint64_t largest_bound = (std::uint64_t{1} << name_bits) - 1;

void emit(std::vector<step>& out, op o, std::uint8_t a = 0, std::uint8_t b = 0, std::uint64_t number = 0) {
  out.push_back({static_cast<std::uint8_t>(o), a, b, 0, static_cast<std::uint32_t>(number)});
}

}  // namespace

space::space(const numbers& n, std::uint64_t offered, bool dies, const reach& how_far)
    : numbers_(n), offered_(offered), dies_(dies), reach_(how_far) {
  reach_.bound = std::min(reach_.bound, largest_bound);
  const std::uint64_t in_object = n.inline_capacity, first_heap = n.next(n.inline_capacity);
  add_companion(0, 0, 0);
  if (in_object > 1) add_companion(in_object / 2, 0, 0);
  if (in_object > 0) add_companion(in_object, 0, 0);
  if (first_heap <= in_object || first_heap > largest_bound) return;
  add_companion(in_object + 1, in_object + 1, 0);
  add_companion(in_object + 1, 0, 0);
  add_companion(first_heap, 0, 0);
  add_companion(first_heap, first_heap / 2, first_heap / 4 + 1);
}

void space::add_companion(std::uint64_t pushes, std::uint64_t pops, std::uint64_t more) {
  state s = start();
  for (std::uint64_t i = 0; i < pushes; ++i) s.push(numbers_, false);
  for (std::uint64_t i = 0; i < pops && s.count != 0; ++i) s.pop(numbers_, false);
  for (std::uint64_t i = 0; i < more; ++i) s.push(numbers_, false);
  companions_.push_back({pushes, pops, more, s});
}

std::uint64_t space::place_of(const state& s) const {
  return ((s.capacity << name_bits | s.count) << name_bits | s.head) << name_bits | s.low;
}

state space::at(std::uint64_t place) const {
  const auto next = [&] {
    const std::uint64_t value = place & largest_bound;
    place >>= name_bits;
    return value;
  };
  state s = start();
  s.low = next();
  s.head = next();
  s.count = next();
  s.set_capacity(numbers_, next());
  return s;
}

bool space::push_allocates(const state& s) const { return s.count == s.capacity && !push_is_refused(s); }

bool space::pop_allocates(const state& s) const {
  return s.count != 0 && s.heap && s.pop_contracts() && numbers_.previous(s.capacity) > numbers_.inline_capacity;
}

void space::letters(const state& s, std::vector<letter>& out) const {
  out.clear();
  const bool holds = s.count != 0;
  out.push_back(letter::push);
  if (holds) out.push_back(letter::pop);
  if (offers(op::clear)) out.push_back(letter::clear);
  if (offers(op::fail) && !dies_) {
    if (push_allocates(s)) out.push_back(letter::push_fails);
    if (pop_allocates(s)) out.push_back(letter::pop_fails);
  }
  if (!reach_.every_operation) return;
  if (offers(op::release)) out.push_back(letter::release);
  out.push_back(letter::recreate);
  if (offers(op::self_move)) out.push_back(letter::self_move);
  if (offers(op::self_swap)) out.push_back(letter::self_swap);
  if (!holds) return;
  const bool several = s.count > 1;
  if (offers(op::push_element)) {
    out.push_back(letter::push_oldest);
    if (several) out.push_back(letter::push_newest);
  }
  if (offers(op::emplace_element)) {
    out.push_back(letter::emplace_oldest);
    if (several) out.push_back(letter::emplace_newest);
  }
  if (offers(op::read)) out.push_back(letter::read_newest);
}

state space::take(letter l, const state& before, std::vector<step>& out) const {
  state s = before;
  switch (l) {
    case letter::push:
      emit(out, op::push);
      s.push(numbers_, false);
      break;
    case letter::pop:
      emit(out, op::pop);
      s.pop(numbers_, false);
      break;
    case letter::clear:
      emit(out, op::clear);
      s.clear();
      break;
    case letter::push_fails:
      emit(out, op::fail, 0, 0, 1);
      emit(out, op::push);
      s.push(numbers_, true);
      emit(out, op::fail);
      break;
    case letter::pop_fails:
      emit(out, op::fail, 0, 0, 1);
      emit(out, op::pop);
      s.pop(numbers_, true);
      emit(out, op::fail);
      break;
    case letter::release:
      emit(out, op::release);
      s.release(numbers_);
      break;
    case letter::recreate:
      emit(out, op::destroy);
      emit(out, op::create);
      s = start();
      break;
    case letter::self_move: emit(out, op::self_move); break;
    case letter::self_swap: emit(out, op::self_swap); break;
    case letter::push_oldest:
      emit(out, op::push_element);
      s.push(numbers_, false);
      break;
    case letter::push_newest:
      emit(out, op::push_element, 0, 0, s.count - 1);
      s.push(numbers_, false);
      break;
    case letter::emplace_oldest:
      emit(out, op::emplace_element);
      s.push(numbers_, false);
      break;
    case letter::emplace_newest:
      emit(out, op::emplace_element, 0, 0, s.count - 1);
      s.push(numbers_, false);
      break;
    case letter::read_newest: emit(out, op::read, 0, 0, s.count - 1); break;
  }
  return s;
}

/// Drains, works the low-water count to its next contraction, and fills to the next growth.
void space::identify(state s, std::uint8_t reg, std::vector<step>& out) const {
  while (s.count != 0) {
    emit(out, op::pop, reg);
    s.pop(numbers_, false);
  }
  const std::uint64_t drained = s.capacity;
  // A threshold of 0 is above no push: then pairs do not work the count, and the way is not longer than for others.
  for (std::uint64_t pairs = drained; pairs != 0 && s.low_below != 0 && s.capacity == drained; --pairs) {
    emit(out, op::push, reg);
    emit(out, op::pop, reg);
    s.push(numbers_, false);
    s.pop(numbers_, false);
  }
  for (std::uint64_t pushes = s.capacity + 1; pushes != 0; --pushes) {
    emit(out, op::push, reg);
    s.push(numbers_, false);
  }
}

void space::trials(const state& s, std::vector<trial>& out) const {
  out.clear();
  if (!reach_.every_operation) return;
  if (s.count == 0 && s.head == 0 && !s.heap) out.push_back({op::create, {}, steady_pairs, 0, {}});
  if (s.count != 0 && push_is_refused(s)) out.push_back({op::push, {}, 0, 0, sequel::exchange});
  if (s.heap && offers(op::release)) out.push_back({op::release, {}, 0, 0, sequel::destruction});
  // Each allocation fails alone, then with all after it, until none fails.
  const auto fail = [&](op o) {
    if (offers(op::fail)) out.push_back({o, op::fail, 0, 1, sequel::exchange});
    if (offers(op::fail_from)) out.push_back({o, op::fail_from, 0, 1, {}});
    if (offers(op::fail)) out.push_back({o, op::fail, 0, 2, {}});
    if (offers(op::fail_from)) out.push_back({o, op::fail_from, 0, 2, {}});
  };
  if (push_allocates(s)) fail(op::push);
  if (pop_allocates(s)) fail(op::pop);
  if (s.count == s.capacity && s.count > 2) {
    for (const op o : {op::push_element, op::emplace_element}) {
      for (std::uint32_t i = 1; offers(o) && i + 1 < s.count; ++i) out.push_back({o, {}, i, 0, {}});
    }
  }
  if (s.capacity > reach_.bound_of_pairs) return;
  if (offers(op::move_construct)) out.push_back({op::move_construct, {}, 0, 0, {}});
  for (const op o : {op::move_assign, op::swap}) {
    for (std::uint32_t c = 0; offers(o) && c < companions_.size(); ++c) out.push_back({o, {}, c, 0, {}});
  }
}

void space::attempt(const trial& t, const state& before, bool identified, std::vector<step>& out) const {
  if (t.what == op::move_construct || t.what == op::move_assign || t.what == op::swap) {
    attempt_pair(t, before, identified, out);
    return;
  }
  state s = before;
  const auto push = [&](bool fails) {
    emit(out, t.what == op::push_element || t.what == op::emplace_element ? t.what : op::push, 0, 0, t.number);
    s.push(numbers_, fails);
  };
  const auto pop = [&](bool fails) {
    emit(out, op::pop);
    s.pop(numbers_, fails);
  };
  const bool planned = t.plan == op::fail || t.plan == op::fail_from;
  const bool fails = planned && t.allocation == 1;
  if (planned) emit(out, t.plan, 0, 0, t.allocation);
  if (t.what == op::create) {
    for (std::uint32_t i = 0; i < t.number; ++i) {
      emit(out, op::push);
      s.push(numbers_, false);
      pop(false);
    }
  } else if (t.what == op::release) {
    emit(out, op::release);
    s.release(numbers_);
  } else if (t.what == op::pop) {
    pop(fails);
  } else {
    push(fails);
  }
  if (planned) emit(out, t.plan);
  if (t.then == sequel::exchange && s.count != 0) {
    pop(false);
    emit(out, op::push);
    s.push(numbers_, false);
  } else if (t.then == sequel::destruction) {
    emit(out, op::destroy);
    emit(out, op::create);
    s = start();
  }
  if (identified) identify(s, 0, out);
}

void space::attempt_pair(const trial& t, const state& s, bool identified, std::vector<step>& out) const {
  constexpr std::uint8_t other = 1;
  state second = start();
  if (t.what != op::move_construct) {
    const companion& c = companions_[t.number];
    emit(out, op::create, other);
    for (std::uint64_t i = 0; i < c.pushes; ++i) emit(out, op::push, other);
    for (std::uint64_t i = 0; i < c.pops; ++i) emit(out, op::pop, other);
    for (std::uint64_t i = 0; i < c.more; ++i) emit(out, op::push, other);
    second = c.reached;
  }
  emit(out, t.what, other, 0);
  if (!identified) return;
  transition unused{};
  identify(state::moved_to(s, unused), other, out);
  identify(t.what == op::swap ? state::moved_to(second, unused) : start(), 0, out);
}

std::vector<std::unique_ptr<exploration>> passes(std::string_view budget, bool leads, const numbers& n,
                                                 std::uint64_t offered, bool dies, bool identify) {
  std::vector<std::unique_ptr<exploration>> all;
  const auto add = [&](std::uint64_t bound, bool every_operation, unsigned words, std::uint64_t most_states) {
    all.push_back(std::make_unique<explorer<space>>(space(n, offered, dies, {bound, every_operation}), words,
                                                    most_states, identify));
  };
  const std::uint64_t first_heap = n.next(n.inline_capacity);
  const std::uint64_t small = std::max<std::uint64_t>(16, first_heap);
  if (budget == "smoke") {
    if (leads) add(small, false, 1, most_states_quickly);
  } else if (budget == "gate") {
    const bool large = n.inline_capacity > 16;
    if (leads)
      add(large ? std::max<std::uint64_t>(64, first_heap) : std::max<std::uint64_t>(32, 2 * first_heap), true, 1,
          most_states_quickly);
    else if (!large)
      add(small, true, 1, most_states_quickly);
  } else if (leads) {
    add(std::max<std::uint64_t>(128, first_heap), true, 1, most_states_nightly);
    add(32, true, 3, most_states_nightly);
  } else {
    add(std::max<std::uint64_t>(64, first_heap), true, 1, most_states_nightly);
  }
  return all;
}

}  // namespace ringspec::queue
