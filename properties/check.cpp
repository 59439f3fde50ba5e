// SPDX-License-Identifier: Apache-2.0
#include "properties/check.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>

#include "ringspec/queue/operations.hpp"
#include "ringspec/trace/rng.hpp"
#include "ringspec/trace/text.hpp"

namespace properties {
namespace {

using namespace ringspec;
using queue::op;

// ---- RC_PARAMS: RapidCheck ignores a key that it does not know, and a typo would be a run with the defaults -----------

struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct parameter {
  std::string_view key, value_is;
  std::uint64_t least, most;  // most 0: not a number
};
constexpr auto parameters = std::to_array<parameter>({
    {"seed", "a number", 0, UINT64_MAX},
    {"max_success", "a number from 1 to 1000000", 1, 1000000},
    {"max_size", "a number from 1 to 10000", 1, 10000},
    {"max_discard_ratio", "a number from 0 to 10000", 0, 10000},
    {"noshrink", "0 or 1", 0, 1},
    {"verbose_progress", "0 or 1", 0, 1},
    {"verbose_shrinking", "0 or 1", 0, 1},
    {"reproduce", "what RapidCheck printed", 0, 0},
});

void check_value(const parameter& p, std::string_view value) {
  if (p.most == 0) return;
  std::uint64_t number{};
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size() || number < p.least || number > p.most)
    throw usage_error(fmt::format("RC_PARAMS: the value of '{}' must be {}, not '{}'", p.key, p.value_is, value));
}

void validate(std::string_view text) {
  std::set<std::string_view> given;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty()) return;
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    const std::string_view key = word.substr(0, word.find('='));
    const auto* const found =
        std::find_if(parameters.begin(), parameters.end(), [&](const parameter& p) { return p.key == key; });
    if (found == parameters.end()) {
      std::vector<std::string_view> known;
      for (const parameter& p : parameters) known.push_back(p.key);
      throw usage_error(
          fmt::format("RC_PARAMS: there is no parameter '{}'; the known ones are {}", key, fmt::join(known, ", ")));
    }
    if (key.size() == word.size())
      throw usage_error(fmt::format("RC_PARAMS: '{}' needs a value: {}=..., {}", key, key, found->value_is));
    if (!given.insert(key).second) throw usage_error(fmt::format("RC_PARAMS: '{}' is given twice", key));
    check_value(*found, word.substr(key.size() + 1));
  }
}

rc::detail::Configuration default_configuration() {
  rc::detail::Configuration c;
  c.testParams.seed = 4;  // fixed, so that a run means the same everywhere
  c.testParams.maxSuccess = 200;
  return c;
}

rc::detail::Configuration configuration = default_configuration();
settings configured_settings;

void configure() {
  const char* const given = std::getenv("RC_PARAMS");
  const std::string text = given == nullptr ? "" : given;
  validate(text);
  try {
    configuration = rc::detail::configFromString(text, configuration);
  } catch (const std::exception& e) {
    throw usage_error(fmt::format("RC_PARAMS: RapidCheck does not accept it: {}", e.what()));
  }
  const auto& p = configuration.testParams;
  const auto& least = default_configuration().testParams;
  configured_settings = {
      p.seed, static_cast<std::uint64_t>(p.maxSuccess),
      p.maxSuccess >= least.maxSuccess && p.maxSize >= least.maxSize && configuration.reproduce.empty()};
  fmt::print("RC_PARAMS=\"seed={} max_success={} max_size={}\"\n", p.seed, p.maxSuccess, p.maxSize);
}

// ---- steps ----------------------------------------------------------------------------------------------------------

/// Some of a list of steps, as it is drawn and made smaller: a step several times; or pairs of a push and a pop, after
/// some pops and then some pushes, so that low depths are stayed at.
struct burst {
  step what;
  unsigned times{1};
  bool pairs{};
  unsigned pops{}, pushes{};
};

std::ostream& operator<<(std::ostream& out, const burst& b) {
  return out << (b.pairs ? "push and pop " : "") << to_text(b.what, queue::operations) << " x" << b.times;
}

rc::Gen<unsigned> below(unsigned n) { return rc::gen::inRange(0U, n); }
rc::Gen<unsigned> level(unsigned n) { return rc::gen::resize(rc::kNominalSize, below(n)); }

rc::Gen<burst> bursts(std::uint64_t allowed, unsigned registers) {
  std::vector<op> others;
  for (std::size_t o = 0; o < queue::operations.size(); ++o) {
    if ((allowed >> o & 1U) != 0 && op(o) != op::push && op(o) != op::pop) others.push_back(op(o));
  }
  // Kind, length, registers and number are drawn whatever the kind needs, so that each can be made smaller alone.
  return rc::gen::map(
      rc::gen::tuple(level(16), below(40), level(3 * registers), level(registers), level(64), level(256)),
      [=](const std::tuple<unsigned, unsigned, unsigned, unsigned, unsigned, unsigned>& drawn) {
        const auto [kind, length, first, second, number, which] = drawn;
        burst b;
        b.what.a = static_cast<std::uint8_t>(first < registers ? first : 0);  // mostly the first
        b.times = 1 + length;
        if (kind < 4 || others.empty()) {
          b.what.op = static_cast<std::uint8_t>(kind % 2 == 0 ? op::push : op::pop);
        } else if (kind < 7) {
          b.what.op = static_cast<std::uint8_t>(op::push);
          b.pairs = true;
          if (kind > 4) b.pops = number, b.pushes = which % 4;
        } else {
          const op o = others[which % others.size()];
          const operation& about = queue::operations[static_cast<std::size_t>(o)];
          // Several of its own elements in a row are pushed across every transition.
          if (o != op::push_element && o != op::emplace_element) b.times = 1;
          b.what.op = static_cast<std::uint8_t>(o);
          if (about.registers != 0) b.what.a = static_cast<std::uint8_t>(first % registers);
          if (about.registers == 2)  // another one, unless there is none
            b.what.b = static_cast<std::uint8_t>(second != b.what.a ? second : (second + 1) % registers);
          if (about.takes_number) b.what.number = o == op::fail || o == op::fail_from ? number % 3 : number;
        }
        return b;
      });
}

// ---- a run ----------------------------------------------------------------------------------------------------------

class listener final : public rc::detail::TestListener {
  void onTestCaseFinished(const rc::detail::CaseDescription&) override {
    if (configuration.verboseProgress) std::fputc('.', stderr);
  }
  void onShrinkTried(const rc::detail::CaseDescription&, bool accepted) override {
    if (configuration.verboseShrinking) std::fputc(accepted ? '!' : '.', stderr);
  }
  void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {
    if (configuration.verboseProgress || configuration.verboseShrinking) std::fputc('\n', stderr);
  }
};

}  // namespace

const settings& configured() { return configured_settings; }

unsigned draw(unsigned n) { return *level(n); }
unsigned draw_sized(unsigned n) { return *below(n); }

std::vector<step> draw_steps(std::uint64_t allowed, unsigned registers) {
  std::vector<step> steps;
  const auto add = [&](const step& s, unsigned times) { steps.insert(steps.end(), times, s); };
  for (const burst& b : *rc::gen::container<std::vector<burst>>(bursts(allowed, registers))) {
    if (!b.pairs) {
      add(b.what, b.times);
      continue;
    }
    step pop = b.what;
    pop.op = static_cast<std::uint8_t>(op::pop);
    add(pop, b.pops);
    add(b.what, b.pushes);
    for (unsigned i = 0; i < b.times; ++i) add(b.what, 1), add(pop, 1);
  }
  if (steps.empty()) steps.emplace_back().op = static_cast<std::uint8_t>(op::push);  // a case has to judge something
  return steps;
}

void fail(const std::string& what) {
  RC_FAIL(what);
  std::abort();  // not reached
}

outcome check(const std::string& id, const std::function<std::uint64_t()>& property, bool smaller) {
  using clock = std::chrono::steady_clock;
  outcome result;
  bool failed = false;
  const auto start = clock::now();
  const auto spent = [&] { return std::chrono::duration<double, std::milli>(clock::now() - start).count(); };
  const auto one = [&] {
    try {
      const std::uint64_t judged = property();
      if (!failed && judged != 0) ++result.cases;
    } catch (const rc::detail::CaseResult& r) {
      if (!failed && r.type == rc::detail::CaseResult::Type::Failure) {
        failed = true;
        result.ms = spent();
      }
      throw;
    }
  };
  // Each its own seed, or all instances would be given the same cases.
  rc::detail::TestParams params = configuration.testParams;
  for (const char letter : id) params.seed = mix(params.seed, static_cast<unsigned char>(letter));
  params.disableShrinking = params.disableShrinking || !smaller;
  listener told;
  const auto said =
      rc::detail::checkTestable(one, rc::detail::TestMetadata{id, id}, params, told, configuration.reproduce);
  result.held = said.template is<rc::detail::SuccessResult>();
  if (result.held) {
    result.ms = spent();
    // What we count has to be what was asked for; a reproduction is one case.
    if (result.cases < configured().cases && !configuration.reproduce.contains(id)) {
      result.held = false;
      result.what = fmt::format("only {} of {} cases ran", result.cases, configured().cases);
    }
  } else if (!failed) {
    std::ostringstream text;
    rc::detail::printResultMessage(said, text);
    result.what = text.str();
  }
  return result;
}

std::string land(const trace& t, const std::string& name) {
  namespace fs = std::filesystem;
  const char* const wanted = std::getenv("RINGSPEC_TRACES");
  const fs::path folder =
      wanted != nullptr && *wanted != '\0' ? fs::path(wanted) : fs::path(testing::TempDir()) / "ringspec-properties";
  fs::create_directories(folder);
  std::string file = name + ".trace";
  std::replace(file.begin(), file.end(), '/', '-');
  const fs::path path = fs::absolute(folder / file);
  std::ofstream out(path);
  out << to_text(t, queue::operations);
  if (!out.flush()) throw std::runtime_error(fmt::format("{}: cannot be written", path.string()));
  return path.string();
}

}  // namespace properties

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  try {
    properties::configure();
  } catch (const properties::usage_error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 2;
  }
  return RUN_ALL_TESTS();
}
