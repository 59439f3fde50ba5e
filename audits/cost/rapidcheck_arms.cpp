// SPDX-License-Identifier: Apache-2.0
//
// The same comparison written for RapidCheck. The lean arms are as cheap as RapidCheck allows: values are consecutive, so
// that the model (queue/model.hpp) needs no container; commands have no state; none is drawn that the model would refuse;
// and a difference is looked for in plain C++ and only then told by RC_FAIL (an RC_ASSERT makes three strings each time).
// The usual arm is what one writes after RapidCheck's manual: commands draw a value, the model has a std::deque of
// values, each comparison is an RC_ASSERT. The parameters of a run are given here, so RC_PARAMS has no say.
#include <rapidcheck.h>
#include <rapidcheck/state.h>
#include <algorithm>
#include <deque>
#include <new>
#include "audits/cost/arms.hpp"
#include "ringspec/alloc/ledger.hpp"
#include "ringspec/queue/model.hpp"
#include "ringspec/queue/operations.hpp"
#include "ringspec/queue/table.hpp"
#include "ringspec/queue/values.hpp"

namespace audits {
namespace {

using namespace ringspec::queue;

constexpr int longest = 300;  // operations of a case, which has half of that on average

/// What has to be seen after a step.
struct expectation {
  std::uint64_t size, capacity;
  std::uint32_t allocations, releases;
  value_address oldest;  // null: no value
};

/// A queue of the port under test.
class sut {
 public:
  explicit sut(const target& t)
      : port_(table_of(*t.port, t.index)),
        numbers_(*port_.policy),
        values_(*port_.value),
        storage_(::operator new (port_.object_size, std::align_val_t{port_.object_align}), {port_.object_align}) {
    seen_.size = sizeof seen_;
  }
  ~sut() { end(); }
  sut(const sut&) = delete;
  sut& operator=(const sut&) = delete;

  void create() {
    end();  // what a difference left behind
    ledger_.begin_trace();
    step([&] { return port_.construct(storage_.get()); });
    alive_ = status_ == RS_OK;
  }
  void push(value_address v) {
    step([&] { return port_.push(storage_.get(), v); });
  }
  void pop() {
    step([&] { return port_.pop(storage_.get()); });
  }
  /// True if as many blocks were released as should have been.
  bool destroy() {
    ledger_.begin_step();
    const bool on_heap = seen_.capacity > numbers_.inline_capacity;
    end();
    ++judged_;
    return ledger_.step.releases == (on_heap ? 1U : 0U);
  }

  [[nodiscard]] const struct numbers& numbers() const { return numbers_; }
  [[nodiscard]] const class values& values() const { return values_; }
  [[nodiscard]] rs_status status() const { return status_; }
  [[nodiscard]] const rs_queue_seen& seen() const { return seen_; }
  [[nodiscard]] const ringspec::alloc::account& moved() const { return ledger_.step; }
  [[nodiscard]] std::uint64_t judged() const { return judged_; }

 private:
  struct release {
    std::size_t alignment;
    void operator()(void* p) const { ::operator delete (p, std::align_val_t{alignment}); }
  };
  template <class Call>
  void step(Call call) {
    ledger_.begin_step();
    status_ = call();
    port_.observe(storage_.get(), &seen_);
    ++judged_;
  }
  void end() {
    if (alive_) port_.destroy(storage_.get());
    alive_ = false;
  }

  rs_queue port_;
  struct numbers numbers_;
  class values values_;
  ringspec::alloc::ledger& ledger_ = ringspec::alloc::ledger::instance();
  std::unique_ptr<void, release> storage_;
  rs_queue_seen seen_{};
  rs_status status_{};
  bool alive_{};
  std::uint64_t judged_{};
};

expectation due(const state& s, transition how, value_address oldest) {
  const bool grows = how == transition::leaves_inline || how == transition::grows;
  const bool replaces = how == transition::grows || how == transition::halves;
  return {s.count, s.capacity, grows || how == transition::halves ? 1U : 0U,
          replaces || how == transition::to_inline ? 1U : 0U, s.count == 0 ? nullptr : oldest};
}

template <class Model>
using commands = std::vector<std::shared_ptr<const rc::state::Command<Model, sut>>>;

// ---- two models: what is pushed, what is then the oldest, and how a difference is told
class lean_model {
 public:
  struct drawn {};
  static drawn draw() { return {}; }
  static drawn draw_number(std::uint32_t) { return {}; }

  static rc::Gen<commands<lean_model>> cases(const lean_model& initial);

  explicit lean_model(const sut& of) : of_(&of), s_(state::fresh(of.numbers())) {
    oldest_ = next_ = of.values().begin();
  }
  [[nodiscard]] std::uint64_t size() const { return s_.count; }
  [[nodiscard]] value_address value(drawn) const { return next_; }
  expectation created() const { return due(s_, transition::none, oldest_); }
  expectation push(drawn) {
    next_ = following(next_);
    const transition how = s_.push(of_->numbers(), false);
    return due(s_, how, oldest_);
  }
  expectation pop() {
    oldest_ = following(oldest_);
    const transition how = s_.pop(of_->numbers(), false);
    return due(s_, how, oldest_);
  }
  static void judge(const sut& it, const expectation& e) {
    if (it.status() != RS_OK) RC_FAIL("status");
    if (it.seen().count != e.size) RC_FAIL("size");
    if (it.seen().capacity != e.capacity) RC_FAIL("capacity");
    if (it.moved().attempts != e.allocations) RC_FAIL("allocations");
    if (it.moved().releases != e.releases) RC_FAIL("releases");
    if (e.oldest != nullptr && (it.seen().front == nullptr || !it.values().equal(e.oldest, it.seen().front)))
      RC_FAIL("front");
  }

 private:
  [[nodiscard]] value_address following(value_address v) const {
    v += of_->values().stride();
    return v == of_->values().end() ? of_->values().begin() : v;
  }
  const sut* of_;
  state s_;
  value_address oldest_{}, next_{};
};

class usual_model {
 public:
  using drawn = std::uint32_t;  // the number of a value
  static drawn draw() { return *rc::gen::inRange<std::uint32_t>(0, 61); }
  static drawn draw_number(std::uint32_t k) { return k % 61; }

  static rc::Gen<commands<usual_model>> cases(const usual_model& initial);

  explicit usual_model(const sut& of) : of_(&of), s_(state::fresh(of.numbers())) {}
  [[nodiscard]] std::uint64_t size() const { return held_.size(); }
  [[nodiscard]] value_address value(drawn d) const { return of_->values()[d % of_->values().different()]; }
  expectation created() const { return due(s_, transition::none, nullptr); }
  expectation push(drawn d) {
    held_.push_back(value(d));
    const transition how = s_.push(of_->numbers(), false);
    return due(s_, how, held_.front());
  }
  expectation pop() {
    held_.pop_front();
    const transition how = s_.pop(of_->numbers(), false);
    return due(s_, how, held_.empty() ? nullptr : held_.front());
  }
  static void judge(const sut& it, const expectation& e) {
    RC_ASSERT(it.status() == RS_OK);
    RC_ASSERT(it.seen().count == e.size);
    RC_ASSERT(it.seen().capacity == e.capacity);
    RC_ASSERT(it.moved().attempts == e.allocations);
    RC_ASSERT(it.moved().releases == e.releases);
    RC_ASSERT(e.oldest == nullptr || (it.seen().front != nullptr && it.values().equal(e.oldest, it.seen().front)));
  }

 private:
  const sut* of_;
  state s_;
  std::deque<value_address> held_;
};

class no_listener final : public rc::detail::TestListener {
  void onTestCaseFinished(const rc::detail::CaseDescription&) override {}
  void onShrinkTried(const rc::detail::CaseDescription&, bool) override {}
  void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {}
};

/// `cases` cases of a property, without shrinking, told to nobody. True if all succeeded.
template <class Property>
bool holds(const Property& property, std::uint64_t seed, int cases) {
  rc::detail::TestParams params;
  params.seed = seed;
  params.maxSuccess = cases;
  params.maxSize = longest;
  params.disableShrinking = true;
  no_listener listener;
  return rc::detail::checkTestable(property, rc::detail::TestMetadata{}, params, listener,
                                   std::unordered_map<std::string, rc::detail::Reproduce>{})
      .template is<rc::detail::SuccessResult>();
}

/// What the arms have in common. Derived: void run(const Case&), Case made_of(trace), Gen<Case> cases().
template <class Derived, class Case>
class rapidcheck_arm : public arm {
 public:
  explicit rapidcheck_arm(const target& t) : sut_(t) {}
  void prepare(const traces& these) override {
    prepared_.clear();
    for (const auto& trace : these) prepared_.push_back(self().made_of(trace));
  }
  std::optional<std::size_t> execute() override {
    for (std::size_t i = 0; i < prepared_.size(); ++i) {
      try {
        self().run(prepared_[i]);
      } catch (const rc::detail::CaseResult& difference) {
        const std::string& text = difference.description;
        told_ = text.substr(std::min(text.find('\n'), text.size()));  // the first line is the place in this file
        return i;
      }
    }
    return std::nullopt;
  }
  bool generate_and_execute(std::uint64_t seed, std::uint64_t steps) override {
    const std::uint64_t before = sut_.judged();
    const auto property = [this] { self().run(*rc::gen::resize(longest, self().cases())); };
    while (sut_.judged() - before < steps) {
      const std::uint64_t missing = steps - (sut_.judged() - before);
      if (!holds(property, seed++, static_cast<int>(missing / (longest / 2) + 1))) return false;
    }
    return true;
  }
  [[nodiscard]] std::uint64_t judged() const override { return sut_.judged(); }

 protected:
  sut sut_;

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
  std::vector<Case> prepared_;
};

// ---- rc::state
template <class Model>
struct push_command final : rc::state::Command<Model, sut> {
  typename Model::drawn value;
  push_command() : value(Model::draw()) {}
  explicit push_command(typename Model::drawn d) : value(d) {}
  void apply(Model& m) const override { m.push(value); }
  void run(const Model& before, sut& it) const override {
    it.push(before.value(value));
    Model after = before;
    Model::judge(it, after.push(value));
  }
  void show(std::ostream& os) const override { os << "push"; }
};

template <class Model>
struct pop_command final : rc::state::Command<Model, sut> {
  void checkPreconditions(const Model& m) const override { RC_PRE(m.size() != 0U); }
  void apply(Model& m) const override { m.pop(); }
  void run(const Model& before, sut& it) const override {
    it.pop();
    Model after = before;
    Model::judge(it, after.pop());
  }
  void show(std::ostream& os) const override { os << "pop"; }
};

rc::Gen<commands<lean_model>> lean_model::cases(const lean_model& initial) {
  return rc::state::gen::commands(initial, [](const lean_model& m) {
    return m.size() == 0 ? rc::state::gen::execOneOfWithArgs<push_command<lean_model>>()()
                         : rc::state::gen::execOneOfWithArgs<push_command<lean_model>, pop_command<lean_model>>()();
  });
}
rc::Gen<commands<usual_model>> usual_model::cases(const usual_model& initial) {
  return rc::state::gen::commands(
      initial, rc::state::gen::execOneOfWithArgs<push_command<usual_model>, pop_command<usual_model>>());
}

template <class Model>
class state_arm final : public rapidcheck_arm<state_arm<Model>, commands<Model>> {
 public:
  using rapidcheck_arm<state_arm, commands<Model>>::rapidcheck_arm;
  void run(const commands<Model>& these) {
    sut& it = this->sut_;
    const Model initial(it);
    it.create();
    Model::judge(it, initial.created());
    rc::state::runAll(these, initial, it);
    if (!it.destroy()) RC_FAIL("blocks left by the destruction");
  }
  commands<Model> made_of(const std::vector<ringspec::step>& trace) {
    commands<Model> made;
    std::uint32_t pushed = 0, popped = 0;
    for (const ringspec::step& s : trace) {
      if (op{s.op} == op::push) {
        made.push_back(std::make_shared<const push_command<Model>>(Model::draw_number(pushed++)));
      } else if (popped != pushed) {
        made.push_back(std::make_shared<const pop_command<Model>>());
        ++popped;
      }
    }
    return made;
  }
  rc::Gen<commands<Model>> cases() { return Model::cases(Model(this->sut_)); }
};

// ---- a plain vector of operations
class vector_arm final : public rapidcheck_arm<vector_arm, std::vector<op>> {
 public:
  using rapidcheck_arm::rapidcheck_arm;
  void run(const std::vector<op>& these) {
    lean_model m(sut_);
    sut_.create();
    lean_model::judge(sut_, m.created());
    for (const op o : these) {
      if (o == op::push) {
        sut_.push(m.value({}));
        lean_model::judge(sut_, m.push({}));
      } else if (m.size() != 0) {
        sut_.pop();
        lean_model::judge(sut_, m.pop());
      }
    }
    if (!sut_.destroy()) RC_FAIL("blocks left by the destruction");
  }
  std::vector<op> made_of(const std::vector<ringspec::step>& trace) {
    std::vector<op> made;
    for (const ringspec::step& s : trace) made.push_back(op{s.op});
    return made;
  }
  rc::Gen<std::vector<op>> cases() { return rc::gen::container<std::vector<op>>(rc::gen::element(op::push, op::pop)); }
};

}  // namespace

std::unique_ptr<arm> rapidcheck_state(const target& t) { return std::make_unique<state_arm<usual_model>>(t); }
std::unique_ptr<arm> rapidcheck_lean_state(const target& t) { return std::make_unique<state_arm<lean_model>>(t); }
std::unique_ptr<arm> rapidcheck_vector(const target& t) { return std::make_unique<vector_arm>(t); }

}  // namespace audits
