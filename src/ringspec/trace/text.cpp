// SPDX-License-Identifier: Apache-2.0
#include "ringspec/trace/text.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include "ringspec/trace/specification.hpp"

namespace ringspec {
namespace {

struct word {
  std::string_view text;
  std::size_t column;
};

/// What the user wrote, fit for one line of a terminal.
std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string result = "'";
  for (const char c : text.substr(0, longest)) {
    if (c >= ' ' && c <= '~')
      result += c;
    else
      result += fmt::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return result + (text.size() > longest ? "...'" : "'");
}

class reader {
 public:
  reader(std::string_view text, std::string_view file, const operation_lookup& operations)
      : rest_(text), file_(file), lookup_(operations) {}

  trace read() {
    expect_first_line();
    while (next_line()) {
      if (words_.empty()) continue;
      const std::string_view name = words_[0].text;
      if (operations_.empty() || is_header(name)) {
        read_header(name);
      } else if (name == "repeat") {
        open_repeat();
      } else if (name == "end") {
        close_repeat();
      } else {
        read_step(name);
      }
    }
    if (!repeats_.empty()) {
      throw trace_error(
          fmt::format("{}:{}:1: 'repeat' has no 'end'; add a line 'end' where it stops.", file_, repeats_.back().line));
    }
    if (operations_.empty()) fail(1, "the file ends before a line 'subject NAME'");
    return std::move(result_);
  }

 private:
  struct open_block {
    std::size_t first_step, times, line;
  };

  [[noreturn]] void fail(std::size_t column, std::string_view what) const {
    throw trace_error(fmt::format("{}:{}:{}: {}.", file_, std::max<std::size_t>(line_, 1), column, what));
  }

  bool next_line() {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    current_ = rest_.substr(0, end);
    while (!current_.empty() && current_.back() == '\r') current_.remove_suffix(1);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++line_;
    words_.clear();
    for (std::size_t i = 0; i < current_.size();) {
      if (blanks.find(current_[i]) != std::string_view::npos) {
        ++i;
        continue;
      }
      // A value may hold "#3": a comment begins only where a word does, and not right before a digit.
      if (current_[i] == '#' && (i + 1 == current_.size() || current_[i + 1] < '0' || current_[i + 1] > '9')) break;
      const std::size_t stop = std::min(current_.find_first_of(blanks, i), current_.size());
      words_.push_back({current_.substr(i, stop - i), i + 1});
      i = stop;
    }
    return true;
  }

  void expect_first_line() {
    while (next_line() && words_.empty()) {
    }
    if (words_.size() != 3 || words_[0].text != "ringspec" || words_[1].text != "trace") {
      fail(1, "this is not a trace: its first line must be 'ringspec trace 1'");
    }
    if (words_[2].text != "1") {
      fail(words_[2].column,
           fmt::format("trace format {} is not known; this program reads format 1", quoted(words_[2].text)));
    }
  }

  // A carriage return that is not at the end of its line would be there once the line is written again.
  static constexpr std::string_view blanks = " \t\r";

  static bool is_header(std::string_view name) {
    return name == "subject" || name == "requirement" || name == "instance" || name == "port" || name == "about" ||
           name == "survey" || name == "seed";
  }

  void read_header(std::string_view name) {
    if (!is_header(name)) fail(words_[0].column, "expected a line 'subject NAME' before the first operation");
    if (words_.size() < 2) fail(words_[0].column, fmt::format("'{}' needs a value", name));
    const std::size_t at = words_[1].column - 1;
    const std::string_view value = words_[1].text;
    if (name == "subject") {
      operations_ = lookup_(value);
      if (operations_.empty()) fail(words_[1].column, fmt::format("there is no subject {}", quoted(value)));
      result_.subject = value;
    } else if (name == "requirement") {
      result_.requirement = value;
    } else if (name == "instance") {
      result_.instance = value;
    } else if (name == "port") {
      result_.port = current_.substr(at);
    } else if (name == "survey") {
      if (value != "own" && value != "specification")
        fail(words_[1].column, fmt::format("survey is own or specification, not {}", quoted(value)));
      result_.survey = value;
    } else if (name == "about") {
      result_.about = current_.substr(at);
    } else {
      result_.seed = number<std::uint64_t>(words_[1]);
    }
  }

  template <class N>
  N number(const word& w, std::size_t skip = 0) const {
    N n{};
    const std::string_view digits = w.text.substr(skip);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
    if (error != std::errc{} || end != digits.data() + digits.size() || digits.empty()) {
      fail(w.column, fmt::format("{} is not a number that fits here", quoted(w.text)));
    }
    return n;
  }

  void open_repeat() {
    if (words_.size() != 2) fail(words_[0].column, "'repeat' takes one number");
    repeats_.push_back({result_.steps.size(), number<std::size_t>(words_[1]), line_});
  }

  void close_repeat() {
    if (repeats_.empty()) fail(words_[0].column, "'end' without a 'repeat' above");
    const open_block block = repeats_.back();
    repeats_.pop_back();
    const std::size_t length = result_.steps.size() - block.first_step;
    if (length != 0 && block.times > max_trace_steps / length) too_long(words_[0].column);
    if (block.times == 0 || length == 0) {
      result_.steps.resize(block.first_step);
      std::erase_if(result_.expectations, [&](const auto& e) { return e.step >= block.first_step; });
      return;
    }
    // The expectations inside a repeat belong to its last round.
    const std::size_t shift = length * (block.times - 1);
    for (auto& e : result_.expectations) {
      if (e.step >= block.first_step) e.step += shift;
    }
    const std::vector<step> body(result_.steps.begin() + static_cast<std::ptrdiff_t>(block.first_step),
                                 result_.steps.end());
    for (std::size_t i = 1; i < block.times; ++i) add(body, words_[0].column);
  }

  [[noreturn]] void too_long(std::size_t column) const {
    fail(column, fmt::format("a trace has at most {} steps", max_trace_steps));
  }

  void add(std::span<const step> steps, std::size_t column) {
    if (result_.steps.size() + steps.size() > max_trace_steps) too_long(column);
    result_.steps.insert(result_.steps.end(), steps.begin(), steps.end());
  }

  std::uint8_t register_named(const word& w) const {
    const std::size_t i = w.text.size() == 1 ? register_names.find(w.text[0]) : std::string_view::npos;
    if (i == std::string_view::npos)
      fail(w.column, fmt::format("{} is not a register; they are a, b, c, d", quoted(w.text)));
    return static_cast<std::uint8_t>(i);
  }

  void read_step(std::string_view name) {
    const auto found =
        std::find_if(operations_.begin(), operations_.end(), [&](const operation& o) { return o.name == name; });
    if (found == operations_.end()) {
      std::vector<std::string> names;
      for (const operation& o : operations_) names.emplace_back(o.name);
      const auto near = suggestions(name, names);
      fail(words_[0].column, fmt::format("subject '{}' has no operation {}{}", result_.subject, quoted(name),
                                         near.empty() ? "" : fmt::format("; did you mean '{}'", near[0])));
    }
    step s;
    s.op = static_cast<std::uint8_t>(found - operations_.begin());
    std::size_t i = 1;
    const auto next = [&](std::string_view what) {
      if (i == words_.size()) fail(current_.size() + 1, fmt::format("'{}' needs {}", name, what));
      return words_[i++];
    };
    if (found->registers > 0) s.a = register_named(next("a register"));
    if (found->registers > 1) {
      const word second = next("a second register");
      s.b = register_named(second);
      if (s.a == s.b) fail(second.column, fmt::format("'{}' takes two different registers", name));
    }
    if (found->takes_number) s.number = number<std::uint32_t>(next("a number"));
    std::size_t times = 1;
    if (i < words_.size() && words_[i].text.size() > 1 && words_[i].text[0] == 'x') {
      times = number<std::size_t>(words_[i], 1);
      if (times == 0 || times > max_trace_steps) too_long(words_[i].column);
      ++i;
    }
    add(std::vector<step>(times, s), words_[0].column);
    if (i == words_.size()) return;
    if (words_[i].text != "->")
      fail(words_[i].column, fmt::format("expected '->' or the end of the line, not {}", quoted(words_[i].text)));
    trace::expectation e{result_.steps.size() - 1, line_, {}};
    for (++i; i < words_.size(); ++i) {
      const std::size_t equals = words_[i].text.find('=');
      if (equals == std::string_view::npos || equals == 0) {
        fail(words_[i].column, fmt::format("expected key=value, not {}", quoted(words_[i].text)));
      }
      e.fields.push_back(
          {std::string(words_[i].text.substr(0, equals)), std::string(words_[i].text.substr(equals + 1))});
    }
    result_.expectations.push_back(std::move(e));
  }

  std::string_view rest_, file_, current_;
  const operation_lookup& lookup_;
  std::span<const operation> operations_;
  std::size_t line_{};
  std::vector<word> words_;
  std::vector<open_block> repeats_;
  trace result_;
};

}  // namespace

bool instance_matches(std::string_view pattern, std::string_view instance) {
  const auto part = [](std::string_view p, std::string_view i) { return p == "*" || p == i; };
  const std::size_t p = pattern.find('/'), i = instance.find('/');
  if (p == std::string_view::npos || i == std::string_view::npos) return part(pattern, instance);
  return part(pattern.substr(0, p), instance.substr(0, i)) && part(pattern.substr(p + 1), instance.substr(i + 1));
}

trace parse_trace(std::string_view text, std::string_view file, const operation_lookup& operations) {
  return reader(text, file, operations).read();
}

std::string to_text(const step& s, std::span<const operation> operations) {
  const operation& o = operations[s.op];
  std::string result(o.name);
  if (o.registers > 0) (result += ' ') += register_names[s.a];
  if (o.registers > 1) (result += ' ') += register_names[s.b];
  if (o.takes_number) result += fmt::format(" {}", s.number);
  return result;
}

std::string to_text(std::span<const field> fields) {
  std::string result;
  for (const field& f : fields) {
    if (!result.empty()) result += ' ';
    result += f.key + '=' + f.value;
  }
  return result;
}

std::string to_text(const trace& t, std::span<const operation> operations) {
  std::string result = fmt::format("ringspec trace 1\nsubject {}\n", t.subject);
  const auto header = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) result += fmt::format("{} {}\n", name, value);
  };
  header("requirement", t.requirement);
  header("instance", t.instance);
  header("port", t.port);
  header("survey", t.survey);
  if (t.seed) header("seed", std::to_string(*t.seed));
  header("about", t.about);
  result += '\n';
  std::size_t next = 0;
  for (std::size_t i = 0; i < t.steps.size();) {
    // Equal steps without an expectation of their own are written as one line.
    std::size_t run = 1;
    while (next == t.expectations.size() || t.expectations[next].step > i + run - 1) {
      if (i + run == t.steps.size() || t.steps[i + run] != t.steps[i]) break;
      ++run;
    }
    std::string line = to_text(t.steps[i], operations);
    if (run > 1) line += fmt::format(" x{}", run);
    if (next < t.expectations.size() && t.expectations[next].step == i + run - 1) {
      line = fmt::format("{:<24} -> {}", line, to_text(t.expectations[next++].fields));
    }
    result += line + '\n';
    i += run;
  }
  return result;
}

}  // namespace ringspec
