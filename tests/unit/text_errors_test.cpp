// SPDX-License-Identifier: Apache-2.0
//
// A trace that cannot be read: one sentence, with the file, the line and the column of the word that is meant.
#include <gtest/gtest.h>

#include <string>

#include "ringspec/run/job.hpp"
#include "ringspec/trace/text.hpp"

namespace {

using namespace ringspec;

std::string refusal_of_file(const std::string& text) {
  try {
    read_trace(text, "dir/x.trace");
  } catch (const trace_error& e) {
    return e.what();
  }
  return "it was accepted";
}

/// The lines of the body begin with line 3.
std::string refusal(const std::string& body) { return refusal_of_file("ringspec trace 1\nsubject queue\n" + body); }

TEST(trace_errors, what_is_no_trace) {
  const std::string first = "this is not a trace: its first line must be 'ringspec trace 1'.";
  EXPECT_EQ(refusal_of_file(""), "dir/x.trace:1:1: " + first);
  EXPECT_EQ(refusal_of_file("# only\n\n"), "dir/x.trace:2:1: " + first);
  EXPECT_EQ(refusal_of_file("\npush a\n"), "dir/x.trace:2:1: " + first);
  EXPECT_EQ(refusal_of_file("ringspec trace\nsubject queue"), "dir/x.trace:1:1: " + first);
  EXPECT_EQ(refusal_of_file("ringspec trace 1 2\nsubject queue"), "dir/x.trace:1:1: " + first);
  EXPECT_EQ(refusal_of_file("ringspec trace 2\nsubject queue\n"),
            "dir/x.trace:1:16: trace format '2' is not known; this program reads format 1.");
}

TEST(trace_errors, headers) {
  EXPECT_EQ(refusal_of_file("ringspec trace 1\n"), "dir/x.trace:1:1: the file ends before a line 'subject NAME'.");
  EXPECT_EQ(refusal_of_file("ringspec trace 1\n  push a\nsubject queue\n"),
            "dir/x.trace:2:3: expected a line 'subject NAME' before the first operation.");
  EXPECT_EQ(refusal_of_file("ringspec trace 1\nrepeat 2\n"),
            "dir/x.trace:2:1: expected a line 'subject NAME' before the first operation.");
  EXPECT_EQ(refusal_of_file("ringspec trace 1\nsubject  quiche\n"), "dir/x.trace:2:10: there is no subject 'quiche'.");
  EXPECT_EQ(refusal("about   # nothing"), "dir/x.trace:3:1: 'about' needs a value.");
  EXPECT_EQ(refusal("survey both"), "dir/x.trace:3:8: survey is own or specification, not 'both'.");
  EXPECT_EQ(refusal("seed -1"), "dir/x.trace:3:6: '-1' is not a number that fits here.");
  EXPECT_EQ(refusal("seed 18446744073709551616"),
            "dir/x.trace:3:6: '18446744073709551616' is not a number that fits here.");
}

TEST(trace_errors, operations_and_their_operands) {
  EXPECT_EQ(refusal("push a\n zzzzzzzz a"), "dir/x.trace:4:2: subject 'queue' has no operation 'zzzzzzzz'.");
  EXPECT_EQ(refusal("puhs a"), "dir/x.trace:3:1: subject 'queue' has no operation 'puhs'; did you mean 'push'.");
  EXPECT_EQ(refusal("push"), "dir/x.trace:3:5: 'push' needs a register.");
  EXPECT_EQ(refusal("push e"), "dir/x.trace:3:6: 'e' is not a register; they are a, b, c, d.");
  EXPECT_EQ(refusal("push ab"), "dir/x.trace:3:6: 'ab' is not a register; they are a, b, c, d.");
  EXPECT_EQ(refusal("swap a"), "dir/x.trace:3:7: 'swap' needs a second register.");
  EXPECT_EQ(refusal("swap a  x"), "dir/x.trace:3:9: 'x' is not a register; they are a, b, c, d.");
  EXPECT_EQ(refusal("swap c  c"), "dir/x.trace:3:9: 'swap' takes two different registers.");
  EXPECT_EQ(refusal("read a"), "dir/x.trace:3:7: 'read' needs a number.");
  EXPECT_EQ(refusal("read a 1.5"), "dir/x.trace:3:8: '1.5' is not a number that fits here.");
  EXPECT_EQ(refusal("read a +1"), "dir/x.trace:3:8: '+1' is not a number that fits here.");
  EXPECT_EQ(refusal("read a 4294967296"), "dir/x.trace:3:8: '4294967296' is not a number that fits here.");
  EXPECT_EQ(refusal("fail a"), "dir/x.trace:3:6: 'a' is not a number that fits here.");
  EXPECT_EQ(refusal("pop a 2"), "dir/x.trace:3:7: expected '->' or the end of the line, not '2'.");
  EXPECT_EQ(refusal("pop a x"), "dir/x.trace:3:7: expected '->' or the end of the line, not 'x'.");
  EXPECT_EQ(refusal("pop a #3"), "dir/x.trace:3:7: expected '->' or the end of the line, not '#3'.");
  EXPECT_EQ(refusal("pop a x2 x2"), "dir/x.trace:3:10: expected '->' or the end of the line, not 'x2'.");
  EXPECT_EQ(refusal("pop a x2y"), "dir/x.trace:3:7: 'x2y' is not a number that fits here.");
}

TEST(trace_errors, expectations) {
  EXPECT_EQ(refusal("pop a -> size"), "dir/x.trace:3:10: expected key=value, not 'size'.");
  EXPECT_EQ(refusal("pop a -> size=1 =1"), "dir/x.trace:3:17: expected key=value, not '=1'.");
  EXPECT_EQ(refusal("pop a ->size=1"), "dir/x.trace:3:7: expected '->' or the end of the line, not '->size=1'.");
}

TEST(trace_errors, repeats) {
  EXPECT_EQ(refusal("pop a\n  end"), "dir/x.trace:4:3: 'end' without a 'repeat' above.");
  EXPECT_EQ(refusal("repeat 2\nrepeat 2\npop a\nend\n"),
            "dir/x.trace:3:1: 'repeat' has no 'end'; add a line 'end' where it stops.");
  EXPECT_EQ(refusal("  repeat"), "dir/x.trace:3:3: 'repeat' takes one number.");
  EXPECT_EQ(refusal("repeat 2 3"), "dir/x.trace:3:1: 'repeat' takes one number.");
  EXPECT_EQ(refusal("repeat -2"), "dir/x.trace:3:8: '-2' is not a number that fits here.");
}

TEST(trace_errors, too_many_steps) {
  const std::string most = std::to_string(max_trace_steps), more = std::to_string(max_trace_steps + 1);
  const std::string sentence = "a trace has at most " + most + " steps.";
  EXPECT_EQ(refusal("push a x" + most), "it was accepted");
  EXPECT_EQ(refusal("push a x" + more), "dir/x.trace:3:8: " + sentence);
  EXPECT_EQ(refusal("push a x0"), "dir/x.trace:3:8: " + sentence);
  EXPECT_EQ(refusal("push a x" + most + "\n pop a"), "dir/x.trace:4:2: " + sentence);
  EXPECT_EQ(refusal("repeat " + most + "\npush a\nend"), "it was accepted");
  EXPECT_EQ(refusal("repeat " + more + "\npush a\nend"), "dir/x.trace:5:1: " + sentence);
  EXPECT_EQ(refusal("push a\nrepeat " + most + "\npush a\n end"), "dir/x.trace:6:2: " + sentence);
  // Products that wrap around 64 bits are too long all the same.
  EXPECT_EQ(refusal("repeat 9223372036854775808\npush a\npush a\nend"), "dir/x.trace:6:1: " + sentence);
  EXPECT_EQ(refusal("repeat 100000\nrepeat 100000\npush a\nend\nend"), "dir/x.trace:7:1: " + sentence);
}

}  // namespace
