// SPDX-License-Identifier: Apache-2.0
//
// The same comparison written for RapidCheck. The lean arms are as cheap as RapidCheck allows: values are consecutive, so
// that the model (queue/model.hpp) needs no container; commands have no state; none is drawn that the model would refuse;
// and a difference is looked for in plain C++ and only then told by RC_FAIL (an RC_ASSERT makes three strings each time).
// The usual arm is what one writes after RapidCheck's manual: commands draw a value, the model has a std::deque of
// values, each comparison is an RC_ASSERT. The parameters of a run are given here, so RC_PARAMS has no say.
#include <rapidcheck.h>
#include <rapidcheck/state.h>
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

/// The control state, and the values in the queue: they are consecutive in the table, from `oldest` to before `next`.
struct model {
  state s;
  value_address oldest{}, next{};
};

/// A queue of the port under test, with the comparison: each operation advances the model, and says what differs, or null.
class sut {
 public:
  explicit sut(const target& t)
      : port_(table_of(*t.port, t.index)),
        numbers_(*port_.policy),
        values_(*port_.value),
        storage_(::operator new (port_.object_size, std::align_val_t{port_.object_align}), {port_.object_align}) {
    seen_.size = sizeof seen_;
  }
  ~sut() { abandon(); }
  sut(const sut&) = delete;
  sut& operator=(const sut&) = delete;

  [[nodiscard]] model fresh() const { return {state::fresh(numbers_), values_.begin(), values_.begin()}; }
  [[nodiscard]] std::uint64_t judged() const { return judged_; }

  const char* create() {
    abandon();  // what a difference left behind
    ledger_.begin_trace();
    ledger_.begin_step();
    const rs_status status = port_.construct(storage_.get());
    alive_ = status == RS_OK;
    return compare(fresh(), status, transition::none);
  }
  const char* destroy() {
    ledger_.begin_step();
    port_.destroy(storage_.get());
    alive_ = false;
    ++judged_;
    return ledger_.step.releases != (on_heap_ ? 1U : 0U) ? "releases of the destruction" : nullptr;
  }
  const char* push(model& m) {
    ledger_.begin_step();
    const rs_status status = port_.push(storage_.get(), m.next);
    advance_push(m);
    return compare(m, status, how_);
  }
  const char* pop(model& m) {
    ledger_.begin_step();
    const rs_status status = port_.pop(storage_.get());
    advance_pop(m);
    return compare(m, status, how_);
  }
  void advance_push(model& m) {
    how_ = m.s.push(numbers_, false);
    m.next = following(m.next);
  }
  void advance_pop(model& m) {
    how_ = m.s.pop(numbers_, false);
    m.oldest = following(m.oldest);
  }

 private:
  struct release {
    std::size_t alignment;
    void operator()(void* p) const { ::operator delete (p, std::align_val_t{alignment}); }
  };
  [[nodiscard]] value_address following(value_address v) const {
    v += values_.stride();
    return v == values_.end() ? values_.begin() : v;
  }
  void abandon() {
    if (alive_) port_.destroy(storage_.get());
    alive_ = false;
  }
  const char* compare(const model& due, rs_status status, transition how) {
    ++judged_;
    on_heap_ = due.s.heap;
    const bool shrinks = how == transition::halves || how == transition::to_inline;
    const bool allocates = how == transition::leaves_inline || how == transition::grows || how == transition::halves;
    port_.observe(storage_.get(), &seen_);
    if (status != RS_OK) return "status";
    if (seen_.count != due.s.count) return "size";
    if (seen_.capacity != due.s.capacity) return "capacity";
    if (ledger_.step.attempts != (allocates ? 1U : 0U)) return "allocations";
    if (ledger_.step.releases != (shrinks || how == transition::grows ? 1U : 0U)) return "releases";
    if (due.s.count == 0) return nullptr;
    return seen_.front == nullptr || !values_.equal(due.oldest, seen_.front) ? "front" : nullptr;
  }

  rs_queue port_;
  numbers numbers_;
  values values_;
  ringspec::alloc::ledger& ledger_ = ringspec::alloc::ledger::instance();
  std::unique_ptr<void, release> storage_;
  rs_queue_seen seen_{};
  transition how_{};
  bool alive_{}, on_heap_{};
  std::uint64_t judged_{};
};

void fail_if(const char* difference) {
  if (difference != nullptr) RC_FAIL(difference);
}

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

/// What both arms have in common. Derived: void run(const Case&), Case made_of(trace), Gen<Case> cases().
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
      } catch (const rc::detail::CaseResult&) {
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
/// A model that can advance by itself: rc::state calls apply() without the system under test.
struct state_model : model {
  sut* numbers;
};
using command = rc::state::Command<state_model, sut>;

struct push_command final : command {
  void apply(state_model& m) const override { m.numbers->advance_push(m); }
  void run(const state_model& before, sut& s) const override {
    model after = before;
    fail_if(s.push(after));
  }
  void show(std::ostream& os) const override { os << "push"; }
};
struct pop_command final : command {
  void checkPreconditions(const state_model& m) const override { RC_PRE(m.s.count != 0U); }
  void apply(state_model& m) const override { m.numbers->advance_pop(m); }
  void run(const state_model& before, sut& s) const override {
    model after = before;
    fail_if(s.pop(after));
  }
  void show(std::ostream& os) const override { os << "pop"; }
};

using commands = std::vector<std::shared_ptr<const command>>;

class state_arm final : public rapidcheck_arm<state_arm, commands> {
 public:
  using rapidcheck_arm::rapidcheck_arm;
  void run(const commands& these) {
    fail_if(sut_.create());
    rc::state::runAll(these, initial(), sut_);
    fail_if(sut_.destroy());
  }
  commands made_of(const std::vector<ringspec::step>& trace) {
    commands made;
    std::size_t size = 0;
    for (const ringspec::step& s : trace) {
      if (op{s.op} == op::push) {
        made.push_back(std::make_shared<const push_command>());
        ++size;
      } else if (size != 0) {
        made.push_back(std::make_shared<const pop_command>());
        --size;
      }
    }
    return made;
  }
  rc::Gen<commands> cases() {
    return rc::state::gen::commands(initial(), [](const state_model& m) {
      return m.s.count == 0 ? rc::state::gen::execOneOfWithArgs<push_command>()()
                            : rc::state::gen::execOneOfWithArgs<push_command, pop_command>()();
    });
  }

 private:
  state_model initial() { return {sut_.fresh(), &sut_}; }
};

// ---- a plain vector of operations
class vector_arm final : public rapidcheck_arm<vector_arm, std::vector<op>> {
 public:
  using rapidcheck_arm::rapidcheck_arm;
  void run(const std::vector<op>& these) {
    fail_if(sut_.create());
    model m = sut_.fresh();
    for (const op o : these) {
      if (o == op::push)
        fail_if(sut_.push(m));
      else if (m.s.count != 0)
        fail_if(sut_.pop(m));
    }
    fail_if(sut_.destroy());
  }
  std::vector<op> made_of(const std::vector<ringspec::step>& trace) {
    std::vector<op> made;
    for (const ringspec::step& s : trace) made.push_back(op{s.op});
    return made;
  }
  rc::Gen<std::vector<op>> cases() { return rc::gen::container<std::vector<op>>(rc::gen::element(op::push, op::pop)); }
};

}  // namespace

std::unique_ptr<arm> rapidcheck_state(const target& t) { return std::make_unique<state_arm>(t); }
std::unique_ptr<arm> rapidcheck_vector(const target& t) { return std::make_unique<vector_arm>(t); }

}  // namespace audits
