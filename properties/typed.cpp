// SPDX-License-Identifier: Apache-2.0
//
// This file replaces the program's operator new: properties/CMakeLists.txt keeps it out of programs that load ports.
#include "properties/typed.hpp"

#include <cstring>
#include <deque>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>

#include "ringspec/queue/inline_ring_queue.hpp"
#include "ringspec/queue/model.hpp"
#include "ringspec/queue/operations.hpp"
#include "ringspec/queue/port_kinds.hpp"
#include "ringspec/queue/values.hpp"
#include "tests/unit/allocation_watch.hpp"
#include "tests/unit/queue_steps.hpp"

namespace properties {
namespace {

using namespace ringspec;
using queue::op;
using queue::state;
using queue::transition;
using ringspec_tests::watch;

std::string differs(std::string_view what, std::uint64_t expected, std::uint64_t seen) {
  return std::string(what) + ": expected " + std::to_string(expected) + ", seen " + std::to_string(seen);
}

bool grows(transition how) { return how == transition::leaves_inline || how == transition::grows; }

/// What a step is expected to do to memory, by its transition.
std::uint64_t allocations_due(transition how) {
  return grows(how) || how == transition::halves || how == transition::growth_fails || how == transition::halving_fails
             ? 1
             : 0;
}
std::uint64_t releases_due(transition how) {
  return how == transition::grows || how == transition::halves || how == transition::to_inline ||
                 how == transition::gives_back
             ? 1
             : 0;
}

template <class T, std::uint64_t N>
class queues_of final : public typed_queues {
 public:
  void begin() override {
    for (pair& p : pairs_) p = pair();
    watch = {};
    made_ = 0;
    create(pairs_[0]);
  }

  std::string take(const step& s) override {
    pair &x = pairs_[s.a], &y = pairs_[s.b];
    const op o{s.op};
    const std::size_t allocations = watch.allocations, releases = watch.releases;
    expected due;
    thrown_.clear();
    perform(o, s.number, x, y, due);
    if (o == op::fail || o == op::fail_from) return "";
    if (!thrown_.empty() != due.throws) return due.throws ? "bad_alloc was not thrown" : thrown_ + " was thrown";
    if (watch.allocations - allocations != due.allocations)
      return differs("allocations of the step", due.allocations, watch.allocations - allocations);
    if (watch.releases - releases != due.releases)
      return differs("releases of the step", due.releases, watch.releases - releases);
    if (watch.mismatches != 0) return "a block was released with another size or alignment than its own";
    if (x.queue && due.address != nullptr && x.queue->data() != due.address) return "a moved block changed its address";
    std::string what = compare(x, due.all);
    if (what.empty() && &x != &y) what = compare(y, due.all);
    return what;
  }

  std::string finish() override {
    watch.plan(0, false);
    for (pair& p : pairs_) {
      if (const std::string what = compare(p, true); !what.empty()) return what;
      p = pair();
    }
    if (watch.blocks != 0) return differs("blocks left at the end", 0, watch.blocks);
    return watch.mismatches == 0 ? "" : "a block was released with another size or alignment than its own";
  }

  [[nodiscard]] seen look(unsigned in) const override {
    const pair& p = pairs_[in];
    if (!p.queue) return {};
    return {true, p.queue->is_inline(), p.queue->size(), p.queue->capacity(), p.queue->head()};
  }
  [[nodiscard]] std::uint64_t allocations() const override { return watch.allocations; }

 private:
  struct pair {
    std::optional<inline_ring_queue<T, N>> queue;
    std::deque<T> deque;
    state model;
  };
  struct expected {
    bool throws = false;
    std::uint64_t allocations = 0, releases = 0;
    const void* address = nullptr;  // of the first one's slots; null: not compared
    bool all = false;               // every element is to be compared, not only both ends
  };

  void create(pair& p) {
    p.model = state::fresh(numbers_);
    call([&] { p.queue.emplace(); });
  }
  T fresh() {
    T value;
    std::memcpy(static_cast<void*>(&value), values_[made_++ % values_.different()], sizeof value);
    return value;
  }

  template <class Call>
  void call(Call make) {
    watch.on = true;
    try {
      make();
    } catch (const std::bad_alloc&) {
      thrown_ = "bad_alloc";
    } catch (const std::exception& e) {
      thrown_ = "an exception other than bad_alloc";
    }
    watch.on = false;
  }

  template <class Push>
  void append(pair& x, const T& value, expected& due, Push push) {
    const transition how = x.model.push(numbers_, watch.next_fails());
    due.throws = how == transition::growth_fails;
    transits(how, due);
    call(push);
    if (!due.throws) x.deque.push_back(value);
  }

  static void transits(transition how, expected& due) {
    due.allocations = allocations_due(how);
    due.releases = releases_due(how);
    due.all = due.allocations + due.releases != 0;
  }

  void perform(op o, std::uint32_t number, pair& x, pair& y, expected& due) {
    const bool has_values = x.queue && !x.deque.empty();
    due.all = o != op::push && o != op::pop;
    switch (o) {
      case op::create:
        if (!x.queue) create(x);
        return;
      case op::destroy:
        if (!x.queue) return;
        due.releases = x.model.heap ? 1 : 0;
        call([&] { x.queue.reset(); });
        x = pair();
        return;
      case op::push:
        if (x.queue) {
          const T value = fresh();
          append(x, value, due, [&] { x.queue->push(value); });
        }
        return;
      case op::push_element:
      case op::emplace_element:
        if (!has_values) return;
        number %= static_cast<std::uint32_t>(x.deque.size());
        append(x, T(x.deque[number]), due, [&] {
          T& element = (*x.queue)[number];
          if (o == op::push_element)
            x.queue->push(element);
          else
            value_traits<T>::with_fields(element, [&](const auto&... field) { x.queue->emplace(field...); });
        });
        return;
      case op::pop:
        if (!has_values) return;
        transits(x.model.pop(numbers_, watch.next_fails()), due);
        x.deque.pop_front();
        call([&] { x.queue->pop(); });
        return;
      case op::read: return;
      case op::clear:
        if (!x.queue) return;
        x.model.clear();
        x.deque.clear();
        call([&] { x.queue->clear(); });
        return;
      case op::release:
        if (!x.queue) return;
        due.releases = x.model.heap ? 1 : 0;
        x.model.release(numbers_);
        x.deque.clear();
        call([&] { x.queue->release(); });
        return;
      case op::move_construct:
      case op::move_assign:
        if (x.queue.has_value() == (o == op::move_construct) || !y.queue || &x == &y) return;
        due.releases = x.queue && x.model.heap ? 1 : 0;
        due.address = y.model.heap ? y.queue->data() : nullptr;
        call([&] {
          if (o == op::move_construct)
            x.queue.emplace(std::move(*y.queue));
          else
            *x.queue = std::move(*y.queue);
        });
        x.model = moved(y);
        x.deque = std::exchange(y.deque, {});
        y.model.release(numbers_);
        return;
      case op::swap:
        if (!x.queue || !y.queue || &x == &y) return;
        due.address = y.model.heap ? y.queue->data() : nullptr;
        call([&] { swap(*x.queue, *y.queue); });
        y.model = std::exchange(x.model, moved(y));
        y.model = moved(y);
        x.deque.swap(y.deque);
        return;
      case op::self_move:
      case op::self_swap:
        if (!x.queue) return;
        due.address = x.queue->data();
        call([&] {
          auto& itself = *x.queue;
          if (o == op::self_move)
            *x.queue = std::move(itself);
          else
            x.queue->swap(itself);
        });
        return;
      case op::fail: watch.plan(number, false); return;
      case op::fail_from: watch.plan(number, true); return;
    }
  }

  static state moved(const pair& from) {
    transition how{};
    return state::moved_to(from.model, how);
  }

  static bool equal(const T& a, const T& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

  [[nodiscard]] std::string compare(const pair& p, bool all) const {
    if (!p.queue) return "";
    const auto& q = *p.queue;
    const std::size_t size = p.deque.size();
    if (q.size() != size) return differs("size", size, q.size());
    if (q.empty() != (size == 0)) return "empty() is not size() == 0";
    if (q.capacity() != p.model.capacity) return differs("capacity", p.model.capacity, q.capacity());
    if (q.is_inline() == p.model.heap) return "is_inline() is wrong";
    if (q.head() != p.model.head) return differs("head", p.model.head, q.head());
    if (reinterpret_cast<std::uintptr_t>(q.data()) % alignof(T) != 0) return "the slots are not aligned";
    if (size == 0) return "";
    if (&q.front() != &q[0] || &q.back() != &q[size - 1]) return "front() or back() is not the first or last element";
    if (!equal(q.front(), p.deque.front())) return "the value of front() differs";
    if (!equal(q.back(), p.deque.back())) return "the value of back() differs";
    for (std::size_t i = 0; all && i < size; ++i) {
      if (!equal(q[i], p.deque[i])) return "the value of element " + std::to_string(i) + " differs";
    }
    return "";
  }

  const queue::numbers numbers_ = ringspec_tests::specified_numbers(N);
  const queue::values values_{value_of<T>};
  pair pairs_[register_count];
  std::uint32_t made_{};
  std::string thrown_;
};

template <class... Instance>
std::vector<instance> instances_of(instance_list<Instance...>) {
  std::vector<instance> made;
  const auto add = [&]<class T, std::uint64_t N>(ringspec::instance<T, N>) {
    made.push_back(
        {std::string(value_traits<T>::kind) + "/" + std::to_string(N), N, std::make_unique<queues_of<T, N>>()});
  };
  (add(Instance{}), ...);
  return made;
}

}  // namespace

std::vector<instance> all_instances() {
#ifdef RINGSPEC_FEW_INSTANCES
  // As the wrong ports have them: both families of operator new, and the smallest capacities that can wrap.
  return instances_of(matrix<kinds<kind_received, kind_overaligned>, capacities<1, 2, 4>>{});
#else
  return instances_of(matrix<all_kinds, all_capacities>{});
#endif
}

}  // namespace properties
