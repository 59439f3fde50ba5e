// SPDX-License-Identifier: Apache-2.0
//
// The writers of reports, on a report made by hand in which every outcome occurs and whose port writes what no terminal
// and no XML file should see. The golden files in tests/golden are rewritten with RINGSPEC_REWRITE_GOLDEN=1.
#include "ringspec/report/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <sstream>

#include "ringspec/report/wording.hpp"
#include "ringspec/report/writers.hpp"

namespace {

using namespace ringspec;
using nlohmann::json;

std::filesystem::path source_folder() {
#if defined(RINGSPEC_SOURCE_DIR)
  return RINGSPEC_SOURCE_DIR;
#elif defined(RINGSPEC_TEST_SOURCE_DIR)
  return RINGSPEC_TEST_SOURCE_DIR;
#else
  return std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();
#endif
}

verdict made(const std::string& class_name, const std::string& rest, outcome what, std::uint64_t checks,
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

failing_trace short_trace() {
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

failing_trace deadly_trace() {
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

verdict failing(verdict v, failing_trace t) {
  if (v.message.empty()) v.message = t.what + ": expected " + t.expected + ", seen " + t.seen;
  v.trace = std::move(t);
  return v;
}

port_report crooked() {
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

port_report clean() {
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

report sample() {
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

report with(std::vector<port_report> ports) {
  report r = sample();
  r.problems.clear();
  r.only.clear();
  r.canary = "wrong-threshold-below was caught by queue.shrink-policy.threshold";
  r.ports = std::move(ports);
  return r;
}

/// A port whose only requirement has this verdict.
port_report with_one(outcome what, const std::string& level = "MUST") {
  port_report p = clean();
  p.verdicts = {made("fifo", "order", what, 3, "Values leave in order.", "why", level)};
  return p;
}

std::string terminal(const report& r, bool colour = false) {
  std::FILE* const file = std::tmpfile();
  print(r, file, {colour, "build/report"});
  std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
  std::rewind(file);
  const std::size_t got = std::fread(text.data(), 1, text.size(), file);
  std::fclose(file);
  EXPECT_EQ(got, text.size());
  return text;
}

std::string without_colour(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
    } else {
      result += text[i];
    }
  }
  return result;
}

void compare_with_golden(const std::string& name, const std::string& text) {
  const std::filesystem::path path = source_folder() / "tests" / "golden" / name;
  const char* const rewrite = std::getenv("RINGSPEC_REWRITE_GOLDEN");
  if (rewrite != nullptr && std::string(rewrite) == "1") {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path << " is missing; RINGSPEC_REWRITE_GOLDEN=1 writes it";
  std::stringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(text, golden.str()) << "if the change is meant, RINGSPEC_REWRITE_GOLDEN=1 writes " << path;
}

/// Neither half a character nor one that XML forbids or that a terminal obeys.
bool harmless(const std::string& text) { return printable(text) == text; }

TEST(report_writers, golden_terminal) { compare_with_golden("report.txt", terminal(sample())); }
TEST(report_writers, golden_json) { compare_with_golden("report.json", to_json(sample())); }
TEST(report_writers, golden_junit) { compare_with_golden("report.xml", to_junit(sample())); }
TEST(report_writers, golden_markdown) { compare_with_golden("report.md", to_markdown(sample())); }

TEST(report_writers, what_a_port_wrote_does_no_harm) {
  EXPECT_TRUE(harmless(terminal(sample())));
  EXPECT_TRUE(harmless(to_junit(sample())));
  EXPECT_TRUE(harmless(to_markdown(sample())));
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(to_junit(sample()).c_str()));
  // JSON escapes what it has to and keeps the rest as it was; only what is no text is replaced.
  const json j = json::parse(to_json(sample()));
  EXPECT_EQ(j["ports"][0]["version"], "0.9 <beta|\xef\xbf\xbd>");
  EXPECT_NE(j["ports"][0]["verdicts"][2]["output"].get<std::string>().find("\x1b[31mred"), std::string::npos);
}

TEST(report_writers, colour_changes_nothing_but_the_colour) {
  const std::string coloured = terminal(sample(), true);
  EXPECT_NE(coloured.find("\x1b["), std::string::npos);
  EXPECT_EQ(without_colour(coloured), terminal(sample()));
}

TEST(report_writers, terminal_fits_into_80_columns) {
  for (const std::string& line : lines_of(terminal(sample()))) {
    // What is to be copied, and what the port wrote, stays in one piece.
    if (line.find("ringspec replay") == std::string::npos && line.find("| ") == std::string::npos) {
      EXPECT_LE(line.size(), 80U) << line;
    }
  }
}

TEST(report_writers, terminal_ends_with_the_verdict) {
  const auto last_line = [](const report& r) { return lines_of(terminal(r)).back(); };
  EXPECT_EQ(last_line(with({clean()})), "passed: 2 requirements of 1 port (exit status 0)");
  EXPECT_EQ(last_line(with({clean(), crooked()})), "FAILED: 2 requirements, 1 stale deviation (exit status 1)");
  EXPECT_EQ(last_line(with({with_one(outcome::unexercised)})),
            "inconclusive: 1 requirement unexercised (exit status 3)");
  EXPECT_EQ(last_line(with({})), "inconclusive: no port was judged (exit status 3)");
  EXPECT_EQ(last_line(with({with_one(outcome::fail, "SHOULD")})),
            "passed: 0 requirements of 1 port, 1 SHOULD or MAY failed (exit status 0)");
  report survey = with({crooked()});
  survey.survey = true;
  EXPECT_EQ(last_line(survey), "survey: 1 port, 2 passed, 3 failed (exit status 0)");
}

TEST(report_writers, terminal_lists_the_unclaimed_last) {
  const std::vector<std::string> lines = lines_of(terminal(with({crooked()})));
  const auto end = std::find(lines.begin(), lines.end(), "  unclaimed: bounded, failure-abort");
  ASSERT_NE(end, lines.end());
  EXPECT_EQ(*(end + 1), "");
  EXPECT_TRUE((end + 2)->starts_with("canary"));
}

TEST(report_writers, each_failure_has_one_line_to_copy) {
  const std::string text = terminal(with({crooked()}));
  std::size_t count = 0;
  for (const std::string& line : lines_of(text)) count += line.find("ringspec replay ") == std::string::npos ? 0 : 1;
  EXPECT_EQ(count, 2U) << text;
  EXPECT_NE(text.find("\n    ringspec replay build/report/traces/crooked.fifo.survives.trace\n"), std::string::npos);
  failing_trace t;
  t.path = "traces/a.trace";
  EXPECT_EQ(replay_line(t, "my report/"), "ringspec replay 'my report/traces/a.trace'");
  EXPECT_EQ(replay_line(t, "it's"), "ringspec replay 'it'\\''s/traces/a.trace'");
}

TEST(report_writers, json_has_null_for_what_is_not_known) {
  report r = sample();
  r.seconds = 0;
  const json j = json::parse(to_json(r));
  EXPECT_EQ(j["schema"], report_schema);
  EXPECT_EQ(j["exit"], 1);
  EXPECT_TRUE(j["seconds"].is_null());
  for (const json& v : j["ports"][0]["verdicts"]) {
    const std::string what = v["verdict"];
    EXPECT_EQ(v["checks"].is_null(), what == "unclaimed" || what == "elsewhere" || what == "unauditable") << v;
  }
  EXPECT_EQ(j["ports"][0]["verdicts"][2]["step"], 173);
  EXPECT_TRUE(j["ports"][0]["verdicts"][10]["step"].is_null());
  EXPECT_FALSE(j["ports"][0]["verdicts"][10].contains("trace"));
}

TEST(report_writers, json_names_no_folder_of_the_machine) {
  report r = with({clean()});
  r.ports[0].module = "/home/somewhere/build/clean.so";
  EXPECT_EQ(json::parse(to_json(r))["ports"][0]["module"], "clean.so");
}

TEST(report_writers, junit_is_red_exactly_if_the_exit_status_is_not_0) {
  const auto check = [](const report& r) {
    pugi::xml_document document;
    ASSERT_TRUE(document.load_string(to_junit(r).c_str()));
    const pugi::xml_node root = document.child("testsuites");
    const auto count = [&](const std::string& element) {
      return document.select_nodes(("//testcase/" + element).c_str()).size();
    };
    EXPECT_EQ(root.attribute("failures").as_uint(), count("failure"));
    EXPECT_EQ(root.attribute("errors").as_uint(), count("error"));
    EXPECT_EQ(root.attribute("skipped").as_uint(), count("skipped"));
    EXPECT_EQ(root.attribute("tests").as_uint(), document.select_nodes("//testcase").size());
    EXPECT_EQ(count("failure") + count("error") != 0, r.exit_status() != 0);
    if (r.exit_status() == 3) {
      EXPECT_EQ(count("failure"), 0U);
    }
  };
  for (const bool survey : {false, true}) {
    std::vector<report> all{sample(), with({}), with({clean()}), with({clean(), crooked()})};
    for (const outcome o : outcomes) {
      for (const char* level : {"MUST", "SHOULD", "MAY"}) all.push_back(with({with_one(o, level)}));
    }
    all.push_back(with({clean()}));
    all.back().ports[0].inconclusive = true;
    all.push_back(with({clean()}));
    all.back().problems = {"The ledger is blind."};
    for (report& r : all) {
      r.survey = survey;
      check(r);
    }
  }
}

TEST(report_writers, survey_names_what_was_not_tried_and_what_is_not_claimed) {
  report r = with({crooked()});
  r.survey = true;
  std::erase(r.ports[0].claims, "growth-policy");
  r.ports[0].unclaimed = {"growth-policy", "failure-abort"};
  const std::string text = terminal(r);
  EXPECT_NE(text.find("\n  not tried (survey.json says why): failure-abort\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  FAILED queue.fifo.survives (MUST)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  failed queue.growth-policy.doubles-when-full (MUST, not claimed)\n"), std::string::npos)
      << text;
}

TEST(report_wording, text_is_made_safe) {
  EXPECT_EQ(printable("plain \xc3\xa9 \xf0\x9f\x98\x80\ttab\n"), "plain \xc3\xa9 \xf0\x9f\x98\x80\ttab\n");
  EXPECT_EQ(printable("a\r\nb\rc"), "a\nb\\x0dc");
  EXPECT_EQ(printable(std::string_view("\0\x1b\x7f", 3)), "\\x00\\x1b\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"), "\\x9b");
  const std::string lost = "\xef\xbf\xbd";
  EXPECT_EQ(printable("\xff"), lost);
  EXPECT_EQ(printable("\xc3"), lost);
  EXPECT_EQ(printable("\xc0\xaf"), lost + lost);  // overlong
  EXPECT_EQ(printable("\xe0\x80\xaf"), lost + lost + lost);
  EXPECT_EQ(printable("\xed\xa0\x80"), lost + lost + lost);  // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), lost + lost + lost + lost);
  EXPECT_EQ(printable("\xef\xbf\xbf"), lost);
  EXPECT_EQ(one_line("a\nb\tc\n"), "a b c");
}

TEST(report_wording, numbers_are_readable) {
  EXPECT_EQ(human(0), "0");
  EXPECT_EQ(human(999), "999");
  EXPECT_EQ(human(1'000), "1,000");
  EXPECT_EQ(human(9'099), "9,099");
  EXPECT_EQ(human(10'000), "10.0 k");
  EXPECT_EQ(human(999'499), "999 k");
  EXPECT_EQ(human(999'500), "1.00 M");
  EXPECT_EQ(human(72'345'678), "72.3 M");
  EXPECT_EQ(human(99'960'000), "100 M");
  EXPECT_EQ(human(~std::uint64_t{0}), "18.4 E");
  EXPECT_EQ(human_seconds(0), "");
  EXPECT_EQ(human_seconds(0.0004), "0.4 ms");
  EXPECT_EQ(human_seconds(0.042), "42 ms");
  EXPECT_EQ(human_seconds(0.42), "0.42 s");
  EXPECT_EQ(human_seconds(12.34), "12.3 s");
  EXPECT_EQ(human_seconds(119), "119 s");
  EXPECT_EQ(human_seconds(725.4), "12 min 5 s");
}

TEST(report_wording, long_traces_are_cut_from_the_front) {
  std::string text = "ringspec trace 1\nsubject queue\n\n";
  for (int i = 0; i < 20; ++i) text += "push a x3 -> size=3\n";
  const excerpt cut = steps_of(text, 12, 10);
  EXPECT_EQ(cut.before, "... 30 steps before");
  EXPECT_EQ(cut.lines.size(), 10U);
  EXPECT_EQ(steps_of(text, 20, 10).lines.size(), 20U);
  EXPECT_EQ(steps_of("ringspec trace 1\n\nrepeat 9\n" + text.substr(text.find("push")), 12, 10).before,
            "... 11 lines before");
  EXPECT_EQ(steps_of("push a\n# a comment\n\npop a", 12, 10).lines, (std::vector<std::string>{"push a", "pop a"}));
  EXPECT_TRUE(steps_of("", 12, 10).lines.empty());
}

TEST(report_wording, a_place_says_only_what_is_known) {
  failing_trace t;
  EXPECT_EQ(place_of(t), "");
  t.source = "a trace that could not be run again";
  EXPECT_EQ(place_of(t), "a trace that could not be run again");
  t.instance = "int/8";
  t.length = 3;
  t.step = 3;
  EXPECT_EQ(place_of(t), "int/8, at the end of 3 steps, a trace that could not be run again");
}

}  // namespace
