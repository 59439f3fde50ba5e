// SPDX-License-Identifier: Apache-2.0
//
// The oracle of subject "queue": performs one operation on the port and on the model, compares, and says which
// requirement a difference violates. On the hot path (a push or pop without a transition) that is one call of the
// operation, one of observe, and a handful of compares.
#pragma once
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

/// The numbers of the values in a queue, oldest first.
class value_line {
 public:
  value_line() : ring_(64) {}
  void push(std::uint32_t id) {
    if (count_ == ring_.size()) grow();
    ring_[(head_ + count_++) & (ring_.size() - 1)] = id;
  }
  void pop() { head_ = (head_ + 1) & (ring_.size() - 1), --count_; }
  void clear() { head_ = count_ = 0; }
  [[nodiscard]] std::uint32_t operator[](std::size_t i) const { return ring_[(head_ + i) & (ring_.size() - 1)]; }
  [[nodiscard]] std::uint32_t front() const { return ring_[head_]; }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }

 private:
  void grow();
  std::vector<std::uint32_t> ring_;
  std::size_t head_{}, count_{};
};

class oracle {
 public:
  explicit oracle(const bench_setup& setup);

  // ---- what the interpreter calls
  bool begin(bool every_step);
  bool take(const step& s);
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

 private:
  static constexpr std::uint64_t unknown = UINT64_MAX;

  struct queue {
    state s;
    value_line ids;
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

  // ---- operations (oracle.cpp)
  template <class Call>
  bool pushed(op o, queue& q, std::uint32_t id, std::uint32_t bits, Call call);
  bool judge_push(op o, queue& q, std::uint32_t id, std::uint32_t bits, bool fails, rs_status status);
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

  // ---- judging (judge.cpp)
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
  void look(const queue& q);
  /// Takes a capacity over as seen, where the port's own rule decides it.
  void adopt(state& s, std::uint64_t seen_capacity) const;
  void paint_storage(queue& q);
  std::string name_of(const queue& q) const;
  [[nodiscard]] std::string describe(const void* value) const;
  std::uint32_t fresh_value() {
    if (serial_ == values_.different()) {
      serial_ = 0;
      wrapped_ = true;
    }
    return serial_++;
  }

  const rs_queue port_;
  const numbers numbers_;
  const std::vector<bool>& judged_;
  evidence& counts_;
  position& at_;
  alloc::ledger& ledger_;
  const values values_;
  const std::uint32_t oom_;

  // What the claims let us expect.
  bool knows_growth_{}, knows_contraction_{}, judges_rest_only_{};
  bool judges_inline_{}, judges_storage_{}, judges_moves_{}, judges_slots_{};
  std::uint64_t offered_{};

  std::array<queue, register_count> queues_;
  std::uint32_t serial_{};   // of the next value
  bool wrapped_{};           // the numbers have begun again
  bool every_step_{};
  bool reads_back_{};        // through at(i), which is claimed
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
