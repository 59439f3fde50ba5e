// SPDX-License-Identifier: Apache-2.0
#include "ringspec/run/unit.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include "ringspec/run/death.hpp"

namespace ringspec {
namespace {

constexpr unsigned deaths_allowed = 3;  // for one requirement
constexpr unsigned kills_forgiven = 3;
constexpr unsigned deaths_allowed_all = 12;  // for a unit

}  // namespace

failing_trace trace_from(const nlohmann::json& j) {
  failing_trace t;
  t.instance = j.value("instance", "");
  t.source = j.value("source", "");
  t.ordinal = j.value("ordinal", std::uint64_t{0});
  t.step = j.value("step", std::size_t{0});
  t.length = j.value("length", std::size_t{0});
  t.what = j.value("what", "");
  t.expected = j.value("expected", "");
  t.seen = j.value("seen", "");
  t.text = j.value("trace", "");
  return t;
}

unit_result run_unit(job what, deadline until) {
  const auto started = std::chrono::steady_clock::now();
  shared_board board;
  unit_result result;
  std::map<std::string, unsigned> deaths;
  unsigned all_deaths = 0;
  unsigned kills = 0;
  std::optional<std::pair<std::uint64_t, std::uint32_t>> killed_at;
  bool told_all = false;
  const emitter listen = [&](const nlohmann::json& line) {
    if (line.contains("error")) result.error = line["error"].get<std::string>();
    if (const auto f = line.find("failure"); f != line.end()) {
      result.failures.push_back({f->value("requirement", ""), trace_from(*f)});
      result.failures.back().trace.under = what.under;
    }
    if (const auto done = line.find("done"); done != line.end()) {
      told_all = true;
      if (result.blind.empty()) result.blind = done->value("blind", "");
      if (const std::string note = done->value("note", ""); !note.empty()) result.notes.push_back(note);
    }
  };
  for (;;) {
    what.kind = "run";
    const child_end end = watch(what, board, until, listen);
    if (end.finished && !told_all && result.error.empty()) {
      result.error = "the child's answer was lost on the way: did the port close descriptors that are not its own?";
    }
    // Where a tool's findings do not end the process (its own options, a recovering build), no step answers for them.
    if (const std::string found = finding_in(end.output); end.finished && result.error.empty() && !found.empty()) {
      result.error =
          "a tool found something and let the process go on, so that no requirement answers for it: " + found;
    }
    if (end.finished || !result.error.empty()) break;
    if (end.out_of_time) {
      result.out_of_time = true;
      break;
    }
    if (end.killed) {
      // From outside, or for want of memory: once more from here. Twice in the same step, and it is the port's doing.
      const std::pair<std::uint64_t, std::uint32_t> place{board->at.trace, board->at.step};
      const bool again = killed_at == place;
      killed_at = place;
      what.first = place.first;
      if (!again && ++kills <= kills_forgiven) continue;
      if (!again) {
        result.error = "its process was killed from outside (SIGKILL), perhaps for want of memory";
        break;
      }
    }
    if (board->loaded == 0) {
      result.error = fmt::format("{} while the port was being loaded", end.death);
      break;
    }
    // Who did it?
    const std::uint64_t ordinal = board->at.trace;
    const std::size_t before = result.failures.size();
    what.kind = "autopsy";
    what.death = end.death;
    const child_end autopsy = watch(what, board, until, listen);
    if (!autopsy.finished || result.failures.size() == before) {
      failing_trace t;
      t.ordinal = ordinal;
      t.what = "the call";
      t.expected = "returns";
      t.seen = end.death;
      t.source = "a trace that could not be run again";
      // The last rule is the most general one.
      result.failures.push_back({std::string(find_subject(what.subject)->rules().back().requirement), t});
    }
    for (std::size_t i = before; i < result.failures.size(); ++i)
      result.failures[i].trace.output = readable_output(end.output);
    board->at.trace = ordinal;
    what.first = ordinal + 1;
    const std::string& culprit = result.failures.back().requirement;
    if (end.hung) {
      result.notes.push_back("stopped after a call that did not return");
      result.stopped = true;
      break;
    }
    if (++deaths[culprit] == deaths_allowed || ++all_deaths == deaths_allowed_all) {
      result.notes.push_back(fmt::format("stopped after {} deaths of {}", deaths[culprit], culprit));
      result.stopped = true;
      break;
    }
  }
  result.counts = std::make_unique<evidence>(board->counts);
  result.memory = board->memory;
  result.explored.assign(board->explored, board->explored + board->passes);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return result;
}

}  // namespace ringspec
