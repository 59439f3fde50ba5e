// SPDX-License-Identifier: Apache-2.0
//
// What the engine knows of a subject: its operations, its rules of attribution, and how to open a bench on one
// instance of a port. Everything that differs between queues, receive paths, forwarders and grant queues is behind these
// two interfaces.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "ringspec/port.h"
#include "ringspec/trace/attribution.hpp"
#include "ringspec/trace/specification.hpp"
#include "ringspec/trace/step.hpp"

namespace ringspec {

/// The first difference of a trace.
struct failure {
  std::size_t step{};  // index into the trace; its length: after the last step
  situation where;
  std::size_t requirement{};  // index into the specification
  std::string what;           // "capacity of a"
  std::string expected, seen;
};

/// One step as it is told to a reader: replay, and the expectations of a written trace.
struct observation {
  std::size_t index{};
  step done;                    // its number as it was meant: "element 7 of 3" is element 1
  bool applied{};               // false: a no-op in this state
  std::vector<field> expected;  // empty for a no-op
  std::vector<field> seen;
};

struct scrutiny {
  bool every_step{};                                 // read back every element, canary and block after each step
  std::function<void(const observation&)> listener;  // may be empty
  std::size_t interval{64};                          // else so often, in steps
  bool beyond{};                                     // pass over what this trace itself has told, too
};

/// Where a run is. In memory shared with the process that watches; written before each call into the port.
struct position {
  volatile std::uint64_t trace{};  // ordinal in the unit's sequence
  volatile std::uint32_t step{};
  volatile std::uint32_t fault_fired{};  // the plan has failed an allocation in this trace
  situation where;                       // kept only under scrutiny of every step
};

/// What an exhaustive pass over a model's states covers. Plain memory, as it is shared with the process that watches.
struct coverage {
  std::uint64_t bound{};         // of the states that were entered (of a queue: the capacity)
  std::uint64_t words{};         // k: the most operations between the way to a state and the suffix
  std::uint64_t states{};        // within the bound
  std::uint64_t states_apart{};  // of these, those that the subject counts apart (of a queue: on the heap)
  std::uint64_t transitions{};   // pairs of a state and an operation tried in it
  std::uint64_t traces{};        // of the whole pass: one for each word and for each single trial
  std::uint64_t run{};           // of these, how many have been run
  std::uint64_t cut_short{};     // 1: there are more states within the bound than were entered
};

/// An exhaustive pass, as a list of traces that is made while it is read.
class exploration {
 public:
  /// The index and the steps of a trace; false ends the visit.
  using visitor = std::function<bool(std::uint64_t index, const std::vector<step>& steps)>;
  virtual ~exploration() = default;
  /// Of the whole pass; `run` is 0.
  [[nodiscard]] virtual const coverage& about() const = 0;
  /// The traces from `first` on, in an order that is always the same: states that are nearer to the start come first.
  virtual void visit(std::uint64_t first, const visitor& see) const = 0;
};

/// The passes of one instance, at most.
inline constexpr std::size_t most_passes = 4;

/// One instance of a port, open for traces.
class bench {
 public:
  virtual ~bench() = default;
  /// Runs and judges a trace until its end or its first difference. An object that showed a difference is abandoned.
  virtual std::optional<failure> run(std::span<const step> steps, const scrutiny& s) = 0;
  /// The next random trace of this seed, with swarm weights; only operations that the port's claims need.
  virtual void random_trace(std::uint64_t seed, std::vector<step>& out) const = 0;
  /// The exhaustive passes that a budget of this name has for this instance, at most `most_passes`; none if the budget
  /// leaves it to other instances. `identify`: with the suffix that tells states apart.
  [[nodiscard]] virtual std::vector<std::unique_ptr<exploration>> explore(std::string_view budget,
                                                                          bool identify) const = 0;
  /// The process that ran a trace died where the position says: the failure to report, or nothing if this port was meant
  /// to die there (which is then counted as evidence).
  virtual std::optional<failure> death(const position& where, const std::string& how, bool by_abort) = 0;
  /// Why the ledger cannot see this port's memory, or "".
  [[nodiscard]] virtual std::string blind() const = 0;
  /// What was seen that no judged requirement answers for, as a sentence, or "".
  [[nodiscard]] virtual std::string remark() const = 0;
};

struct bench_setup {
  const rs_port* port{};
  std::size_t instance{};
  const std::vector<bool>* judged{};  // by requirement: may a difference be charged to it?
  evidence* counts{};
  position* at{};
  // The requirement that the one trace of a replay serves: what differs beside it, and lets the trace go on, is not told.
  std::string_view serves{};
};

/// A wrong port that runs in every verify: if it is not caught by this requirement, no clean result may be believed.
struct canary {
  std::string_view module, port, requirement;
};

/// What a survey looks at again, by the specification's numbers: the requirements that the port's functions allow to
/// judge and only its declared numbers leave out, and the port with those numbers in their place, which lives as long as
/// the process.
struct second_look {
  const rs_port* port{};
  std::vector<std::string> requirements;
};

/// Does the port claim the class? `class_name` without the subject, as claims are written.
inline bool claims(const rs_port& port, std::string_view class_name) {
  for (const char* const* c = port.claims; *c != nullptr; ++c) {
    if (class_name == *c) return true;
  }
  return false;
}

class subject {
 public:
  virtual ~subject() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual const specification& text() const = 0;
  [[nodiscard]] virtual std::span<const operation> operations() const = 0;
  /// From the most specific to the most general.
  [[nodiscard]] virtual std::span<const rule> rules() const = 0;
  /// The kinds of difference that need the ledger: a rule with no other kind cannot be judged if it is blind.
  [[nodiscard]] virtual std::uint64_t ledger_differences() const = 0;
  /// Steps that arm the fault plan: on a port that aborts without memory such a trace is run in a process of its own.
  [[nodiscard]] virtual bool plans_faults(std::span<const step> steps) const = 0;
  /// The instances' names, KIND/N. Throws std::runtime_error with a sentence if a table is not usable.
  [[nodiscard]] virtual std::vector<std::string> instances(const rs_port& port) const = 0;
  /// Why the port cannot claim this class ("at is null in ..."), or "".
  [[nodiscard]] virtual std::string cannot_claim(const rs_port& port, std::string_view class_name) const = 0;
  /// Why this requirement does not apply to the port, though its class may be claimed ("the port offers no clear"), or "".
  [[nodiscard]] virtual std::string inapplicable(const rs_port& port, std::string_view requirement) const = 0;
  [[nodiscard]] virtual second_look look_again(const rs_port& port) const = 0;
  [[nodiscard]] virtual canary wrong_port() const = 0;
  /// What the states have in common that a report counts apart: "heap".
  [[nodiscard]] virtual std::string_view states_apart() const = 0;
  /// Throws nothing; the setup's pointers outlive the bench.
  [[nodiscard]] virtual std::unique_ptr<bench> open(const bench_setup& setup) const = 0;
};

/// All subjects of this build, and the one of this name (or null).
std::span<const subject* const> subjects();
const subject* find_subject(std::string_view name);

}  // namespace ringspec
