// SPDX-License-Identifier: Apache-2.0
//
// Subject "queue" as the engine sees it.
#include <fmt/format.h>
#include <algorithm>
#include <stdexcept>
#include "ringspec/queue/claims.hpp"
#include "ringspec/queue/oracle.hpp"
#include "ringspec/queue/random.hpp"
#include "ringspec/queue/rules.hpp"
#include "ringspec/queue/space.hpp"
#include "ringspec/queue/table.hpp"
#include "ringspec/run/embedded.hpp"
#include "ringspec/trace/interpreter.hpp"

namespace ringspec {
namespace queue {
namespace {

/// Instances with the same inline capacity differ in the kind of value only. The first kind that is large enough to tell
/// its values apart leads.
bool leads_its_capacity(const rs_port& port, std::size_t instance) {
  const auto capacity = [&](std::size_t i) { return table_of(port, i).policy->inline_capacity; };
  std::size_t leader = instance;
  bool tells_apart = false;
  for (std::size_t i = 0; port.instances[i] != nullptr && !tells_apart; ++i) {
    if (capacity(i) != capacity(instance)) continue;
    tells_apart = table_of(port, i).value->value_size >= 4;
    if (tells_apart || i < leader) leader = i;
  }
  return leader == instance;
}

class queue_bench final : public bench {
 public:
  explicit queue_bench(const bench_setup& setup)
      : oracle_(setup),
        policy_(*table_of(*setup.port, setup.instance).policy),
        at_(*setup.at),
        dies_(setup.port->oom == RS_OOM_ABORTS),
        leads_(leads_its_capacity(*setup.port, setup.instance)) {
    for (std::size_t o = 0; o < operations.size(); ++o)
      offered_ |= std::uint64_t{oracle_.offers(static_cast<op>(o))} << o;
  }
  std::optional<failure> run(std::span<const step> steps, const scrutiny& s) override {
    return interpret(oracle_, steps, s, at_);
  }
  void random_trace(std::uint64_t seed, std::vector<step>& out) const override {
    queue::random_trace(seed, policy_, offered_, out);
  }
  [[nodiscard]] std::vector<std::unique_ptr<exploration>> explore(std::string_view budget,
                                                                  bool identify) const override {
    return passes(budget, leads_, oracle_.expected_numbers(), offered_, dies_, identify);
  }
  std::optional<failure> death(const position& where, const std::string& how, bool by_abort) override {
    return oracle_.death(where, how, by_abort);
  }
  [[nodiscard]] std::string blind() const override { return oracle_.blind(); }
  [[nodiscard]] std::string remark() const override { return oracle_.remark(); }

 private:
  oracle oracle_;
  numbers policy_;
  position& at_;
  bool dies_, leads_;
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
      const rs_queue t = table_of(port, i);
      const auto broken = [&](std::string_view what) {
        throw std::runtime_error(fmt::format("port '{}', instance {}: {}", port.name, i + 1, what));
      };
      if (t.size < offsetof(rs_queue, observe) + sizeof t.observe)
        broken("its rs_queue.size is too small to hold the required functions");
      if (t.value == nullptr || t.policy == nullptr) broken("rs_queue.value and rs_queue.policy must not be null");
      const rs_value& v = *t.value;
      if (v.size < sizeof(rs_value) || t.policy->size < sizeof(rs_queue_policy)) {
        broken("rs_value.size and rs_queue_policy.size must be the sizes of these structs");
      }
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
      // Traces name an instance, in one word, and are replayed on it.
      constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
      if (*v.kind == '\0' || std::string_view(v.kind).find_first_not_of(letters) != std::string_view::npos)
        broken("rs_value.kind must be of letters, digits and . _ -");
      names.push_back(fmt::format("{}/{}", v.kind, t.policy->inline_capacity));
      if (std::find(names.begin(), names.end() - 1, names.back()) != names.end() - 1) {
        broken(
            fmt::format("there is another {} (rs_value.kind / rs_queue_policy.inline_capacity), and a trace could not "
                        "tell them apart; give them other kinds",
                        names.back()));
      }
    }
    return names;
  }

  [[nodiscard]] std::string cannot_claim(const rs_port& port, std::string_view class_name) const override {
    return queue::cannot_claim(port, class_name);
  }
  [[nodiscard]] std::string inapplicable(const rs_port& port, std::string_view requirement) const override {
    return queue::inapplicable(port, requirement);
  }
  [[nodiscard]] second_look look_again(const rs_port& port) const override { return queue::look_again(port); }
  [[nodiscard]] canary wrong_port() const override {
    return {"wrong_shrink", "wrong-threshold-below", "queue.shrink-policy.threshold"};
  }

  [[nodiscard]] std::string_view states_apart() const override { return "heap"; }

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
