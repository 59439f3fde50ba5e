// SPDX-License-Identifier: Apache-2.0
//
// The states of a queue and what can be done in them, for the explorer: capacity, head, size and low-water count, by the
// port's declared numbers.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>
#include "ringspec/queue/model.hpp"
#include "ringspec/queue/operations.hpp"
#include "ringspec/trace/subject.hpp"

namespace ringspec::queue {

/// What a pass tries beyond the operations that lead to every state.
struct reach {
  std::uint64_t bound{};             // on the capacity
  bool every_operation{};            // else push, pop and clear
  std::uint64_t bound_of_pairs{32};  // on the capacity of a queue that meets a second one
};

class space {
 public:
  using state = queue::state;
  enum class letter : std::uint8_t {
    push,
    pop,
    clear,
    push_fails,
    pop_fails,
    release,
    recreate,
    self_move,
    self_swap,
    push_oldest,
    push_newest,
    emplace_oldest,
    emplace_newest,
    read_newest,
  };

  /// What follows an operation that has just been tried, before the suffix: a use that shows what a drain would hide.
  enum class sequel : std::uint8_t { none, exchange, destruction };
  /// What is tried in a state once, and not within words: the operation, the plan of failure around it, and a number: the
  /// element that it takes, the second queue that it meets, or how many pairs of push and pop it stands for.
  struct trial {
    op what{};
    op plan{};  // fail or fail_from; anything else: none
    std::uint32_t number{};
    std::uint32_t allocation{};  // the one that is to fail
    sequel then{};
  };

  /// `offered`: the operations that the port's claims need, as bits. `dies`: a failing allocation ends the process, so
  /// that a failure ends a trace.
  space(const numbers& n, std::uint64_t offered, bool dies, const reach& how_far);

  [[nodiscard]] std::uint64_t bound() const { return reach_.bound; }
  [[nodiscard]] state start() const { return state::fresh(numbers_); }
  [[nodiscard]] bool inside(const state& s) const { return s.capacity <= reach_.bound; }
  [[nodiscard]] bool apart(const state& s) const { return s.heap; }
  [[nodiscard]] std::uint64_t place_of(const state& s) const;
  [[nodiscard]] state at(std::uint64_t place) const;
  void letters(const state& s, std::vector<letter>& out) const;
  [[nodiscard]] bool spans(letter l) const { return l <= letter::clear || l == letter::pop_fails; }
  state take(letter l, const state& s, std::vector<step>& out) const;
  void identify(const state& s, std::vector<step>& out) const { identify(s, 0, out); }
  void trials(const state& s, std::vector<trial>& out) const;
  void attempt(const trial& t, const state& s, bool identified, std::vector<step>& out) const;

 private:
  /// A second queue, in the state that some pushes, pops and pushes lead to.
  struct companion {
    std::uint64_t pushes, pops, more;
    state reached;
  };
  void add_companion(std::uint64_t pushes, std::uint64_t pops, std::uint64_t more);
  void attempt_pair(const trial& t, const state& s, bool identified, std::vector<step>& out) const;
  [[nodiscard]] bool offers(op o) const { return (offered_ >> static_cast<unsigned>(o) & 1U) != 0; }
  /// Does the next push find no room that it may take, or the next push or pop ask for memory?
  [[nodiscard]] bool push_is_refused(const state& s) const {
    return numbers_.max_size != 0 && s.count >= numbers_.max_size;
  }
  [[nodiscard]] bool push_allocates(const state& s) const;
  [[nodiscard]] bool pop_allocates(const state& s) const;
  void identify(state s, std::uint8_t reg, std::vector<step>& out) const;
  numbers numbers_;
  std::uint64_t offered_;
  bool dies_;
  reach reach_;
  std::vector<companion> companions_;
};

/// The passes of a budget on an instance; `leads`: it is the port's first with this inline capacity.
std::vector<std::unique_ptr<exploration>> passes(std::string_view budget, bool leads, const numbers& n,
                                                 std::uint64_t offered, bool dies, bool identify);

}  // namespace ringspec::queue
