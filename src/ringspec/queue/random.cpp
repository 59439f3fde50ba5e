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

  /// `up` of 8 steps push. Most steps of a run are drawn here: they are written in place, up to the next rare one.
  void segment(std::uint32_t length, std::uint32_t up) {
    const auto frequent = [this, up](std::uint64_t draw) {
      const op o = (draw & 7) < up ? op::push : op::pop;
      const std::uint8_t a = second_queue && (draw >> 8 & 7) == 0 ? 1 : 0;
      return step{static_cast<std::uint8_t>(o), a, 0, 0, 0};
    };
    for (std::uint32_t i = 0; i < length;) {
      const std::size_t begin = out.size();
      out.resize(begin + (length - i));
      step* next = out.data() + begin;
      rng draws = random;
      std::uint64_t draw = 0;
      bool is_rare = false;
      for (; i < length && !is_rare; ++i) {
        draw = draws.next();
        // (draw >> 40) % rare_one_in == 0, without the division.
        is_rare = rare_count != 0 && (draw >> 40) * rare_step < rare_step;
        *next++ = frequent(draw);
      }
      random = draws;
      if (!is_rare) continue;
      out.resize(static_cast<std::size_t>(next - out.data()) - 1);
      rarely();
      out.push_back(frequent(draw));
    }
  }
  /// Pairs of push and pop at whatever depth there is.
  void pairs(std::uint32_t length, bool interrupted) {
    const std::size_t begin = out.size();
    if (!interrupted || rare_count == 0) {
      out.resize(begin + 2 * std::size_t{length});
      for (std::size_t i = begin; i < out.size(); i += 2) {
        out[i] = {static_cast<std::uint8_t>(op::push), 0, 0, 0, 0};
        out[i + 1] = {static_cast<std::uint8_t>(op::pop), 0, 0, 0, 0};
      }
      if (interrupted) random.skip(length);
      return;
    }
    for (std::uint32_t i = 0; i < length; ++i) {
      emit(op::push);
      emit(op::pop);
      if (random.one_in(rare_one_in)) rarely();
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
