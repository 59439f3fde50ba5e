// SPDX-License-Identifier: Apache-2.0
#include "ringspec/trace/step_rows.hpp"
#include <algorithm>
#include "ringspec/trace/rng.hpp"

namespace ringspec {
namespace {

std::uint64_t rank(const step& s) {
  return std::uint64_t{s.op} << 48U | std::uint64_t{s.a} << 40U | std::uint64_t{s.b} << 32U | s.number;
}

}  // namespace

bool comes_first(const step& x, const step& y) { return rank(x) < rank(y); }

std::vector<steps_in_a_row> rows_of(std::span<const step> steps) {
  std::vector<steps_in_a_row> result;
  for (const step& s : steps) {
    if (result.empty() || result.back().what != s) result.push_back({s, 0});
    ++result.back().times;
  }
  return result;
}

std::vector<repetition> repetitions_of(std::span<const step> steps) {
  std::vector<repetition> result;
  for (std::size_t i = 0; i < steps.size();) {
    std::size_t row = 1, turns = 1;
    while (i + row < steps.size() && steps[i + row] == steps[i]) ++row;
    while (i + 2 * turns + 1 < steps.size() && steps[i + 2 * turns] == steps[i] &&
           steps[i + 2 * turns + 1] == steps[i + 1]) {
      ++turns;
    }
    if (row == 1 && turns > 1) {
      result.push_back({steps[i], steps[i + 1], turns});
      i += 2 * turns;
    } else {
      result.push_back({steps[i], std::nullopt, row});
      i += row;
    }
  }
  return result;
}

std::vector<step> written_out(std::span<const steps_in_a_row> rows) {
  std::vector<step> result;
  for (const auto& r : rows) result.insert(result.end(), r.times, r.what);
  return result;
}

std::uint64_t fingerprint(std::span<const step> steps) {
  std::uint64_t h = steps.size();
  for (const step& s : steps) h = mix(h, rank(s));
  return h;
}

std::vector<step> alphabet(std::span<const operation> operations) {
  std::vector<step> result;
  for (std::size_t o = 0; o < operations.size(); ++o) {
    step s{static_cast<std::uint8_t>(o), 0, 0, 0, 0};
    if (operations[o].registers > 1) s.b = 1;
    result.push_back(s);
    if (operations[o].registers > 1) result.push_back({s.op, 1, 0, 0, 0});
    if (operations[o].takes_number) result.push_back({s.op, 0, 0, 0, 1});
  }
  return result;
}

std::vector<step> siblings(const step& s, std::span<const operation> operations) {
  std::vector<step> result;
  for (std::size_t o = 0; o < operations.size(); ++o) {
    if (operations[o].registers == 2 && operations[s.op].registers == 2 && o != s.op)
      result.push_back({static_cast<std::uint8_t>(o), s.a, s.b, 0, 0});
  }
  return result;
}

std::vector<step> different_steps(std::span<const step> steps) {
  std::vector<step> result(steps.begin(), steps.end());
  std::sort(result.begin(), result.end(), comes_first);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::vector<step> most_frequent(std::span<const step> steps, std::size_t most) {
  std::vector<step> result = different_steps(steps);
  const auto times = [&](const step& s) { return std::count(steps.begin(), steps.end(), s); };
  std::stable_sort(result.begin(), result.end(), [&](const step& x, const step& y) { return times(x) > times(y); });
  result.resize(std::min(result.size(), most));
  std::sort(result.begin(), result.end(), comes_first);
  return result;
}

std::vector<step> below(const step& s, std::span<const operation> operations) {
  std::vector<step> result = alphabet(operations);
  const operation& mine = operations[s.op];
  if (s.number > 1) {
    for (const std::uint32_t n : {std::uint32_t{0}, std::uint32_t{1}, s.number / 2, s.number - 1})
      result.push_back({s.op, s.a, s.b, 0, n});
  }
  // Another operation on the same registers, or on one of the two.
  for (std::size_t o = 0; o <= s.op; ++o) {
    const auto code = static_cast<std::uint8_t>(o);
    const std::uint32_t number = operations[o].takes_number && mine.takes_number ? s.number : 0;
    if (operations[o].registers == 1) {
      result.push_back({code, s.a, 0, 0, number});
      if (mine.registers == 2) result.push_back({code, s.b, 0, 0, number});
    } else if (operations[o].registers == 2 && mine.registers == 2) {
      result.push_back({code, s.a, s.b, 0, number});
      result.push_back({code, s.b, s.a, 0, number});
    }
  }
  std::erase_if(result, [&](const step& r) { return rank(r) >= rank(s); });
  std::sort(result.begin(), result.end(), comes_first);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace ringspec
