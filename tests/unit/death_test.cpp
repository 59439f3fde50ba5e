// SPDX-License-Identifier: Apache-2.0
//
// What a tool wrote before a process died, in one line and in a few.
#include "ringspec/run/death.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include "ringspec/alloc/definedness.hpp"
#include "ringspec/run/modules.hpp"
#include "ringspec/run/runtime.hpp"

namespace {

using namespace ringspec;

constexpr const char* asan = R"(trap: hello
=================================================================
==41==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x7f bp 0x7f sp 0x7f
WRITE of size 1 at 0x60 thread T0
    #0 0x7f in acme::Ring::Grow() ring.hpp:24
    #1 0x7f in operator() src/port_thunks.hpp:180
    #2 0x7f in ringspec::queue::oracle::take_push (/usr/bin/ringspec_unit_tests+0xea95a)

0x60 is located 0 bytes to the right of 32-byte region
SUMMARY: AddressSanitizer: heap-buffer-overflow ring.hpp:24 in acme::Ring::Grow()
Shadow bytes around the buggy address:
  0x0c: 00 00
)";

constexpr const char* memcheck = R"(trap: hello
==7== Invalid write of size 1
==7==    at 0x485: acme::Ring::Grow() (ring.hpp:24)
==7==    by 0x486: push (port_thunks.hpp:180)
==7==  Address 0x60 is 0 bytes after a block of size 32 alloc'd
==7==
==7==
==7== Exit program on first error (--exit-on-first-error=yes)
)";

TEST(death, a_status_in_words) {
  EXPECT_EQ(death_text(SIGSEGV, ""), "the process died by SIGSEGV (Segmentation fault)");
  EXPECT_EQ(death_text(3 << 8, "what it wrote"), "the process exited with status 3");
  EXPECT_EQ(death_text(SIGXCPU, ""), "the call did not return");
}

TEST(death, a_finding_says_more_than_a_status) {
  EXPECT_EQ(death_text(1 << 8, asan), "AddressSanitizer: heap-buffer-overflow ring.hpp:24 in acme::Ring::Grow()");
  EXPECT_EQ(death_text(97 << 8, memcheck), "memcheck: Invalid write of size 1 in acme::Ring::Grow() (ring.hpp:24)");
  EXPECT_EQ(finding_in("ring.hpp:32:18: runtime error: shift exponent 32 is too large\n"),
            "UndefinedBehaviorSanitizer: shift exponent 32 is too large (ring.hpp:32:18)");
  EXPECT_EQ(finding_in("==7== a port may write this\nand this"), "");
  EXPECT_EQ(finding_in("SUMMARY: no memory\nring: runtime error: no memory\n: runtime error: no memory\n"), "");
  EXPECT_EQ(
      finding_in("==7== 128 bytes in 4 blocks are definitely lost in loss record 60 of 82\n==7==    at 0x485: f\n"),
      "");
  EXPECT_EQ(finding_in("<unknown>: runtime error: null pointer"),
            "UndefinedBehaviorSanitizer: null pointer (<unknown>)");
  EXPECT_EQ(finding_in(""), "");
}

TEST(death, a_report_without_the_gates_own_frames) {
  EXPECT_EQ(readable_output(asan),
            "ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x7f bp 0x7f sp 0x7f\n"
            "WRITE of size 1 at 0x60 thread T0\n"
            "    #0 0x7f in acme::Ring::Grow() ring.hpp:24\n"
            "\n"
            "0x60 is located 0 bytes to the right of 32-byte region\n");
  EXPECT_EQ(readable_output(memcheck),
            " Invalid write of size 1\n"
            "    at 0x485: acme::Ring::Grow() (ring.hpp:24)\n"
            "  Address 0x60 is 0 bytes after a block of size 32 alloc'd\n");
  EXPECT_EQ(readable_output("what a port writes\n\n"), "what a port writes\n\n");
}

TEST(runtime, no_file_is_too_damaged_to_be_read) {
  std::ifstream in(module_folder() + "/probe.so", std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  ASSERT_GT(whole.size(), 1000U);
  const std::filesystem::path damaged = std::filesystem::path(testing::TempDir()) / "ringspec_damaged.so";
  for (std::size_t cut = 0; cut < whole.size(); cut += 1 + whole.size() / 97) {
    std::string text = whole.substr(0, cut);
    // The header says where its tables are: some of the files point outside.
    if (text.size() > 64 && cut % 2 == 0) text[40 + cut % 24] = static_cast<char>(0xFF);
    std::ofstream(damaged, std::ios::binary) << text;
    if (cut < 64) {
      EXPECT_EQ(needs_of(damaged.string()).problem, "") << "no ELF file needs anything";
    } else {
      static_cast<void>(needs_of(damaged.string()));
    }
  }
  EXPECT_TRUE(needs_of("no such file").preload.empty());
}

TEST(runtime, findings_are_written_where_they_are_read) {
  ::setenv("ASAN_OPTIONS", "log_path=elsewhere:handle_abort=1", 1);
  const auto all = child_environment("no such file");
  ::unsetenv("ASAN_OPTIONS");
  const auto options =
      std::find_if(all.begin(), all.end(), [](const auto& e) { return e.starts_with("ASAN_OPTIONS="); });
  ASSERT_NE(options, all.end());
  EXPECT_GT(options->find("log_path=stderr"), options->find("log_path=elsewhere"));
  EXPECT_NE(options->find("log_path=stderr"), std::string::npos);
  EXPECT_GT(options->rfind("handle_abort=0"), options->rfind("handle_abort=1"));
  EXPECT_NE(options->rfind("handle_abort=0"), std::string::npos);
}

TEST(runtime, valgrind_gets_the_options_that_end_a_step) {
  EXPECT_TRUE(tool_command("").empty());
  EXPECT_EQ(tool_command("  nice -n 3 "), (std::vector<std::string>{"nice", "-n", "3"}));
  if (!alloc::speaks_to_memcheck()) GTEST_SKIP() << "this program was built without valgrind/memcheck.h";
  // With options of the user's, a finding ends the step as well.
  const auto typed = tool_command("valgrind --track-origins=yes");
  EXPECT_EQ(typed.back(), "--track-origins=yes");
  for (const auto& command : {tool_command("valgrind"), typed})
    EXPECT_EQ(std::count(command.begin(), command.end(), "--exit-on-first-error=yes"), 1);
}

}  // namespace
