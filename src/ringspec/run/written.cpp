// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include "ringspec/run/embedded.hpp"
#include "ringspec/run/job.hpp"

namespace ringspec {

trace read_trace(std::string_view text, std::string_view file) {
  static const operation_lookup lookup = [](std::string_view name) {
    const subject* const s = find_subject(name);
    return s == nullptr ? std::span<const operation>{} : s->operations();
  };
  return parse_trace(text, file, lookup);
}

const std::vector<written_trace>& written_traces(const subject& s) {
  static std::map<std::string_view, std::vector<written_trace>> all;
  const auto [at, missing] = all.try_emplace(s.name());
  if (!missing) return at->second;
  const std::string folder = "vectors/" + std::string(s.name()) + "/";
  for (const embedded_file& f : embedded_files()) {
    if (f.name.starts_with(folder) && f.name.ends_with(".trace")) {
      at->second.push_back({0, std::string(f.name), read_trace(f.text, "spec/" + std::string(f.name))});
    }
  }
  std::stable_sort(at->second.begin(), at->second.end(), [&](const written_trace& a, const written_trace& b) {
    return s.text().index_of(a.content.requirement) < s.text().index_of(b.content.requirement);
  });
  for (std::size_t i = 0; i < at->second.size(); ++i) at->second[i].ordinal = i + 1;
  return at->second;
}

}  // namespace ringspec
