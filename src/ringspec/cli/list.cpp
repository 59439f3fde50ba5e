// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <memory>
#include "ringspec/cli/commands.hpp"
#include "ringspec/run/modules.hpp"
#include "ringspec/trace/subject.hpp"

namespace ringspec::cli {
namespace {

int list_command(const std::string& what) {
  if (what == "ports") {
    for (const std::string& name : module_names("ports")) fmt::print("{}\n", name);
  } else if (what == "requirements") {
    for (const subject* s : subjects()) {
      for (const auto& r : s->text().requirements) fmt::print("{:<7} {:<8} {}\n", r.level, r.evidence, r.name);
    }
  } else if (what == "classes") {
    for (const subject* s : subjects()) {
      for (const auto& c : s->text().classes)
        fmt::print("{:<24} {}\n", fmt::format("{}.{}", s->name(), c.name), c.about);
    }
  } else {
    throw usage_error(fmt::format("there is no list of '{}'; choose ports, requirements or classes", what));
  }
  return exit_passed;
}

}  // namespace

void add_list(CLI::App& app, int& status) {
  const auto what = std::make_shared<std::string>();
  CLI::App* const sub = app.add_subcommand("list", "Print the names of ports, requirements or classes");
  sub->add_option("what", *what, "ports, requirements or classes")->required()->type_name("WHAT");
  sub->callback([what, &status] { status = list_command(*what); });
}

}  // namespace ringspec::cli
