// SPDX-License-Identifier: Apache-2.0
//
// A report comes back from its JSON as it was; what is no report is refused with a sentence that says where; parts add up.
#include <gtest/gtest.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include "ringspec/report/read.hpp"
#include "ringspec/report/writers.hpp"

namespace {

using namespace ringspec;
using nlohmann::json;

std::string golden() {
  std::ifstream file(std::string(RINGSPEC_TEST_SOURCE_DIR) + "/tests/golden/report.json");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string why(const std::string& text) {
  try {
    static_cast<void>(read_report(text, "r.json"));
  } catch (const report_error& e) {
    return e.what();
  }
  return "it was read";
}

/// The golden report with one value changed, or taken away.
std::string with(const std::string& pointer, const json& value) {
  json j = json::parse(golden());
  j[json::json_pointer(pointer)] = value;
  return j.dump();
}

TEST(read_report, what_was_written_reads_the_same) {
  const std::string text = golden();
  const report r = read_report(text, "r.json");
  EXPECT_EQ(r.ports.size(), 2U);
  EXPECT_EQ(r.ports.front().explorations.size(), 4U);
  EXPECT_EQ(to_json(r), text);
}

TEST(read_report, a_part_reads_the_same) {
  report r = read_report(golden(), "r.json");
  r.shard = 2;
  r.shards = 3;
  const report again = read_report(to_json(r), "r.json");
  EXPECT_EQ(again.shard, 2U);
  EXPECT_EQ(again.shards, 3U);
  EXPECT_EQ(to_json(again), to_json(r));
}

TEST(read_report, a_part_leaves_open_what_other_parts_may_show) {
  using enum outcome;
  report r = read_report(golden(), "r.json");
  r.problems.clear();
  r.ports.resize(1);
  r.ports.front().inconclusive = false;
  for (const auto& [what, whole, part] :
       {std::tuple(pass, 0, 0), std::tuple(unexercised, 3, 0), std::tuple(stale, 1, 0), std::tuple(fail, 1, 1),
        std::tuple(unauditable, 3, 3)}) {
    for (verdict& v : r.ports.front().verdicts) v.what = what;
    for (const auto& [shard, due] : {std::pair(0U, whole), std::pair(1U, part)}) {
      r.shard = shard;
      EXPECT_EQ(r.exit_status(), due) << to_text(what);
      const std::string junit = to_junit(r);
      const bool red = junit.find("<failure") != std::string::npos || junit.find("<error") != std::string::npos;
      EXPECT_EQ(red, due != 0) << to_text(what) << ' ' << shard;
    }
  }
}

TEST(read_report, says_where_it_is_wrong) {
  EXPECT_EQ(why(with("/ports/0/name", 7)),
            "r.json: at /ports/0/name: a text is expected, this is a value of type number");
  EXPECT_EQ(why(with("/schema", 99)), "r.json: at /schema: this is version 99, and only 1 can be read");
  EXPECT_EQ(why(with("/ports/0/verdicts/1/verdict", "maybe")),
            "r.json: at /ports/0/verdicts/1/verdict: 'maybe' is no verdict");
  EXPECT_EQ(why(with("/seed", -1)),
            "r.json: at /seed: a whole number that is not negative is expected, this is a value of type number");
  EXPECT_EQ(why(with("/seed", 1.5)),
            "r.json: at /seed: a whole number that is not negative is expected, this is a value of type number");
  EXPECT_EQ(why(with("/ports", json::object())),
            "r.json: at /ports: an array is expected, this is a value of type object");
  EXPECT_EQ(why(with("/shard", {{"part", 4}, {"of", 3}})), "r.json: at /shard: there is no part 4 of 3");
  EXPECT_EQ(why(with("/shard", {{"part", 1}, {"of", 10'001}})), "r.json: at /shard: there is no part 1 of 10001");
  EXPECT_EQ(why(with("/seconds", -1)),
            "r.json: at /seconds: a number that is not negative, or null, is expected, this is a value of type number");
  EXPECT_EQ(why(with("/ports/0/verdicts/0/level", "must")),
            "r.json: at /ports/0/verdicts/0/level: 'must' is not MUST, SHOULD or MAY");
  EXPECT_EQ(why(with("/ports/0/verdicts/0/checks", nullptr)),
            "r.json: at /ports/0/verdicts/0/checks: what was never checked has not passed");
  EXPECT_EQ(why(with("/ports/0/verdicts/0/verdict", "fail")),
            "r.json: at /ports/0/verdicts/0: 'instance' is missing, and with it what failed");
  EXPECT_EQ(why("[1e999]").substr(0, 39), "r.json: it is no JSON: number overflow ");
  EXPECT_EQ(why("[]"), "r.json: at the top: an object is expected, this is a value of type array");
  EXPECT_EQ(why("{}"), "r.json: at the top: 'schema' is missing");
  EXPECT_EQ(why(R"({"schema": 1,})").substr(0, 41), "r.json: it is no JSON: parse error at lin");
  json twice = json::parse(golden());
  twice["ports"].push_back(twice["ports"][0]);
  EXPECT_EQ(why(twice.dump()), "r.json: at /ports/2: port 'crooked' of crooked.so is there twice");
  json verdicts = json::parse(golden());
  verdicts["ports"][0]["verdicts"].push_back(verdicts["ports"][0]["verdicts"][0]);
  EXPECT_NE(why(verdicts.dump()).find("'queue.fifo.starts-empty' has two verdicts"), std::string::npos);
}

TEST(read_report, traces_lie_beside_it) {
  json j = json::parse(golden());
  for (json& v : j["ports"][0]["verdicts"]) {
    if (v.contains("trace")) v["trace"] = "../../secret.trace";
  }
  EXPECT_NE(why(j.dump()).find("traces are in the folder traces/ beside the report"), std::string::npos);
}

TEST(read_report, every_member_that_is_taken_away_is_missed_or_not_needed) {
  // A member that is read and not asked for would be a crash or a silent zero.
  const json whole = json::parse(golden());
  const json flat = whole.flatten();
  unsigned refused = 0;
  for (const auto& [pointer, value] : flat.items()) {
    json j = whole;
    const json::json_pointer at(pointer);
    if (!j.at(at.parent_pointer()).is_object()) continue;
    j.at(at.parent_pointer()).erase(at.back());
    refused += why(j.dump()) != "it was read" ? 1 : 0;
  }
  EXPECT_GT(refused, 100U);
}

TEST(read_report, deep_nesting_is_no_crash) {
  EXPECT_NE(why(std::string(200'000, '[')), "it was read");
  EXPECT_NE(why(std::string(100'000, '[') + std::string(100'000, ']')), "it was read");
}

TEST(read_report, the_seeds_of_its_fuzzer_are_reports) {
  // With seeds that are refused at their first line a fuzzer sees little of a reader.
  for (const char* const seed : {"no-port", "one-port"}) {
    std::ifstream file(std::string(RINGSPEC_TEST_SOURCE_DIR) + "/fuzz/corpus/fuzz_report_reader/" + seed);
    std::ostringstream text;
    text << file.rdbuf();
    EXPECT_EQ(why(text.str()), "it was read") << seed;
  }
}

report part_of_three(unsigned n) {
  report r = read_report(golden(), "r.json");
  r.shard = n;
  r.shards = 3;
  return r;
}

TEST(merge_reports, figures_add_up_and_the_first_failure_stays) {
  std::vector<part> parts;
  for (unsigned n = 1; n <= 3; ++n) parts.push_back({part_of_three(n), std::to_string(n)});
  const port_report one = parts.front().content.ports.front();
  // Only the second part found the failure that is the earliest; only the third exercised what the others did not.
  for (part& p : parts) {
    for (verdict& v : p.content.ports.front().verdicts) {
      if (v.trace) v.trace->ordinal = p.content.shard == 2 ? 5 : 9;
      if (v.trace) v.trace->what = p.file;
      if (v.what == outcome::unexercised && p.content.shard == 3) {
        v.what = outcome::pass;
        v.checks = 4;
      }
    }
  }
  const report all = merge(parts);
  EXPECT_EQ(all.shard, 0U);
  const port_report& p = all.ports.front();
  EXPECT_EQ(p.steps, 3 * one.steps);
  EXPECT_EQ(p.explorations.front().covered.run, 3 * one.explorations.front().covered.run);
  ASSERT_EQ(p.verdicts.size(), one.verdicts.size());
  for (std::size_t i = 0; i < p.verdicts.size(); ++i) {
    const verdict& v = p.verdicts[i];
    if (v.trace) {
      EXPECT_EQ(v.trace->what, "2") << v.requirement;
    }
    EXPECT_NE(v.what, outcome::unexercised) << v.requirement;
    if (one.verdicts[i].what == outcome::unexercised) {
      EXPECT_EQ(v.checks, 4U);
    } else {
      EXPECT_EQ(v.checks, 3 * one.verdicts[i].checks) << v.requirement;
    }
  }
  EXPECT_EQ(p.notes, one.notes);
}

TEST(merge_reports, the_worst_verdict_stands) {
  using enum outcome;
  const auto merged = [](outcome a, outcome b) {
    std::vector<part> parts;
    for (const auto& [n, what] : {std::pair(1U, a), std::pair(2U, b)}) {
      report r = part_of_three(n);
      r.shards = 2;
      r.ports.front().verdicts.front().what = what;
      parts.push_back({r, std::to_string(n)});
    }
    return merge(parts).ports.front().verdicts.front().what;
  };
  for (const auto& [a, b, due] :
       {std::tuple(pass, fail, fail), std::tuple(pass, unexercised, pass),
        std::tuple(unexercised, unexercised, unexercised), std::tuple(pass, unauditable, unauditable),
        std::tuple(fail, unauditable, fail), std::tuple(stale, deviation, deviation),
        std::tuple(stale, unexercised, stale), std::tuple(elsewhere, elsewhere, elsewhere)}) {
    EXPECT_EQ(merged(a, b), due) << to_text(a) << ' ' << to_text(b);
    EXPECT_EQ(merged(b, a), due) << to_text(b) << ' ' << to_text(a);
  }
}

TEST(merge_reports, the_earliest_failure_need_not_be_the_one_that_is_reported) {
  // The trace that is reported is that of the first instance; an earlier one may have failed on another.
  std::vector<part> parts;
  for (unsigned n = 1; n <= 3; ++n) {
    report r = part_of_three(n);
    r.ports.front().first_failure = n == 1 ? "" : n == 2 ? "queue.fifo.survives" : "queue.growth-bytes.exact";
    r.ports.front().first_failure_ordinal = n == 1 ? 0 : 30 - n;
    parts.push_back({read_report(to_json(r), "r.json"), std::to_string(n)});
  }
  const report all = merge(parts);
  EXPECT_EQ(all.ports.front().first_failure, "queue.growth-bytes.exact");
  EXPECT_EQ(all.ports.front().first_failure_ordinal, 27U);
}

TEST(merge_reports, a_younger_requirement_is_as_bad_as_it_would_be) {
  using enum outcome;
  const auto merged = [](outcome a, outcome b) {
    std::vector<part> parts;
    for (const auto& [n, what] : {std::pair(1U, a), std::pair(2U, b)}) {
      report r = part_of_three(n);
      r.shards = 2;
      verdict& v = r.ports.front().verdicts.front();
      if (what != pass) {
        v.would_be = what;
        v.what = newer;
      }
      parts.push_back({r, std::to_string(n)});
    }
    const verdict v = merge(parts).ports.front().verdicts.front();
    return v.would_be.value_or(v.what);
  };
  for (const auto& [a, b, due] : {std::tuple(fail, unauditable, fail), std::tuple(stale, deviation, deviation),
                                  std::tuple(pass, unexercised, pass), std::tuple(pass, fail, fail)}) {
    EXPECT_EQ(merged(a, b), due) << to_text(a) << ' ' << to_text(b);
    EXPECT_EQ(merged(b, a), due) << to_text(b) << ' ' << to_text(a);
  }
}

TEST(merge_reports, a_part_that_is_missing_decides_nothing) {
  const report all = merge({{part_of_three(1), "1"}, {part_of_three(3), "3"}});
  EXPECT_EQ(all.problems.back(), "Part 2 of 3 is missing.");
}

TEST(merge_reports, what_does_not_belong_together_is_refused) {
  const auto refusal = [](auto change) {
    report other = part_of_three(2);
    change(other);
    try {
      static_cast<void>(merge({{part_of_three(1), "one"}, {other, "two"}}));
    } catch (const report_error& e) {
      return std::string(e.what());
    }
    return std::string("merged");
  };
  EXPECT_EQ(refusal([](report&) {}), "merged");
  EXPECT_EQ(refusal([](report& r) { r.seed = 8; }), "two: it is not of the same run as one: seed is '8' and not '7'");
  EXPECT_EQ(refusal([](report& r) { r.sources = {"random"}; }),
            "two: it is not of the same run as one: sources is 'random' and not 'vectors, explore, random'");
  EXPECT_EQ(refusal([](report& r) { r.suffix = false; }),
            "two: it is not of the same run as one: suffix is 'false' and not 'true'");
  EXPECT_EQ(refusal([](report& r) { r.shards = 4; }),
            "two: it is not of the same run as one: the number of shards is '4' and not '3'");
  EXPECT_EQ(refusal([](report& r) { r.shard = 1; }), "two: it is part 1 of 3, as is one");
  EXPECT_NE(refusal([](report& r) { r.ports.front().claims.pop_back(); }).find("is not the same as port"),
            std::string::npos);
  EXPECT_NE(refusal([](report& r) { r.ports.pop_back(); }).find("the number of ports"), std::string::npos);
}

}  // namespace
