// SPDX-License-Identifier: Apache-2.0
//
// The oracle of subject "queue": performs one operation on the port and on the model, compares, and says which
// requirement a difference violates. On the hot path (a push or pop without a transition) that is one call of the
// operation, one of observe, and a handful of compares.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include "ringspec/alloc/heap.hpp"
#include "ringspec/alloc/ledger.hpp"
#include "ringspec/queue/differences.hpp"
#include "ringspec/queue/model.hpp"
#include "ringspec/queue/operations.hpp"
#include "ringspec/queue/slot_watch.hpp"
#include "ringspec/queue/values.hpp"
#include "ringspec/trace/subject.hpp"

namespace ringspec::queue {

/// The values in a queue, oldest first, each by its address in the table of values.
class value_line {
 public:
  value_line() : ring_(64), mask_(ring_.size() - 1) {}
  void push(value_address v) {
    if (size() > mask_) grow();
    ring_[end_++ & mask_] = v;
  }
  void pop() { ++begin_; }
  void clear() { begin_ = end_ = 0; }
  [[nodiscard]] value_address operator[](std::size_t i) const { return ring_[(begin_ + i) & mask_]; }
  [[nodiscard]] value_address front() const { return ring_[begin_ & mask_]; }
  [[nodiscard]] std::size_t size() const { return end_ - begin_; }
  [[nodiscard]] bool empty() const { return begin_ == end_; }

 private:
  void grow();
  std::vector<value_address> ring_;
  std::size_t mask_;
  std::size_t begin_{}, end_{};  // never wrap; their place in the ring does
};

class oracle {
 public:
  explicit oracle(const bench_setup& setup);
  ~oracle();
  oracle(const oracle&) = delete;
  oracle& operator=(const oracle&) = delete;

  // ---- what the interpreter calls
  bool begin(const scrutiny& s);
  [[gnu::always_inline]] bool take(const step& s) {
    queue& q = queues_[s.a];
    // The hot path: a push into free room and a pop that does not contract, which nearly all steps are. What does not go
    // as expected here is judged as everywhere else.
    const op o{s.op};
    if (o == op::pop && q.s.count == 0 && q.room != 0) return true;
    if (o == op::push && q.s.count < q.room) {
      const value_address v = fresh_value();
      if (const rs_status status = port_.push(q.object, v); status != RS_OK) [[unlikely]]
        return unexpected_push(q, v, status);
      look(q);
      if (!as_expected(q, q.s.count + 1)) [[unlikely]]
        return unexpected_push(q, v, RS_OK);
      accept_push(op::push, q, v);
    } else if (o == op::pop && q.room != 0 && !q.s.pop_contracts()) {
      if (const rs_status status = port_.pop(q.object); status != RS_OK) [[unlikely]]
        return unexpected_pop(q, status);
      look(q);
      if (!as_expected(q, q.s.count - 1)) [[unlikely]]
        return unexpected_pop(q, RS_OK);
      accept_pop(q);
    } else {
      return take_any(s);
    }
    return front_is_right(q) || unexpected_front(q);
  }
  bool inspect();
  bool finish();
  failure failed(std::size_t step_index);
  observation observed(std::size_t step_index) const;

  [[nodiscard]] const std::string& blind() const { return blind_; }
  [[nodiscard]] const std::string& remark() const { return remark_; }
  /// The process died in the situation that the position tells: the failure to report, or nothing if this port was
  /// meant to die there (that is then counted as evidence).
  std::optional<failure> death(const position& where, const std::string& how, bool by_abort);
  [[nodiscard]] bool offers(op o) const { return (offered_ >> static_cast<unsigned>(o) & 1U) != 0; }
  /// The port's declared numbers, as far as its claims let the model go by them.
  [[nodiscard]] const numbers& expected_numbers() const { return numbers_; }

 private:
  static constexpr std::uint64_t unknown = UINT64_MAX;

  struct queue {
    state s;
    std::uint64_t room{};  // below this size a push needs no more than the hot path; 0: neither does a pop
    value_line held;
    void* storage{};  // the object and the canaries around it
    void* object{};
    bool alive{};
    bool painted{};  // in this trace, so that the bytes around it are canaries
  };
  /// What is expected of a step, before and after it.
  struct outlook {
    transition how{transition::none};
    rs_status status{RS_OK};
    std::uint64_t capacity{unknown};  // unknown: not judged, taken over as seen
    std::uint64_t allocations{unknown}, releases{unknown}, bytes{unknown};
    std::uint32_t history{};  // of the situation
  };

  // ---- the hot path
  bool unexpected_push(queue& q, value_address v, rs_status status);
  bool unexpected_pop(queue& q, rs_status status);
  bool unexpected_front(queue& q);
  [[nodiscard]] bool as_expected(const queue& q, std::uint64_t count) const {
    return seen_.count == count && seen_.capacity == q.s.capacity && ledger_.step.events == 0;
  }
  void accept_push(op o, queue& q, value_address v) {
    const std::uint8_t before = q.s.situation_phase();
    q.held.push(v);
    accept(o, q.s.push_with_room(), before);
  }
  void accept_pop(queue& q) {
    const std::uint8_t before = q.s.situation_phase();
    q.held.pop();
    accept(op::pop, q.s.pop_without_contraction(), before);
  }
  void accept(op o, transition how, std::uint8_t phase_before) {
    const auto code = static_cast<std::uint8_t>(o);
    counts_.count_plain(code, static_cast<std::uint8_t>(how), phase_before);
    where_ = {code, static_cast<std::uint8_t>(how), phase_before, 0};
  }
  [[nodiscard, gnu::always_inline]] bool front_is_right(const queue& q) const {
    return q.held.empty() ||
           (seen_.front != nullptr && aligned(seen_.front) && values_.equal(q.held.front(), seen_.front));
  }
  [[nodiscard]] bool aligned(const void* address) const {
    return (reinterpret_cast<std::uintptr_t>(address) & misaligned_) == 0;
  }
  /// After any other step on this queue: whether, and how far, the next ones may take the hot path.
  void settle(queue& q);

  // ---- operations (push_pop.cpp, oracle.cpp, moves.cpp)
  bool take_any(const step& s);
  bool perform(const step& s, queue& q);
  template <class Call>
  bool pushed(op o, queue& q, value_address v, std::uint32_t bits, Call call);
  bool judge_push(op o, queue& q, value_address v, std::uint32_t bits, bool fails, rs_status status);
  bool take_push(queue& q);
  bool take_element(const step& s, op o, queue& q);
  bool take_pop(queue& q);
  bool judge_pop(queue& q, const state& after, transition how, rs_status status);
  bool take_read(queue& q, std::uint32_t index);
  bool take_create(queue& q);
  bool take_destroy(queue& q);
  bool take_clear(queue& q);
  bool take_release(queue& q);
  bool take_move(op o, queue& to, queue& from);
  bool take_self(op o, queue& q);
  bool take_swap(queue& a, queue& b);
  bool exchange_facts(op o, const situation& where);

  // ---- judging (judge.cpp; memory.cpp)
  /// Compares a step with its outlook, in the order in which causes come before their consequences.
  bool compare(op o, queue& q, const state& after, const outlook& due, rs_status status);
  /// By the ledger: has a queue that is due in its object no block left?
  bool holds_nothing(const queue& q);
  bool compare_front(const queue& q);
  bool read_back(const queue& q);
  bool value_is(const queue& q, std::size_t index, const void* seen, difference otherwise);
  bool check_slots(queue& q, difference kind, bool new_block = false);
  bool check_violations();
  bool check_canaries();
  void check_coverage(const queue& q);
  bool pops_agree(const queue& q);
  /// False if the difference is charged to a requirement; true if nobody who is judged answers for it, or if it is one
  /// that another trace has told and that this one can go on beyond.
  bool differs(difference kind, std::string what, std::string expected, std::string seen);

  void announce(op o, transition how, const state& before, std::uint32_t bits);
  void look(const queue& q) { port_.observe(q.object, &seen_); }
  /// Takes a capacity over as seen, where the port's own rule decides it.
  void adopt(state& s, std::uint64_t seen_capacity) const;
  /// On each side of an object; none where a tool keeps redzones of its own.
  [[nodiscard]] std::size_t canary_bytes() const {
    return ledger_.forwards() ? 0 : std::max<std::size_t>(64, port_.object_align);
  }
  void paint_storage(queue& q);
  std::string name_of(const queue& q) const;
  [[nodiscard]] std::string describe(const void* value) const;
  value_address fresh_value() {
    if (next_value_ == values_.end()) {
      next_value_ = values_.begin();
      wrapped_ = true;
    }
    const value_address v = next_value_;
    next_value_ += values_.stride();
    return v;
  }

  const rs_queue port_;
  const numbers numbers_;
  const std::vector<bool>& judged_;
  evidence& counts_;
  position& at_;
  alloc::ledger& ledger_;
  const values values_;
  const std::uintptr_t misaligned_;  // no address of a value has any of these bits
  const std::uint32_t oom_;

  // What the claims let us expect.
  bool knows_growth_{}, knows_contraction_{}, judges_rest_only_{};
  bool judges_inline_{}, judges_storage_{}, judges_moves_{}, judges_slots_{};
  std::uint64_t offered_{};

  // Not an array: the address of a queue is worked out once and then kept.
  std::vector<queue> queues_{register_count};
  value_address next_value_{};
  bool wrapped_{};  // the values have begun again
  bool every_step_{}, beyond_{};
  bool pops_the_rest_{};  // at the end of a trace, for want of another way to the values
  bool reads_back_{};     // through at(i), which is claimed
  bool front_seen_{};
  bool front_missing_{};  // observe does not give the front: pops hand the value out instead
  rs_queue_seen seen_{}, seen_other_{};
  const void* front_before_{};
  situation where_;  // of the step that is being judged
  slot_watch slots_;
  std::array<bool, register_count> pointer_lived_{};
  std::string_view serves_;                            // of the harmless differences only its are told; "": all
  std::vector<std::optional<std::uint64_t>> told_in_;  // by requirement: the trace that told a harmless difference
  std::vector<std::byte> popped_;
  std::string blind_, remark_;
  std::optional<failure> failure_;

  // For observed().
  struct told {
    step done;
    bool applied{};
    rs_status status_due{}, status_seen{};
    std::uint64_t allocations_due{unknown}, releases_due{unknown};
    std::uint64_t allocations{}, releases{};
  } told_;
};

std::string to_text(rs_status s);

}  // namespace ringspec::queue
