// SPDX-License-Identifier: Apache-2.0
//
// The properties of the typed reference queue. Each is a way to draw steps that lead where faults of one family show; what
// must hold after every step is what typed.cpp compares. A property that knows more (a closed form) says it here.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>

#include "properties/check.hpp"
#include "properties/typed.hpp"
#include "ringspec/queue/operations.hpp"

namespace {

using namespace ringspec;
using namespace properties;
using queue::op;

constexpr unsigned a = 0, b = 1, c = 2;

/// One case on one instance: performs steps, and remembers them for the trace file.
class session {
 public:
  session(const instance& of, std::map<std::string, std::uint64_t>& reached)
      : n(of.inline_capacity), queues_(*of.queues), reached_(reached) {
    queues_.begin();
  }

  void take(const step& s) {
    const seen before = look(s.a);
    const std::uint64_t allocations = queues_.allocations();
    steps_.push_back(s);
    expect(queues_.take(s));
    if (s.op == static_cast<std::uint8_t>(op::push) || s.op == static_cast<std::uint8_t>(op::pop))
      note_transition(s, before, queues_.allocations() != allocations);
  }
  void take(op o, unsigned x = a, unsigned y = 0, std::uint32_t number = 0) {
    take({static_cast<std::uint8_t>(o), static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y), 0, number});
  }
  void repeat(std::uint64_t times, op o, unsigned x = a) {
    while (times-- != 0) take(o, x);
  }
  void pairs(std::uint64_t times, unsigned x = a) {
    while (times-- != 0) {
      take(op::push, x);
      take(op::pop, x);
    }
  }
  /// Pushes or pops until there are so many.
  void go_to(std::uint64_t size, unsigned x = a) {
    while (look(x).size < size) take(op::push, x);
    while (look(x).size > size) take(op::pop, x);
  }

  [[nodiscard]] seen look(unsigned x = a) const { return queues_.look(x); }
  [[nodiscard]] std::uint64_t allocations() const { return queues_.allocations(); }
  void expect(bool held, const std::string& what) { expect(held ? "" : what); }
  /// What this case has been to, for who asks whether a run has been everywhere.
  void note(const std::string& where) { ++reached_[where]; }
  void finish() { expect(queues_.finish()); }

  [[nodiscard]] const std::vector<step>& steps() const { return steps_; }
  [[nodiscard]] const std::string& what() const { return what_; }

  const std::uint64_t n;

 private:
  void expect(const std::string& difference) {
    if (difference.empty()) return;
    what_ = difference;
    fail(difference);
  }
  void note_transition(const step& s, const seen& before, bool asked) {
    const seen after = look(s.a);
    const char* const values = before.size == 0 || after.size == 0 ? "empty"
                               : before.wrapped()                  ? "wrapped"
                                                                   : "straight";
    if (before.capacity < after.capacity)
      note(fmt::format("{}, {}", before.is_inline ? "leaves inline" : "grows", values));
    else if (before.capacity > after.capacity)
      note(fmt::format("{}, {}", after.is_inline ? "returns inline" : "halves", values));
    else if (asked)
      note(s.op == static_cast<std::uint8_t>(op::push) ? "growth fails" : "halving fails");
  }

  typed_queues& queues_;
  std::map<std::string, std::uint64_t>& reached_;
  std::vector<step> steps_;
  std::string what_;
};

/// Runs a property on every instance until one fails it. `everywhere`: what a full run must have been to.
void holds_everywhere(const std::string& name, void (*property)(session&), const std::vector<std::string>& everywhere) {
  std::map<std::string, std::uint64_t> reached;
  std::uint64_t cases = 0, steps = 0;
  double ms = 0;
  const auto instances = all_instances();
  for (const instance& of : instances) {
    trace smallest;
    std::string what;
    const outcome o = check(name + '/' + of.name, [&] {
      session s(of, reached);
      const auto keep = [&] {
        smallest.steps = s.steps();
        smallest.about = fmt::format("From property {} of seed {}: {}.", name, configured().seed, s.what());
        what = s.what();
      };
      try {
        property(s);
        s.finish();
      } catch (...) {
        keep();
        throw;
      }
      steps += s.steps().size();
      return std::uint64_t{s.steps().size()};
    });
    cases += o.cases;
    ms += o.ms;
    if (o.held) continue;
    if (smallest.steps.empty()) {
      ADD_FAILURE() << name << " on " << of.name << ": " << o.what;
      return;
    }
    smallest.subject = "queue";
    smallest.instance = of.name;
    smallest.seed = configured().seed;
    const std::string file = land(smallest, name + '.' + of.name);
    ADD_FAILURE() << fmt::format("{} does not hold on {} after {} cases ({:.0f} ms): {}\n  {} steps: {}", name, of.name,
                                 o.cases, ms, what, smallest.steps.size(), file);
    return;
  }
  fmt::print("{}: {} cases, {} on each of {} instances, {} steps, {:.0f} ms; {} situations\n", name, cases,
             cases / instances.size(), instances.size(), steps, ms, reached.size());
  EXPECT_GE(cases, configured().cases * instances.size());
  if (!configured().full) return;
  std::vector<std::string> missing;
  std::copy_if(everywhere.begin(), everywhere.end(), std::back_inserter(missing),
               [&](const std::string& where) { return !reached.contains(where); });
  EXPECT_TRUE(missing.empty()) << fmt::format("{} was never at {} of the {} situations that it is to reach: {}", name,
                                              missing.size(), everywhere.size(), fmt::join(missing, "; "));
}

// ---- states to begin with -------------------------------------------------------------------------------------------

std::uint64_t first_heap(const session& s) { return std::max<std::uint64_t>(8, 2 * s.n); }

/// Into a heap block: a drawn one of the first three.
void to_heap(session& s, unsigned x) {
  std::uint64_t capacity = s.n;
  for (unsigned steps = 1 + draw(3); steps != 0; --steps) {
    s.go_to(capacity + 1, x);
    capacity = s.look(x).capacity;
  }
}

/// A head somewhere else than in slot 0. High up, where no pop is a low one.
void rotate(session& s, unsigned x) { s.pairs(draw(static_cast<unsigned>(s.look(x).capacity)), x); }

enum class filling { empty, partial, full, wrapped };
constexpr const char* fillings[] = {"empty", "partial", "full", "wrapped"};

void fill(session& s, unsigned x, filling how) {
  rotate(s, x);
  const seen now = s.look(x);
  const auto capacity = static_cast<unsigned>(now.capacity);
  switch (how) {
    case filling::empty: s.go_to(0, x); break;
    case filling::partial: s.go_to(1 + draw(std::max(1U, capacity - 1)), x); break;
    case filling::full: s.go_to(capacity, x); break;
    case filling::wrapped:
      if (now.head == 0 && capacity > 1) s.pairs(1, x);
      while (!s.look(x).wrapped() && s.look(x).size < capacity) s.take(op::push, x);
      if (s.look(x).size > 1) s.repeat(draw(2), op::pop, x);
      break;
  }
}

/// The situation of a queue in words: "heap wrapped".
std::string situation(const seen& q) {
  const filling how = q.size == 0            ? filling::empty
                      : q.size == q.capacity ? filling::full
                      : q.wrapped()          ? filling::wrapped
                                             : filling::partial;
  return fmt::format("{} {}", q.is_inline ? "inline" : "heap", fillings[static_cast<unsigned>(how)]);
}

void prepare(session& s, unsigned x) {
  if (draw(2) != 0) to_heap(s, x);
  fill(s, x, filling(draw(4)));
}

/// What a queue hides comes out: its values, how far its count has come, and where it grows.
void show_hidden(session& s, unsigned x) {
  if (!s.look(x).held) return;
  s.go_to(0, x);
  const std::uint64_t capacity = s.look(x).capacity;
  for (std::uint64_t i = 0; i < capacity && s.look(x).capacity == capacity; ++i) s.pairs(1, x);
  s.go_to(s.look(x).capacity + 1, x);
}

// ---- the properties -------------------------------------------------------------------------------------------------

/// Every operation at random, on all registers.
void any_steps(session& s) {
  for (const step& one : draw_steps(~std::uint64_t{0}, register_count)) s.take(one);
}

void moves(session& s) {
  static constexpr op kinds[] = {op::move_construct, op::move_assign, op::swap, op::self_move, op::self_swap};
  const op kind = kinds[draw(5)];
  const bool self = kind == op::self_move || kind == op::self_swap, constructs = kind == op::move_construct;
  prepare(s, a);
  if (s.look().size == 0) s.pairs(draw(static_cast<unsigned>(s.look().capacity)), a);  // a count that is to travel
  if (!self && !constructs) {
    s.take(op::create, b);
    prepare(s, b);
  }
  const std::string_view name = queue::operations[static_cast<std::size_t>(kind)].name;
  s.note(self || constructs ? fmt::format("{} of {}", name, situation(s.look(a)))
                            : fmt::format("{} of {} to {}", name, situation(s.look(a)), situation(s.look(b))));
  if (self)
    s.take(kind, a);
  else
    s.take(kind, b, a);
  show_hidden(s, b);
  show_hidden(s, a);
}

std::vector<std::string> every_move() {
  std::vector<std::string> all, situations;
  for (const char* mode : {"inline", "heap"}) {
    for (const char* f : fillings) situations.push_back(fmt::format("{} {}", mode, f));
  }
  for (const std::string& from : situations) {
    for (const char* one : {"move_construct", "self_move", "self_swap"})
      all.push_back(fmt::format("{} of {}", one, from));
    for (const std::string& to : situations) {
      for (const char* two : {"move_assign", "swap"}) all.push_back(fmt::format("{} of {} to {}", two, from, to));
    }
  }
  return all;
}

/// The argument is the queue's own element: any of them, with room and without, and where there is no memory.
void aliasing(session& s) {
  const bool heap = draw(2) != 0, growing = draw(2) != 0;
  if (heap) to_heap(s, a);
  fill(s, a, growing ? filling::full : draw(2) != 0 ? filling::wrapped : filling::partial);
  const op kind = draw(2) != 0 ? op::push_element : op::emplace_element;
  const auto push = [&](unsigned index) {
    const seen before = s.look();
    s.note(fmt::format("{} of the {} {} {}", queue::operations[static_cast<std::size_t>(kind)].name,
                       index == 0                 ? "front"
                       : index + 1 == before.size ? "back"
                                                  : "interior",
                       before.is_inline ? "inline" : "heap", before.size == before.capacity ? "full" : "with room"));
    s.take(kind, a, 0, index);
  };
  const auto size = static_cast<unsigned>(s.look().size);
  const unsigned index = draw(3) == 0 ? 0 : draw(3) == 0 ? size - 1 : draw(size);
  if (draw(4) == 0) {
    s.take(op::fail, 0, 0, 1);
    push(index);
    s.take(op::fail);
  }
  push(index);
  for (unsigned more = draw(4); more != 0; --more) push(draw(static_cast<unsigned>(s.look().size)));
  s.go_to(0);
}

std::vector<std::string> every_alias() {
  std::vector<std::string> all;
  for (const char* kind : {"push_element", "emplace_element"}) {
    for (const char* which : {"front", "interior", "back"}) {
      for (const char* mode : {"inline", "heap"}) {
        for (const char* room : {"full", "with room"})
          all.push_back(fmt::format("{} of the {} {} {}", kind, which, mode, room));
      }
    }
  }
  return all;
}

/// The highest depth at which pairs of push and pop count as low.
std::uint64_t low_depth(std::uint64_t inline_capacity, std::uint64_t capacity) {
  const std::uint64_t first = std::max<std::uint64_t>(8, 2 * inline_capacity);
  return std::min(capacity / 4, capacity == first ? inline_capacity : capacity / 2) - 1;
}

/// Growth and contraction from every head, in any order, in blocks of several sizes.
void wrapped_resizing(session& s) {
  for (unsigned turns = 1 + draw_sized(6); turns != 0; --turns) {
    rotate(s, a);
    if (draw(2) == 0 || s.look().is_inline) {
      if (s.look().capacity >= 8 * first_heap(s)) continue;
      s.go_to(s.look().capacity + 1);
    } else {
      const std::uint64_t capacity = s.look().capacity;
      s.go_to(low_depth(s.n, capacity) - draw(static_cast<unsigned>(low_depth(s.n, capacity)) + 1));
      for (std::uint64_t i = 0; i < capacity && s.look().capacity == capacity; ++i) s.pairs(1);
      s.expect(s.look().capacity < capacity, "as many low-water pops as there are slots did not contract");
    }
  }
}

/// All the way back, with values that stay where they are in the order.
void back_to_inline(session& s) {
  to_heap(s, a);
  rotate(s, a);
  const std::uint64_t most = low_depth(s.n, first_heap(s));
  const std::uint64_t depth = most - draw(static_cast<unsigned>(most) + 1);
  s.go_to(depth);
  for (std::uint64_t i = 2 * s.look().capacity; i != 0 && !s.look().is_inline; --i) s.pairs(1);
  s.expect(s.look().is_inline && s.look().size == depth, "the queue did not return to inline storage");
  s.note(depth == 0 ? "inline again without values" : "inline again with values");
  s.go_to(s.n + 1);
}

/// A failed growth changes nothing and is said; a failed halving is not said, and the count begins again.
void failures(session& s) {
  const bool from_now_on = draw(2) != 0;
  const auto fails = [&] { s.take(from_now_on ? op::fail_from : op::fail, 0, 0, 1); };
  if (draw(2) != 0) to_heap(s, a);
  fill(s, a, filling::full);
  fails();
  s.take(op::push);
  if (from_now_on) s.repeat(1 + draw(3), op::push);
  s.take(op::fail);
  s.repeat(draw(2), op::pop);
  s.go_to(s.look().capacity + 1);
  if (s.look().capacity < 2 * first_heap(s)) s.go_to(s.look().capacity + 1);
  const std::uint64_t capacity = s.look().capacity;
  s.go_to(draw(static_cast<unsigned>(low_depth(s.n, capacity)) + 1));
  fails();
  s.pairs(capacity * (1 + draw(2)));
  s.take(op::fail);
  s.pairs(capacity);
  s.expect(s.look().capacity < capacity, "after a failed halving the queue never contracted");
  for (const step& one : draw_steps(std::uint64_t{1} << static_cast<unsigned>(op::fail) |
                                        std::uint64_t{1} << static_cast<unsigned>(op::fail_from),
                                    1))
    s.take(one);
}

/// k pushes and k pops leave the capacity of the peak; from there so many pairs of push and pop lead back to inline.
void drain(session& s) {
  const std::uint64_t k = 1 + draw_sized(300);
  s.repeat(k, op::push);
  s.repeat(k, op::pop);
  // From the definitions, without the model: the peak's block is the first of n, C0, 2 C0, ... that holds k.
  const std::uint64_t first = first_heap(s);
  const std::uint64_t peak = k <= s.n ? s.n : std::max(first, std::bit_ceil(k));
  s.expect(s.look().capacity == peak, fmt::format("{} pushes and {} pops: expected capacity {}", k, k, peak));
  if (peak == s.n) return;
  // The capacities down the chain are low pops to be made; those of the drain are made already.
  const std::uint64_t chain = 2 * peak - first, made = low_depth(s.n, peak) + 2;
  s.pairs(chain - made - 1);
  s.expect(!s.look().is_inline, fmt::format("inline before {} pairs after a peak of {}", chain - made, k));
  s.pairs(1);
  s.expect(s.look().is_inline, fmt::format("not inline after {} pairs after a peak of {}", chain - made, k));
}

/// Pushes, pops and clears ask for memory rarely: at most once in 8 pops, but for the first way up.
void few_allocations(session& s) {
  std::uint64_t pops = 0, peak = 0;
  for (const step& one : draw_steps(std::uint64_t{1} << static_cast<unsigned>(op::clear), 1)) {
    pops += op{one.op} == op::pop && s.look().size != 0 ? 1 : 0;
    s.take(one);
    peak = std::max(peak, s.look().size);
    std::uint64_t way_up = 1;
    while (8ULL << (way_up - 1) < peak) ++way_up;  // ceil(log2(peak / 8)) + 1, at least 1
    const std::uint64_t bound = peak <= s.n ? 0 : pops / 8 + way_up;
    s.expect(s.allocations() <= bound, fmt::format("{} allocations after {} pops and a peak of {}: expected at most {}",
                                                   s.allocations(), pops, peak, bound));
  }
}

const std::vector<std::string> nowhere;

TEST(typed, any_steps) { holds_everywhere("any_steps", any_steps, {"growth fails", "halving fails"}); }
TEST(typed, moves) { holds_everywhere("moves", moves, every_move()); }
TEST(typed, aliasing) { holds_everywhere("aliasing", aliasing, every_alias()); }
TEST(typed, wrapped_resizing) {
  holds_everywhere("wrapped_resizing", wrapped_resizing,
                   {"leaves inline, wrapped", "grows, wrapped", "halves, wrapped", "halves, straight", "halves, empty",
                    "returns inline, wrapped", "returns inline, straight", "returns inline, empty"});
}
TEST(typed, back_to_inline) {
  holds_everywhere("back_to_inline", back_to_inline, {"inline again with values", "inline again without values"});
}
TEST(typed, failures) { holds_everywhere("failures", failures, {"growth fails", "halving fails"}); }
TEST(typed, drain) { holds_everywhere("drain", drain, {"returns inline, empty"}); }
TEST(typed, few_allocations) { holds_everywhere("few_allocations", few_allocations, nowhere); }

}  // namespace
