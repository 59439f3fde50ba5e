// SPDX-License-Identifier: Apache-2.0
//
// A report made by hand in which every outcome occurs, and whose port writes what no terminal and no XML file should see.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "ringspec/report/report.hpp"

namespace ringspec_tests {

using namespace ringspec;

inline verdict made(const std::string& class_name, const std::string& rest, outcome what, std::uint64_t checks,
                    const std::string& rule, const std::string& message = "", const std::string& level = "MUST") {
  verdict v;
  v.requirement = "queue." + class_name + "." + rest;
  v.class_name = class_name;
  v.level = level;
  v.rule = rule;
  v.what = what;
  v.checks = checks;
  v.message = message;
  return v;
}

inline failing_trace short_trace() {
  failing_trace t;
  t.instance = "received/1";
  t.source = "vectors/queue/growth-policy.doubles-when-full.trace";
  t.step = 8;
  t.length = 9;
  t.shrunk_from = 812;
  t.what = "capacity of a";
  t.expected = "16";
  t.seen = "12";
  t.text =
      "ringspec trace 1\nsubject queue\nrequirement queue.growth-policy.doubles-when-full\ninstance received/1\n"
      "port crooked\nseed 7\nabout From vectors/queue/growth-policy.doubles-when-full.trace.\n\n"
      "push a x8                -> status=ok size=8 capacity=8 front=#0 allocations=0 releases=0\n"
      "push a                   -> status=ok size=9 capacity=16 front=#0 allocations=1 releases=1\n"
      "# capacity of a: expected 16, seen 12\n";
  t.path = "traces/crooked.growth-policy.doubles-when-full.trace";
  return t;
}

inline failing_trace deadly_trace() {
  failing_trace t;
  t.instance = "byte/4";
  t.source = "random trace 7 of seed 7";
  t.step = 172;
  t.length = 173;
  t.what = "the call";
  t.expected = "returns";
  t.seen = "the process died by SIGSEGV (Segmentation fault)";
  t.text = "ringspec trace 1\nsubject queue\nrequirement queue.fifo.survives\ninstance byte/4\nport crooked\n\n";
  for (int i = 0; i < 12; ++i) t.text += "push a x10\npop a x4\n";
  t.text += "pop a x3\nswap a b\nclear a\npop a\n# the call: expected returns, seen the process died\n";
  t.path = "traces/crooked.fifo.survives.trace";
  for (int i = 1; i <= 30; ++i) t.output += "line " + std::to_string(i) + " of what it said\n";
  t.output += "\x1b[31mred\x1b[0m, a bell \a, a null ";
  t.output += '\0';
  t.output += ", half a letter \xc3, ]]>, and \xef\xbf\xbe\r\nbye";
  return t;
}

inline verdict failing(verdict v, failing_trace t) {
  if (v.message.empty()) v.message = t.what + ": expected " + t.expected + ", seen " + t.seen;
  v.trace = std::move(t);
  return v;
}

inline port_report crooked() {
  port_report p;
  p.name = "crooked";
  p.module = "crooked.so";
  p.subject = "queue";
  p.version = "0.9 <beta|\xff>";
  p.language = "C++";
  p.spec = "1.0";
  p.instances = {"byte/1", "byte/4", "received/1"};
  p.claims = {"fifo", "alias", "inline", "growth-policy", "growth-bytes", "slots-move", "layout", "move"};
  p.unclaimed = {"bounded", "failure-abort"};
  p.offered_not_claimed = {"bounded"};
  p.first_failure = "queue.growth-policy.doubles-when-full";
  p.first_failure_ordinal = 17;
  p.notes = {"byte/1: stopped after 3 deaths of queue.fifo.survives",
             "byte/4: stopped after 3 deaths of queue.fifo.survives", "its heap is that of the C library"};
  p.states_apart = "heap";
  const coverage whole{32, 1, 11'621, 11'619, 283'835, 283'836, 283'836, 0};
  coverage stopped = whole, cut = whole;
  stopped.run = 283'835;
  cut.cut_short = 1;
  p.explorations = {{"byte/1", whole}, {"byte/4", stopped}, {"received/4", cut}, {"received/1", whole}};
  p.steps = 72'345'678;
  p.seconds = 4.309;
  const std::string nobody = "no trace of this run came to a step that checks it";
  const std::string blind =
      "100 values take 1200 bytes, but the object and the blocks that the ledger saw have only 32 (byte/1)";
  p.verdicts = {
      made("fifo", "starts-empty", outcome::pass, 12'000, "A queue that was just constructed has size 0 and no front."),
      made("fifo", "clear", outcome::deviation, 9'120,
           "After clear the size is 0, whatever the size and the head were.",
           "It has *no* clear | of <its> own (until 2.0)"),
      failing(made("fifo", "survives", outcome::fail, 41'234'567,
                   "No operation crashes, hangs, aborts or ends the process."),
              deadly_trace()),
      made("alias", "without-growth", outcome::unexercised, 0,
           "A push of a reference to the front appends a copy of it.", nobody),
      made("alias", "growing-heap", outcome::unexercised, 0,
           "A push of a reference to the front appends a copy of it when this push moves to a larger block.", nobody),
      made("inline", "construction", outcome::unauditable, 40, "Construction allocates nothing.", blind),
      made("inline", "push-pop", outcome::unauditable, 0, "Inline push and pop allocate nothing.", blind),
      made("inline", "low-water-untouched", outcome::elsewhere, 0,
           "Inline push and pop leave the low-water count alone.", "evidence: audit", "SHOULD"),
      failing(made("growth-policy", "doubles-when-full", outcome::fail, 5'231,
                   "A growth from a heap capacity C goes to 2C. The sentence of this requirement is long enough to "
                   "need a second line."),
              short_trace()),
      made("growth-policy", "only-when-full", outcome::stale, 999, "Only a push into a full queue grows it.",
           "listed as a deviation (\"grows early\"), but it passes: remove it from the list"),
      failing(made("growth-bytes", "exact", outcome::fail, 77, "A block has exactly as many bytes as C values take.",
                   "", "SHOULD"),
              short_trace()),
      made("bounded", "full-at-max", outcome::unclaimed, 0, "A push at max_size is refused.",
           "the class is not claimed"),
      made("failure-abort", "dies-at-once", outcome::unclaimed, 0, "A failed allocation ends the process.",
           "the class is not claimed"),
      made("move", "inline-order", outcome::pass, 123'456, "Moved inline contents keep their order."),
      made("move", "leaves-no-trace", outcome::newer, 17, "A moved queue leaves no value behind.",
           "since 1.1, the port was written to 1.0; it would be: fail", "MAY"),
      made("slots-move", "live-only", outcome::unclaimed, 0,
           "Moving inline contents writes only the live slots of the destination.",
           "does not apply: moving copies the whole object"),
      made("layout", "descriptor", outcome::elsewhere, 0, "The object has 32 bytes.",
           "evidence: build; a static_assert"),
  };
  p.verdicts[14].would_be = outcome::fail;
  // The runner writes no path for what it could not run again.
  p.verdicts[10].trace->path.clear();
  p.verdicts[10].trace->length = p.verdicts[10].trace->shrunk_from = 0;
  p.verdicts[10].trace->text.clear();
  return p;
}

inline port_report clean() {
  port_report p;
  p.name = "clean";
  p.module = "clean.so";
  p.subject = "queue";
  p.version = "1.0.0";
  p.language = "C";
  p.spec = "1.0";
  p.instances = {"int/8"};
  p.claims = {"fifo"};
  p.steps = 812;
  p.seconds = 0.004;
  p.verdicts = {
      made("fifo", "starts-empty", outcome::pass, 1, "A queue that was just constructed has size 0 and no front."),
      made("fifo", "order", outcome::pass, 8'200'100'999,
           "Values leave the queue in the order in which they entered it.")};
  return p;
}

inline report sample() {
  report r;
  r.tool_version = "0.1.0";
  r.spec_version = "1.0";
  r.budget = "smoke";
  r.build = "g++ 12.2.0";
  r.seed = 7;
  r.sources = {"vectors", "explore", "random"};
  r.only = {"queue"};
  r.ports = {crooked(), clean()};
  r.problems = {
      "The canary (wrong-threshold-below), a wrong port that must be caught in every run, was not caught by "
      "queue.shrink-policy.threshold."};
  r.canary = "not caught";
  r.seconds = 4.75;
  return r;
}

inline report with(std::vector<port_report> ports) {
  report r = sample();
  r.problems.clear();
  r.only.clear();
  r.canary = "wrong-threshold-below was caught by queue.shrink-policy.threshold";
  r.ports = std::move(ports);
  return r;
}

/// A port whose only requirement has this verdict.
inline port_report with_one(outcome what, const std::string& level = "MUST") {
  port_report p = clean();
  p.verdicts = {made("fifo", "order", what, 3, "Values leave in order.", "why", level)};
  return p;
}

}  // namespace ringspec_tests
