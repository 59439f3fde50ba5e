// SPDX-License-Identifier: Apache-2.0
//
// The taps, called as a loaded port calls them. They report to the process's one ledger, so each test gives everything
// back and ends its fault plan.
#include "ringspec/alloc/taps.hpp"

#include <gtest/gtest.h>

#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

#include "ringspec/alloc/ledger.hpp"
#include "ringspec/run/loader.hpp"

namespace {

using namespace ringspec::alloc;

template <class Function>
Function* tap(std::string_view symbol) {
  void* const address = tap_for(symbol);
  EXPECT_NE(address, nullptr) << symbol;
  return reinterpret_cast<Function*>(address);
}

using malloc_function = void*(std::size_t);
using free_function = void(void*);

class taps : public testing::Test {
 protected:
  taps() {
    book.begin_trace();
    book.begin_step();
  }
  ~taps() override {
    EXPECT_EQ(book.leaked_blocks(), 0U) << "the test itself leaks";
    book.begin_trace();
  }
  void expect_counts(unsigned attempts, unsigned releases, std::uint32_t violations = 0) const {
    EXPECT_EQ(book.step.attempts, attempts);
    EXPECT_EQ(book.step.releases, releases);
    EXPECT_EQ(book.step.violations, violations);
  }

  ledger& book = ledger::instance();
  malloc_function* const malloc_tap = tap<malloc_function>("malloc");
  free_function* const free_tap = tap<free_function>("free");
};

TEST_F(taps, know_the_malloc_family_and_operator_new) {
  for (const char* symbol :
       {"malloc", "free", "calloc", "realloc", "reallocarray", "aligned_alloc", "memalign", "posix_memalign", "valloc",
        "pvalloc", "malloc_usable_size", "_Znwm", "_Znam", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm"}) {
    EXPECT_NE(tap_for(symbol), nullptr) << symbol;
  }
  EXPECT_EQ(tap_for("mallo"), nullptr);
  EXPECT_EQ(tap_for("memcpy"), nullptr);
  EXPECT_EQ(tap_for(""), nullptr);
}

TEST_F(taps, the_probe_is_seen) { EXPECT_TRUE(ringspec::ledger_sees_the_probe()); }

TEST_F(taps, malloc_and_free) {
  void* const p = malloc_tap(24);
  ASSERT_NE(p, nullptr);
  expect_counts(1, 0);
  free_tap(p);
  expect_counts(1, 1);
  free_tap(nullptr);
  expect_counts(1, 1);
  errno = 0;
  book.plan(1, false);
  EXPECT_EQ(malloc_tap(24), nullptr);
  EXPECT_EQ(errno, ENOMEM);
}

TEST_F(taps, a_block_from_before_the_taps_goes_back_where_it_came_from) {
  free_tap(std::malloc(40));
  tap<free_function>("_ZdlPv")(::operator new(40));
  void* const p = tap<void*(void*, std::size_t)>("realloc")(std::malloc(40), 80);
  ASSERT_NE(p, nullptr);
  std::free(p);
  expect_counts(0, 0);
}

TEST_F(taps, calloc_clears_and_refuses_an_overflow) {
  auto* const calloc_tap = tap<void*(std::size_t, std::size_t)>("calloc");
  auto* const p = static_cast<unsigned char*>(calloc_tap(7, 11));
  ASSERT_NE(p, nullptr);
  EXPECT_TRUE(std::all_of(p, p + 77, [](unsigned char c) { return c == 0; }));
  EXPECT_EQ(book.step.bytes, 77U);
  errno = 0;
  EXPECT_EQ(calloc_tap(SIZE_MAX / 4, 8), nullptr);
  EXPECT_EQ(errno, ENOMEM);
  expect_counts(1, 0);
  book.plan(1, false);
  EXPECT_EQ(calloc_tap(1, 1), nullptr);
  free_tap(p);
}

TEST_F(taps, realloc_is_one_allocation_and_one_release) {
  auto* const realloc_tap = tap<void*(void*, std::size_t)>("realloc");
  auto* p = static_cast<unsigned char*>(realloc_tap(nullptr, 10));
  ASSERT_NE(p, nullptr);
  expect_counts(1, 0);
  for (unsigned char i = 0; i < 10; ++i) p[i] = i;
  book.begin_step();
  auto* q = static_cast<unsigned char*>(realloc_tap(p, 1000));
  expect_counts(1, 1);
  EXPECT_NE(q, p) << "always moved";
  for (unsigned char i = 0; i < 10; ++i) EXPECT_EQ(q[i], i);
  EXPECT_TRUE(still_painted(q + 10, 990, 10)) << "nothing was copied from behind the old block";
  book.begin_step();
  p = static_cast<unsigned char*>(realloc_tap(q, 4));
  expect_counts(1, 1);
  for (unsigned char i = 0; i < 4; ++i) EXPECT_EQ(p[i], i);
  EXPECT_EQ(book.lookup(p)->bytes, 4U);
  book.begin_step();
  book.plan(1, false);
  EXPECT_EQ(realloc_tap(p, 50), nullptr);
  expect_counts(1, 0);
  EXPECT_EQ(p[3], 3) << "the old block is as it was";
  book.begin_step();
  EXPECT_EQ(realloc_tap(p, 0), nullptr);
  expect_counts(0, 1);
}

TEST_F(taps, reallocarray_multiplies) {
  auto* const array_tap = tap<void*(void*, std::size_t, std::size_t)>("reallocarray");
  void* const p = array_tap(nullptr, 3, 5);
  ASSERT_NE(p, nullptr);
  EXPECT_EQ(book.lookup(p)->bytes, 15U);
  errno = 0;
  EXPECT_EQ(array_tap(p, SIZE_MAX / 2, 3), nullptr);
  EXPECT_EQ(errno, ENOMEM);
  expect_counts(1, 0);
  free_tap(p);
}

TEST_F(taps, aligned_alloc_takes_powers_of_two) {
  for (const char* symbol : {"aligned_alloc", "memalign"}) {
    auto* const aligned_tap = tap<void*(std::size_t, std::size_t)>(symbol);
    void* const p = aligned_tap(256, 24);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 256, 0U);
    free_tap(p);
    for (const std::size_t wrong : {0U, 3U, 48U}) {
      errno = 0;
      EXPECT_EQ(aligned_tap(wrong, 24), nullptr);
      EXPECT_EQ(errno, EINVAL);
    }
    EXPECT_EQ(aligned_tap(SIZE_MAX / 2 + 1, 24), nullptr);
    book.plan(1, false);
    errno = 0;
    EXPECT_EQ(aligned_tap(256, 24), nullptr);
    EXPECT_EQ(errno, ENOMEM);
  }
  expect_counts(6, 2);
}

TEST_F(taps, posix_memalign_answers_with_an_error_and_leaves_its_result_alone) {
  auto* const memalign_tap = tap<int(void**, std::size_t, std::size_t)>("posix_memalign");
  int here = 0;
  void* result = &here;
  for (const std::size_t wrong : {0U, 1U, 4U, 12U, 24U}) EXPECT_EQ(memalign_tap(&result, wrong, 24), EINVAL) << wrong;
  expect_counts(0, 0);
  book.plan(1, false);
  EXPECT_EQ(memalign_tap(&result, 64, 24), ENOMEM);
  EXPECT_EQ(result, &here);
  for (const std::size_t right : {8U, 64U, 4096U}) {
    EXPECT_EQ(memalign_tap(&result, right, 24), 0);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(result) % right, 0U);
    free_tap(result);
  }
  expect_counts(4, 3);
}

TEST_F(taps, valloc_gives_pages_and_usable_size_is_what_was_asked_for) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  for (const char* symbol : {"valloc", "pvalloc"}) {
    void* const p = tap<malloc_function>(symbol)(10);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % page, 0U);
    if (symbol[0] == 'p') std::memset(p, 1, page);  // whole pages are its caller's
    free_tap(p);
    if (!book.forwards()) {  // a sanitizer may die of it
      EXPECT_EQ(tap<malloc_function>(symbol)(SIZE_MAX - 1), nullptr);
    }
  }
  EXPECT_EQ(book.step.violations, 0U);
  auto* const usable = tap<std::size_t(void*)>("malloc_usable_size");
  void* const p = malloc_tap(13);
  EXPECT_EQ(usable(p), 13U);
  EXPECT_EQ(usable(nullptr), 0U);
  free_tap(p);
  void* const foreign = std::malloc(100);
  EXPECT_GE(usable(foreign), 100U);
  std::free(foreign);
}

TEST_F(taps, the_library_gives_back_what_a_port_made_and_keeps_its_own) {
  auto* const give_back = reinterpret_cast<free_function*>(library_tap_for("free"));
  void* const p = malloc_tap(24);
  give_back(p);
  expect_counts(1, 1);
  give_back(std::malloc(24));
  give_back(nullptr);
  book.forget(p);  // as if the heap had given the address to the library
  EXPECT_FALSE(book.release(p, 0, 0, family::malloc_family));
  expect_counts(1, 1);
  EXPECT_EQ(library_tap_for("calloc"), nullptr);
}

// ---- operator new and delete ------------------------------------------------------------------------------------------

TEST_F(taps, operator_new_throws_or_answers_null) {
  for (const char* symbol : {"_Znwm", "_Znam"}) {
    auto* const new_tap = tap<malloc_function>(symbol);
    book.plan(1, false);
    EXPECT_THROW(new_tap(8), std::bad_alloc);
    void* const p = new_tap(8);
    EXPECT_NE(p, nullptr);
    tap<free_function>("_ZdlPv")(p);
  }
  for (const char* symbol : {"_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t"}) {
    auto* const new_tap = tap<void*(std::size_t, const std::nothrow_t&)>(symbol);
    book.plan(1, false);
    EXPECT_EQ(new_tap(8, std::nothrow), nullptr);
    tap<void(void*, const std::nothrow_t&)>("_ZdlPvRKSt9nothrow_t")(new_tap(8, std::nothrow), std::nothrow);
  }
  for (const char* symbol : {"_ZnwmSt11align_val_t", "_ZnamSt11align_val_t"}) {
    auto* const new_tap = tap<void*(std::size_t, std::align_val_t)>(symbol);
    book.plan(1, false);
    EXPECT_THROW(new_tap(8, std::align_val_t{64}), std::bad_alloc);
    void* const p = new_tap(8, std::align_val_t{64});
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 64, 0U);
    tap<void(void*, std::align_val_t)>("_ZdlPvSt11align_val_t")(p, std::align_val_t{64});
  }
  for (const char* symbol : {"_ZnwmSt11align_val_tRKSt9nothrow_t", "_ZnamSt11align_val_tRKSt9nothrow_t"}) {
    auto* const new_tap = tap<void*(std::size_t, std::align_val_t, const std::nothrow_t&)>(symbol);
    book.plan(1, false);
    EXPECT_EQ(new_tap(8, std::align_val_t{64}, std::nothrow), nullptr);
    void* const p = new_tap(8, std::align_val_t{64}, std::nothrow);
    tap<void(void*, std::align_val_t, const std::nothrow_t&)>("_ZdlPvSt11align_val_tRKSt9nothrow_t")(
        p, std::align_val_t{64}, std::nothrow);
  }
  expect_counts(16, 8);
}

TEST_F(taps, delete_of_null_is_nothing) {
  for (const char* symbol : {"_ZdlPv", "_ZdaPv"}) tap<free_function>(symbol)(nullptr);
  for (const char* symbol : {"_ZdlPvm", "_ZdaPvm"}) tap<void(void*, std::size_t)>(symbol)(nullptr, 8);
  for (const char* symbol : {"_ZdlPvSt11align_val_t", "_ZdaPvSt11align_val_t"}) {
    tap<void(void*, std::align_val_t)>(symbol)(nullptr, std::align_val_t{64});
  }
  EXPECT_EQ(book.step.events, 0U);
}

TEST_F(taps, a_mismatch_is_told) {
  auto* const new_tap = tap<malloc_function>("_Znwm");
  auto* const aligned_tap = tap<void*(std::size_t, std::align_val_t)>("_ZnwmSt11align_val_t");
  const auto expect = [&](std::uint32_t violations) {
    EXPECT_EQ(book.step.violations, violations);
    EXPECT_EQ(book.step.releases, 1U);
    book.begin_step();
  };
  book.begin_step();
  for (const char* symbol : {"_ZdlPvm", "_ZdaPvm"}) {
    auto* const sized = tap<void(void*, std::size_t)>(symbol);
    sized(new_tap(24), 24);
    expect(0);
    sized(new_tap(24), 23);
    expect(violation::wrong_size);
  }
  free_tap(new_tap(24));
  expect(violation::wrong_function);
  tap<free_function>("_ZdlPv")(malloc_tap(24));
  expect(violation::wrong_function);
  tap<free_function>("_ZdlPv")(aligned_tap(24, std::align_val_t{64}));
  expect(violation::wrong_function);
  for (const char* symbol : {"_ZdlPvmSt11align_val_t", "_ZdaPvmSt11align_val_t"}) {
    auto* const sized = tap<void(void*, std::size_t, std::align_val_t)>(symbol);
    sized(aligned_tap(24, std::align_val_t{64}), 24, std::align_val_t{64});
    expect(0);
    sized(aligned_tap(24, std::align_val_t{64}), 48, std::align_val_t{64});
    expect(violation::wrong_size);
    sized(aligned_tap(24, std::align_val_t{64}), 24, std::align_val_t{32});
    expect(violation::wrong_function);
  }
  void* const p = new_tap(24);
  tap<free_function>("_ZdlPv")(p);
  book.begin_step();
  tap<free_function>("_ZdlPv")(p);
  EXPECT_EQ(book.step.violations, violation::released_twice);
  EXPECT_EQ(book.step.releases, 0U);
}

}  // namespace
