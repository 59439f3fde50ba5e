// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include "ringspec/cli/commands.hpp"
#include "ringspec/report/read.hpp"

namespace ringspec::cli {
namespace {

struct arguments {
  std::vector<std::string> files;
  std::string report = "ringspec-report";
  bool quiet = false;
};

int merge_command(const arguments& a) {
  std::vector<part> parts;
  for (const std::string& file : a.files) {
    parts.push_back({read_report(read_file(file), file), file});
    for (port_report& p : parts.back().content.ports) {
      for (verdict& v : p.verdicts) {
        if (v.trace && !v.trace->path.empty())
          v.trace->text = read_file((std::filesystem::path(file).parent_path() / v.trace->path).string());
      }
    }
  }
  report all = merge(parts);
  make_report_folder(a.report);
  return deliver(all, a.report, a.quiet);
}

}  // namespace

void add_merge(CLI::App& app, int& status) {
  const auto a = std::make_shared<arguments>();
  CLI::App* const sub = app.add_subcommand("merge", "One report from the parts of a run (verify --shard)");
  sub->add_option("reports", a->files, "The report.json of each part; its traces are found beside it")
      ->required()
      ->type_name("REPORT.json");
  sub->add_option("--report", a->report,
                  "Folder for report.json, junit.xml, summary.md and traces (default ringspec-report)")
      ->type_name("DIR");
  sub->add_flag("--quiet,-q", a->quiet, "Print nothing but errors; the report has it all");
  sub->footer("Exit status: as that of verify; 2 also if the reports are not parts of one run.");
  sub->callback([a, &status] { status = merge_command(*a); });
}

}  // namespace ringspec::cli
