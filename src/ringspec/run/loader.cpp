// SPDX-License-Identifier: Apache-2.0
#include "ringspec/run/loader.hpp"
#include <dlfcn.h>
#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include "ringspec/alloc/ledger.hpp"
#include "ringspec/alloc/patch.hpp"
#include "ringspec/run/modules.hpp"
#include "ringspec/run/runtime.hpp"

namespace ringspec {
namespace {

std::string near(std::string_view typed, const std::vector<std::string>& names) {
  const auto s = suggestions(typed, names);
  return s.empty() ? "" : fmt::format("; did you mean '{}'?", s[0]);
}

/// "queue.fifo" is how a class is listed, "fifo" how it is claimed.
std::string_view bare(std::string_view class_name) { return class_name.substr(class_name.rfind('.') + 1); }

std::vector<std::string> class_names(const specification& text) {
  std::vector<std::string> names;
  for (const auto& c : text.classes) names.push_back(c.name);
  return names;
}

bool valid_name(const char* name) {
  if (name == nullptr || *name == '\0') return false;
  return std::string_view(name).find_first_not_of(
             "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:+-") == std::string_view::npos;
}

/// A version of the form 1.0, not older than the oldest requirement: else every failure would be "new", and count for nothing.
bool published(std::string_view version, const specification& text) {
  const std::size_t dot = version.find('.');
  const auto number = [](std::string_view s) {
    return !s.empty() && s.size() < 6 && s.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (dot == std::string_view::npos || !number(version.substr(0, dot)) || !number(version.substr(dot + 1)))
    return false;
  return std::any_of(text.requirements.begin(), text.requirements.end(),
                     [&](const requirement& r) { return !version_less(version, r.since); });
}

[[noreturn]] void refuse(const rs_port& port, std::string_view module, std::string_view what) {
  throw load_error(fmt::format("{}: port '{}': {}", module, valid_name(port.name) ? port.name : "?", what));
}

/// Reads the port's description; calls nothing of it.
void check_port(const rs_port& port, std::string_view module) {
  const auto refuse = [&](std::string_view what) { ringspec::refuse(port, module, what); };
  if (port.size < sizeof(rs_port))
    refuse(fmt::format("rs_port.size is {}, but version 1 of the boundary has {} bytes", port.size, sizeof(rs_port)));
  if (!valid_name(port.name)) refuse("rs_port.name must be of letters, digits and . _ : + -");
  const subject* const s = port.subject == nullptr ? nullptr : find_subject(port.subject);
  if (s == nullptr)
    refuse(fmt::format("subject '{}' is not known to this version", port.subject == nullptr ? "" : port.subject));
  if (port.spec == nullptr || !published(port.spec, s->text()))
    refuse("rs_port.spec must name the version of the specification it was written to, such as \"1.0\"");
  if (port.oom != RS_OOM_STATUS && port.oom != RS_OOM_ABORTS && port.oom != RS_OOM_NEVER) {
    refuse(fmt::format(
        "rs_port.oom is {}; say what the port does without memory: RS_OOM_STATUS, RS_OOM_ABORTS or RS_OOM_NEVER",
        port.oom));
  }
  // The first class of a specification is the one that every port claims.
  const std::string& universal = s->text().classes.front().name;
  if (port.claims == nullptr || !claims(port, universal)) {
    refuse(
        fmt::format("it does not claim the class '{}', which every port of subject '{}' claims", universal, s->name()));
  }
  if (port.instances == nullptr || port.instances[0] == nullptr) refuse("it has no instance to test");
  try {
    static_cast<void>(s->instances(port));
  } catch (const std::runtime_error& e) {
    throw load_error(fmt::format("{}: {}", module, e.what()));
  }
  for (const char* const* c = port.claims; *c != nullptr; ++c) {
    if (!s->text().has_class(*c)) {
      refuse(fmt::format("it claims the class '{}', which subject '{}' does not have{}", *c, s->name(),
                         near(bare(*c), class_names(s->text()))));
    }
  }
  if (port.deviations == nullptr) return;
  for (const rs_deviation* const* d = port.deviations; *d != nullptr; ++d) {
    if ((*d)->requirement == nullptr || (*d)->reason == nullptr || *(*d)->reason == '\0')
      refuse("a deviation needs a requirement and a reason");
    if (s->text().find((*d)->requirement) == nullptr) {
      std::vector<std::string> names;
      for (const auto& r : s->text().requirements) names.push_back(r.name);
      refuse(fmt::format("it lists a deviation from '{}', which is no requirement{}", (*d)->requirement,
                         near((*d)->requirement, names)));
    }
  }
}

void initialise(const rs_port& port, std::string_view module) {
  if (port.init == nullptr) return;
  static rs_host host{sizeof(rs_host), nullptr,
                      [](void*, std::size_t bytes, std::size_t align) -> void* {
                        return alloc::ledger::instance().allocate(bytes, align == 0 ? alignof(std::max_align_t) : align,
                                                                  alloc::family::host);
                      },
                      [](void*, void* p, std::size_t bytes, std::size_t align) {
                        if (p != nullptr) alloc::ledger::instance().release(p, bytes, align, alloc::family::host);
                      },
                      [](void*, const char* text) { fmt::print(stderr, "{}\n", text == nullptr ? "" : text); }};
  if (const rs_status s = port.init(&host); s != RS_OK)
    refuse(port, module, fmt::format("its init answered {}, not RS_OK", s));
}

bool is_unlinked(const std::filesystem::path& module) {
  constexpr std::string_view names[] = {".c", ".cc", ".cpp", ".cxx", ".rs", ".o", ".a"};
  return std::find(std::begin(names), std::end(names), module.extension().string()) != std::end(names);
}

bool looks_at(const second_look& look, const std::string& requirement) {
  return std::find(look.requirements.begin(), look.requirements.end(), requirement) != look.requirements.end();
}

std::string other_version(void* handle) {
  for (int v = 2; v < 10; ++v) {
    if (::dlsym(handle, fmt::format("ringspec_ports_v{}", v).c_str()) != nullptr) {
      return fmt::format(
          "it speaks version {} of the boundary (ringspec_ports_v{}); this program speaks version 1 "
          "(ringspec_ports_v1)",
          v, v);
    }
  }
  return "it does not export ringspec_ports_v1 (see ringspec/port.h), so it is not a port";
}

}  // namespace

std::vector<const rs_port*> load_ports(const std::string& module) {
  if (!std::filesystem::exists(module)) throw load_error(fmt::format("{}: there is no such file", module));
  if (const std::string why = lacks_runtime(module); !why.empty()) throw load_error(fmt::format("{}: {}", module, why));
  const std::string path = module.find('/') == std::string::npos ? "./" + module : module;
  const alloc::opened opened = alloc::open_with_taps(path);
  if (opened.handle == nullptr)
    throw load_error(fmt::format("{}: it cannot be loaded as a shared object{}: {}", module,
                                 is_unlinked(module) ? " (it has yet to be compiled and linked as one)" : "",
                                 opened.error));
  using entry = const rs_port* const* (*)();
  const auto ports = reinterpret_cast<entry>(::dlsym(opened.handle, "ringspec_ports_v1"));
  if (ports == nullptr) throw load_error(fmt::format("{}: {}", module, other_version(opened.handle)));
  const rs_port* const* const list = ports();
  std::vector<const rs_port*> result;
  for (const rs_port* const* p = list; p != nullptr && *p != nullptr; ++p) {
    check_port(**p, module);
    initialise(**p, module);
    if (std::any_of(result.begin(), result.end(),
                    [&](const rs_port* q) { return std::string_view(q->name) == (*p)->name; })) {
      throw load_error(fmt::format("{}: two of its ports are called '{}'", module, (*p)->name));
    }
    result.push_back(*p);
  }
  if (result.empty()) throw load_error(fmt::format("{}: its list of ports is empty", module));
  return result;
}

bool ledger_sees_the_probe() {
  const alloc::opened opened = alloc::open_with_taps(module_folder() + "/probe.so");
  const auto probe =
      opened.handle == nullptr ? nullptr : reinterpret_cast<int (*)()>(::dlsym(opened.handle, "ringspec_probe"));
  if (probe == nullptr) return false;
  alloc::ledger& ledger = alloc::ledger::instance();
  ledger.begin_trace();
  ledger.begin_step();
  return probe() == 1 && ledger.step.attempts == 1 && ledger.step.releases == 1 && ledger.step.bytes == 24;
}

nlohmann::json describe(const rs_port& port, std::string_view module) {
  const subject& s = *find_subject(port.subject);
  nlohmann::json j{{"name", port.name},
                   {"subject", port.subject},
                   {"version", port.version == nullptr ? "" : port.version},
                   {"language", port.language == nullptr ? "" : port.language},
                   {"spec", port.spec},
                   {"never_allocates", port.oom == RS_OOM_NEVER},
                   {"instances", s.instances(port)},
                   {"claims", nlohmann::json::array()},
                   {"claimable", nlohmann::json::array()},
                   {"unclaimable", nlohmann::json::object()},
                   {"second_look", nlohmann::json::array()},
                   {"inapplicable", nlohmann::json::object()},
                   {"deviations", nlohmann::json::array()}};
  for (const auto& c : s.text().classes) {
    if (claims(port, c.name)) j["claims"].push_back(c.name);
    const std::string why = s.cannot_claim(port, c.name);
    if (why.empty()) {
      j["claimable"].push_back(c.name);
    } else {
      j["unclaimable"][c.name] = why;
      if (claims(port, c.name)) refuse(port, module, fmt::format("it cannot claim the class '{}': {}", c.name, why));
    }
  }
  const second_look again = s.look_again(port);
  for (const std::string& r : again.requirements) j["second_look"].push_back(r);
  for (const auto& r : s.text().requirements) {
    const rs_port& judged = looks_at(again, r.name) ? *again.port : port;
    if (const std::string why = s.inapplicable(judged, r.name); !why.empty()) j["inapplicable"][r.name] = why;
  }
  if (port.deviations != nullptr) {
    for (const rs_deviation* const* d = port.deviations; *d != nullptr; ++d) {
      j["deviations"].push_back({{"requirement", (*d)->requirement},
                                 {"reason", (*d)->reason},
                                 {"until", (*d)->until == nullptr ? "" : (*d)->until}});
    }
  }
  return j;
}

bool contains(const nlohmann::json& list, std::string_view name) {
  return std::any_of(list.begin(), list.end(), [&](const nlohmann::json& entry) { return entry == name; });
}

std::vector<bool> judged_requirements(const nlohmann::json& about, std::string_view survey) {
  std::vector<bool> result;
  for (const auto& r : find_subject(about["subject"].get<std::string>())->text().requirements) {
    const bool in = survey.empty()    ? contains(about["claims"], r.class_name)
                    : survey == "own" ? contains(about["claimable"], r.class_name)
                                      : contains(about["second_look"], r.name);
    result.push_back(in && r.evidence == "run" && !about["inapplicable"].contains(r.name));
  }
  return result;
}

const rs_port& judged_port(const rs_port& port, std::string_view survey) {
  if (survey != "specification") return port;
  const second_look again = find_subject(port.subject)->look_again(port);
  if (again.requirements.empty())
    throw load_error(fmt::format(
        "port '{}': a survey has no second look at it, since its own numbers leave nothing out", port.name));
  return *again.port;
}

}  // namespace ringspec
