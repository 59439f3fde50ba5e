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

#include "sample_report.hpp"

#include "ringspec/report/wording.hpp"
#include "ringspec/report/writers.hpp"

namespace {

using namespace ringspec;
using namespace ringspec_tests;
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
