// SPDX-License-Identifier: Apache-2.0
//
// Runs a trace on the reference queue itself, typed, beside its model and a plain line of the values' numbers. It needs
// neither the port boundary nor the ledger, and of the standard library only headers: so it runs under MemorySanitizer,
// which knows of each byte whether it was written, and cross-built on other machines.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <utility>
#include "fuzz/failing_new.hpp"
#include "fuzz/typed_queue.hpp"
#include "ringspec/queue/model.hpp"
#include "ringspec/queue/operations.hpp"
#include "ringspec/trace/step.hpp"

namespace ringspec::fuzz {
namespace {

using queue::op;
using queue::transition;

/// The numbers of the values in a queue, oldest first.
struct value_numbers {
  std::array<std::uint32_t, 1U << 16> ring;  // deeper than any trace here goes
  std::uint32_t begin, end;

  void clear() { begin = end = 0; }
  void push(std::uint32_t k) { ring[end++ % ring.size()] = k; }
  void pop() { ++begin; }
  [[nodiscard]] std::uint32_t size() const { return end - begin; }
  [[nodiscard]] std::uint32_t operator[](std::uint64_t i) const {
    return ring[(begin + static_cast<std::uint32_t>(i)) % ring.size()];
  }
};

/// Counts and fails what the calls into a queue allocate, and nothing else.
struct while_calling {
  while_calling() { the_heap.counting = true; }
  ~while_calling() { the_heap.counting = false; }
  while_calling(const while_calling&) = delete;
  while_calling& operator=(const while_calling&) = delete;
};

class typed_run {
 public:
  /// Runs the trace; what is wrong ends the program, with a sentence.
  void run(const typed_queue& queue, bool closely, std::span<const step> steps) {
    f_ = &queue;
    numbers_ = queue::numbers(rs_queue_policy{sizeof(rs_queue_policy), queue.inline_capacity, queue.first_heap, 2, 1, 0,
                                              RS_SHRINK_COUNTED, 4});
    for (cell& c : cells_) {
      c.alive = false;
      c.held->clear();
    }
    next_value_ = 0;
    the_heap.plan(0, false);
    at_ = 0;
    doing(step{static_cast<std::uint8_t>(op::create), 0, 0, 0, 0});
    create(cells_[0]);
    for (; at_ < steps.size(); ++at_) {
      doing(steps[at_]);
      perform(doing_);
      if (closely || at_ % 64 == 63) {
        for (cell& c : cells_) read_back(c);
      }
    }
    the_heap.plan(0, false);
    for (std::uint8_t r = 0; r < register_count; ++r) {
      if (!cells_[r].alive) continue;
      read_back(cells_[r]);
      doing(step{static_cast<std::uint8_t>(op::destroy), r, 0, 0, 0});
      destroy(cells_[r]);
    }
    require(the_heap.live == 0, "blocks left after the last destruction", 0, the_heap.live);
  }

 private:
  static constexpr std::size_t largest_value = 64;
  struct cell {
    alignas(64) std::array<std::byte, largest_typed_queue> storage;
    bool alive;
    queue::state model;
    value_numbers* held;

    void* q() { return storage.data(); }
  };

  void doing(const step& s) {
    doing_ = s;
    the_heap.begin();
  }

  void perform(const step& s) {
    cell& c = cells_[s.a];
    cell& other = cells_[s.b];
    const auto o = static_cast<op>(s.op);
    const bool has_values = c.alive && c.model.count != 0;
    switch (o) {
      case op::create: return c.alive ? void() : create(c);
      case op::destroy: return c.alive ? destroy(c) : void();
      case op::push: return c.alive ? push(c) : void();
      case op::push_element:
      case op::emplace_element: return has_values ? push_element(c, o, s.number % c.model.count) : void();
      case op::pop: return has_values ? pop(c) : void();
      case op::read: return has_values ? compare(c, s.number % c.model.count) : void();
      case op::clear:
      case op::release: return c.alive ? empty(c, o) : void();
      case op::move_construct: return !c.alive && other.alive ? move(c, other) : void();
      case op::move_assign: return c.alive && other.alive ? move(c, other) : void();
      case op::swap: return c.alive && other.alive ? exchange(c, other) : void();
      case op::self_move:
      case op::self_swap: return c.alive ? self(c, o) : void();
      case op::fail:
      case op::fail_from: return the_heap.plan(s.number, o == op::fail_from);
    }
  }

  /// Calls with the account open.
  template <class... Formal, class... Actual>
  static void call(void (*function)(Formal...), Actual... arguments) {
    const while_calling counted;
    function(arguments...);
  }

  void create(cell& c) {
    call(f_->construct, c.q());
    c.alive = true;
    c.model = queue::state::fresh(numbers_);
    check(c, transition::none);
  }

  void destroy(cell& c) {
    call(f_->destroy, c.q());
    c.alive = false;
    c.held->clear();
    account(0, c.model.heap ? 1 : 0);
  }

  void push(cell& c) {
    const std::uint32_t k = next_value_++;
    pushed(c, k, [&] { call(f_->push, c.q(), value(k)); });
  }

  void push_element(cell& c, op o, std::uint64_t i) {
    const auto function = o == op::push_element ? f_->push_element : f_->emplace_element;
    pushed(c, (*c.held)[i], [&] { call(function, c.q(), i); });
  }

  template <class Push>
  void pushed(cell& c, std::uint32_t k, Push push) {
    const transition how = c.model.push(numbers_, the_heap.next_fails());
    bool done = true;
    try {
      push();
    } catch (const std::bad_alloc&) {
      done = false;
    }
    require(done == (how != transition::growth_fails), "the push succeeds", how != transition::growth_fails, done);
    if (done) c.held->push(k);
    check(c, how);
    if (done) compare(c, c.model.count - 1);
  }

  void pop(cell& c) {
    const transition how = c.model.pop(numbers_, the_heap.next_fails());
    call(f_->pop, c.q());
    c.held->pop();
    check(c, how);
  }

  void empty(cell& c, op o) {
    const bool gives_back = o == op::release && c.model.heap;
    call(o == op::clear ? f_->clear : f_->release, c.q());
    c.held->clear();
    if (o == op::clear)
      c.model.clear();
    else
      c.model.release(numbers_);
    check(c, gives_back ? transition::gives_back : transition::none);
  }

  void move(cell& to, cell& from) {
    transition how{};
    const queue::state moved = queue::state::moved_to(from.model, how);
    const bool replaces = to.alive && to.model.heap;
    const void* const block = from.model.heap ? f_->observe(from.q()).slots : nullptr;
    call(to.alive ? f_->move_assign : f_->move_construct, to.q(), from.q());
    to.alive = true;
    to.model = moved;
    from.model.release(numbers_);
    std::swap(to.held, from.held);
    from.held->clear();
    check(to, replaces ? transition::gives_back : how);
    require(block == nullptr || block == f_->observe(to.q()).slots, "the block changes hands as it is", 1, 0);
    same_state(from);
  }

  void exchange(cell& a, cell& b) {
    transition how{}, other{};
    const queue::state of_a = queue::state::moved_to(b.model, how);
    b.model = queue::state::moved_to(a.model, other);
    a.model = of_a;
    call(f_->swap, a.q(), b.q());
    std::swap(a.held, b.held);
    check(a, how);
    same_state(b);
    read_back(b);
  }

  void self(cell& c, op o) {
    call(o == op::self_move ? f_->move_assign : f_->swap, c.q(), c.q());
    check(c, transition::copies);
  }

  // ---- judging

  void check(cell& c, transition how) {
    const bool grows = how == transition::leaves_inline || how == transition::grows;
    const bool allocates = grows || how == transition::halves;
    const bool releases = how == transition::grows || how == transition::halves || how == transition::to_inline ||
                          how == transition::gives_back;
    account(allocates || how == transition::growth_fails || how == transition::halving_fails ? 1 : 0, releases ? 1 : 0);
    const std::uint64_t bytes = allocates ? c.model.capacity * f_->value_size : 0;
    require(the_heap.bytes == bytes, "bytes allocated", bytes, the_heap.bytes);
    same_state(c);
    if (how > transition::empties) read_back(c);
  }

  void account(std::uint64_t allocations, std::uint64_t releases) {
    require(the_heap.wrong == nullptr, the_heap.wrong, 0, 1);
    require(the_heap.attempts == allocations, "allocations", allocations, the_heap.attempts);
    require(the_heap.releases == releases, "releases", releases, the_heap.releases);
  }

  void same_state(cell& c) {
    const typed_queue::seen now = f_->observe(c.q());
    require(now.size == c.model.count, "size", c.model.count, now.size);
    require(c.held->size() == c.model.count, "size of the line of values", c.model.count, c.held->size());
    require(now.capacity == c.model.capacity, "capacity", c.model.capacity, now.capacity);
    require(now.empty == (now.size == 0), "empty", now.size == 0, now.empty);
    require(now.is_inline != c.model.heap, "is_inline", !c.model.heap, now.is_inline);
    require(now.ends_agree, "front and back are the first and the last element", 1, 0);
    if (c.model.count != 0) compare(c, 0);
  }

  void read_back(cell& c) {
    if (!c.alive) return;
    for (std::uint64_t i = 0; i < c.model.count; ++i) compare(c, i);
  }

  void compare(cell& c, std::uint64_t i) {
    const std::uint32_t k = (*c.held)[i];
    require(f_->holds(c.q(), i, value(k)), "element has the bytes of value", k, UINT64_MAX);
  }

  /// Bytes all over a value that are its number's own, as far as they go, on every machine alike.
  struct value_bytes {
    static constexpr std::uint32_t different = 1021;  // a prime, so that what looks alike is no power of two apart
    alignas(largest_value) std::array<std::array<unsigned char, largest_value>, different> of;

    value_bytes() {
      std::uint64_t z = 0x9E3779B97F4A7C15U;
      for (auto& bytes : of) {
        for (unsigned char& b : bytes) {
          z = (z ^ z >> 29) * 0xBF58476D1CE4E5B9U + 1;
          b = static_cast<unsigned char>(z >> 40);
        }
      }
    }
  };
  [[nodiscard]] const void* value(std::uint32_t k) const { return values_.of[k % value_bytes::different].data(); }

  void require(bool held, const char* what, std::uint64_t due, std::uint64_t seen) {
    if (!held) [[unlikely]]
      fail(what, due, seen);
  }

  [[noreturn, gnu::noinline, gnu::cold]] void fail(const char* what, std::uint64_t due, std::uint64_t seen) const {
    std::fprintf(stderr, "FAILED on the typed queue %s/%zu, step %zu (%s, registers %c %c, number %u)\n  %s: expected ",
                 f_->kind, f_->inline_capacity, at_ + 1, queue::operations[doing_.op].name.data(),
                 register_names[doing_.a], register_names[doing_.b], doing_.number, what);
    std::fprintf(stderr, "%llu, seen %llu\n", static_cast<unsigned long long>(due),
                 static_cast<unsigned long long>(seen));
    std::abort();
  }

  const typed_queue* f_{};
  queue::numbers numbers_{rs_queue_policy{}};
  std::array<value_numbers, register_count> lines_{};
  std::array<cell, register_count> cells_{cell{{}, false, {}, &lines_[0]}, cell{{}, false, {}, &lines_[1]},
                                          cell{{}, false, {}, &lines_[2]}, cell{{}, false, {}, &lines_[3]}};
  value_bytes values_;
  std::uint32_t next_value_{};
  std::size_t at_{};
  step doing_{};
};

}  // namespace
}  // namespace ringspec::fuzz
