// SPDX-License-Identifier: Apache-2.0
#include "ringspec/report/report.hpp"
#include <algorithm>

namespace ringspec {

std::string to_text(outcome o) {
  switch (o) {
    case outcome::pass: return "pass";
    case outcome::fail: return "fail";
    case outcome::unclaimed: return "unclaimed";
    case outcome::unexercised: return "unexercised";
    case outcome::unauditable: return "unauditable";
    case outcome::elsewhere: return "elsewhere";
    case outcome::deviation: return "deviation";
    case outcome::stale: return "stale";
    case outcome::newer: return "new";
  }
  return "?";
}

std::size_t port_report::count(outcome o) const {
  return static_cast<std::size_t>(
      std::count_if(verdicts.begin(), verdicts.end(), [o](const verdict& v) { return v.what == o; }));
}

bool verdict::fails_the_run(bool in_part) const {
  return (what == outcome::stale && !in_part) || (what == outcome::fail && level == "MUST");
}

bool port_report::failed(bool in_part) const {
  return std::any_of(verdicts.begin(), verdicts.end(),
                     [in_part](const verdict& v) { return v.fails_the_run(in_part); });
}

bool port_report::undecided(bool in_part) const {
  return inconclusive || count(outcome::unauditable) != 0 || (!in_part && count(outcome::unexercised) != 0);
}

int report::exit_status() const {
  if (survey) return 0;
  if (std::any_of(ports.begin(), ports.end(), [this](const port_report& p) { return p.failed(is_part()); })) return 1;
  if (!problems.empty() || ports.empty()) return 3;
  if (std::any_of(ports.begin(), ports.end(), [this](const port_report& p) { return p.undecided(is_part()); }))
    return 3;
  return 0;
}

}  // namespace ringspec
