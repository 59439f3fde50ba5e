// SPDX-License-Identifier: Apache-2.0
#include "ringspec/queue/random.hpp"
#include <algorithm>
#include <array>
#include "ringspec/queue/operations.hpp"
#include "ringspec/trace/rng.hpp"
#include "ringspec/trace/text.hpp"

namespace ringspec::queue {
namespace {

struct generator {
  rng random;
  std::uint64_t offered;
  std::vector<step>& out;
  std::array<op, 64> rare{};  // drawn uniformly: an operation's weight is how often it stands here
  std::uint32_t rare_count{};
  std::uint32_t rare_one_in{};
  std::uint64_t rare_step{};  // 2^64 / rare_one_in, rounded up
  bool second_queue{};

  [[nodiscard]] bool offers(op o) const { return (offered >> static_cast<unsigned>(o) & 1U) != 0; }
  void emit(op o, unsigned a = 0, unsigned b = 0, std::uint32_t number = 0) {
    out.push_back(
        {static_cast<std::uint8_t>(o), static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b), 0, number});
  }

  void weigh() {
    static constexpr op all[] = {op::push_element,   op::push_element, op::emplace_element, op::read,
                                 op::clear,          op::release,      op::destroy,         op::create,
                                 op::move_construct, op::move_assign,  op::self_move,       op::swap,
                                 op::self_swap,      op::fail,         op::fail_from};
    for (const op o : all) {
      if (!offers(o) || random.one_in(2)) continue;
      // A failing allocation costs a port in C++ an exception, the price of a hundred other steps.
      if ((o == op::fail || o == op::fail_from) && !random.one_in(4)) continue;
      for (std::uint32_t weight = 1 + random.below(4); weight != 0 && rare_count < rare.size(); --weight)
        rare[rare_count++] = o;
    }
    rare_one_in = std::array<std::uint32_t, 4>{4, 12, 40, 150}[random.below(4)];
    rare_step = UINT64_MAX / rare_one_in + 1;
    second_queue = random.one_in(3) && offers(op::create);
  }

  void rarely() {
    if (rare_count == 0) return;
    const op o = rare[random.below(rare_count)];
    const unsigned a = second_queue && random.one_in(3) ? 1 : 0;
    switch (o) {
      case op::push_element:
      case op::emplace_element:
      case op::read: emit(o, a, 0, random.one_in(3) ? 0 : random.below(64)); break;
      case op::fail:
      case op::fail_from: {
        // Drawn in statements of their own: compilers evaluate arguments in different orders.
        const std::uint32_t k = random.one_in(4) ? 0 : 1 + random.below(2);
        emit(random.one_in(4) && offers(op::fail_from) ? op::fail_from : o, 0, 0, k);
        break;
      }
      case op::move_construct:
        emit(op::destroy, 1 - a);
        emit(o, 1 - a, a);
        break;
      case op::destroy:
        emit(o, a);
        emit(op::create, a);
        break;
      default: emit(o, a, operations[static_cast<unsigned>(o)].registers == 2 ? 1 - a : 0); break;
    }
  }

  /// `up` of 8 steps push.
  void segment(std::uint32_t length, std::uint32_t up) {
    for (std::uint32_t i = 0; i < length; ++i) {
      const std::uint64_t draw = random.next();
      // (draw >> 40) % rare_one_in == 0, without the division.
      if ((draw >> 40) * rare_step < rare_step) rarely();
      emit((draw & 7) < up ? op::push : op::pop, second_queue && (draw >> 8 & 7) == 0 ? 1 : 0);
    }
  }
  /// Pairs of push and pop at whatever depth there is.
  void pairs(std::uint32_t length, bool interrupted) {
    for (std::uint32_t i = 0; i < length; ++i) {
      emit(op::push);
      emit(op::pop);
      if (interrupted && random.one_in(rare_one_in)) rarely();
    }
  }
};

}  // namespace

void random_trace(std::uint64_t seed, const numbers& policy, std::uint64_t offered, std::vector<step>& out) {
  out.clear();
  generator g{rng(seed), offered, out};
  g.weigh();
  // Small traces find most faults and are pleasant to read; one in sixteen is long enough for the large capacities.
  const std::uint32_t scale = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(policy.first_heap, 8, 4096));
  const bool large = g.random.one_in(16);
  const std::uint32_t segments = 2 + g.random.below(large ? 12 : 6);
  if (g.second_queue) g.emit(op::create, 1);
  for (std::uint32_t i = 0; i < segments; ++i) {
    const std::uint32_t length = 1 + g.random.below(large ? 8 * scale : g.random.one_in(2) ? scale : 2 * scale + 8);
    switch (g.random.below(6)) {
      case 0: g.segment(length, 7); break;  // fill
      case 1: g.segment(length, 8); break;
      case 2: g.segment(length + scale, 1); break;  // drain
      case 3: g.segment(length, 4); break;          // mix
      case 4:
        g.segment(scale + length, 0);
        g.pairs(length + scale, g.random.one_in(2));
        break;  // down, then low
      default:  // low from where a clear leaves it
        if (g.offers(op::clear) && g.random.one_in(2)) g.emit(op::clear);
        for (std::uint32_t k = g.random.below(4); k != 0; --k) g.emit(op::push);
        g.pairs(length + scale, g.random.one_in(2));
        break;
    }
  }
  if (out.size() > max_trace_steps) out.resize(max_trace_steps);
}

}  // namespace ringspec::queue
