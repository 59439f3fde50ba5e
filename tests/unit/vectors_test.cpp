// SPDX-License-Identifier: Apache-2.0
//
// The written traces are evidence for people; the model is what judges. Here they must say the same: each expectation
// that stands in a vector is compared with what the model expects of the same step. The reference is loaded into this
// process, as in the gate's child.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>

#include "ringspec/run/job.hpp"
#include "ringspec/run/loader.hpp"
#include "ringspec/run/modules.hpp"

namespace {

using namespace ringspec;

/// A port that is loaded once for all tests of this process.
struct loaded_port {
  const rs_port* port{};
  const subject* about{};
  std::vector<bool> judged;
  std::vector<std::string> instances;
};

const loaded_port& loaded(const std::string& name) {
  static std::map<std::string, loaded_port> all;
  const auto [at, missing] = all.try_emplace(name);
  if (missing) {
    loaded_port& p = at->second;
    p.port = load_ports(find_module(name).module).at(0);
    p.about = find_subject(p.port->subject);
    p.judged = judged_requirements(describe(*p.port, name), "");
    p.instances = p.about->instances(*p.port);
  }
  return at->second;
}

class open_bench {
 public:
  open_bench(const loaded_port& p, const std::string& instance)
      : about_(*p.about), counts_(std::make_unique<evidence>()) {
    const auto index = std::find(p.instances.begin(), p.instances.end(), instance) - p.instances.begin();
    bench_ = about_.open({p.port, static_cast<std::size_t>(index), &p.judged, counts_.get(), &at_});
  }
  // A bench keeps the storage of its objects: it may be that of an abandoned one. Reachable here, it is no leak.
  ~open_bench() {
    static auto& kept = *new std::vector<std::unique_ptr<bench>>;
    kept.push_back(std::move(bench_));
  }
  open_bench(const open_bench&) = delete;
  open_bench& operator=(const open_bench&) = delete;

  /// Runs the trace and compares; adds a failure for each field that differs. Returns the number of fields compared.
  std::size_t compare(const written_trace& w) {
    const trace& t = w.content;
    std::size_t fields = 0;
    auto next = t.expectations.begin();
    const auto failed =
        bench_->run(t.steps, {true, [&](const observation& o) {
                                if (next == t.expectations.end() || next->step != o.index) return;
                                for (const field& f : next->fields) {
                                  ++fields;
                                  const auto known = std::find_if(o.expected.begin(), o.expected.end(),
                                                                  [&](const field& e) { return e.key == f.key; });
                                  if (known == o.expected.end()) {
                                    ADD_FAILURE() << place(w, next->line) << "the model has no '" << f.key << "' here"
                                                  << (o.applied ? "" : ": the step was not done");
                                  } else if (known->value != f.value) {
                                    ADD_FAILURE() << place(w, next->line) << f.key << "=" << f.value
                                                  << " is written, the model expects " << known->value;
                                  }
                                }
                                ++next;
                              }});
    if (failed) {
      ADD_FAILURE() << place(w, 0) << about_.text().requirements[failed->requirement].name << " failed in step "
                    << failed->step << ": " << failed->what << ": expected " << failed->expected << ", seen "
                    << failed->seen;
    } else if (next != t.expectations.end()) {
      ADD_FAILURE() << place(w, next->line) << "the run never came here";
    }
    return fields;
  }

 private:
  static std::string place(const written_trace& w, std::size_t line) {
    return "spec/" + w.file + ":" + std::to_string(line) + ": ";
  }
  const subject& about_;
  std::unique_ptr<evidence> counts_;
  position at_;
  std::unique_ptr<bench> bench_;
};

bool serves(const written_trace& w, std::string_view class_name) {
  return w.content.requirement.starts_with("queue." + std::string(class_name) + ".");
}

/// The vectors of these classes are for ports of another kind than the reference.
bool is_foreign(const written_trace& w) { return serves(w, "bounded") || serves(w, "failure-abort"); }

void expect_agreement_on_the_reference(const std::string& kind) {
  const loaded_port& p = loaded("reference");
  std::size_t fields = 0, instances = 0;
  std::set<std::string> run;
  for (const std::string& instance : p.instances) {
    if (!instance.starts_with(kind + "/")) continue;
    SCOPED_TRACE(instance);
    ++instances;
    open_bench b(p, instance);
    for (const written_trace& w : written_traces(*p.about)) {
      if (is_foreign(w) || !instance_matches(w.content.instance, instance)) continue;
      fields += b.compare(w);
      run.insert(w.file);
    }
  }
  EXPECT_EQ(instances, 6U);
  EXPECT_GT(fields, 300U);
  for (const written_trace& w : written_traces(*p.about)) {
    EXPECT_TRUE(is_foreign(w) || run.contains(w.file)) << w.file << " fits no instance of this kind";
  }
}

TEST(reference_vectors, are_what_the_model_expects_of_received) { expect_agreement_on_the_reference("received"); }
TEST(reference_vectors, are_what_the_model_expects_of_byte) { expect_agreement_on_the_reference("byte"); }

TEST(bounded_vectors, are_what_the_model_expects) {
  const loaded_port& p = loaded("bounded");
  std::size_t vectors = 0;
  for (const std::string& instance : p.instances) {
    SCOPED_TRACE(instance);
    open_bench b(p, instance);
    for (const written_trace& w : written_traces(*p.about)) {
      if (!serves(w, "bounded") || !instance_matches(w.content.instance, instance)) continue;
      b.compare(w);
      ++vectors;
    }
  }
  EXPECT_GE(vectors, 3U);
}

TEST(aborting_vectors, end_in_abort) {
  const loaded_port& p = loaded("aborting");
  std::size_t vectors = 0;
  for (const std::string& instance : p.instances) {
    if (!instance.starts_with("received/")) continue;
    SCOPED_TRACE(instance);
    open_bench b(p, instance);
    for (const written_trace& w : written_traces(*p.about)) {
      if (!serves(w, "failure-abort") || !instance_matches(w.content.instance, instance)) continue;
      EXPECT_EXIT(
          {
            b.compare(w);
            std::_Exit(testing::Test::HasFailure() ? 1 : 0);
          },
          testing::KilledBySignal(SIGABRT), "")
          << w.file;
      ++vectors;
    }
  }
  EXPECT_GE(vectors, 1U);
}

}  // namespace
