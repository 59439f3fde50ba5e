// SPDX-License-Identifier: Apache-2.0
#include "ringspec/run/death.hpp"
#include <fmt/format.h>
#include <sys/wait.h>
#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <vector>
#include "ringspec/run/modules.hpp"

namespace ringspec {
namespace {

constexpr std::size_t frames_kept = 7;  // of each stack

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Without "==123==" at its start.
std::string_view without_pid(std::string_view line) {
  if (!line.starts_with("==")) return line;
  const std::size_t end = line.find("==", 2);
  if (end == std::string_view::npos ||
      line.substr(2, end - 2).find_first_not_of("0123456789") != std::string_view::npos)
    return line;
  line.remove_prefix(end + 2);
  return line;
}

/// Where the words of UndefinedBehaviorSanitizer begin, or npos. Before them it names a place, "ring.hpp:24:9",
/// "<unknown>" or an address; other programs have runtime errors too.
std::size_t undefined_behaviour(std::string_view line) {
  const std::size_t at = line.find(": runtime error: ");
  if (at == 0 || at == std::string_view::npos) return std::string_view::npos;
  const std::string_view place = line.substr(0, at);
  const std::size_t last = place.find_last_not_of("0123456789");
  const bool numbered = last != std::string_view::npos && last + 1 != at && place[last] == ':';
  return numbered || place.starts_with("0x") || place.back() == '>' || place.back() == ')' ? at
                                                                                           : std::string_view::npos;
}

bool begins_report(std::string_view line) {
  return line.find("Sanitizer: ") != std::string_view::npos || undefined_behaviour(line) != std::string_view::npos;
}

// memcheck has no mark of its own: a line of its, followed by a stack. Leaks are for the ledger to tell.
bool is_memcheck(std::string_view line, std::string_view next) {
  return line.find(" in loss record ") == std::string_view::npos && line.starts_with("==") &&
         without_pid(line).size() < line.size() && without_pid(next).starts_with("    at 0x");
}

bool is_frame(std::string_view line) {
  const std::string_view text = without_pid(line);
  const std::size_t at = std::min(text.find_first_not_of(' '), text.size());
  return at >= 3 && (text.substr(at).starts_with('#') || text.substr(at).starts_with("at 0x") ||
                     text.substr(at).starts_with("by 0x"));
}

/// Of this program, or of the adapter that it gives to ports.
bool is_of_the_gate(std::string_view frame) {
  const std::string name = std::filesystem::path(own_path()).filename().string();
  const std::string marks[] = {"/" + name + "+0x", "(" + name + "+0x", "/" + name + ")", " ringspec::alloc::",
                               "port_calls.hpp:",  "port_thunks.hpp:", " __libc_start"};
  return std::any_of(std::begin(marks), std::end(marks),
                     [&](const std::string& m) { return frame.find(m) != std::string_view::npos; });
}

/// "Grow() (ring.hpp:24)" of memcheck's "   at 0x10A3: Grow() (ring.hpp:24)".
std::string_view place(std::string_view frame) {
  const std::size_t colon = frame.find(": ");
  return colon == std::string_view::npos ? frame : frame.substr(colon + 2);
}

}  // namespace

std::string finding_in(std::string_view output) {
  const auto lines = lines_of(output);
  std::string summary;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (const std::size_t at = undefined_behaviour(lines[i]); at != std::string_view::npos)
      return fmt::format("UndefinedBehaviorSanitizer: {} ({})", lines[i].substr(at + 17), lines[i].substr(0, at));
    if (summary.empty() && lines[i].starts_with("SUMMARY: ") && begins_report(lines[i])) summary = lines[i].substr(9);
    if (i + 1 < lines.size() && is_memcheck(lines[i], lines[i + 1])) {
      std::string_view what = without_pid(lines[i]);
      what.remove_prefix(std::min(what.find_first_not_of(' '), what.size()));
      return fmt::format("memcheck: {} in {}", what, place(lines[i + 1]));
    }
  }
  return summary;
}

std::string death_text(int wait_status, std::string_view output) {
  if (std::string finding = finding_in(output); !finding.empty()) return finding;
  if (WIFEXITED(wait_status)) return fmt::format("the process exited with status {}", WEXITSTATUS(wait_status));
  const int signal = WTERMSIG(wait_status);
  if (signal == SIGXCPU || signal == SIGALRM) return "the call did not return";
  const char* const name = ::sigabbrev_np(signal);
  return fmt::format("the process died by SIG{} ({})", name == nullptr ? std::to_string(signal) : name,
                     ::strsignal(signal));
}

std::string readable_output(std::string_view output) {
  if (finding_in(output).empty()) return std::string(output);
  const auto lines = lines_of(output);
  std::size_t first = 0;
  while (first + 1 < lines.size() && !begins_report(lines[first]) && !is_memcheck(lines[first], lines[first + 1]))
    ++first;
  std::string result;
  std::size_t frames = 0;
  for (std::size_t i = first; i < lines.size(); ++i) {
    const std::string_view line = without_pid(lines[i]);
    if (line.starts_with("Shadow bytes around") || line.starts_with("SUMMARY: ") || line.starts_with("====") ||
        line.find("Exit program on first error") != std::string_view::npos)
      break;
    if (!is_frame(lines[i])) {
      frames = 0;
    } else if (is_of_the_gate(line) || ++frames > frames_kept) {
      continue;
    }
    result += line;
    result += '\n';
  }
  result.erase(result.find_last_not_of(" \n") + 1);
  return result + '\n';
}

}  // namespace ringspec
