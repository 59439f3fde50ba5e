// SPDX-License-Identifier: Apache-2.0
#include "ringspec/queue/claims.hpp"
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <deque>
#include <map>
#include <utility>
#include "ringspec/alloc/heap.hpp"
#include "ringspec/queue/table.hpp"

namespace ringspec::queue {
namespace {

/// The first instance of which the predicate does not hold, by name, or "".
template <class Predicate>
std::string first_without(const rs_port& port, Predicate holds) {
  for (std::size_t i = 0; port.instances[i] != nullptr; ++i) {
    const rs_queue t = table_of(port, i);
    if (!holds(t)) return fmt::format("{}/{}", t.value->kind, t.policy->inline_capacity);
  }
  return "";
}
template <class Predicate>
bool none(const rs_port& port, Predicate holds) {
  for (std::size_t i = 0; port.instances[i] != nullptr; ++i) {
    if (holds(table_of(port, i))) return false;
  }
  return true;
}

/// Capacity is asked of an object: one is made for it, outside of every trace, in a process that may die of it.
bool can_observe_capacity(const rs_queue& t) {
  // Two instances with the same functions are alike.
  static std::map<std::pair<decltype(t.construct), decltype(t.observe)>, bool> known;
  const auto [at, is_new] = known.try_emplace({t.construct, t.observe}, true);
  if (!is_new) return at->second;
  void* const storage = alloc::heap_allocate(t.object_size, t.object_align, alloc::family::host);
  if (storage == nullptr) return false;
  constexpr int offered = 40, not_offered = 41;
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(2);
    rs_queue_seen seen{};
    seen.size = sizeof seen;
    seen.capacity = RS_NOT_OFFERED;
    if (t.construct(storage) != RS_OK) ::_exit(offered);
    t.observe(storage, &seen);
    ::_exit(seen.capacity == RS_NOT_OFFERED ? not_offered : offered);
  }
  int status = 0;
  const bool ended = child > 0 && ::waitpid(child, &status, 0) == child;
  alloc::heap_release(storage, t.object_size, t.object_align, alloc::family::host);
  // Of a death, or a queue that cannot be constructed, its traces will tell.
  return at->second = !ended || !WIFEXITED(status) || WEXITSTATUS(status) != not_offered;
}

}  // namespace

std::string cannot_claim(const rs_port& port, std::string_view c) {
  const auto needs = [&](std::string_view what, auto holds) -> std::string {
    const std::string where = first_without(port, holds);
    return where.empty() ? "" : fmt::format("{}, which instance {} does not have", what, where);
  };
  if (c == "alias") {
    return needs("it needs rs_queue.at, or a front from rs_queue.observe",
                 [](const rs_queue& t) { return t.at != nullptr || t.pop_into == nullptr; });
  }
  if (c == "fifo-interior" || c == "alias-interior")
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
  if (c == "growth-bytes") return needs("it needs a capacity from rs_queue.observe", can_observe_capacity);
  if (c == "shrink") {
    return needs("it needs a capacity from rs_queue.observe and an rs_queue_policy.shrink other than RS_SHRINK_NEVER",
                 [](const rs_queue& t) { return t.policy->shrink != RS_SHRINK_NEVER && can_observe_capacity(t); });
  }
  if (c == "shrink-policy") {
    return needs("it needs a capacity from rs_queue.observe and rs_queue_policy.shrink == RS_SHRINK_COUNTED",
                 [](const rs_queue& t) { return t.policy->shrink == RS_SHRINK_COUNTED && can_observe_capacity(t); });
  }
  if (c == "bounded")
    return needs("it needs rs_queue_policy.max_size", [](const rs_queue& t) { return t.policy->max_size != 0; });
  if (c == "failure" && port.oom != RS_OOM_STATUS) return "it needs rs_port.oom == RS_OOM_STATUS";
  if (c == "failure-abort" && port.oom != RS_OOM_ABORTS) return "it needs rs_port.oom == RS_OOM_ABORTS";
  if (c == "move") {
    return needs("it needs rs_queue.move_construct, move_assign, self_move, swap and self_swap", [](const rs_queue& t) {
      return t.move_construct != nullptr && t.move_assign != nullptr && t.self_move != nullptr && t.swap != nullptr &&
             t.self_swap != nullptr;
    });
  }
  if (c == "slots") return needs("it needs rs_queue.slots", [](const rs_queue& t) { return t.slots != nullptr; });
  if (c == "slots-move") {
    return needs("it needs rs_queue.slots, move_construct and move_assign", [](const rs_queue& t) {
      return t.slots != nullptr && t.move_construct != nullptr && t.move_assign != nullptr;
    });
  }
  return "";
}

second_look look_again(const rs_port& port) {
  struct adjusted {
    rs_port port;
    std::deque<rs_queue> tables;
    std::deque<rs_queue_policy> policies;
    std::vector<const void*> instances;
    std::vector<std::string> requirements;
  };
  static std::map<const rs_port*, adjusted> all;
  const auto [at, missing] = all.try_emplace(&port);
  adjusted& a = at->second;
  if (missing) {
    if (none(port, [](const rs_queue& t) { return t.policy->inline_capacity != 0; })) {
      for (const auto& r : find_subject("queue")->text().requirements) {
        if (r.class_name == "inline" && r.evidence == "run") a.requirements.push_back(r.name);
      }
    }
    if (!cannot_claim(port, "shrink-policy").empty()) a.requirements.emplace_back("queue.shrink-policy.ends-inline");
    for (std::size_t i = 0; port.instances[i] != nullptr; ++i) {
      rs_queue& t = a.tables.emplace_back(table_of(port, i));
      rs_queue_policy& p = a.policies.emplace_back(*t.policy);
      if (p.inline_capacity == 0) p.inline_capacity = 1;
      p.first_heap = std::max<std::uint64_t>(8, 2 * p.inline_capacity);
      p.growth_num = 2;
      p.growth_den = 1;
      p.shrink = RS_SHRINK_COUNTED;
      p.low_divisor = 4;
      t.policy = &p;
      a.instances.push_back(&t);
    }
    a.instances.push_back(nullptr);
    a.port = port;
    a.port.instances = a.instances.data();
  }
  return {&a.port, a.requirements};
}

std::string inapplicable(const rs_port& port, std::string_view requirement) {
  const auto is = [&](auto... names) { return ((requirement == names) || ...); };
  const auto in_class = [&](std::string_view c) { return requirement.starts_with(fmt::format("queue.{}.", c)); };
  if (is("queue.fifo.clear", "queue.fifo.works-after-clear", "queue.storage.clear-keeps-capacity",
         "queue.storage.clear-resets-count", "queue.slots.clear", "queue.inline.clear") &&
      none(port, [](const rs_queue& t) { return t.clear != nullptr; })) {
    return "the port offers no clear";
  }
  if (is("queue.storage.release-to-inline") && none(port, [](const rs_queue& t) { return t.release != nullptr; })) {
    return "the port offers no release";
  }
  const auto fits = [](std::uint64_t max_size, std::uint64_t capacity) {
    return max_size != 0 && max_size <= capacity;
  };
  if (is("queue.alias.growing-heap", "queue.alias-interior.growing-heap", "queue.alias-emplace.growing-heap",
         "queue.growth.heap-order", "queue.growth.new-before-old", "queue.growth-policy.doubles-when-full",
         "queue.growth-policy.one-release", "queue.storage.not-used-after-release") &&
      none(port, [&](const rs_queue& t) { return !fits(t.policy->max_size, t.policy->first_heap); })) {
    return "the port is full before its first heap block is";
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
         "queue.growth.leaving-inline-order", "queue.move.inline-order", "queue.slots-move.live-only",
         "queue.slots-move.source-untouched") &&
      none(port, [](const rs_queue& t) { return t.policy->inline_capacity != 0; })) {
    return "the port has no inline storage";
  }
  if (is("queue.alias-interior.leaving-inline") &&
      none(port, [](const rs_queue& t) { return t.policy->inline_capacity > 1; })) {
    return "with an inline capacity of 1 there is no interior element";
  }
  if ((is("queue.failure.halving-silent", "queue.failure.halving-changes-nothing",
          "queue.failure.halving-restarts-count", "queue.move.count-travels", "queue.slots.contraction",
          "queue.storage.clear-resets-count") ||
       in_class("shrink")) &&
      none(port, [](const rs_queue& t) { return t.policy->shrink != RS_SHRINK_NEVER; })) {
    return "the port declares that it never contracts";
  }
  if (is("queue.failure.halving-restarts-count", "queue.move.count-travels", "queue.storage.clear-resets-count") &&
      !claims(port, "shrink-policy")) {
    return "the port does not claim shrink-policy, which says when the count shows";
  }
  if (in_class("failure") && port.oom == RS_OOM_NEVER) return "the port declares that it never allocates";
  return "";
}

}  // namespace ringspec::queue
