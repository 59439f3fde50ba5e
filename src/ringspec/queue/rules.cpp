// SPDX-License-Identifier: Apache-2.0
//
// Which requirement answers for which difference, from the most specific situation to the most general. The first rule
// that covers the step, answers for the kind of difference, and whose requirement is judged, is charged.
#include "ringspec/queue/rules.hpp"
#include <array>
#include "ringspec/queue/differences.hpp"
#include "ringspec/queue/model.hpp"
#include "ringspec/queue/operations.hpp"

namespace ringspec::queue {
namespace {

using enum difference;

template <class... Ops>
constexpr std::uint64_t at(Ops... o) {
  return (0U | ... | (std::uint64_t{1} << static_cast<unsigned>(o)));
}
template <class... Transitions>
constexpr std::uint32_t in(Transitions... t) {
  return (0U | ... | (1U << static_cast<unsigned>(t)));
}
constexpr std::uint32_t during(phase p) {
  const auto bit = 1U << static_cast<unsigned>(p);
  return bit | bit << phase_count | bit << 2 * phase_count;
}
constexpr std::uint32_t any = 0;
constexpr std::uint32_t never_overflowed = 0xFFU << phase_count | 0xFFU << 2 * phase_count;
constexpr std::uint32_t never_overflowed_long = 0xFFU << 2 * phase_count;

constexpr std::uint64_t pushes = at(op::push, op::push_element, op::emplace_element);
constexpr std::uint64_t moves = at(op::move_construct, op::move_assign);
constexpr std::uint64_t exchanges = moves | at(op::self_move, op::swap, op::self_swap);
constexpr std::uint32_t room = in(transition::none, transition::fills);
constexpr std::uint32_t no_contraction = in(transition::none, transition::empties);
constexpr std::uint32_t growth = in(transition::leaves_inline, transition::grows);
constexpr std::uint32_t contraction = in(transition::halves, transition::to_inline);

constexpr std::uint64_t values = kinds(front, newest, content, interior);
constexpr std::uint64_t order = values | kinds(count, damaged, death);
constexpr std::uint64_t works = order | kinds(status, full);
constexpr std::uint64_t anything = order | kinds(status, capacity, address, source_count, source_capacity, releases);

constexpr bool charges_only = false;

constexpr auto table = std::to_array<rule>({
    // What no operation may do.
    {"queue.fifo.stays-inside", 0, any, any, 0, kinds(object_canary)},
    {"queue.storage.released-once", 0,
     in(transition::grows, transition::halves, transition::to_inline, transition::gives_back), any, 0,
     kinds(released_twice)},
    {"queue.storage.released-once", 0, any, any, 0, kinds(released_twice), charges_only},
    {"queue.storage.release-size", 0,
     in(transition::grows, transition::halves, transition::to_inline, transition::gives_back), any, 0,
     kinds(wrong_size)},
    {"queue.storage.release-size", 0, any, any, 0, kinds(wrong_size), charges_only},
    {"queue.storage.release-alignment", 0,
     in(transition::grows, transition::halves, transition::to_inline, transition::gives_back), any, 0,
     kinds(wrong_function)},
    {"queue.storage.release-alignment", 0, any, any, 0, kinds(wrong_function), charges_only},
    {"queue.storage.not-used-after-release", 0, in(transition::grows, transition::halves, transition::to_inline), any,
     0, kinds(late_write)},
    {"queue.storage.not-used-after-release", 0, any, any, 0, kinds(late_write), charges_only},
    {"queue.storage.stays-inside-blocks", pushes,
     in(transition::none, transition::fills, transition::leaves_inline, transition::grows), any, 0, kinds(overrun)},
    {"queue.storage.stays-inside-blocks", 0, any, any, 0, kinds(overrun), charges_only},
    {"queue.growth.aligned-slots", pushes, growth, any, 0, kinds(alignment)},
    {"queue.growth.aligned-slots", 0, any, any, 0, kinds(alignment), charges_only},

    // Aliased arguments: only the value just pushed can show it.
    {"queue.alias.without-growth", at(op::push_element), room, any, history::front_argument, kinds(newest, death)},
    {"queue.alias.leaving-inline", at(op::push_element), in(transition::leaves_inline), any, history::front_argument,
     kinds(newest, death)},
    {"queue.alias.growing-heap", at(op::push_element), in(transition::grows), any, history::front_argument,
     kinds(newest, death)},
    {"queue.alias-interior.without-growth", at(op::push_element), room, any, history::interior_argument,
     kinds(newest, death)},
    {"queue.alias-interior.leaving-inline", at(op::push_element), in(transition::leaves_inline), any,
     history::interior_argument, kinds(newest, death)},
    {"queue.alias-interior.growing-heap", at(op::push_element), in(transition::grows), any, history::interior_argument,
     kinds(newest, death)},
    {"queue.alias-emplace.without-growth", at(op::emplace_element), room, any, 0, kinds(newest, death)},
    {"queue.alias-emplace.leaving-inline", at(op::emplace_element), in(transition::leaves_inline), any, 0,
     kinds(newest, death)},
    {"queue.alias-emplace.growing-heap", at(op::emplace_element), in(transition::grows), any, 0, kinds(newest, death)},

    // Allocation in a queue that never held more than its inline capacity.
    {"queue.inline.construction", at(op::create), any, any, 0, kinds(allocations)},
    {"queue.inline.clear", at(op::clear), any, never_overflowed, 0, kinds(allocations, releases)},
    {"queue.inline.steady", pushes | at(op::pop), in(transition::none, transition::fills, transition::empties),
     never_overflowed_long, 0, kinds(allocations, releases)},
    {"queue.inline.push-pop", pushes | at(op::pop), in(transition::none, transition::fills, transition::empties),
     never_overflowed, 0, kinds(allocations, releases)},

    // Failing allocations.
    {"queue.failure-abort.dies-at-once", pushes | at(op::create), in(transition::growth_fails), any, 0,
     kinds(survived)},
    {"queue.failure-abort.dies-at-once", 0, any, any, 0, kinds(survived), charges_only},
    {"queue.failure.growth-reports", pushes, in(transition::growth_fails), any, 0, kinds(status, full)},
    {"queue.failure.growth-changes-nothing", pushes, in(transition::growth_fails), any, 0, anything},
    {"queue.failure.halving-silent", at(op::pop), in(transition::halving_fails), any, 0, kinds(status)},
    {"queue.failure.halving-changes-nothing", at(op::pop), in(transition::halving_fails), any, 0, anything},
    {"queue.failure.halving-restarts-count", at(op::pop), contraction | in(transition::halving_fails), any,
     history::halving_failed, kinds(early, late)},
    {"queue.failure.works-after-growth-failure", pushes, growth, during(phase::growth_failed), 0,
     kinds(status, full, count)},
    {"queue.failure.works-after-growth-failure", pushes | at(op::pop, op::read), room | in(transition::empties),
     during(phase::growth_failed), 0, works},

    // Bounded ports.
    {"queue.bounded.accepts-after-pop", pushes, room | growth, during(phase::refused), 0, kinds(status, full)},
    {"queue.bounded.full-at-max", pushes, in(transition::refuses), any, 0, kinds(status, full)},
    {"queue.bounded.full-at-max", pushes, any, any, 0, kinds(full), charges_only},
    {"queue.bounded.refusal-changes-nothing", pushes, in(transition::refuses), any, 0, anything | kinds(allocations)},

    // Growth.
    {"queue.growth-policy.only-when-full", pushes, room, any, 0, kinds(capacity, allocations, releases)},
    {"queue.growth-policy.first-heap-capacity", pushes, in(transition::leaves_inline), any, 0, kinds(capacity)},
    {"queue.growth-policy.doubles-when-full", pushes, in(transition::grows), any, 0, kinds(capacity)},
    {"queue.growth-policy.one-allocation", pushes, growth, any, 0, kinds(allocations)},
    {"queue.growth-policy.one-release", pushes, growth, any, 0, kinds(releases)},
    {"queue.growth-bytes.exact", 0, growth | in(transition::halves), any, 0, kinds(block_bytes)},
    {"queue.growth.new-before-old", pushes, in(transition::grows), any, 0, kinds(released_first)},
    {"queue.growth.leaving-inline-order", pushes, in(transition::leaves_inline), any, 0, order},
    {"queue.growth.heap-order", pushes, in(transition::grows), any, 0, order},

    // When a contraction comes. What the count has been through decides who answers.
    {"queue.shrink-policy.contraction-resets-count", at(op::pop), contraction | in(transition::halving_fails), any,
     history::after_contraction, kinds(early)},
    {"queue.storage.clear-resets-count", at(op::pop), contraction | in(transition::halving_fails), any,
     history::reset_by_clear, kinds(early)},
    {"queue.shrink-policy.push-above-resets", at(op::pop), contraction | in(transition::halving_fails), any,
     history::reset_by_push, kinds(early)},
    {"queue.move.count-travels", at(op::pop), contraction | in(transition::halving_fails), any, history::moved,
     kinds(early, late)},
    {"queue.shrink-policy.push-at-threshold-keeps", at(op::pop), contraction | in(transition::halving_fails), any,
     history::push_at_threshold, kinds(late)},
    {"queue.shrink-policy.empty-pop-counts", at(op::pop), contraction | in(transition::halving_fails), any,
     history::emptied, kinds(late)},
    {"queue.shrink-policy.threshold", at(op::pop), contraction | in(transition::halving_fails), any,
     history::at_threshold, kinds(late)},
    {"queue.shrink-policy.threshold", at(op::pop), contraction | in(transition::halving_fails), any,
     history::near_threshold, kinds(early)},
    {"queue.shrink-policy.after-c-low-pops", at(op::pop), contraction, any, 0, kinds(early, late)},
    {"queue.shrink-policy.after-c-low-pops", at(op::pop), any, any, 0, kinds(early, late), charges_only},
    // What a contraction does.
    {"queue.shrink-policy.one-step", at(op::pop), in(transition::halves), any, 0, kinds(deeper, capacity)},
    {"queue.shrink-policy.ends-inline", at(op::pop), in(transition::to_inline), any, 0, kinds(capacity, deeper)},
    {"queue.shrink-policy.halving-blocks", at(op::pop), in(transition::halves), any, 0, kinds(allocations, releases)},
    {"queue.shrink-policy.to-inline-blocks", at(op::pop), in(transition::to_inline), any, 0,
     kinds(allocations, releases)},
    {"queue.shrink-policy.after-c-low-pops", at(op::pop), any, any, 0, kinds(capacity, allocations, releases),
     charges_only},
    {"queue.shrink.empty", at(op::pop), contraction, any, history::no_values, order | kinds(status)},
    {"queue.shrink.empty", pushes | at(op::pop, op::read), any, during(phase::contracted_empty), 0, works,
     charges_only},
    {"queue.shrink.heap-order", at(op::pop), in(transition::halves), any, 0, order | kinds(status)},
    {"queue.shrink.to-inline-order", at(op::pop), in(transition::to_inline), any, 0, order | kinds(status)},

    // Moves and swaps.
    {"queue.move.noexcept", exchanges, any, any, 0, kinds(fact)},
    {"queue.move.self-move-keeps", at(op::self_move), any, any, 0, anything},
    {"queue.move.self-swap-keeps", at(op::self_swap), any, any, 0, anything},
    {"queue.move.allocates-nothing", exchanges, any, any, 0, kinds(allocations)},
    {"queue.move.swap-exchanges", at(op::swap), any, any, 0, anything},
    {"queue.move.assign-releases-old", at(op::move_assign), any, any, history::replaces_block, kinds(releases)},
    {"queue.move.empty-block-handed-over", moves, in(transition::hands_over_empty), any, 0, kinds(capacity, releases)},
    {"queue.move.keeps-addresses", moves, in(transition::hands_over), any, 0, kinds(address)},
    {"queue.move.inline-order", moves, in(transition::copies), any, 0, values | kinds(damaged)},
    {"queue.move.assign-replaces", at(op::move_assign), any, any, 0, order | kinds(status, capacity)},
    {"queue.move.inline-order", at(op::move_construct), in(transition::copies), any, 0, order | kinds(status, capacity),
     charges_only},
    {"queue.move.keeps-addresses", at(op::move_construct), in(transition::hands_over), any, 0,
     order | kinds(status, capacity, releases), charges_only},
    {"queue.move.source-empty", moves, any, any, 0, kinds(source_count)},
    {"queue.move.source-inline", moves, any, any, 0, kinds(source_capacity)},
    {"queue.move.source-usable", pushes | at(op::pop, op::read), any, during(phase::moved_from), 0, works},

    // Storage.
    {"queue.storage.clear-keeps-capacity", at(op::clear), any, any, 0, kinds(capacity, allocations, releases)},
    {"queue.storage.release-to-inline", at(op::release), any, any, 0, anything | kinds(allocations)},
    {"queue.storage.no-leak", at(op::destroy), in(transition::gives_back), any, 0, kinds(releases, leak)},
    {"queue.storage.no-leak", 0, any, any, 0, kinds(leak), charges_only},

    // Unused slots.
    {"queue.slots.construction", at(op::create), any, any, history::slots_compared, kinds(slot)},
    {"queue.slots.push", pushes, room, any, history::slots_compared, kinds(slot)},
    {"queue.slots.pop", at(op::pop), no_contraction, any, history::slots_compared, kinds(slot)},
    {"queue.slots.clear", at(op::clear), any, any, history::slots_compared, kinds(slot)},
    {"queue.slots.growth", pushes, growth, any, history::slots_compared, kinds(slot)},
    {"queue.slots.contraction", at(op::pop), contraction, any, history::slots_compared, kinds(slot)},
    {"queue.slots-move.live-only", moves, in(transition::copies), any, history::slots_compared, kinds(slot)},
    {"queue.slots-move.source-untouched", moves, in(transition::copies), any, history::slots_compared,
     kinds(source_slot)},

    // First in, first out.
    {"queue.fifo.starts-empty", at(op::create), any, any, 0, kinds(count, status)},
    {"queue.fifo.clear", at(op::clear), any, any, 0, kinds(count, status)},
    {"queue.fifo-interior.read", at(op::read), any, any, 0, values | kinds(damaged, death)},
    {"queue.fifo-interior.read", 0, any, any, 0, kinds(interior), charges_only},
    {"queue.fifo.bytes", pushes | at(op::pop), any, any, 0, kinds(damaged)},
    {"queue.fifo.bytes", 0, any, any, 0, kinds(damaged), charges_only},
    {"queue.fifo.full-by-size", pushes, in(transition::fills), any, 0, kinds(count)},
    {"queue.fifo.works-after-clear", pushes | at(op::pop, op::read), any, during(phase::cleared), 0,
     values | kinds(status, count)},
    {"queue.fifo.accepts", pushes, room | growth, any, 0, kinds(status, full)},
    {"queue.fifo.accepts", 0, any, any, 0, kinds(status, full), charges_only},
    {"queue.fifo.refill-after-drain", pushes | at(op::pop), any, during(phase::drained), 0, values | kinds(count)},
    {"queue.fifo.size", pushes | at(op::pop), any, any, 0, kinds(count)},
    {"queue.fifo.size", 0, any, any, 0, kinds(count, source_count), charges_only},
    {"queue.fifo.order", pushes | at(op::pop), any, any, 0, values},
    {"queue.fifo.order", 0, any, any, 0, values | kinds(address), charges_only},
    {"queue.fifo.survives", 0, any, any, 0, kinds(death)},
});

}  // namespace

std::span<const rule> rules() { return table; }

std::uint64_t ledger_differences() {
  return kinds(allocations, releases, block_bytes, released_first, overrun, late_write, released_twice, wrong_size,
               wrong_function, leak, survived);
}

}  // namespace ringspec::queue
