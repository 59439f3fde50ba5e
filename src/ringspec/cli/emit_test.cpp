// SPDX-License-Identifier: Apache-2.0
//
// A failing trace as a test for somebody's own suite: the file embeds the trace and lets `ringspec replay` judge it.
// Knows no subject.
#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <memory>
#include "ringspec/cli/commands.hpp"
#include "ringspec/cli/target.hpp"

namespace ringspec::cli {
namespace {

struct arguments {
  std::string trace_file, language, out;
};

// In the templates @...@ is put in. A test that could not run has not passed: only replay's exit status 0 has.
constexpr std::string_view gtest_template = R"text(// Made by `ringspec emit-test`@ABOUT@.
// Needs the command `ringspec` on the path, or its path in the environment variable RINGSPEC, and the port:
// RINGSPEC_PORT as a macro or as an environment variable; else the port that failed.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <string>

TEST(@SUITE@, @NAME@) {
  static const char trace[] =
@LITERAL@;
#ifdef RINGSPEC_PORT
  std::string port = RINGSPEC_PORT;
#else
  std::string port = @PORT@;
#endif
  std::string command = "ringspec";
  if (const char* given = getenv("RINGSPEC_PORT")) port = given;
  if (const char* given = getenv("RINGSPEC")) command = given;
  const char* folder = getenv("TMPDIR");
  std::string file = std::string(folder ? folder : "/tmp") + "/ringspec-XXXXXX";
  const int descriptor = mkstemp(&file[0]);
  ASSERT_GE(descriptor, 0) << "no file can be made like " << file;
  const bool written = write(descriptor, trace, sizeof trace - 1) == static_cast<ssize_t>(sizeof trace - 1);
  close(descriptor);
  ASSERT_TRUE(written) << file << " cannot be written";
  const auto quoted = [](const std::string& word) {
    std::string result = "'";
    for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
  };
  std::string said;
  FILE* const run = popen((quoted(command) + " replay " + quoted(file) + " --port " + quoted(port) + " 2>&1").c_str(), "r");
  ASSERT_NE(run, nullptr) << "no shell can be started";
  for (int c = getc(run); c != EOF; c = getc(run)) said += static_cast<char>(c);
  const int status = pclose(run);
  unlink(file.c_str());
  ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) < 2) << "the test could not run on port " << port << ":\n" << said;
  EXPECT_EQ(WEXITSTATUS(status), 0) << "port " << port << ":\n" << said;
}
)text";

constexpr std::string_view c_template = R"text(/* Made by `ringspec emit-test`@ABOUT@.
 * Needs the command `ringspec` on the path, or its path in the environment variable RINGSPEC, and the port:
 * RINGSPEC_PORT as a macro or as an environment variable; else the port that failed.
 * Exit status: 0 passed, 1 failed, 2 the test could not run. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef RINGSPEC_PORT
#define RINGSPEC_PORT @PORT@
#endif

static const char trace[] =
@LITERAL@;

static char *quoted(char *to, const char *word) {
  *to++ = '\'';
  for (; *word != 0; ++word) {
    if (*word == '\'') {
      memcpy(to, "'\\''", 4);
      to += 4;
    } else {
      *to++ = *word;
    }
  }
  *to++ = '\'';
  *to = 0;
  return to;
}

static int could_not_run(const char *why) {
  fprintf(stderr, "@NAME@: the test could not run: %s\n", why);
  return 2;
}

int main(void) {
  const char *port = getenv("RINGSPEC_PORT"), *ringspec = getenv("RINGSPEC"), *folder = getenv("TMPDIR");
  if (port == NULL) port = RINGSPEC_PORT;
  if (ringspec == NULL) ringspec = "ringspec";
  if (folder == NULL) folder = "/tmp";
  char *file = malloc(strlen(folder) + 32);
  char *command = malloc(4 * (strlen(folder) + strlen(port) + strlen(ringspec)) + 256);
  if (file == NULL || command == NULL) return could_not_run("no memory");
  strcat(strcpy(file, folder), "/ringspec-XXXXXX");
  int descriptor = mkstemp(file);
  if (descriptor < 0) return could_not_run("no temporary file can be made; TMPDIR says where");
  int written = write(descriptor, trace, sizeof trace - 1) == (ssize_t)(sizeof trace - 1);
  close(descriptor);
  char *end = quoted(command, ringspec);
  end = quoted(strcpy(end, " replay ") + 8, file);
  end = quoted(strcpy(end, " --port ") + 8, port);
  strcpy(end, " 2>&1");
  FILE *run = written ? popen(command, "r") : NULL;
  char *said = NULL;
  size_t length = 0;
  int status = -1;
  if (run != NULL) {
    FILE *memory = open_memstream(&said, &length);
    for (int c = getc(run); memory != NULL && c != EOF; c = getc(run)) putc(c, memory);
    if (memory != NULL) fclose(memory);
    status = pclose(run);
  }
  unlink(file);
  int passed = status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!passed && said != NULL) fputs(said, stderr);
  int ran = status != -1 && WIFEXITED(status) && WEXITSTATUS(status) < 2;
  free(said);
  free(command);
  free(file);
  return passed ? 0 : ran ? 1 : could_not_run("the lines above, if there are any, say why");
}
)text";

constexpr std::string_view rust_template = R"text(// Made by `ringspec emit-test`@ABOUT@.
// Needs the command `ringspec` on the path, or its path in the environment variable RINGSPEC, and the port in the
// environment variable RINGSPEC_PORT, when it runs or when it is compiled; else the port that failed.
#[test]
fn @NAME@() {
    let trace = @LITERAL@;
    let port = std::env::var("RINGSPEC_PORT")
        .unwrap_or_else(|_| option_env!("RINGSPEC_PORT").unwrap_or(@PORT@).to_string());
    let command = std::env::var("RINGSPEC").unwrap_or_else(|_| "ringspec".to_string());
    let file = std::env::temp_dir().join(format!("ringspec-{}-@NAME@.trace", std::process::id()));
    std::fs::write(&file, trace).expect("the trace cannot be written");
    let run = std::process::Command::new(&command).arg("replay").arg(&file).arg("--port").arg(&port).output();
    let _ = std::fs::remove_file(&file);
    let run = run.unwrap_or_else(|e| panic!("{command} cannot be started: {e}; RINGSPEC says where it is"));
    let said = String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
    match run.status.code() {
        Some(0) => {}
        Some(1) => panic!("port {port}:\n{said}"),
        _ => panic!("the test could not run on port {port}:\n{said}"),
    }
}
)text";

/// A literal of C and C++; without trigraphs, and of no more than a line of the trace each.
std::string c_literal(std::string_view text, bool a_line_each) {
  std::string result = a_line_each ? "    \"" : "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      result += "\\n";
      if (a_line_each && i + 1 < text.size()) result += "\"\n    \"";
    } else if (c == '"' || c == '\\' || c == '?') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') {
      result += fmt::format("\\{:03o}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      result += c;
    }
  }
  return result + '"';
}

/// A raw literal of Rust, with as many marks as it takes. A carriage return may not stand in one, and means nothing in a
/// trace.
std::string rust_literal(std::string_view text) {
  std::string plain(text);
  std::erase(plain, '\r');
  std::string marks = "#";
  while (plain.find('"' + marks) != std::string::npos) marks += '#';
  return "r" + marks + '"' + plain + '"' + marks;
}

/// A name in all three languages.
std::string identifier(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter)
      result += c;
    else if (!result.empty() && result.back() != '_')
      result += '_';
  }
  while (!result.empty() && result.back() == '_') result.pop_back();
  if (result.empty() || (result[0] >= '0' && result[0] <= '9')) result.insert(0, "t_");
  return result;
}

std::string filled(std::string_view form, const std::vector<std::pair<std::string_view, std::string>>& values) {
  std::string result;
  while (!form.empty()) {
    const std::size_t at = std::min(form.find('@'), form.size());
    result += form.substr(0, at);
    form.remove_prefix(at);
    const auto value =
        std::find_if(values.begin(), values.end(), [&](const auto& v) { return form.starts_with(v.first); });
    if (value != values.end()) {
      result += value->second;
      form.remove_prefix(value->first.size());
    } else if (!form.empty()) {
      result += '@';
      form.remove_prefix(1);
    }
  }
  return result;
}

int emit_command(const arguments& a) {
  const std::string text = read_file(a.trace_file);
  const trace t = read_trace(text, a.trace_file);
  const requirement* const r = requirement_of(t, a.trace_file);
  const bool c = a.language == "c" || a.language == "gtest";
  if (!c && a.language != "rust")
    throw usage_error(fmt::format("there is no language '{}'; choose gtest, c or rust", a.language));
  const std::string port = t.port.empty() ? "reference" : t.port;
  // "queue.fifo.order": the class is the suite.
  const std::string about = r != nullptr ? r->name : std::filesystem::path(a.trace_file).stem().string();
  const std::size_t dot = about.rfind('.');
  const std::string suite = identifier(dot == std::string::npos ? t.subject : about.substr(0, dot));
  const std::string last = identifier(dot == std::string::npos ? about : about.substr(dot + 1));
  const std::string rule = r != nullptr ? " from a trace about " + r->name : "";
  const std::string_view form = a.language == "gtest" ? gtest_template : c ? c_template : rust_template;
  const std::string result = filled(form, {{"@ABOUT@", rule},
                                           {"@SUITE@", suite},
                                           {"@NAME@", a.language == "gtest" ? last : suite + "_" + last},
                                           {"@PORT@", c ? c_literal(port, false) : rust_literal(port)},
                                           {"@LITERAL@", c ? c_literal(text, true) : rust_literal(text)}});
  if (a.out.empty())
    fmt::print("{}", result);
  else
    write_file(a.out, result);
  return exit_passed;
}

}  // namespace

void add_emit_test(CLI::App& app, int& status) {
  const auto a = std::make_shared<arguments>();
  CLI::App* const sub = app.add_subcommand("emit-test", "Turn a trace into a test for your own suite");
  sub->add_option("trace", a->trace_file, "A trace file, best one that was shrunk")->required()->type_name("TRACE");
  sub->add_option("--as", a->language, "gtest: a TEST of GoogleTest; c: a C11 program; rust: a #[test], std only")
      ->required()
      ->type_name("LANGUAGE");
  sub->add_option("--out,-o", a->out, "Write the test there, not to stdout")->type_name("FILE");
  sub->footer(
      "The test runs `ringspec replay` (or what the environment variable RINGSPEC names) on the port that "
      "RINGSPEC_PORT\n"
      "names, a macro or an environment variable; else on the port of the trace. It passes if replay exits with 0, "
      "and\n"
      "fails also if it could not run.\nExit status: 0 the test is written, 2 usage.");
  sub->callback([a, &status] { status = emit_command(*a); });
}

}  // namespace ringspec::cli
