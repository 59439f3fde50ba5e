// SPDX-License-Identifier: Apache-2.0
//
// The arms of the comparison: several ways to drive one queue of a loaded port with pushes and pops and to compare, after
// each step, status, size, capacity, the bytes of the front, and the allocations and releases that the ledger saw.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "ringspec/port.h"
#include "ringspec/trace/step.hpp"

namespace audits {

using traces = std::vector<std::vector<ringspec::step>>;

/// What an arm compares: instance `index` of a port that has been initialised.
struct target {
  const rs_port* port{};
  std::size_t index{};
};

class arm {
 public:
  virtual ~arm() = default;
  /// What the last difference was, as a text for people.
  [[nodiscard]] const std::string& told() const { return told_; }
  /// Makes whatever it needs to run these traces, of pushes and pops on one queue.
  virtual void prepare(const traces& these) = 0;
  /// Runs what was prepared. The index of the first trace that shows a difference, if one does.
  virtual std::optional<std::size_t> execute() = 0;
  /// Draws traces of its own, of `steps` steps altogether or a few more, and runs them. False: one shows a difference.
  virtual bool generate_and_execute(std::uint64_t seed, std::uint64_t steps) = 0;
  /// Steps compared so far. The creation and the destruction of a queue are a step each; a pop of an empty queue is none.
  [[nodiscard]] virtual std::uint64_t judged() const = 0;

 protected:
  std::string told_;
};

/// Our own driver, as `ringspec verify` uses it: besides what every arm compares, it reads back all elements, canaries
/// and blocks at transitions, every 64 steps and at the end.
std::unique_ptr<arm> own_driver(const target& t);
/// RapidCheck's rc::state commands as one writes them after its manual, the same as lean as RapidCheck allows, and, as
/// lean, a plain vector of operations. Only in a program that was built with RapidCheck.
std::unique_ptr<arm> rapidcheck_state(const target& t);
std::unique_ptr<arm> rapidcheck_lean_state(const target& t);
std::unique_ptr<arm> rapidcheck_vector(const target& t);

}  // namespace audits
