// SPDX-License-Identifier: Apache-2.0
//
// The text format of traces: what is read is what was written, and what is printed is read again as the same trace.
#include "ringspec/trace/text.hpp"

#include <gtest/gtest.h>

#include "queue_steps.hpp"
#include "ringspec/run/job.hpp"

namespace {

using namespace ringspec;
using queue::op;
using ringspec_tests::step_of;

const std::string head = "ringspec trace 1\nsubject queue\n";

trace read(const std::string& body) { return read_trace(head + body, "t"); }

void expect_same(const trace& x, const trace& y) {
  EXPECT_EQ(x.subject, y.subject);
  EXPECT_EQ(x.requirement, y.requirement);
  EXPECT_EQ(x.instance, y.instance);
  EXPECT_EQ(x.port, y.port);
  EXPECT_EQ(x.survey, y.survey);
  EXPECT_EQ(x.about, y.about);
  EXPECT_EQ(x.seed, y.seed);
  EXPECT_TRUE(x.steps == y.steps);
  ASSERT_EQ(x.expectations.size(), y.expectations.size());
  for (std::size_t i = 0; i < x.expectations.size(); ++i) {
    EXPECT_EQ(x.expectations[i].step, y.expectations[i].step);
    EXPECT_EQ(x.expectations[i].fields, y.expectations[i].fields);
  }
}

TEST(trace_text, a_vector_printed_and_read_is_the_same) {
  for (const subject* s : subjects()) {
    ASSERT_FALSE(written_traces(*s).empty());
    for (const written_trace& w : written_traces(*s)) {
      SCOPED_TRACE(w.file);
      const std::string printed = to_text(w.content, s->operations());
      const trace again = read_trace(printed, w.file);
      expect_same(w.content, again);
      EXPECT_EQ(to_text(again, s->operations()), printed);
    }
  }
}

TEST(trace_text, reads_every_operation) {
  for (std::size_t i = 0; i < queue::operations.size(); ++i) {
    const operation& o = queue::operations[i];
    std::string line(o.name);
    step expected{static_cast<std::uint8_t>(i), 0, 0, 0, 0};
    if (o.registers > 0) line += " d", expected.a = 3;
    if (o.registers > 1) line += " b", expected.b = 1;
    if (o.takes_number) line += " 4294967295", expected.number = 4294967295U;
    const trace t = read(line);
    ASSERT_EQ(t.steps.size(), 1U) << line;
    EXPECT_TRUE(t.steps[0] == expected) << line;
    EXPECT_EQ(to_text(t.steps[0], queue::operations), line);
  }
}

TEST(trace_text, reads_the_header) {
  const trace t = read_trace(
      "\n# first a comment\nringspec trace 1\n  requirement queue.fifo.order # why not\nsubject queue\ninstance "
      "received/1\n"
      "port a b.so:name  x\nsurvey own\nseed 18446744073709551615\nabout One  sentence, 2 # not a comment here.\npop "
      "a\n",
      "t");
  EXPECT_EQ(t.subject, "queue");
  EXPECT_EQ(t.requirement, "queue.fifo.order");
  EXPECT_EQ(t.instance, "received/1");
  EXPECT_EQ(t.port, "a b.so:name  x");
  EXPECT_EQ(t.survey, "own");
  EXPECT_EQ(t.seed, UINT64_MAX);
  EXPECT_EQ(t.about, "One  sentence, 2 # not a comment here.");
  EXPECT_EQ(t.steps.size(), 1U);
  EXPECT_EQ(read("").instance, "*/*");
  EXPECT_EQ(read("").seed, std::nullopt);
  EXPECT_EQ(read("").survey, "");
}

TEST(trace_text, comments_and_space_mean_nothing) {
  const trace t = read("\n   # a comment\n\t push\ta   x2\t->  front=#3   size=2 # comment\n#pop a\n# #1\npop a #");
  EXPECT_TRUE(t.steps == (std::vector{step_of(op::push), step_of(op::push), step_of(op::pop)}));
  ASSERT_EQ(t.expectations.size(), 1U);
  EXPECT_EQ(t.expectations[0].fields, (std::vector<field>{{"front", "#3"}, {"size", "2"}}));
  EXPECT_EQ(t.expectations[0].line, 5U);
}

TEST(trace_text, lines_may_end_as_on_windows) {
  const std::string text =
      "ringspec trace 1\r\nsubject queue\r\nabout A sentence.\r\n\r\npush a -> size=1\r\npop a\r\n";
  const trace t = read_trace(text, "t");
  EXPECT_EQ(t.about, "A sentence.");
  EXPECT_TRUE(t.steps == (std::vector{step_of(op::push), step_of(op::pop)}));
  EXPECT_EQ(t.expectations.at(0).fields, (std::vector<field>{{"size", "1"}}));
}

TEST(trace_text, a_count_repeats_the_step_and_the_last_one_is_expected) {
  const trace t = read("push b x3 -> size=3\npush_element a 7 x2\nfail_from 2 x1 -> k=\npush a");
  EXPECT_TRUE(t.steps == (std::vector{step_of(op::push, 1), step_of(op::push, 1), step_of(op::push, 1),
                                      step_of(op::push_element, 0, 0, 7), step_of(op::push_element, 0, 0, 7),
                                      step_of(op::fail_from, 0, 0, 2), step_of(op::push)}));
  ASSERT_EQ(t.expectations.size(), 2U);
  EXPECT_EQ(t.expectations[0].step, 2U);
  EXPECT_EQ(t.expectations[1].step, 5U);
  EXPECT_EQ(t.expectations[1].fields, (std::vector<field>{{"k", ""}}));
}

TEST(trace_text, an_expectation_in_a_repeat_belongs_to_its_last_round) {
  const trace t = read("push a -> size=1\nrepeat 4\n  push a -> size=5\n  read a 0\nend\npop a -> size=4");
  ASSERT_EQ(t.steps.size(), 10U);
  for (std::size_t i = 1; i < 9; ++i)
    EXPECT_EQ(t.steps[i].op, static_cast<std::uint8_t>(i % 2 == 1 ? op::push : op::read)) << i;
  ASSERT_EQ(t.expectations.size(), 3U);
  EXPECT_EQ(t.expectations[0].step, 0U);
  EXPECT_EQ(t.expectations[1].step, 7U);
  EXPECT_EQ(t.expectations[2].step, 9U);
}

TEST(trace_text, repeats_nest) {
  // Two rounds of (push, three rounds of (pop, clear)).
  const trace t = read("repeat 2\npush a\nrepeat 3\npop a -> size=0\nclear a x1\nend\nend\nrelease a");
  std::vector<step> steps;
  for (int outer = 0; outer < 2; ++outer) {
    steps.push_back(step_of(op::push));
    for (int inner = 0; inner < 3; ++inner) steps.insert(steps.end(), {step_of(op::pop), step_of(op::clear)});
  }
  steps.push_back(step_of(op::release));
  EXPECT_TRUE(t.steps == steps);
  ASSERT_EQ(t.expectations.size(), 1U);
  EXPECT_EQ(t.expectations[0].step, 12U);
  EXPECT_EQ(t.expectations[0].line, 6U);
}

TEST(trace_text, a_repeat_of_nothing_or_never_is_nothing) {
  const trace t = read(
      "push a -> size=1\nrepeat 0\npop a -> size=0\nend\nrepeat 1000000000000\nend\nrepeat 2\nrepeat 0\nclear "
      "a\nend\nend");
  EXPECT_TRUE(t.steps == std::vector{step_of(op::push)});
  ASSERT_EQ(t.expectations.size(), 1U);
}

TEST(trace_text, prints_equal_steps_as_one_line_up_to_an_expectation) {
  trace t;
  t.subject = "queue";
  t.requirement = "queue.fifo.order";
  t.about = "A sentence.";
  t.survey = "specification";
  t.seed = 7;
  t.steps = {step_of(op::push),    step_of(op::push), step_of(op::push),
             step_of(op::push, 1), step_of(op::pop),  step_of(op::swap, 1, 0)};
  t.expectations = {{1, 0, {{"size", "2"}, {"front", "#0"}}}, {5, 0, {{"a.size", "1"}}}};
  EXPECT_EQ(
      to_text(t, queue::operations),
      "ringspec trace 1\nsubject queue\nrequirement queue.fifo.order\ninstance */*\nsurvey specification\nseed "
      "7\nabout A sentence.\n\n"
      "push a x2                -> size=2 front=#0\npush a\npush b\npop a\nswap b a                 -> a.size=1\n");
}

TEST(trace_text, an_instance_matches_part_by_part) {
  EXPECT_TRUE(instance_matches("*/*", "received/1"));
  EXPECT_TRUE(instance_matches("*/1", "received/1"));
  EXPECT_TRUE(instance_matches("received/*", "received/16"));
  EXPECT_TRUE(instance_matches("received/1", "received/1"));
  EXPECT_TRUE(instance_matches("*", "received/1") == instance_matches("*", "x"));
  EXPECT_FALSE(instance_matches("*/1", "received/16"));
  EXPECT_FALSE(instance_matches("*/16", "received/1"));
  EXPECT_FALSE(instance_matches("byte/*", "received/1"));
  EXPECT_FALSE(instance_matches("receive/*", "received/1"));
  EXPECT_FALSE(instance_matches("received/", "received/1"));
  EXPECT_FALSE(instance_matches("received", "received/1"));
}

}  // namespace
