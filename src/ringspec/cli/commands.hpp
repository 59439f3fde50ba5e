// SPDX-License-Identifier: Apache-2.0
//
// One file for each subcommand; each adds itself to the command and stores its exit status.
#pragma once
#include <CLI/CLI.hpp>
#include <stdexcept>
#include <string>
#include <vector>
#include "ringspec/report/report.hpp"

namespace ringspec::cli {

inline constexpr int exit_passed = 0, exit_failed = 1, exit_usage = 2, exit_inconclusive = 3;

/// Something that the user has to change; what() is one sentence. Exit status 2.
class usage_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

void add_verify(CLI::App& app, int& status);
void add_merge(CLI::App& app, int& status);
void add_replay(CLI::App& app, int& status);
void add_shrink(CLI::App& app, int& status);
void add_emit_test(CLI::App& app, int& status);
void add_explain(CLI::App& app, int& status);
void add_list(CLI::App& app, int& status);

/// The whole file. Both throw usage_error.
std::string read_file(const std::string& path);
void write_file(const std::string& path, const std::string& text);
/// Output is a terminal, and NO_COLOR is not set.
bool wants_colour();
bool stderr_is_terminal();

/// Throws usage_error if the folder cannot be made.
void make_report_folder(const std::string& folder);
/// Writes the traces and enters their paths, writes report.json and its kin, prints the table unless `quietly`, and
/// returns the exit status. The folder is there.
int deliver(report& r, const std::string& folder, bool quietly);

}  // namespace ringspec::cli
