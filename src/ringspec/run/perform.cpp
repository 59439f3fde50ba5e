// SPDX-License-Identifier: Apache-2.0
//
// The child's side: runs traces from the chosen sources on one instance of a port, and tells every new failure.
#include <fmt/format.h>
#include <algorithm>
#include <set>
#include <string_view>
#include "ringspec/alloc/heap.hpp"
#include "ringspec/alloc/ledger.hpp"
#include "ringspec/report/wording.hpp"
#include "ringspec/run/death.hpp"
#include "ringspec/run/fork.hpp"
#include "ringspec/run/job.hpp"
#include "ringspec/run/loader.hpp"
#include "ringspec/run/smallest.hpp"
#include "ringspec/trace/rng.hpp"

namespace ringspec {
namespace {

using nlohmann::json;

constexpr unsigned most_failures = 200;              // failing traces of a source in one unit, then it stops
constexpr std::uint64_t scrutinised = 16;            // every 16th random trace is judged in full after each step
constexpr std::size_t short_explored = 48;           // steps: explored traces up to this length are, too, ...
constexpr std::uint64_t explored_scrutinised = 512;  // ... and of the others every 512th
constexpr std::size_t explored_interval = 512;       // steps: a suffix shows the values of a trace that is shorter
constexpr std::size_t longest_scrutinised = 5000;    // steps of a written trace
constexpr std::uint64_t deadly_share = 16;           // on a port that aborts, every 16th random trace may plan a fault

class unit {
 public:
  unit(const job& what, board& b, const emitter& emit, const rs_port& port)
      : job_(what),
        board_(b),
        emit_(emit),
        port_(judged_port(port, what.survey)),
        subject_(*find_subject(port.subject)),
        judged_(what.judged) {
    name_ = subject_.instances(port).at(what.instance);
    if (what.kind == "run" && what.first == warm_up_ordinal) {
      warm_up(board_.at);
    } else if (!what.cold && survives_warm_up()) {
      position unseen;
      warm_up(unseen);
    }
    alloc::ledger::instance().take_totals();
    // An autopsy is about the death, which the last rule answers for.
    const std::string_view serves = what.kind == "autopsy" ? subject_.rules().back().requirement : job_.requirement;
    bench_ = subject_.open({&port_, job_.instance, &judged_, &board_.counts, &board_.at, serves});
  }

  void run() {
    if (wants("vectors") && job_.first < first_explored) run_vectors();
    if (wants("explore") && job_.first < first_random) run_explored();
    if (wants("random")) run_random();
    board_.memory += alloc::ledger::instance().take_totals();
    note(bench_->remark());
    emit_({{"done", {{"blind", bench_->blind()}, {"note", note_}, {"heap", alloc::heap_name()}}}});
  }

  /// Runs the board's trace under full scrutiny in a process of its own and tells what it was that died.
  void autopsy() {
    const std::vector<step> steps(board_.trace().begin(), board_.trace().end());
    if (!in_fork(steps, source_name())) {
      // It did not die again. What is known is the step in which it died.
      position last = board_.at;
      last.step = lost_step_;
      last.where = {last.step < steps.size() ? steps[last.step].op : std::uint8_t{0}, 0, 0, 0};
      if (const auto f = bench_->death(last, job_.death + ", but not when the trace was run again", false))
        tell(*f, steps, {}, source_name());
    }
    emit_({{"done", {{"blind", bench_->blind()}, {"note", ""}}}});
  }

  void replay() {
    const std::vector<step> steps(board_.trace().begin(), board_.trace().end());
    const auto f = bench_->run(steps, {true, [&](const observation& o) {
                                         emit_({{"observation",
                                                 {{"index", o.index},
                                                  {"step", to_text(o.done, subject_.operations())},
                                                  {"applied", o.applied},
                                                  {"expected", to_text(o.expected)},
                                                  {"seen", to_text(o.seen)}}}});
                                       }});
    if (f) emit_({{"failure", plain(*f)}});
    emit_({{"done", {{"blind", bench_->blind()}, {"note", ""}}}});
  }

  /// Puts the smallest trace that fails job_.requirement in the place of the board's and tells it like any other.
  void shrink() {
    const std::size_t before = board_.length;
    const smallest_trace s = shrink_on_board(job_, board_, port_, subject_);
    const std::vector<step> steps(board_.trace().begin(), board_.trace().end());
    const std::string source = job_.source + (steps.size() < before ? ", shrunk from " + plural(before, "step") : "");
    // A death is told by who watches: it knows what ended the process, and where a tool has written what it found.
    if (s.fails && !s.died) in_fork(steps, source);
    emit_({{"shrunk",
            {{"fails", s.fails},
             {"died", s.died},
             {"hung", s.hung},
             {"lost_step", s.lost_step},
             {"source", source},
             {"finished", s.finished},
             {"tried", s.tried},
             {"seconds", s.seconds}}}});
    emit_({{"done", {{"blind", bench_->blind()}, {"note", ""}}}});
  }

  void remember_lost_step() { lost_step_ = board_.at.step; }

 private:
  [[nodiscard]] bool wants(std::string_view source) const {
    return std::find(job_.sources.begin(), job_.sources.end(), source) != job_.sources.end();
  }

  /// Is the trace one of this shard's? What another shard runs still counts for the budget. Mixed, so that no shard gets
  /// all of what is done with every n-th trace.
  [[nodiscard]] bool mine(std::uint64_t ordinal) const { return mix(0, ordinal) % job_.shards == job_.shard; }

  void note(const std::string& text) {
    if (!text.empty()) note_ += (note_.empty() ? "" : "; ") + text;
  }

  void run_vectors() {
    for (const written_trace& w : written_traces(subject_)) {
      if (w.ordinal < job_.first || !mine(w.ordinal) || !fits(w.content.instance)) continue;
      one(w.ordinal, w.content.steps, w.content.steps.size() <= longest_scrutinised);
    }
  }

  void run_explored() {
    const auto passes = bench_->explore(job_.budget, job_.identify);
    std::uint64_t begin = first_explored;
    for (std::size_t p = 0; p < passes.size(); ++p) {
      const coverage& whole = passes[p]->about();
      coverage& sofar = board_.explored[p];
      // After a death the counts go on.
      if (board_.passes == p) {
        sofar = whole;
        board_.passes = static_cast<std::uint32_t>(p + 1);
      }
      const std::uint64_t first = std::max(job_.first, begin) - begin;
      const unsigned failed_before = failing_traces_;
      passes[p]->visit(first, [&](std::uint64_t index, const std::vector<step>& steps) {
        if (!mine(begin + index)) return true;
        if (failing_traces_ - failed_before == most_failures) {
          note(fmt::format("exploration to {} stopped after {} failures", whole.bound, most_failures));
          return false;
        }
        sofar.run = sofar.run + 1;
        one(begin + index, steps, steps.size() <= short_explored || index % explored_scrutinised == 0,
            explored_interval);
        return true;
      });
      begin += whole.traces;
    }
  }

  void run_random() {
    const std::uint64_t begin = std::max(job_.first, first_random);
    const unsigned failed_before = failing_traces_;
    std::uint64_t steps = 0;
    std::vector<step> trace;
    for (std::uint64_t ordinal = first_random; steps < job_.random_steps; ++ordinal) {
      const std::uint64_t seed = trace_seed(ordinal);
      bench_->random_trace(seed, trace);
      steps += trace.size();
      // What ran before a death is not run again, but still counts for the budget.
      if (ordinal < begin || !mine(ordinal)) continue;
      if (failing_traces_ - failed_before == most_failures) {
        note(fmt::format("random traces stopped after {} failures", most_failures));
        break;
      }
      const bool deadly = port_.oom == RS_OOM_ABORTS && subject_.plans_faults(trace);
      if (deadly && ordinal % deadly_share != 0) continue;
      one(ordinal, trace, ordinal % scrutinised == 0);
    }
  }

  /// Written traces are for certain inline capacities. An instance with a capacity that none of them names runs them all:
  /// the model knows what to expect of it.
  [[nodiscard]] bool fits(std::string_view pattern) const {
    const auto capacity = [](std::string_view s) { return s.substr(s.rfind('/') + 1); };
    const auto& all = written_traces(subject_);
    const bool named = std::any_of(all.begin(), all.end(), [&](const written_trace& w) {
      return capacity(w.content.instance) == capacity(name_);
    });
    return instance_matches(pattern, name_) ||
           (!named && instance_matches(std::string(pattern.substr(0, pattern.rfind('/'))) + "/*", name_));
  }

  [[nodiscard]] std::uint64_t trace_seed(std::uint64_t ordinal) const {
    std::uint64_t seed = job_.seed;
    for (const char c : name_) seed = mix(seed, static_cast<unsigned char>(c));
    return mix(seed, ordinal - first_random);
  }

  [[nodiscard]] std::string source_name() const {
    if (!job_.source.empty()) return job_.source;
    const std::uint64_t ordinal = board_.at.trace;
    if (ordinal >= first_random) return fmt::format("random trace {} of seed {}", ordinal - first_random, job_.seed);
    if (ordinal >= first_explored) return fmt::format("explored trace {}", ordinal - first_explored);
    for (const written_trace& w : written_traces(subject_)) {
      if (w.ordinal == ordinal) return w.file;
    }
    return "the warm-up";
  }

  /// Thread locals, stdio and std:: allocate once: one trace that nobody judges. In a new run it stands on the board like
  /// any other, should the port die of it.
  void warm_up(position& at) noexcept {
    const std::vector<bool> nobody(judged_.size(), false);
    const auto unused = std::make_unique<evidence>();
    const auto warm = subject_.open({&port_, job_.instance, &nobody, unused.get(), &at});
    std::vector<step> steps;
    std::uint64_t seed = 0;
    do {
      warm->random_trace(++seed, steps);
      steps.resize(std::min<std::size_t>(steps.size(), 200));
    } while (subject_.plans_faults(steps));
    if (&at == &board_.at) board_.set_trace(warm_up_ordinal, steps);
    static_cast<void>(warm->run(steps, {}));
  }

  /// A child that goes on after a death, or looks at one, warms up as well, unless that was the death.
  bool survives_warm_up() {
    const fork_end end = in_a_fork([&] {
      position unseen;
      warm_up(unseen);
      return fork_passed;
    });
    return end.exited(fork_passed);
  }

  /// An exception that comes out of a port ends the process here, as any death in a step.
  std::optional<failure> judged_run(const std::vector<step>& steps, const scrutiny& s) noexcept {
    return bench_->run(steps, s);
  }

  void one(std::uint64_t ordinal, const std::vector<step>& steps, bool closely,
           std::size_t interval = scrutiny{}.interval) {
    board_.memory += alloc::ledger::instance().take_totals();
    board_.set_trace(ordinal, steps);
    if (port_.oom == RS_OOM_ABORTS && subject_.plans_faults(steps)) {
      in_fork(steps, source_name());
      return;
    }
    std::optional<failure> f = judged_run(steps, {closely, {}, interval});
    if (!f) return;
    ++failing_traces_;
    if (closely && told_.count(f->requirement) != 0) return;
    // Again, with every step judged in full, so that the difference falls on its cause; and as often as there is something
    // beyond what was told, so that what a trace tells does not depend on the traces before it.
    std::vector<observation> seen;
    scrutiny again{true, [&](const observation& o) { seen.push_back(o); }};
    std::optional<failure> cause = judged_run(steps, again);
    if (!cause && told_.insert(f->requirement).second)
      tell(*f, steps, {}, source_name() + ", which passed when it was run again");
    for (again.beyond = true; cause && told_.insert(cause->requirement).second; cause = judged_run(steps, again)) {
      tell(*cause, steps, seen, source_name());
      seen.clear();
    }
  }

  /// True if the trace ended in a failure, or in the death that this port owes.
  bool in_fork(const std::vector<step>& steps, const std::string& source) {
    const fork_end end = in_a_fork([&] {
      std::vector<observation> seen;
      const auto f = judged_run(steps, {true, [&](const observation& o) { seen.push_back(o); }});
      if (f) tell(*f, steps, seen, source);
      board_.at.step = static_cast<std::uint32_t>(steps.size());
      return f ? fork_failed : fork_passed;
    });
    fmt::print(stderr, "{}", end.output);
    if (!end.ended) return false;
    const bool through = board_.at.step == steps.size();
    if (through && end.exited(fork_passed)) return false;
    if (through && end.exited(fork_failed)) return true;
    // A tool may not write to this process's stderr; then what ended the first run says more than the second one's status.
    const bool found = !finding_in(end.output).empty();
    const std::string how = !found && !job_.death.empty() ? job_.death : death_text(end.status, end.output);
    if (const auto f = bench_->death(board_.at, how, end.aborted())) tell(*f, steps, {}, source);
    return true;
  }

  [[nodiscard]] json plain(const failure& f) const {
    return {{"requirement", subject_.text().requirements[f.requirement].name},
            {"step", f.step},
            {"what", f.what},
            {"expected", f.expected},
            {"seen", f.seen}};
  }

  void tell(const failure& f, const std::vector<step>& steps, const std::vector<observation>& seen,
            const std::string& source) {
    trace t;
    t.subject = subject_.name();
    t.requirement = subject_.text().requirements[f.requirement].name;
    t.instance = name_;
    t.port = job_.shown_as + ":" + port_.name;
    t.survey = job_.survey;
    t.about = "From " + source + ".";
    t.seed = job_.seed;
    const std::size_t end = std::min(f.step + 1, steps.size());
    if (seen.empty()) {
      t.steps.assign(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(end));
    } else {
      for (const observation& o : seen) {
        if (!o.applied) continue;
        t.steps.push_back(o.done);
        if (!o.expected.empty()) t.expectations.push_back({t.steps.size() - 1, 0, o.expected});
      }
    }
    json j = plain(f);
    // Steps that did not apply are not written, so the number is that of the written trace.
    j["step"] = f.step >= steps.size() ? t.steps.size() : t.steps.empty() ? 0 : t.steps.size() - 1;
    j["ordinal"] = std::uint64_t{board_.at.trace};
    j["source"] = source;
    j["instance"] = name_;
    j["length"] = t.steps.size();
    j["trace"] =
        to_text(t, subject_.operations()) + fmt::format("# {}: expected {}, seen {}\n", f.what, f.expected, f.seen);
    emit_({{"failure", j}});
  }

  static constexpr int fork_passed = 40, fork_failed = 41;
  const job& job_;
  board& board_;
  const emitter& emit_;
  const rs_port& port_;
  const subject& subject_;
  const std::vector<bool>& judged_;
  std::string name_;
  std::unique_ptr<bench> bench_;
  std::set<std::size_t> told_;
  std::string note_;
  unsigned failing_traces_{};
  std::uint32_t lost_step_{};
};

const rs_port& port_named(const std::vector<const rs_port*>& ports, const job& what) {
  for (const rs_port* p : ports) {
    if (what.port == p->name) return *p;
  }
  std::vector<std::string> names;
  for (const rs_port* p : ports) names.emplace_back(p->name);
  throw load_error(fmt::format("{}: it has no port '{}' (it has: {})", what.module, what.port, fmt::join(names, ", ")));
}

}  // namespace

void perform(const job& what, board& b, const emitter& emit) try {
  if (what.kind == "describe") {
    const bool probed = ledger_sees_the_probe();
    json ports = json::array();
    for (const rs_port* p : load_ports(what.module)) ports.push_back(describe(*p, what.module));
    emit({{"ports", ports}, {"ledger", probed}});
    b.ended = 1;
    return;
  }
  const std::uint32_t lost_step = b.at.step;
  const rs_port& port = port_named(load_ports(what.module), what);
  b.loaded = 1;
  unit u(what, b, emit, port);
  if (what.kind == "autopsy") {
    b.at.step = lost_step;
    u.remember_lost_step();
    u.autopsy();
  } else if (what.kind == "replay") {
    u.replay();
  } else if (what.kind == "shrink") {
    u.shrink();
  } else {
    u.run();
  }
  b.ended = 1;
} catch (const std::exception& e) {
  emit({{"error", e.what()}});
  b.ended = 1;
}

}  // namespace ringspec
