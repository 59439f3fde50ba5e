// SPDX-License-Identifier: Apache-2.0
//
// Attribution: which requirement a step checks, and which one a difference is charged to.
//
// A judged step is in a *situation*: its operation, the transition that the model says it makes (a growth, a return to
// inline, ...), the phase the object is in (just drained, just moved from, ...) and a set of history bits. A subject's
// table of rules says, from the most specific to the most general, which requirement answers for which situations and
// which kinds of difference. The same table gives the evidence: a requirement was checked once for each judged step whose
// situation one of its rules covers.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace ringspec {

struct situation {
  std::uint8_t op{};          // < 32
  std::uint8_t transition{};  // < 16
  std::uint8_t phase{};       // < 32
  std::uint32_t history{};    // bits, < 2^24
};

/// Who answers for what. Sets are bits; an empty set of operations, transitions, phases or history means "any".
struct rule {
  std::string_view requirement;
  std::uint64_t ops;
  std::uint32_t transitions;
  std::uint32_t phases;
  std::uint32_t history;      // at least one of these bits
  std::uint64_t differences;  // the kinds that it answers for
  bool counts = true;         // false: it only charges; judging such a step is no evidence

  // A table of rules reads: answer(requirement, differences).on(ops).when(transitions).while_in(phases).after(history).
  [[nodiscard]] constexpr rule on(std::uint64_t these) const {
    rule copy = *this;
    copy.ops = these;
    return copy;
  }
  [[nodiscard]] constexpr rule when(std::uint32_t these) const {
    rule copy = *this;
    copy.transitions = these;
    return copy;
  }
  [[nodiscard]] constexpr rule while_in(std::uint32_t these) const {
    rule copy = *this;
    copy.phases = these;
    return copy;
  }
  [[nodiscard]] constexpr rule after(std::uint32_t these) const {
    rule copy = *this;
    copy.history = these;
    return copy;
  }

  [[nodiscard]] constexpr bool covers(const situation& s) const {
    return (ops == 0 || (ops >> s.op & 1U) != 0) && (transitions == 0 || (transitions >> s.transition & 1U) != 0) &&
           (phases == 0 || (phases >> s.phase & 1U) != 0) && (history == 0 || (history & s.history) != 0);
  }
};

/// How often each situation was judged. Plain memory, shared between the child that counts and the parent that reads,
/// so that a crash loses nothing. Steps without history bits are one increment.
class evidence {
 public:
  static constexpr std::size_t ops = 32, transitions = 16, phases = 32, bits = 24;

  void count(const situation& s) {
    if (s.history == 0) {
      ++plain_[key(s.op, s.transition, s.phase)];
    } else {
      count_with_history(s);
    }
  }
  /// Fast path: the situation has no history bits.
  void count_plain(std::uint8_t op, std::uint8_t transition, std::uint8_t phase) {
    ++plain_[key(op, transition, phase)];
  }
  void add(const evidence& other);
  /// All judged steps.
  [[nodiscard]] std::uint64_t judged() const;
  /// Judged steps in situations that this rule covers.
  [[nodiscard]] std::uint64_t checks(const rule& r) const;

 private:
  static constexpr std::size_t key(std::size_t op, std::size_t transition, std::size_t phase) {
    return (op * transitions + transition) * phases + phase;
  }
  void count_with_history(const situation& s);

  std::array<std::uint64_t, ops * transitions * phases> plain_{};
  std::array<std::uint64_t, ops * transitions * bits> by_bit_{};  // [op][transition][bit]
};

}  // namespace ringspec
