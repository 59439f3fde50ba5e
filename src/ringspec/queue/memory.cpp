// SPDX-License-Identifier: Apache-2.0
//
// What the oracle checks of memory: paint and canaries, unused slots, what the ledger found, and whether it sees at all.
#include <fmt/format.h>
#include <algorithm>
#include "ringspec/alloc/definedness.hpp"
#include "ringspec/queue/oracle.hpp"

namespace ringspec::queue {

void oracle::paint_storage(queue& q) {
  const std::size_t border = canary_bytes();
  auto* const object = static_cast<std::byte*>(q.object);
  q.painted = true;
  alloc::paint(object - border, border + port_.object_size + border);
  alloc::make_undefined(object, port_.object_size);
  slots_.forget(object, port_.object_size);
  pointer_lived_[static_cast<std::size_t>(&q - queues_.data())] = false;
}

bool oracle::holds_nothing(const queue& q) {
  const bool alone = std::count_if(queues_.begin(), queues_.end(), [](const queue& other) { return other.alive; }) == 1;
  const std::size_t held = ledger_.leaked_blocks();
  return !alone || held == 0 ||
         differs(difference::capacity, "blocks that " + name_of(q) + " still has", "0",
                 fmt::format("{} ({} bytes)", held, ledger_.leaked_bytes()));
}

bool oracle::check_slots(queue& q, difference kind, bool new_block) {
  if (!every_step_ || !judges_slots_ || !q.alive) return true;
  const auto r = static_cast<std::size_t>(&q - queues_.data());
  rs_slots slots{};
  slots.size = sizeof slots;
  port_.slots(q.object, &slots);
  pointer_lived_[r] = pointer_lived_[r] || q.s.heap;
  rs_queue_seen now{};
  now.size = sizeof now;
  port_.observe(q.object, &now);
  if (now.capacity != RS_NOT_OFFERED && slots.slots != now.capacity) {
    return differs(kind, "storage map of " + name_of(q), fmt::format("{} slots, the capacity", now.capacity),
                   std::to_string(slots.slots));
  }
  if (slots.slots == 0) return true;  // no storage at all
  const auto* const base = static_cast<const std::byte*>(slots.base);
  const auto* const object = static_cast<const std::byte*>(q.object);
  const bool in_object = base >= object && base < object + port_.object_size;
  const alloc::block* const block = in_object ? nullptr : ledger_.find(base);
  if ((!in_object && block == nullptr) || slots.stride == 0) {
    return differs(kind, "storage map of " + name_of(q), "slots in the object or in a block that the ledger saw",
                   fmt::format("slot 0 at {}, {} bytes apart", slots.base, slots.stride));
  }
  const std::size_t room = in_object ? port_.object_size - static_cast<std::size_t>(base - object)
                                     : block->bytes - static_cast<std::size_t>(base - block->address);
  if (slots.slots > room / slots.stride) {
    return differs(kind, "storage map of " + name_of(q), "slots inside the object or its block",
                   fmt::format("{} slots of {} bytes where {} bytes are", slots.slots, slots.stride, room));
  }
  if (new_block && !in_object) slots_.forget(base, 1);
  // paint_storage() begins before the object, at its canary.
  const std::size_t border = canary_bytes();
  const std::byte* const painted_from = in_object ? object - border : block->address;
  const std::string wrong =
      slots_.check(slots, q.held.size(), painted_from, in_object && pointer_lived_[r] ? sizeof(void*) : 0);
  return wrong.empty() || differs(kind, "unused slots of " + name_of(q), "untouched", wrong);
}

bool oracle::check_violations() {
  const std::uint32_t v = ledger_.step.violations;
  if (v == 0) [[likely]]
    return true;
  namespace violation = alloc::violation;
  const auto judged = [&](std::uint32_t bit, difference kind, std::string_view expected, std::string_view seen) {
    return (v & bit) == 0 || differs(kind, "a heap block", std::string(expected), std::string(seen));
  };
  const bool sound =
      judged(violation::released_twice, difference::released_twice, "released once", "released a second time") &&
      judged(violation::wrong_size, difference::wrong_size, "a release that names the size that was allocated",
             "another size") &&
      judged(violation::wrong_function, difference::wrong_function,
             "released by the function that matches its allocation and alignment", "released by another one") &&
      judged(violation::written_after_release, difference::late_write, "not written after its release",
             "written after its release") &&
      judged(violation::overrun, difference::overrun, "no byte written around it", "bytes around it were written");
  ledger_.step.violations = 0;
  return sound;
}

bool oracle::check_canaries() {
  if (ledger_.forwards()) return true;
  const std::size_t border = canary_bytes();
  for (const queue& q : queues_) {
    if (!q.painted) continue;
    const auto* const object = static_cast<const std::byte*>(q.object);
    const bool intact = alloc::still_painted(object - border, border) &&
                        alloc::still_painted(object + port_.object_size, border, border + port_.object_size);
    if (!intact && !differs(difference::object_canary, "the bytes around " + name_of(q), "untouched", "written"))
      return false;
  }
  return true;
}

void oracle::check_coverage(const queue& q) {
  if (!blind_.empty() || q.held.empty()) return;
  // Under --survey and in honest ports alike: values must lie where the gate can see them.
  const std::uint64_t held = q.held.size() * values_.size();
  if (port_.object_size + ledger_.live_bytes() < held) {
    blind_ = fmt::format("{} values take {} bytes, but the object and the blocks that the ledger saw have only {}",
                         q.held.size(), held, port_.object_size + ledger_.live_bytes());
    return;
  }
  rs_queue_seen now{};
  now.size = sizeof now;
  port_.observe(q.object, &now);
  const auto* const front = static_cast<const std::byte*>(now.front);
  const auto* const object = static_cast<const std::byte*>(q.object);
  if (front == nullptr || (front >= object && front < object + port_.object_size) || ledger_.find(front) != nullptr)
    return;
  blind_ = "the oldest value lies neither in the object nor in a block that the ledger saw";
}

}  // namespace ringspec::queue
