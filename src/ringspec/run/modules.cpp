// SPDX-License-Identifier: Apache-2.0
#include "ringspec/run/modules.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include "ringspec/run/loader.hpp"

namespace ringspec {
namespace {

namespace fs = std::filesystem;
constexpr const char* kinds[] = {"ports", "wrong", "traps"};

std::string module_named(std::string name) {
  for (const char* kind : kinds) {
    std::replace(name.begin(), name.end(), '-', '_');
    const fs::path candidate = fs::path(module_folder()) / kind / (name + ".so");
    if (fs::is_regular_file(candidate)) return candidate.string();
  }
  return "";
}

}  // namespace

std::string own_path() {
  static const std::string path = fs::read_symlink("/proc/self/exe").string();
  return path;
}

std::string module_folder() { return (fs::path(own_path()).parent_path().parent_path() / "lib" / "ringspec").string(); }

std::vector<std::string> module_names(const std::string& kind) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(fs::path(module_folder()) / kind, none)) {
    if (entry.path().extension() == ".so") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

port_choice find_module(const std::string& typed) {
  const auto look = [](const std::string& name) -> port_choice {
    if (fs::is_regular_file(name)) return {name, "", fs::absolute(name).lexically_normal().string()};
    if (name.find('/') != std::string::npos) return {};
    return {module_named(name), "", name};
  };
  if (const port_choice all = look(typed); !all.module.empty()) return all;
  if (const std::size_t colon = typed.rfind(':'); colon != std::string::npos && colon + 1 != typed.size()) {
    if (port_choice one = look(typed.substr(0, colon)); !one.module.empty()) {
      one.port = typed.substr(colon + 1);
      return one;
    }
  }
  if (fs::is_directory(typed)) throw load_error(fmt::format("'{}' is a folder; a port is a shared object", typed));
  const auto near = suggestions(typed, module_names("ports"));
  throw load_error(fmt::format("there is no file '{}' and no port of this name beside the command{}", typed,
                               near.empty() ? fmt::format(" (it has: {})", fmt::join(module_names("ports"), ", "))
                                            : fmt::format("; did you mean '{}'?", near[0])));
}

}  // namespace ringspec
