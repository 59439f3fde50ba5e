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
using enum op;
using enum phase;
using enum transition;

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
constexpr std::uint32_t never_overflowed = 0xFFU << phase_count | 0xFFU << 2 * phase_count;
constexpr std::uint32_t never_overflowed_long = 0xFFU << 2 * phase_count;

constexpr std::uint64_t pushes = at(push, push_element, emplace_element);
constexpr std::uint64_t moves = at(move_construct, move_assign);
constexpr std::uint64_t exchanges = moves | at(self_move, swap, self_swap);
constexpr std::uint32_t room = in(none, fills);
constexpr std::uint32_t no_contraction = in(none, empties);
constexpr std::uint32_t growth = in(leaves_inline, grows);
constexpr std::uint32_t contraction = in(halves, to_inline);
constexpr std::uint32_t due_contraction = contraction | in(halving_fails);
constexpr std::uint32_t no_transition = in(none, fills, empties);
constexpr std::uint32_t block_given_back = contraction | in(grows, gives_back);

constexpr std::uint64_t values = kinds(front, newest, content, interior);
constexpr std::uint64_t order = values | kinds(count, damaged, death);
constexpr std::uint64_t works = order | kinds(status, full);
constexpr std::uint64_t anything = order | kinds(status, capacity, address, source_count, source_capacity, releases);

// A rule that answers is evidence too: judging a step that it covers checks its requirement. One that only charges is not.
constexpr rule answer(std::string_view requirement, std::uint64_t differences) {
  return {requirement, 0, 0, 0, 0, differences};
}
constexpr rule charge(std::string_view requirement, std::uint64_t differences) {
  return {requirement, 0, 0, 0, 0, differences, false};
}

constexpr auto table = std::to_array<rule>({
    // What no operation may do.
    answer("queue.fifo.stays-inside", kinds(object_canary)),
    answer("queue.storage.released-once", kinds(released_twice)).when(block_given_back),
    charge("queue.storage.released-once", kinds(released_twice)),
    answer("queue.storage.release-size", kinds(wrong_size)).when(block_given_back),
    charge("queue.storage.release-size", kinds(wrong_size)),
    answer("queue.storage.release-alignment", kinds(wrong_function)).when(block_given_back),
    charge("queue.storage.release-alignment", kinds(wrong_function)),
    answer("queue.storage.not-used-after-release", kinds(late_write)).when(in(grows, halves, to_inline)),
    charge("queue.storage.not-used-after-release", kinds(late_write)),
    answer("queue.storage.stays-inside-blocks", kinds(overrun)).on(pushes).when(in(none, fills, leaves_inline, grows)),
    charge("queue.storage.stays-inside-blocks", kinds(overrun)),
    answer("queue.growth.aligned-slots", kinds(alignment)).on(pushes).when(growth),
    charge("queue.growth.aligned-slots", kinds(alignment)),

    // Aliased arguments: only the value just pushed can show it.
    answer("queue.alias.without-growth", kinds(newest, death))
        .on(at(push_element))
        .when(room)
        .after(history::front_argument),
    answer("queue.alias.leaving-inline", kinds(newest, death))
        .on(at(push_element))
        .when(in(leaves_inline))
        .after(history::front_argument),
    answer("queue.alias.growing-heap", kinds(newest, death))
        .on(at(push_element))
        .when(in(grows))
        .after(history::front_argument),
    answer("queue.alias-interior.without-growth", kinds(newest, death))
        .on(at(push_element))
        .when(room)
        .after(history::interior_argument),
    answer("queue.alias-interior.leaving-inline", kinds(newest, death))
        .on(at(push_element))
        .when(in(leaves_inline))
        .after(history::interior_argument),
    answer("queue.alias-interior.growing-heap", kinds(newest, death))
        .on(at(push_element))
        .when(in(grows))
        .after(history::interior_argument),
    answer("queue.alias-emplace.without-growth", kinds(newest, death)).on(at(emplace_element)).when(room),
    answer("queue.alias-emplace.leaving-inline", kinds(newest, death)).on(at(emplace_element)).when(in(leaves_inline)),
    answer("queue.alias-emplace.growing-heap", kinds(newest, death)).on(at(emplace_element)).when(in(grows)),

    // Allocation in a queue that never held more than its inline capacity.
    answer("queue.inline.construction", kinds(allocations, wanted_memory)).on(at(create)),
    answer("queue.inline.construction", kinds(allocations, releases)).on(at(destroy)).while_in(never_overflowed),
    answer("queue.inline.clear", kinds(allocations, wanted_memory, releases)).on(at(clear)).while_in(never_overflowed),
    answer("queue.inline.steady", kinds(allocations, wanted_memory, releases))
        .on(pushes | at(pop))
        .when(no_transition)
        .while_in(never_overflowed_long),
    answer("queue.inline.push-pop", kinds(allocations, wanted_memory, releases))
        .on(pushes | at(pop))
        .when(no_transition)
        .while_in(never_overflowed),

    // Failing allocations.
    answer("queue.failure-abort.dies-at-once", kinds(survived)).on(pushes | at(create)).when(in(growth_fails)),
    charge("queue.failure-abort.dies-at-once", kinds(survived)),
    answer("queue.failure.growth-reports", kinds(status, full)).on(pushes).when(in(growth_fails)),
    answer("queue.failure.growth-changes-nothing", anything).on(pushes).when(in(growth_fails)),
    answer("queue.failure.halving-silent", kinds(status)).on(at(pop)).when(in(halving_fails)),
    answer("queue.failure.halving-changes-nothing", anything).on(at(pop)).when(in(halving_fails)),
    answer("queue.failure.halving-restarts-count", kinds(early, late))
        .on(at(pop))
        .when(due_contraction)
        .after(history::halving_failed),
    answer("queue.failure.works-after-growth-failure", kinds(status, full, count))
        .on(pushes)
        .when(growth)
        .while_in(during(growth_failed)),
    answer("queue.failure.works-after-growth-failure", works)
        .on(pushes | at(pop, read))
        .when(room | in(empties))
        .while_in(during(growth_failed)),

    // Bounded ports.
    answer("queue.bounded.accepts-after-pop", kinds(status, full))
        .on(pushes)
        .when(room | growth)
        .while_in(during(refused)),
    answer("queue.bounded.full-at-max", kinds(status, full)).on(pushes).when(in(refuses)),
    charge("queue.bounded.full-at-max", kinds(full)).on(pushes),
    answer("queue.bounded.refusal-changes-nothing", anything | kinds(allocations)).on(pushes).when(in(refuses)),

    // Growth.
    answer("queue.growth-policy.only-when-full", kinds(capacity, allocations, releases)).on(pushes).when(room),
    answer("queue.growth-policy.first-heap-capacity", kinds(capacity)).on(pushes).when(in(leaves_inline)),
    answer("queue.growth-policy.doubles-when-full", kinds(capacity)).on(pushes).when(in(grows)),
    answer("queue.growth-policy.one-allocation", kinds(allocations)).on(pushes).when(growth),
    answer("queue.growth-policy.one-release", kinds(releases)).on(pushes).when(growth),
    answer("queue.growth-bytes.exact", kinds(block_bytes)).when(growth | in(halves)),
    answer("queue.growth.new-before-old", kinds(released_first)).on(pushes).when(in(grows)),
    answer("queue.growth.leaving-inline-order", order).on(pushes).when(in(leaves_inline)),
    answer("queue.growth.heap-order", order).on(pushes).when(in(grows)),

    // When a contraction comes. What the count has been through decides who answers.
    answer("queue.shrink-policy.contraction-resets-count", kinds(early))
        .on(at(pop))
        .when(due_contraction)
        .after(history::after_contraction),
    answer("queue.storage.clear-resets-count", kinds(early))
        .on(at(pop))
        .when(due_contraction)
        .after(history::reset_by_clear),
    answer("queue.shrink-policy.push-above-resets", kinds(early))
        .on(at(pop))
        .when(due_contraction)
        .after(history::reset_by_push),
    answer("queue.move.count-travels", kinds(early, late)).on(at(pop)).when(due_contraction).after(history::moved),
    answer("queue.shrink-policy.push-at-threshold-keeps", kinds(late))
        .on(at(pop))
        .when(due_contraction)
        .after(history::push_at_threshold),
    answer("queue.shrink-policy.empty-pop-counts", kinds(late))
        .on(at(pop))
        .when(due_contraction)
        .after(history::emptied),
    answer("queue.shrink-policy.threshold", kinds(late)).on(at(pop)).when(due_contraction).after(history::at_threshold),
    answer("queue.shrink-policy.threshold", kinds(early))
        .on(at(pop))
        .when(due_contraction)
        .after(history::near_threshold),
    answer("queue.shrink-policy.after-c-low-pops", kinds(early, late)).on(at(pop)).when(contraction),
    charge("queue.shrink-policy.after-c-low-pops", kinds(early, late)).on(at(pop)),
    // What a contraction does.
    answer("queue.shrink-policy.one-step", kinds(deeper, capacity)).on(at(pop)).when(in(halves)),
    answer("queue.shrink-policy.ends-inline", kinds(capacity, deeper)).on(at(pop)).when(in(to_inline)),
    answer("queue.shrink-policy.halving-blocks", kinds(allocations, releases)).on(at(pop)).when(in(halves)),
    answer("queue.shrink-policy.to-inline-blocks", kinds(allocations, releases)).on(at(pop)).when(in(to_inline)),
    charge("queue.shrink-policy.after-c-low-pops", kinds(capacity, allocations, releases)).on(at(pop)),
    answer("queue.shrink.empty", order | kinds(status)).on(at(pop)).when(contraction).after(history::no_values),
    charge("queue.shrink.empty", works).on(pushes | at(pop, read)).while_in(during(contracted_empty)),
    answer("queue.shrink.heap-order", order | kinds(status)).on(at(pop)).when(in(halves)),
    answer("queue.shrink.to-inline-order", order | kinds(status)).on(at(pop)).when(in(to_inline)),

    // Moves and swaps.
    answer("queue.move.noexcept", kinds(fact)).on(exchanges),
    answer("queue.move.self-move-keeps", anything).on(at(self_move)),
    answer("queue.move.self-swap-keeps", anything).on(at(self_swap)),
    answer("queue.move.allocates-nothing", kinds(allocations, wanted_memory)).on(exchanges),
    answer("queue.move.swap-exchanges", anything).on(at(swap)),
    answer("queue.move.assign-releases-old", kinds(releases)).on(at(move_assign)).after(history::replaces_block),
    answer("queue.move.empty-block-handed-over", kinds(capacity, releases)).on(moves).when(in(hands_over_empty)),
    answer("queue.move.keeps-addresses", kinds(address)).on(moves).when(in(hands_over)),
    answer("queue.move.inline-order", values | kinds(damaged)).on(moves).when(in(copies)),
    answer("queue.move.assign-replaces", order | kinds(status, capacity)).on(at(move_assign)),
    charge("queue.move.inline-order", order | kinds(status, capacity)).on(at(move_construct)).when(in(copies)),
    charge("queue.move.keeps-addresses", order | kinds(status, capacity, releases))
        .on(at(move_construct))
        .when(in(hands_over)),
    answer("queue.move.source-empty", kinds(source_count)).on(moves),
    answer("queue.move.source-inline", kinds(source_capacity)).on(moves),
    answer("queue.move.source-usable", works).on(pushes | at(pop, read)).while_in(during(moved_from)),

    // Storage.
    answer("queue.storage.clear-keeps-capacity", kinds(capacity, allocations, releases)).on(at(clear)),
    answer("queue.storage.release-to-inline", anything | kinds(allocations)).on(at(release)),
    answer("queue.storage.no-leak", kinds(leak)).on(at(destroy)).when(in(gives_back)),
    charge("queue.storage.no-leak", kinds(leak)),

    // Unused slots.
    answer("queue.slots.construction", kinds(slot)).on(at(create)).after(history::slots_compared),
    answer("queue.slots.push", kinds(slot)).on(pushes).when(room).after(history::slots_compared),
    answer("queue.slots.pop", kinds(slot)).on(at(pop)).when(no_contraction).after(history::slots_compared),
    answer("queue.slots.clear", kinds(slot)).on(at(clear)).after(history::slots_compared),
    answer("queue.slots.growth", kinds(slot)).on(pushes).when(growth).after(history::slots_compared),
    answer("queue.slots.contraction", kinds(slot)).on(at(pop)).when(contraction).after(history::slots_compared),
    answer("queue.slots-move.live-only", kinds(slot)).on(moves).when(in(copies)).after(history::slots_compared),
    answer("queue.slots-move.source-untouched", kinds(source_slot))
        .on(moves)
        .when(in(copies))
        .after(history::slots_compared),

    // First in, first out.
    answer("queue.fifo.starts-empty", kinds(count, status)).on(at(create)),
    answer("queue.fifo.clear", kinds(count, status)).on(at(clear)),
    answer("queue.fifo-interior.read", values | kinds(damaged, death)).on(at(read)),
    charge("queue.fifo-interior.read", kinds(interior)),
    answer("queue.fifo.bytes", kinds(damaged)).on(pushes | at(pop)),
    charge("queue.fifo.bytes", kinds(damaged)),
    answer("queue.fifo.full-by-size", kinds(count)).on(pushes).when(in(fills)),
    answer("queue.fifo.works-after-clear", values | kinds(status, count))
        .on(pushes | at(pop, read))
        .while_in(during(cleared)),
    answer("queue.fifo.accepts", kinds(status, full)).on(pushes).when(room | growth),
    charge("queue.fifo.accepts", kinds(status, full)),
    answer("queue.fifo.refill-after-drain", values | kinds(count)).on(pushes | at(pop)).while_in(during(drained)),
    answer("queue.fifo.size", kinds(count)).on(pushes | at(pop)),
    charge("queue.fifo.size", kinds(count, source_count)),
    answer("queue.fifo.order", values).on(pushes | at(pop)),
    charge("queue.fifo.order", values | kinds(address)),
    // Broken memory is nobody's unclaimed class: whatever a port claims, it is told.
    charge("queue.fifo.stays-inside", kinds(overrun)),
    charge("queue.fifo.survives", kinds(released_twice, late_write)),
    answer("queue.fifo.survives", kinds(death)),
});

}  // namespace

std::span<const rule> rules() { return table; }

std::uint64_t ledger_differences() {
  return kinds(allocations, wanted_memory, releases, block_bytes, released_first, overrun, late_write, released_twice,
               wrong_size, wrong_function, leak, survived);
}

}  // namespace ringspec::queue
