// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include "ringspec/cli/commands.hpp"
#include "ringspec/run/loader.hpp"
#include "ringspec/run/version.hpp"
#include "ringspec/run/watch.hpp"
#include "ringspec/trace/specification.hpp"
#include "ringspec/trace/text.hpp"

namespace ringspec::cli {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file && file.peek() == std::ifstream::traits_type::eof() && !file.bad()) return "";  // << of nothing is a failure
  if (!file || !(text << file.rdbuf()))
    throw usage_error(fmt::format("{}: the file cannot be read: {}", path, std::strerror(errno)));
  return text.str();
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  if (!file || !(file << text) || !file.flush()) throw usage_error(fmt::format("{}: the file cannot be written", path));
}

bool wants_colour() {
  const char* const no = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) != 0 && (no == nullptr || *no == '\0');
}

bool stderr_is_terminal() { return ::isatty(STDERR_FILENO) != 0; }

namespace {

constexpr const char* footer = R"(Exit status:
  0  every claimed requirement passed
  1  a claimed requirement failed, or an accepted deviation is stale
  2  usage, or a port that cannot be loaded
  3  inconclusive: something claimed was not exercised or cannot be audited, the
     watchdog ended the run, the canary was not caught, or the ledger is blind

First steps:
  ringspec verify                            judge the reference implementations
  ringspec verify --port ./my_queue.so       judge a port of your own
  ringspec replay build/report/traces/X.trace
  ringspec emit-test build/report/traces/X.trace --as gtest
  ringspec explain queue.growth-policy.doubles-when-full)";

int run(int argc, char** argv) {
  CLI::App app{"ringspec: the conformance kit for inline/heap ring queues"};
  app.name("ringspec");
  app.set_version_flag("--version", fmt::format("ringspec {} ({})", tool_version, build_text()));
  app.require_subcommand(1);
  app.footer(footer);
  app.get_formatter()->column_width(30);
  int status = exit_passed;
  add_verify(app, status);
  add_merge(app, status);
  add_replay(app, status);
  add_shrink(app, status);
  add_emit_test(app, status);
  add_explain(app, status);
  add_list(app, status);
  if (argc > 1 && argv[1][0] != '-') {
    std::vector<std::string> names;
    for (const CLI::App* sub : app.get_subcommands({})) names.push_back(sub->get_name());
    if (std::find(names.begin(), names.end(), argv[1]) == names.end()) {
      const auto near = suggestions(argv[1], names);
      throw usage_error(fmt::format("there is no command '{}'{}", argv[1],
                                    near.empty() ? fmt::format("; there are {}", fmt::join(names, ", "))
                                                 : fmt::format("; did you mean '{}'?", near[0])));
    }
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // --help and --version
    throw usage_error(fmt::format("{}; --help shows what there is", e.what()));
  }
  return status;
}

}  // namespace
}  // namespace ringspec::cli

int main(int argc, char** argv) try {
  if (argc == 2 && std::strcmp(argv[1], "child") == 0) return ringspec::child_main();
  return ringspec::cli::run(argc, argv);
} catch (const std::exception& e) {
  // Usage errors, refused ports, unreadable traces: each is one sentence.
  fmt::print(stderr, "ringspec: {}\n", e.what());
  return ringspec::cli::exit_usage;
}
