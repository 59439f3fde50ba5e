// SPDX-License-Identifier: Apache-2.0
#include "ringspec/cli/target.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "ringspec/cli/commands.hpp"
#include "ringspec/run/loader.hpp"
#include "ringspec/run/modules.hpp"
#include "ringspec/run/watch.hpp"

namespace ringspec::cli {

using nlohmann::json;

namespace {

std::string why_unjudged(const json& port, const requirement* about, const std::vector<bool>& judged) {
  if (about == nullptr || judged[*find_subject(port["subject"].get<std::string>())->text().index_of(about->name)])
    return "";
  const std::string unclaimable = port["unclaimable"].value(about->class_name, "evidence: " + about->evidence);
  return fmt::format("{} is not judged on this port: {}", about->name,
                     port["inapplicable"].value(about->name, unclaimable));
}

}  // namespace

target choose(const trace& t, const std::string& port, const std::string& under) {
  const port_choice choice = find_module(!port.empty() ? port : !t.port.empty() ? t.port : "reference");
  shared_board board;
  job what;
  what.kind = "describe";
  what.module = choice.module;
  what.under = under;
  std::string error;
  std::vector<json> ports;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  const child_end end = watch(what, board, until, [&](const json& line) {
    if (line.contains("error")) error = line["error"].get<std::string>();
    if (line.contains("ports")) ports = line["ports"].get<std::vector<json>>();
  });
  if (!error.empty()) throw usage_error(error);
  if (!end.finished) throw usage_error(fmt::format("{}: loading it failed: {}", choice.module, end.death));
  const auto fits = [&](const json& p) {
    return p["subject"] == t.subject && (choice.port.empty() ? ports.size() == 1 : p["name"] == choice.port);
  };
  const auto found = std::find_if(ports.begin(), ports.end(), fits);
  if (found == ports.end())
    throw usage_error(fmt::format("{}: it has no port of subject '{}' that fits; name one with --port FILE:NAME",
                                  choice.module, t.subject));
  const auto instances = (*found)["instances"].get<std::vector<std::string>>();
  // A trace about a class that is not claimed is judged as in a survey.
  const requirement* const about = find_subject(t.subject)->text().find(t.requirement);
  const bool claimed = about == nullptr || contains((*found)["claims"], about->class_name);
  const std::string survey = !t.survey.empty() ? t.survey : claimed ? "" : "own";
  const std::vector<bool> judged = judged_requirements(*found, survey);
  const std::string unjudged = why_unjudged(*found, about, judged);
  for (std::size_t i = 0; i < instances.size(); ++i) {
    if (instance_matches(t.instance, instances[i]))
      return {choice.module, choice.shown_as, (*found)["name"], i, instances[i], survey, judged, true, unjudged};
  }
  // A pattern is about expectations; the steps run anywhere.
  if (t.port.empty() && t.instance.find('*') != std::string::npos)
    return {choice.module, choice.shown_as, (*found)["name"], 0, instances.front(), survey, judged, false, unjudged};
  throw usage_error(fmt::format("port '{}' has no instance '{}' (it has: {})", (*found)["name"].get<std::string>(),
                                t.instance, fmt::join(instances, ", ")));
}

job job_for(const trace& t, const target& to, const std::string& under) {
  job what;
  what.module = to.module;
  what.shown_as = to.shown_as;
  what.port = to.port;
  what.subject = t.subject;
  what.under = under;
  what.instance = to.instance;
  what.judged = to.judged;
  what.seed = t.seed.value_or(1);
  what.survey = to.survey;
  // In a report there may be other traces for what else this one shows.
  if (!t.port.empty()) what.requirement = t.requirement;
  return what;
}

const requirement* requirement_of(const trace& t, const std::string& file) {
  if (t.requirement.empty()) return nullptr;
  const requirement* const r = find_subject(t.subject)->text().find(t.requirement);
  if (r == nullptr) throw usage_error(fmt::format("{}: there is no requirement '{}'", file, t.requirement));
  return r;
}

}  // namespace ringspec::cli
