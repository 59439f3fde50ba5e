// SPDX-License-Identifier: Apache-2.0
//
// The one place that lists the subjects of this build.
#include <algorithm>
#include <array>
#include "ringspec/trace/subject.hpp"

namespace ringspec {

namespace queue {
const subject& the_subject();
}

std::span<const subject* const> subjects() {
  static const std::array<const subject*, 1> all{&queue::the_subject()};
  return all;
}

const subject* find_subject(std::string_view name) {
  const auto all = subjects();
  const auto found = std::find_if(all.begin(), all.end(), [&](const subject* s) { return s->name() == name; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace ringspec
