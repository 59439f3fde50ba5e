// SPDX-License-Identifier: Apache-2.0
#include "audits/cost/arms.hpp"
#include "ringspec/queue/operations.hpp"
#include "ringspec/queue/random.hpp"
#include "ringspec/queue/table.hpp"
#include "ringspec/run/loader.hpp"
#include "ringspec/trace/subject.hpp"

namespace audits {
namespace {

using namespace ringspec;

class driver final : public arm {
 public:
  explicit driver(const target& t)
      : numbers_(*queue::table_of(*t.port, t.index).policy),
        claims_(judged_requirements(describe(*t.port, t.port->name), "")),
        bench_(find_subject(t.port->subject)->open({t.port, t.index, &claims_, counts_.get(), &at_})) {}

  void prepare(const traces& these) override { prepared_ = these; }
  std::optional<std::size_t> execute() override {
    for (std::size_t i = 0; i < prepared_.size(); ++i) {
      if (const auto difference = bench_->run(prepared_[i], {})) {
        told_ = difference->what;
        return i;
      }
    }
    return std::nullopt;
  }
  bool generate_and_execute(std::uint64_t seed, std::uint64_t steps) override {
    constexpr std::uint64_t pushes_and_pops =
        1U << static_cast<unsigned>(queue::op::push) | 1U << static_cast<unsigned>(queue::op::pop);
    for (std::uint64_t made = 0; made < steps; made += trace_.size()) {
      queue::random_trace(seed++, numbers_, pushes_and_pops, trace_);
      if (bench_->run(trace_, {})) return false;
    }
    return true;
  }
  [[nodiscard]] std::uint64_t judged() const override { return counts_->judged(); }

 private:
  queue::numbers numbers_;
  std::vector<bool> claims_;
  std::unique_ptr<evidence> counts_ = std::make_unique<evidence>();
  position at_;
  std::unique_ptr<bench> bench_;
  traces prepared_;
  std::vector<step> trace_;
};

}  // namespace

std::unique_ptr<arm> own_driver(const target& t) { return std::make_unique<driver>(t); }

}  // namespace audits
