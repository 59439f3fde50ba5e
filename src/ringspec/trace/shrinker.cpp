// SPDX-License-Identifier: Apache-2.0
#include "ringspec/trace/shrinker.hpp"
#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_set>
#include <utility>
#include "ringspec/trace/step_rows.hpp"

namespace ringspec {
namespace {

// A pass whose price grows with a power of the number of runs leaves traces alone that have more.
constexpr std::size_t most_runs_for_pairs = 160, most_runs_for_triples = 26, most_runs_for_stretches = 26,
                      most_runs_for_exchanges = 12;
constexpr std::size_t most_steps_one_by_one = 400;
constexpr std::size_t most_words = 10'000;
constexpr std::size_t most_parts = 20;
constexpr std::size_t longest_rebuilt = 40, most_rows_kept = 6, longest_repeated = 4, letters_rebuilt_with = 2;

class search {
 public:
  search(std::span<const step> steps, std::span<const operation> operations, const same_failure& fails,
         const std::function<bool()>& out_of_time)
      : operations_(operations), fails_(fails), out_of_time_(out_of_time), best_(steps.begin(), steps.end()) {}

  shrunk_trace run() {
    tried_.insert(fingerprint(best_));
    count_ = 1;
    const auto end = fails_(best_);
    if (!end) return {best_, false, true, count_};
    best_.resize(std::min(*end, best_.size()));
    // From the cheap to the dear; whatever one of them finds, the cheap ones look at it first.
    static constexpr std::array passes{
        &search::smaller_scale,     &search::without_chunks,       &search::shorter_rows,    &search::one_for_many,
        &search::without_pairs,     &search::simpler_steps,        &search::fewer_registers, &search::in_order,
        &search::pairs_in_order,    &search::other_step_and_fewer, &search::without_triples, &search::any_word,
        &search::rebuilt_beginning,
    };
    for (std::size_t i = 0; i < passes.size() && !over_;) i = (this->*passes[i])() ? 0 : i + 1;
    return {best_, true, !over_, count_};
  }

 private:
  /// The one place where something is tried. True if it fails: it is then the best, cut behind its last step.
  bool try_out(std::span<const step> candidate) {
    if (over_ || !simpler(candidate, best_) || !tried_.insert(fingerprint(candidate)).second) return false;
    if (out_of_time_()) {
      over_ = true;
      return false;
    }
    ++count_;
    const auto end = fails_(candidate);
    if (!end) return false;
    best_.assign(candidate.begin(), candidate.begin() + static_cast<std::ptrdiff_t>(std::min(*end, candidate.size())));
    return true;
  }
  bool try_rows(const std::vector<steps_in_a_row>& rows) { return try_out(written_out(rows)); }

  // ---- fewer steps
  /// The same on a smaller scale, everything at once: a fault of large blocks is often one of small ones as well, and no
  /// single step on the way there fails.
  bool smaller_scale() {
    const std::vector<repetition> all = repetitions_of(best_);
    std::size_t longest_row = 1, most_times = 1;
    for (const repetition& r : all)
      (r.other ? most_times : longest_row) = std::max(r.other ? most_times : longest_row, r.times);
    const std::size_t parts = std::min(longest_row, most_parts);
    const std::size_t pairs = std::min(most_times, most_parts);
    for (std::size_t part = 1; part <= parts; ++part) {
      for (std::size_t times = 1; times <= pairs && !over_; ++times) {
        std::vector<step> candidate;
        for (const repetition& r : all) {
          const bool all_of_it = r.other ? times == pairs : part == parts;
          const std::size_t kept = all_of_it ? r.times
                                   : r.other ? std::min(r.times, times)
                                             : std::max<std::size_t>(1, (r.times * part + parts / 2) / parts);
          for (std::size_t i = 0; i < kept; ++i) {
            candidate.push_back(r.what);
            if (r.other) candidate.push_back(*r.other);
          }
        }
        if (try_out(candidate)) return true;
      }
    }
    return false;
  }

  bool without_chunks() {
    bool any = false;
    for (std::size_t size = best_.size() / 2; size >= 2 && !over_; size /= 2) {
      for (std::size_t start = 0; start < best_.size() && !over_;) {
        std::vector<step> candidate = best_;
        const auto from = candidate.begin() + static_cast<std::ptrdiff_t>(start);
        candidate.erase(from, from + static_cast<std::ptrdiff_t>(std::min(size, best_.size() - start)));
        if (try_out(candidate))
          any = true;
        else
          start += size;
      }
    }
    return any;
  }

  bool shorter_rows() {
    bool any = false;
    auto rows = rows_of(best_);
    for (std::size_t i = 0; i < rows.size() && !over_; ++i) {
      for (std::size_t less = rows[i].times; less >= 1; less /= 2) {
        while (i < rows.size() && rows[i].times >= less && !over_) {
          auto candidate = rows;
          candidate[i].times -= less;
          if (!try_rows(candidate)) break;
          any = true;
          rows = rows_of(best_);
        }
        if (i >= rows.size()) break;
      }
    }
    return any;
  }

  /// What goes together: a push and its pop, anywhere.
  bool without_pairs() {
    bool any = false;
    auto rows = rows_of(best_);
    if (rows.size() > most_runs_for_pairs) return false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t k = i + 1; k < rows.size() && !over_; ++k) {
        for (std::size_t less = std::min(rows[i].times, rows[k].times); less >= 1; less /= 2) {
          while (k < rows.size() && std::min(rows[i].times, rows[k].times) >= less && !over_) {
            auto candidate = rows;
            candidate[i].times -= less;
            candidate[k].times -= less;
            if (!try_rows(candidate)) break;
            any = true;
            rows = rows_of(best_);
          }
          if (k >= rows.size()) break;
        }
      }
    }
    return any;
  }

  bool without_triples() {
    const auto rows = rows_of(best_);
    const std::size_t n = rows.size();
    if (n > most_runs_for_triples) return false;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i; j < n; ++j) {
        for (std::size_t k = j; k < n && !over_; ++k) {
          auto candidate = rows;
          bool enough = true;
          for (const std::size_t at : {i, j, k}) {
            enough = enough && candidate[at].times != 0;
            --candidate[at].times;
          }
          if (enough && try_rows(candidate)) return true;
        }
      }
    }
    return false;
  }

  /// A stretch gives way to one step of any operation: a clear does what many pops do.
  bool one_for_many() {
    const auto rows = rows_of(best_);
    if (rows.size() > most_runs_for_stretches) return false;
    for (std::size_t length = rows.size(); length >= 1; --length) {
      for (std::size_t i = 0; i + length <= rows.size(); ++i) {
        for (const step& s : alphabet(operations_)) {
          auto candidate = rows;
          candidate[i] = {s, 1};
          const auto next = candidate.begin() + static_cast<std::ptrdiff_t>(i) + 1;
          candidate.erase(next, next + static_cast<std::ptrdiff_t>(length - 1));
          if (try_rows(candidate)) return true;
          if (over_) return false;
        }
      }
    }
    return false;
  }

  // ---- simpler steps
  bool simpler_steps() {
    bool any = false;
    // All steps that are equal, then each: an element has to keep its number in some places and not in others.
    for (const steps_in_a_row& r : rows_of(best_)) {
      for (const step& s : below(r.what, operations_)) {
        auto candidate = best_;
        std::replace(candidate.begin(), candidate.end(), r.what, s);
        any = try_out(candidate) || any;
      }
    }
    for (std::size_t i = 0; i < best_.size() && i < most_steps_one_by_one && !over_; ++i) {
      for (const step& s : below(best_[i], operations_)) {
        auto candidate = best_;
        candidate[i] = s;
        if (!try_out(candidate)) continue;
        any = true;
        break;
      }
    }
    return any;
  }

  bool fewer_registers() {
    bool any = false;
    for (std::uint8_t high = register_count - 1; high > 0; --high) {
      for (std::uint8_t low = 0; low < high && !over_; ++low) {
        for (const bool both : {false, true}) {
          const auto renamed = [&](std::uint8_t r) { return r == high ? low : both && r == low ? high : r; };
          std::vector<step> candidate;
          for (step s : best_) {
            const operation& o = operations_[s.op];
            if (o.registers > 0) s.a = renamed(s.a);
            if (o.registers > 1) s.b = renamed(s.b);
            if (o.registers < 2 || s.a != s.b) candidate.push_back(s);
          }
          any = try_out(candidate) || any;
          // From some step on: which of two is the one that was there from the start may not matter any more.
          const std::size_t at_most = std::min(candidate.size(), best_.size());
          for (std::size_t i = 1; i < at_most && at_most <= most_steps_one_by_one && !over_; ++i) {
            if (best_[i - 1] == best_[i] || candidate.size() != best_.size()) continue;
            std::vector<step> mixed(best_.begin(), best_.begin() + static_cast<std::ptrdiff_t>(i));
            mixed.insert(mixed.end(), candidate.begin() + static_cast<std::ptrdiff_t>(i), candidate.end());
            any = try_out(mixed) || any;
            if (candidate.size() != best_.size()) break;
          }
        }
      }
    }
    return any;
  }

  /// Equal steps come together, and the simpler ones early, where that makes no difference. A step on two registers may
  /// leave the steps that it passes to the other of the two.
  bool in_order() {
    bool any = false;
    auto rows = rows_of(best_);
    if (rows.size() > most_runs_for_pairs) return false;
    for (std::size_t from = 0; from < rows.size(); ++from) {
      for (std::size_t to = 0; to <= rows.size() && from < rows.size() && !over_; ++to) {
        const auto [what, times] = rows[from];
        const bool two = operations_[what.op].registers == 2;
        for (const auto& [moved, exchanged] :
             {std::pair{times, false}, std::pair{std::size_t{1}, false}, std::pair{times, two}}) {
          auto candidate = rows;
          for (std::size_t i = std::min(from, to); exchanged && i < std::max(from, to); ++i)
            exchange(candidate[i].what, what.a, what.b);
          candidate[from] = {what, times - moved};
          candidate.insert(candidate.begin() + static_cast<std::ptrdiff_t>(to), {what, moved});
          if (!try_rows(candidate)) continue;
          any = true;
          rows = rows_of(best_);
          break;
        }
      }
    }
    return any;
  }

  void exchange(step& s, std::uint8_t x, std::uint8_t y) const {
    const auto other = [&](std::uint8_t r) { return r == x ? y : r == y ? x : r; };
    if (operations_[s.op].registers > 0) s.a = other(s.a);
    if (operations_[s.op].registers > 1) s.b = other(s.b);
  }

  /// The same for two neighbours at once: what is pushed and popped again may as well be so elsewhere.
  bool pairs_in_order() {
    bool any = false;
    auto rows = rows_of(best_);
    if (rows.size() > most_runs_for_pairs) return false;
    for (std::size_t from = 0; from + 1 < rows.size(); ++from) {
      for (std::size_t to = 0; to + 1 < rows.size() && from + 1 < rows.size() && !over_; ++to) {
        const bool alike = rows[from].what == rows[to].what && rows[from + 1].what == rows[to + 1].what;
        if (from == to || !alike) continue;
        for (const std::size_t moved : {std::min(rows[from].times, rows[from + 1].times), std::size_t{1}}) {
          auto candidate = rows;
          for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
            candidate[from + i].times -= moved;
            candidate[to + i].times += moved;
          }
          if (!try_rows(candidate)) continue;
          any = true;
          rows = rows_of(best_);
          break;
        }
      }
    }
    return any;
  }

  // ---- other ways to the same place
  /// One row gives way to one step of another operation, and another row is shorter for it.
  bool other_step_and_fewer() {
    const auto rows = rows_of(best_);
    if (rows.size() > most_runs_for_pairs) return false;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      for (const step& s :
           rows.size() > most_runs_for_exchanges ? siblings(rows[k].what, operations_) : alphabet(operations_)) {
        for (std::size_t i = 0; i < rows.size() && !over_; ++i) {
          if (i == k) continue;
          for (const std::size_t less : {(rows[i].times + 1) / 2, std::size_t{1}}) {
            auto candidate = rows;
            candidate[k] = {s, 1};
            candidate[i].times -= less;
            if (try_rows(candidate)) return true;
          }
        }
      }
    }
    return false;
  }

  /// The beginning becomes x^i y^k (x^r y^r)^m: the simplest way to a state is rarely the one that was taken.
  bool rebuilt_beginning() {
    const auto rows = rows_of(best_);
    const std::vector<step> letters = most_frequent(best_, letters_rebuilt_with);
    std::size_t length = best_.size();
    for (std::size_t end = rows.size(); end-- > 0 && !over_;) {
      length -= rows[end].times;  // of what is rebuilt
      if (length > longest_rebuilt || rows.size() - end > most_rows_kept) continue;
      const std::span<const steps_in_a_row> rest = std::span(rows).subspan(end);
      for (std::size_t total = 0; total <= length; ++total) {
        for (const step& x : letters) {
          for (const step& y : letters) {
            if (x != y && rebuilt_from(x, y, total, rest)) return true;
          }
        }
      }
    }
    return false;
  }

  bool rebuilt_from(const step& x, const step& y, std::size_t total, std::span<const steps_in_a_row> rest) {
    std::vector<steps_in_a_row> candidate;
    for (std::size_t again = 0; 2 * again <= total; ++again) {
      for (std::size_t each = 1; each <= std::max<std::size_t>(1, std::min(again, longest_repeated)); ++each) {
        if (again % each != 0) continue;
        const std::size_t before = total - 2 * again;
        for (std::size_t second = 0; 2 * second <= before && !over_; ++second) {
          candidate = {{x, before - second}, {y, second}};
          for (std::size_t i = 0; i < again; i += each) {
            candidate.push_back({x, each});
            candidate.push_back({y, each});
          }
          candidate.insert(candidate.end(), rest.begin(), rest.end());
          if (try_rows(candidate)) return true;
        }
      }
    }
    return false;
  }

  /// Everything simpler that is written in the letters of this trace, if that is not too much.
  bool any_word() {
    const std::vector<step> letters = different_steps(best_);
    std::vector<step> word;
    for (std::size_t length = 0; length <= best_.size(); ++length) {
      std::size_t words = 1;
      for (std::size_t i = 0; i < length && words <= most_words; ++i) words *= letters.size();
      if (words > most_words) return false;
      std::vector<std::size_t> digits(length, 0);
      for (; words != 0 && !over_; --words) {
        word.clear();
        for (const std::size_t d : digits) word.push_back(letters[d]);
        if (try_out(word)) return true;
        for (std::size_t at = length; at-- > 0;) {
          if (++digits[at] < letters.size()) break;
          digits[at] = 0;
        }
      }
    }
    return false;
  }

  std::span<const operation> operations_;
  const same_failure& fails_;
  const std::function<bool()>& out_of_time_;
  std::vector<step> best_;
  std::unordered_set<std::uint64_t> tried_;
  std::size_t count_{};
  bool over_{};
};

}  // namespace

bool simpler(std::span<const step> one, std::span<const step> other) {
  if (one.size() != other.size()) return one.size() < other.size();
  const std::size_t rows = rows_of(one).size(), rows_of_other = rows_of(other).size();
  if (rows != rows_of_other) return rows < rows_of_other;
  return std::lexicographical_compare(one.begin(), one.end(), other.begin(), other.end(), comes_first);
}

shrunk_trace shrink(std::span<const step> steps, std::span<const operation> operations, const same_failure& fails,
                    const std::function<bool()>& out_of_time) {
  return search(steps, operations, fails, out_of_time).run();
}

}  // namespace ringspec
