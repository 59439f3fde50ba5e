// SPDX-License-Identifier: Apache-2.0
//
// The specification of this build is whole: nothing in it is without a check, and no check is without a requirement.
#include "ringspec/trace/specification.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "ringspec/queue/differences.hpp"
#include "ringspec/run/job.hpp"

namespace {

using namespace ringspec;

bool is_sentence(const std::string& s) { return s.size() > 10 && s.back() == '.'; }

TEST(subjects, there_is_the_queue) {
  ASSERT_NE(find_subject("queue"), nullptr);
  EXPECT_EQ(find_subject("queue")->name(), "queue");
  EXPECT_EQ(find_subject("queues"), nullptr);
  EXPECT_EQ(find_subject(""), nullptr);
}

TEST(whole_specification, each_class_says_what_it_is_and_what_it_needs) {
  for (const subject* s : subjects()) {
    const specification& text = s->text();
    EXPECT_FALSE(text.version.empty());
    ASSERT_FALSE(text.classes.empty());
    std::set<std::string> names;
    for (const requirement_class& c : text.classes) {
      EXPECT_TRUE(names.insert(c.name).second) << c.name << " stands twice";
      EXPECT_TRUE(is_sentence(c.about)) << c.name << ": " << c.about;
      EXPECT_FALSE(c.needs.empty()) << c.name << " has no line 'Needs: ...'";
      EXPECT_TRUE(text.has_class(c.name));
      const bool used = std::any_of(text.requirements.begin(), text.requirements.end(),
                                    [&](const requirement& r) { return r.class_name == c.name; });
      EXPECT_TRUE(used) << "class " << c.name << " has no requirement";
    }
  }
}

TEST(whole_specification, each_requirement_has_rule_source_and_reason) {
  for (const subject* s : subjects()) {
    const specification& text = s->text();
    std::set<std::string> names;
    for (const requirement& r : text.requirements) {
      EXPECT_TRUE(names.insert(r.name).second) << r.name << " stands twice";
      EXPECT_TRUE(text.has_class(r.class_name)) << r.name;
      EXPECT_TRUE(is_sentence(r.rule)) << r.name << ": rule: " << r.rule;
      EXPECT_TRUE(is_sentence(r.source)) << r.name << ": source: " << r.source;
      EXPECT_TRUE(r.source.starts_with("[S]") || r.source.starts_with("[D]")) << r.name << ": " << r.source;
      EXPECT_TRUE(is_sentence(r.why)) << r.name << ": why: " << r.why;
      EXPECT_FALSE(version_less(text.version, r.since)) << r.name << " is younger than its document";
    }
  }
}

TEST(whole_specification, evidence_other_than_run_says_where_it_is) {
  for (const subject* s : subjects()) {
    const specification& text = s->text();
    for (const requirement& r : text.requirements) {
      if (r.evidence == "run") continue;
      EXPECT_FALSE(r.checked_by.empty()) << r.name << " has no **Checked by.**";
    }
  }
}

TEST(whole_specification, each_run_requirement_has_a_rule_that_counts_and_a_vector) {
  for (const subject* s : subjects()) {
    const specification& text = s->text();
    std::set<std::string_view> counted, written;
    for (const rule& r : s->rules()) {
      if (r.counts) counted.insert(r.requirement);
    }
    for (const written_trace& w : written_traces(*s)) written.insert(w.content.requirement);
    for (const requirement& r : text.requirements) {
      if (r.evidence != "run") continue;
      EXPECT_TRUE(counted.contains(r.name)) << r.name << ": no rule of attribution counts as its check";
      EXPECT_TRUE(written.contains(r.name)) << r.name << ": there is no vector for it";
    }
  }
}

TEST(whole_specification, each_rule_and_vector_has_a_requirement_with_run_evidence) {
  for (const subject* s : subjects()) {
    const specification& text = s->text();
    const auto runs = [&](std::string_view name) {
      const requirement* const r = text.find(name);
      return r != nullptr && r->evidence == "run";
    };
    for (const rule& r : s->rules()) EXPECT_TRUE(runs(r.requirement)) << "rule for " << r.requirement;
    for (const written_trace& w : written_traces(*s)) {
      EXPECT_TRUE(runs(w.content.requirement)) << w.file << ": " << w.content.requirement;
    }
  }
}

TEST(whole_specification, each_vector_says_what_it_shows_under_the_name_of_its_requirement) {
  for (const subject* s : subjects()) {
    ASSERT_FALSE(written_traces(*s).empty());
    const std::string folder = "vectors/" + std::string(s->name()) + "/";
    for (const written_trace& w : written_traces(*s)) {
      EXPECT_TRUE(is_sentence(w.content.about)) << w.file << ": " << w.content.about;
      EXPECT_FALSE(w.content.steps.empty() && w.content.requirement != "queue.fifo.starts-empty") << w.file;
      const std::string rest = w.content.requirement.substr(s->name().size() + 1);
      EXPECT_TRUE(w.file == folder + rest + ".trace" || w.file.starts_with(folder + rest + "-")) << w.file;
    }
  }
}

// They run in the order of the specification, so that a fault is first met where it is simplest.
TEST(whole_specification, vectors_run_in_the_order_of_the_requirements) {
  for (const subject* s : subjects()) {
    const specification& text = s->text();
    std::size_t last = 0;
    std::uint64_t ordinal = 0;  // of no trace
    for (const written_trace& w : written_traces(*s)) {
      EXPECT_EQ(w.ordinal, ++ordinal);
      EXPECT_LT(w.ordinal, first_random);
      const auto index = text.index_of(w.content.requirement);
      ASSERT_TRUE(index.has_value()) << w.file;
      EXPECT_GE(*index, last) << w.file;
      last = *index;
    }
  }
}

// evidence::checks() can count by phase or by one history bit, not by both, and would count a step with two bits twice.
TEST(whole_specification, rules_can_be_counted) {
  for (const subject* s : subjects()) {
    for (const rule& r : s->rules()) {
      if (!r.counts) continue;
      EXPECT_TRUE(r.phases == 0 || r.history == 0) << r.requirement;
      EXPECT_LE(std::popcount(r.history), 1) << r.requirement;
      EXPECT_LT(r.history, 1U << evidence::bits) << r.requirement;
      EXPECT_LT(r.transitions, 1U << evidence::transitions) << r.requirement;
      EXPECT_NE(r.differences, 0U) << r.requirement << " answers for nothing";
    }
  }
}

// A death anywhere must find somebody who answers.
TEST(whole_specification, the_last_rule_covers_everything) {
  for (const subject* s : subjects()) {
    const rule& last = s->rules().back();
    for (std::uint8_t o = 0; o < s->operations().size(); ++o) {
      EXPECT_TRUE(last.covers({o, 0, 0, 0}));
      EXPECT_TRUE(last.covers({o, evidence::transitions - 1, evidence::phases - 1, (1U << evidence::bits) - 1}));
    }
  }
}

TEST(queue_rules, each_kind_of_difference_has_somebody_who_answers) {
  const subject& queue = *find_subject("queue");
  std::uint64_t answered = 0;
  for (const rule& r : queue.rules()) answered |= r.differences;
  EXPECT_EQ(answered, (std::uint64_t{2} << static_cast<unsigned>(queue::difference::fact)) - 1);
  EXPECT_EQ(queue.ledger_differences() & ~answered, 0U);
}

TEST(queue_rules, the_canary_names_a_requirement) {
  const subject& queue = *find_subject("queue");
  const requirement* const r = queue.text().find(queue.wrong_port().requirement);
  ASSERT_NE(r, nullptr);
  EXPECT_EQ(r->level, "MUST");
}

}  // namespace
