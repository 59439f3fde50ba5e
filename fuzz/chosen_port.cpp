// SPDX-License-Identifier: Apache-2.0
#include "fuzz/chosen_port.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include "ringspec/run/loader.hpp"
#include "ringspec/run/modules.hpp"

namespace ringspec::fuzz {
namespace {

chosen_port load() {
  const char* const asked = std::getenv("RINGSPEC_PORT");
  std::string typed = asked == nullptr ? "" : asked;
  const bool given = !typed.empty();
  if (!given) {
    typed = (std::filesystem::path(own_path()).parent_path() / "reference.so").string();
    if (!std::filesystem::exists(typed)) typed = "reference";
  }
  const port_choice choice = find_module(typed);
  const std::vector<const rs_port*> ports = load_ports(choice.module);
  const auto found = std::find_if(ports.begin(), ports.end(), [&](const rs_port* p) {
    return choice.port.empty() ? ports.size() == 1 : choice.port == p->name;
  });
  if (found == ports.end()) {
    std::vector<std::string> names;
    for (const rs_port* p : ports) names.emplace_back(p->name);
    throw load_error(
        fmt::format("RINGSPEC_PORT={}: say which port, as MODULE:PORT; it has {}", typed, fmt::join(names, ", ")));
  }
  chosen_port c;
  c.port = *found;
  c.about = find_subject(c.port->subject);
  if (given) c.shown_as = choice.shown_as + ":" + c.port->name;
  c.instances = c.about->instances(*c.port);
  c.judged = judged_requirements(describe(*c.port, choice.module), "");
  return c;
}

}  // namespace

const chosen_port& the_port() try {
  static const chosen_port chosen = load();
  return chosen;
} catch (const std::exception& e) {
  fmt::print(stderr, "fuzz: {}\n", e.what());
  std::exit(2);
}

}  // namespace ringspec::fuzz
