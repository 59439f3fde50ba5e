// SPDX-License-Identifier: Apache-2.0
//
// Subject "queue" as the engine sees it.
#include <fmt/format.h>
#include <algorithm>
#include <stdexcept>
#include "ringspec/queue/oracle.hpp"
#include "ringspec/queue/random.hpp"
#include "ringspec/queue/rules.hpp"
#include "ringspec/run/embedded.hpp"
#include "ringspec/trace/interpreter.hpp"

namespace ringspec {
namespace queue {
namespace {

const rs_queue& table(const rs_port& port, std::size_t instance) {
  return *static_cast<const rs_queue*>(port.instances[instance]);
}

/// The first instance of which the predicate does not hold, by name, or "".
template <class Predicate>
std::string first_without(const rs_port& port, Predicate holds) {
  for (std::size_t i = 0; port.instances[i] != nullptr; ++i) {
    const rs_queue& t = table(port, i);
    if (!holds(t)) return fmt::format("{}/{}", t.value->kind, t.policy->inline_capacity);
  }
  return "";
}
template <class Predicate>
bool none(const rs_port& port, Predicate holds) {
  for (std::size_t i = 0; port.instances[i] != nullptr; ++i) {
    if (holds(table(port, i))) return false;
  }
  return true;
}

bool can_observe_capacity(const rs_queue& t) {
  // Capacity is asked of an object: one is made for it, outside of every trace.
  std::unique_ptr<std::byte, void (*)(std::byte*)> storage(
      static_cast<std::byte*>(alloc::heap_allocate(t.object_size, t.object_align, alloc::family::host)),
      [](std::byte*) {});
  if (storage == nullptr || t.construct(storage.get()) != RS_OK) return false;
  rs_queue_seen seen{};
  seen.size = sizeof seen;
  t.observe(storage.get(), &seen);
  t.destroy(storage.get());
  alloc::heap_release(storage.get(), t.object_size, t.object_align, alloc::family::host);
  return seen.capacity != RS_NOT_OFFERED;
}

class queue_bench final : public bench {
 public:
  explicit queue_bench(const bench_setup& setup)
      : oracle_(setup), policy_(*table(*setup.port, setup.instance).policy), at_(*setup.at) {
    for (std::size_t o = 0; o < operations.size(); ++o)
      offered_ |= std::uint64_t{oracle_.offers(static_cast<op>(o))} << o;
  }
  std::optional<failure> run(std::span<const step> steps, const scrutiny& s) override {
    return interpret(oracle_, steps, s, at_);
  }
  void random_trace(std::uint64_t seed, std::vector<step>& out) const override {
    queue::random_trace(seed, policy_, offered_, out);
  }
  std::optional<failure> death(const position& where, const std::string& how, bool by_abort) override {
    return oracle_.death(where, how, by_abort);
  }
  [[nodiscard]] std::string blind() const override { return oracle_.blind(); }

 private:
  oracle oracle_;
  numbers policy_;
  position& at_;
  std::uint64_t offered_{};
};

class queue_subject final : public subject {
 public:
  [[nodiscard]] std::string_view name() const override { return "queue"; }
  [[nodiscard]] const specification& text() const override {
    static const specification parsed = parse_specification("queue", embedded_text("queue.md"));
    return parsed;
  }
  [[nodiscard]] std::span<const operation> operations() const override { return queue::operations; }
  [[nodiscard]] std::span<const rule> rules() const override { return queue::rules(); }
  [[nodiscard]] std::uint64_t ledger_differences() const override { return queue::ledger_differences(); }
  [[nodiscard]] bool plans_faults(std::span<const step> steps) const override {
    return std::any_of(steps.begin(), steps.end(), [](const step& s) {
      const op o{s.op};
      return (o == op::fail || o == op::fail_from) && s.number != 0;
    });
  }

  [[nodiscard]] std::vector<std::string> instances(const rs_port& port) const override {
    std::vector<std::string> names;
    for (std::size_t i = 0; port.instances[i] != nullptr; ++i) {
      const rs_queue& t = table(port, i);
      const auto broken = [&](std::string_view what) {
        throw std::runtime_error(fmt::format("port '{}', instance {}: {}", port.name, i + 1, what));
      };
      if (t.size < offsetof(rs_queue, observe) + sizeof t.observe)
        broken("its rs_queue.size is too small to hold the required functions");
      if (t.value == nullptr || t.policy == nullptr) broken("rs_queue.value and rs_queue.policy must not be null");
      const rs_value& v = *t.value;
      if (v.value_size == 0 || v.value_align == 0 || (v.value_align & (v.value_align - 1)) != 0 || v.kind == nullptr) {
        broken("rs_value needs a value_size above 0, a value_align that is a power of two, and a kind");
      }
      if (t.object_size == 0 || t.object_align == 0 || (t.object_align & (t.object_align - 1)) != 0) {
        broken("rs_queue.object_size must be above 0 and object_align a power of two");
      }
      if (t.construct == nullptr || t.destroy == nullptr || t.push == nullptr || t.pop == nullptr ||
          t.observe == nullptr) {
        broken("construct, destroy, push, pop and observe are required and must not be null");
      }
      names.push_back(fmt::format("{}/{}", v.kind, t.policy->inline_capacity));
    }
    return names;
  }

  [[nodiscard]] std::string cannot_claim(const rs_port& port, std::string_view c) const override {
    const auto needs = [&](std::string_view what, auto holds) -> std::string {
      const std::string where = first_without(port, holds);
      return where.empty() ? "" : fmt::format("{}, which instance {} does not have", what, where);
    };
    if (c == "fifo-interior" || c == "alias" || c == "alias-interior")
      return needs("it needs rs_queue.at", [](const rs_queue& t) { return t.at != nullptr; });
    if (c == "alias-emplace")
      return needs("it needs rs_queue.emplace_element", [](const rs_queue& t) { return t.emplace_element != nullptr; });
    if (c == "inline")
      return needs("it needs rs_queue_policy.inline_capacity of at least 1",
                   [](const rs_queue& t) { return t.policy->inline_capacity != 0; });
    if (c == "growth-policy") {
      return needs(
          "it needs a capacity from rs_queue.observe, and an rs_queue_policy that grows (first_heap > inline_capacity, "
          "growth_num > growth_den)",
          [](const rs_queue& t) {
            const rs_queue_policy& p = *t.policy;
            return p.first_heap > p.inline_capacity && p.growth_num > p.growth_den && p.growth_den != 0 &&
                   can_observe_capacity(t);
          });
    }
    if (c == "growth-bytes" || c == "shrink")
      return needs("it needs a capacity from rs_queue.observe", can_observe_capacity);
    if (c == "shrink-policy") {
      return needs("it needs a capacity from rs_queue.observe and rs_queue_policy.shrink == RS_SHRINK_COUNTED",
                   [](const rs_queue& t) { return t.policy->shrink == RS_SHRINK_COUNTED && can_observe_capacity(t); });
    }
    if (c == "bounded")
      return needs("it needs rs_queue_policy.max_size", [](const rs_queue& t) { return t.policy->max_size != 0; });
    if (c == "failure" && port.oom != RS_OOM_STATUS) return "it needs rs_port.oom == RS_OOM_STATUS";
    if (c == "failure-abort" && port.oom != RS_OOM_ABORTS) return "it needs rs_port.oom == RS_OOM_ABORTS";
    if (c == "move") {
      return needs("it needs rs_queue.move_construct, move_assign, self_move, swap and self_swap",
                   [](const rs_queue& t) {
                     return t.move_construct != nullptr && t.move_assign != nullptr && t.self_move != nullptr &&
                            t.swap != nullptr && t.self_swap != nullptr;
                   });
    }
    if (c == "storage")
      return needs("it needs rs_queue.clear and rs_queue.release",
                   [](const rs_queue& t) { return t.clear != nullptr && t.release != nullptr; });
    if (c == "slots" || c == "slots-move")
      return needs("it needs rs_queue.slots", [](const rs_queue& t) { return t.slots != nullptr; });
    return "";
  }

  [[nodiscard]] std::string inapplicable(const rs_port& port, std::string_view requirement) const override {
    const auto is = [&](auto... names) { return ((requirement == names) || ...); };
    const auto in_class = [&](std::string_view c) { return requirement.starts_with(fmt::format("queue.{}.", c)); };
    if (is("queue.fifo.clear", "queue.fifo.works-after-clear") &&
        none(port, [](const rs_queue& t) { return t.clear != nullptr; })) {
      return "the port offers no clear";
    }
    if (is("queue.fifo.full-by-size", "queue.move.source-inline", "queue.move.keeps-addresses",
           "queue.move.empty-block-handed-over", "queue.move.assign-releases-old",
           "queue.storage.clear-keeps-capacity") &&
        none(port, can_observe_capacity)) {
      return "the port offers no capacity, by which the gate would tell";
    }
    if ((in_class("alias") || in_class("alias-interior")) &&
        !none(port, [](const rs_queue& t) { return (t.facts & RS_Q_COPIES_ARG) != 0; })) {
      return "the language copies an argument before the call";
    }
    if (in_class("slots-move") && !none(port, [](const rs_queue& t) { return (t.facts & RS_Q_MOVE_IS_MEMCPY) != 0; })) {
      return "the language moves a value by copying the whole object";
    }
    if (is("queue.alias.leaving-inline", "queue.alias-interior.leaving-inline", "queue.alias-emplace.leaving-inline",
           "queue.growth.leaving-inline-order", "queue.move.inline-order") &&
        none(port, [](const rs_queue& t) { return t.policy->inline_capacity != 0; })) {
      return "the port has no inline storage";
    }
    if (in_class("alias-interior") && is("queue.alias-interior.leaving-inline") &&
        none(port, [](const rs_queue& t) { return t.policy->inline_capacity > 1; })) {
      return "with an inline capacity of 1 there is no interior element";
    }
    if ((is("queue.failure.halving-silent", "queue.failure.halving-changes-nothing",
            "queue.failure.halving-restarts-count", "queue.move.count-travels", "queue.storage.clear-resets-count") ||
         in_class("shrink")) &&
        none(port, [](const rs_queue& t) { return t.policy->shrink != RS_SHRINK_NEVER; })) {
      return "the port declares that it never contracts";
    }
    if (in_class("failure") && port.oom == RS_OOM_NEVER) return "the port declares that it never allocates";
    return "";
  }

  [[nodiscard]] canary wrong_port() const override {
    return {"wrong_shrink", "wrong-threshold-below", "queue.shrink-policy.threshold"};
  }

  [[nodiscard]] std::unique_ptr<bench> open(const bench_setup& setup) const override {
    return std::make_unique<queue_bench>(setup);
  }
};

}  // namespace

const subject& the_subject() {
  static const queue_subject instance;
  return instance;
}

}  // namespace queue
}  // namespace ringspec
