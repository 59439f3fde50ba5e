// SPDX-License-Identifier: Apache-2.0
//
// How a report leaves the command: files in its folder, and the table on the terminal.
#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include "ringspec/cli/commands.hpp"
#include "ringspec/report/writers.hpp"

namespace ringspec::cli {
namespace {

namespace fs = std::filesystem;

std::string file_name(const std::string& port, const std::string& requirement) {
  std::string name = port + "." + requirement;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ':' || c == '/'; }, '_');
  constexpr std::size_t longest = 200;  // of a file name, with what is added
  if (name.size() > longest) name.erase(longest);
  return name;
}

}  // namespace

void make_report_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw usage_error(fmt::format("{}: the folder for the report cannot be made: {}", folder, error.message()));
  }
}

namespace {

/// Removes the traces that the report lists which is there already, and no other file.
void remove_traces_of(const fs::path& old_report) {
  std::ifstream file(old_report);
  const auto old = nlohmann::json::parse(file, nullptr, false);
  if (!old.is_object() || !old.contains("ports") || !old["ports"].is_array()) return;
  for (const auto& port : old["ports"]) {
    if (!port.is_object() || !port.contains("verdicts") || !port["verdicts"].is_array()) continue;
    for (const auto& v : port["verdicts"]) {
      if (!v.is_object() || !v.contains("trace") || !v["trace"].is_string()) continue;
      const fs::path trace = v["trace"].get<std::string>();
      std::error_code error;
      if (trace.parent_path() == "traces") fs::remove(old_report.parent_path() / trace, error);
    }
  }
}

/// Writes the traces and enters their paths, then the reports.
void write_report(report& r, const fs::path& folder) {
  std::error_code error;
  remove_traces_of(folder / "report.json");
  remove_traces_of(folder / "survey.json");
  fs::remove(folder / "traces", error);  // only if nothing is left in it
  std::set<std::string> used;
  for (port_report& p : r.ports) {
    for (verdict& v : p.verdicts) {
      if (!v.trace || v.trace->text.empty()) continue;
      fs::create_directories(folder / "traces");
      // Ports of two modules may have the same name.
      std::string name = file_name(p.name, v.requirement);
      for (int n = 2; !used.insert(name).second; ++n) name = fmt::format("{}-{}", file_name(p.name, v.requirement), n);
      v.trace->path = "traces/" + name + ".trace";
      write_file((folder / v.trace->path).string(), v.trace->text);
    }
  }
  write_file((folder / (r.survey ? "survey.json" : "report.json")).string(), to_json(r));
  if (r.survey) return;
  write_file((folder / "junit.xml").string(), to_junit(r));
  write_file((folder / "summary.md").string(), to_markdown(r));
}

}  // namespace

int deliver(report& r, const std::string& folder, bool quietly) {
  write_report(r, folder);
  if (!quietly) print(r, stdout, {wants_colour(), folder});
  if (std::fflush(stdout) != 0) throw usage_error("the output cannot be written; the report is in " + folder);
  return r.exit_status();
}

}  // namespace ringspec::cli
