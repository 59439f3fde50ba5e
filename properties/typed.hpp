// SPDX-License-Identifier: Apache-2.0
//
// The typed reference queue beside std::deque: it takes the steps of a trace, so that each property of it is a list of
// steps, and each failure a trace file. Values are compared with the deque's; capacities, heads, allocations and releases
// with what the executable specification (queue/model.hpp) says of the same step.
//
// The templates are behind this interface and in one file, so that a forked reference costs that file only.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>
#include "ringspec/trace/step.hpp"

namespace properties {

/// A queue's control state as the properties see it; `held` false: no queue in that register.
struct seen {
  bool held{}, is_inline{};
  std::uint64_t size{}, capacity{}, head{};
  [[nodiscard]] bool wrapped() const { return head + size > capacity; }
};

class typed_queues {
 public:
  virtual ~typed_queues() = default;
  /// What a trace begins with: one fresh queue in a.
  virtual void begin() = 0;
  /// Does the step on the queues and on the deques. What differs, as a sentence, or "". A step that does not apply, as
  /// spec/trace.md has it, does nothing.
  virtual std::string take(const ringspec::step& s) = 0;
  /// What a trace ends with: all queues are destroyed, and no block is left.
  virtual std::string finish() = 0;
  [[nodiscard]] virtual seen look(unsigned in) const = 0;
  /// Since begin(), those that failed included.
  [[nodiscard]] virtual std::uint64_t allocations() const = 0;
};

struct instance {
  std::string name;  // KIND/N, as in a trace
  std::uint64_t inline_capacity;
  std::unique_ptr<typed_queues> queues;
};

/// Every value kind at every inline capacity; fewer in a program that has a forked reference.
std::vector<instance> all_instances();

}  // namespace properties
