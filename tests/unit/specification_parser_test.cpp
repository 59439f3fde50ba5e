// SPDX-License-Identifier: Apache-2.0
//
// Reading a specification's Markdown: what it takes, and where it says that a text is broken.
#include <gtest/gtest.h>

#include <stdexcept>

#include "ringspec/trace/specification.hpp"

namespace {

using namespace ringspec;

constexpr std::string_view small =
    "# A small queue\n"  // 1
    "Version: 1.2\n"     // 2
    "\n"
    "Some text before the classes,\nof two lines.\n"  // 4, 5
    "\n"
    "## Class fifo\n"                       // 7
    "What goes in comes out,\nin order.\n"  // 8, 9
    "Needs: nothing\n"                      // 10
    "\n"
    "### queue.fifo.order\n"             // 12
    "MUST | since 1.0 | evidence run\n"  // 13
    "\n"
    "**Rule.** Values leave in the order\nin which they came.\n"  // 15, 16
    "\n"
    "**Source.** [S] Said there.\n"  // 18
    "\n"
    "**Why.** Bytes that change places\r\nare lost.\n"  // 20, 21
    "\n"
    "## Class layout\n"  // 23
    "Where things are.\n"
    "Needs: a compiler\n"
    "\n"
    "### queue.layout.size\n"         // 27
    "MAY|since 1.1|evidence build\n"  // 28
    "\n"
    "**Rule.** It is small.\n"
    "**Checked by.** A static_assert.";

std::string replaced(std::string_view what, std::string_view with) {
  std::string text(small);
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

std::string refusal(const std::string& text) {
  try {
    parse_specification("queue", text);
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "it was accepted";
}

TEST(specification_parser, reads_classes_and_requirements) {
  const specification s = parse_specification("queue", small);
  EXPECT_EQ(s.subject, "queue");
  EXPECT_EQ(s.version, "1.2");
  ASSERT_EQ(s.classes.size(), 2U);
  EXPECT_EQ(s.classes[0].name, "fifo");
  EXPECT_EQ(s.classes[0].about, "What goes in comes out, in order.");
  EXPECT_EQ(s.classes[0].needs, "nothing");
  EXPECT_EQ(s.classes[1].needs, "a compiler");
  ASSERT_EQ(s.requirements.size(), 2U);
  const requirement& order = s.requirements[0];
  EXPECT_EQ(order.name, "queue.fifo.order");
  EXPECT_EQ(order.class_name, "fifo");
  EXPECT_EQ(order.level, "MUST");
  EXPECT_EQ(order.since, "1.0");
  EXPECT_EQ(order.evidence, "run");
  EXPECT_EQ(order.rule, "Values leave in the order in which they came.");
  EXPECT_EQ(order.source, "[S] Said there.");
  EXPECT_EQ(order.why, "Bytes that change places are lost.");
  EXPECT_EQ(order.checked_by, "");
  const requirement& size = s.requirements[1];
  EXPECT_EQ(size.class_name, "layout");
  EXPECT_EQ(size.level, "MAY");
  EXPECT_EQ(size.since, "1.1");
  EXPECT_EQ(size.evidence, "build");
  EXPECT_EQ(size.checked_by, "A static_assert.");
}

TEST(specification_parser, an_empty_line_ends_a_paragraph) {
  const specification s = parse_specification(
      "queue", replaced("**Source.** [S] Said there.\n", "**Source.** [S] Said there.\n\nA remark.\n"));
  EXPECT_EQ(s.requirements.at(0).source, "[S] Said there.");
  EXPECT_EQ(s.requirements.at(0).why, "Bytes that change places are lost.");
}

TEST(specification_parser, finds_by_whole_names) {
  const specification s = parse_specification("queue", small);
  EXPECT_EQ(s.find("queue.layout.size"), &s.requirements[1]);
  EXPECT_EQ(s.index_of("queue.layout.size"), std::size_t{1});
  EXPECT_EQ(s.find("queue.layout"), nullptr);
  EXPECT_EQ(s.index_of("queue.layout.size2"), std::nullopt);
  EXPECT_TRUE(s.has_class("layout"));
  EXPECT_FALSE(s.has_class("lay"));
}

TEST(specification_parser, says_in_which_line_a_text_is_broken) {
  const std::string facts = "expected 'MUST | since 1.0 | evidence run'";
  EXPECT_EQ(refusal(replaced("MUST |", "MUSTN'T |")), "spec/queue.md:13: " + facts);
  EXPECT_EQ(refusal(replaced("since 1.0", "1.0")), "spec/queue.md:13: " + facts);
  EXPECT_EQ(refusal(replaced("evidence run", "evidence belief")), "spec/queue.md:13: " + facts);
  EXPECT_EQ(refusal(replaced(" | evidence run", "")), "spec/queue.md:13: " + facts);
  EXPECT_EQ(refusal(replaced("MAY|since 1.1|evidence build\n", "")), "spec/queue.md:29: " + facts);
  EXPECT_EQ(refusal(replaced("**Source.** ", "**Origin.** ")),
            "spec/queue.md:18: expected **Rule.**, **Source.**, **Why.** or **Checked by.**");
  EXPECT_EQ(refusal(replaced("### queue.fifo.order", "### fifo.order")),
            "spec/queue.md:12: the requirement's name does not begin with its subject and class");
  EXPECT_EQ(refusal(replaced("queue.layout.size", "queue.fifo.size")),
            "spec/queue.md:27: the requirement's name does not begin with its subject and class");
  EXPECT_EQ(refusal(replaced("## Class fifo\n", "")), "spec/queue.md:11: a requirement before the first class");
  EXPECT_EQ(
      refusal(replaced("## Class layout\n", "## Class fifo\n")
                  .replace(std::string(replaced("## Class layout\n", "## Class fifo\n")).find("queue.layout.size"), 17,
                           "queue.fifo.order")),
      "spec/queue.md:27: a requirement of this name stands above");
  EXPECT_EQ(refusal(replaced("Version: 1.2\n", "")), "spec/queue.md:30: no line 'Version: ...'");
  EXPECT_EQ(refusal(""), "spec/queue.md:0: no line 'Version: ...'");
}

TEST(version_less, compares_numbers_and_not_text) {
  EXPECT_TRUE(version_less("1.9", "1.10"));
  EXPECT_FALSE(version_less("1.10", "1.9"));
  EXPECT_TRUE(version_less("1.99", "2"));
  EXPECT_TRUE(version_less("1.0", "1.0.1"));
  EXPECT_FALSE(version_less("1.0.1", "1.0"));
  EXPECT_FALSE(version_less("2.0", "1.9"));
}

TEST(version_less, missing_parts_are_zero) {
  for (const auto& [a, b] : {std::pair{"1", "1.0"}, {"1.0", "1"}, {"1.0", "1.0"}, {"", "0"}, {"0.0", ""}}) {
    EXPECT_FALSE(version_less(a, b)) << a << " < " << b;
  }
  EXPECT_TRUE(version_less("", "0.1"));
}

TEST(suggestions, best_first_and_at_most_three) {
  const std::vector<std::string> names = {"plus", "pop", "push", "clear", "push_element", "hush"};
  EXPECT_EQ(suggestions("posh", names), (std::vector<std::string>{"push", "pop", "hush"}));
  // A name that contains what was typed is as near as one with a single letter wrong; equals keep their order.
  EXPECT_EQ(suggestions("pus", names), (std::vector<std::string>{"plus", "push", "push_element"}));
  EXPECT_EQ(suggestions("clera", names), std::vector<std::string>{"clear"});
  EXPECT_EQ(suggestions("_elem", names), std::vector<std::string>{"push_element"});
}

TEST(suggestions, nothing_for_what_is_like_nothing) {
  EXPECT_TRUE(suggestions("zebra", {"push", "pop"}).empty());
  EXPECT_TRUE(suggestions("push", {}).empty());
  EXPECT_TRUE(suggestions("", {"push"}).empty());
}

TEST(suggestions, longer_names_may_have_more_letters_wrong) {
  const std::vector<std::string> names = {"queue.growth-policy.doubles-when-full"};
  EXPECT_EQ(suggestions("queue.growth_policy.double-when-fulll", names), names);
  EXPECT_TRUE(suggestions("queue.shrink-policy.ends-inline", names).empty());
}

}  // namespace
