// SPDX-License-Identifier: Apache-2.0
#include "ringspec/run/alone.hpp"
#include <utility>
#include "ringspec/run/death.hpp"
#include "ringspec/run/unit.hpp"

namespace ringspec {

namespace {

emitter listener(lone_run& result, emitter on_line) {
  return [&result, on_line = std::move(on_line)](const nlohmann::json& line) {
    if (line.contains("error")) result.error = line["error"].get<std::string>();
    if (line.contains("failure")) result.failures.push_back(line["failure"]);
    if (line.contains("done")) result.blind = line["done"].value("blind", "");
    if (on_line) on_line(line);
  };
}

/// What was it that died?
void examine(lone_run& dead, job what, std::span<const step> steps, deadline until, const emitter& on_line) {
  shared_board board;
  what.kind = "autopsy";
  what.death = dead.death;
  board->set_trace(0, steps);
  board->at.step = dead.lost_step;
  watch(what, board, until, listener(dead, on_line));
  if (!dead.failures.empty()) return;
  dead.failures.push_back({{"requirement", find_subject(what.subject)->rules().back().requirement},
                           {"what", "the call"},
                           {"expected", "returns"},
                           {"seen", dead.death},
                           {"step", dead.lost_step}});
}

}  // namespace

lone_run run_in_process(job what, std::span<const step> steps, const emitter& on_line) {
  lone_run result;
  shared_board board;
  board->set_trace(0, steps);
  what.kind = "replay";
  what.cold = true;  // a breakpoint is for the trace
  perform(what, *board, listener(result, on_line));
  return result;
}

lone_run run_alone(job what, std::span<const step> steps, deadline until, const emitter& on_line) {
  lone_run result;
  shared_board board;
  board->set_trace(0, steps);
  what.kind = "replay";
  const child_end end = watch(what, board, until, listener(result, on_line));
  result.output = end.output;
  if (end.finished || !result.error.empty()) return result;
  result.lost_step = board->at.step;
  result.death = end.out_of_time ? "the time of the run was over" : end.death;
  examine(result, what, steps, until, on_line);
  return result;
}

shrinking shrink_alone(job what, std::span<const step> steps, deadline until) {
  shrinking result;
  lone_run told;
  nlohmann::json shrunk;
  shared_board board;
  board->set_trace(0, steps);
  what.kind = "shrink";
  const child_end end = watch(what, board, until, listener(told, [&](const nlohmann::json& line) {
                                if (line.contains("shrunk")) shrunk = line["shrunk"];
                              }));
  result.error = told.error;
  if (!end.finished || !shrunk.is_object() || !shrunk.value("fails", false)) return result;
  result.finished = shrunk.value("finished", false);
  result.tried = shrunk.value("tried", std::size_t{0});
  result.seconds = shrunk.value("seconds", 0.0);
  const bool died = shrunk.value("died", false);
  if (died) {
    what.source = shrunk.value("source", "");
    const std::vector<step> smallest(board->trace().begin(), board->trace().end());
    told = {};
    if (shrunk.value("hung", false)) {
      told.death = does_not_return;
      told.lost_step = shrunk.value("lost_step", std::uint32_t{0});
      examine(told, what, smallest, until, {});
    } else {
      told = run_alone(what, smallest, until, {});
    }
  }
  if (told.failures.empty()) return result;
  const nlohmann::json& f = told.failures.front();
  if (f.value("requirement", "") != what.requirement || !f.contains("trace")) return result;
  result.trace = trace_from(f);
  if (died) result.trace->output = readable_output(told.output);
  result.trace->under = what.under;
  return result;
}

}  // namespace ringspec
