// SPDX-License-Identifier: Apache-2.0
#include "ringspec/run/alone.hpp"
#include "ringspec/run/death.hpp"
#include "ringspec/run/unit.hpp"

namespace ringspec {

namespace {

emitter listener(lone_run& result, const emitter& on_line) {
  return [&](const nlohmann::json& line) {
    if (line.contains("error")) result.error = line["error"].get<std::string>();
    if (line.contains("failure")) result.failures.push_back(line["failure"]);
    if (line.contains("done")) result.blind = line["done"].value("blind", "");
    if (on_line) on_line(line);
  };
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
  const emitter listen = listener(result, on_line);
  shared_board board;
  board->set_trace(0, steps);
  what.kind = "replay";
  const child_end end = watch(what, board, until, listen);
  result.output = end.output;
  if (end.finished || !result.error.empty()) return result;
  result.lost_step = board->at.step;
  result.death = end.out_of_time ? "the time of the run was over" : end.death;
  what.kind = "autopsy";
  what.death = result.death;
  board->set_trace(0, steps);
  board->at.step = result.lost_step;
  watch(what, board, until, listen);
  if (result.failures.empty()) {
    result.failures.push_back({{"requirement", find_subject(what.subject)->rules().back().requirement},
                               {"what", "the call"},
                               {"expected", "returns"},
                               {"seen", result.death},
                               {"step", result.lost_step}});
  }
  return result;
}

shrinking shrink_alone(job what, std::span<const step> steps, deadline until) {
  shrinking result;
  std::optional<nlohmann::json> told;
  bool fails = false;
  shared_board board;
  board->set_trace(0, steps);
  what.kind = "shrink";
  const child_end end = watch(what, board, until, [&](const nlohmann::json& line) {
    if (line.contains("error")) result.error = line["error"].get<std::string>();
    if (line.contains("failure")) told = line["failure"];
    const auto s = line.find("shrunk");
    if (s == line.end()) return;
    fails = s->value("fails", false);
    result.finished = s->value("finished", false);
    result.tried = s->value("tried", std::size_t{0});
    result.seconds = s->value("seconds", 0.0);
  });
  if (!end.finished || !fails || !told) return result;
  std::string output;
  if (told->value("died", false)) {
    // Told by who watches: it knows what ended the process, and where a tool has written what it found.
    what.source = told->value("source", "");
    const std::vector<step> smallest(board->trace().begin(), board->trace().end());
    const lone_run last = run_alone(what, smallest, until, {});
    if (last.failures.empty() || !last.failures.front().contains("trace")) return result;
    told = last.failures.front();
    output = readable_output(last.output);
  }
  if (told->value("requirement", "") != what.requirement) return result;
  result.trace = trace_from(*told);
  result.trace->output = output;
  result.trace->under = what.under;
  return result;
}

}  // namespace ringspec
