// SPDX-License-Identifier: Apache-2.0
//
// The allocation account of the typed executor: operator new and delete of the whole program are replaced, and count and
// fail only while a call into the queue under test is running. No ledger and no relocations: this works on every
// architecture and under every sanitizer.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace ringspec::fuzz {

struct heap_account {
  // Since begin().
  std::uint64_t attempts{}, releases{}, bytes{};
  const char* wrong{};  // what a release did wrong, as a sentence, or null

  // The fault plan: the k-th allocation from now, once or with all after it.
  std::uint64_t fail_in{};
  bool and_all_after{}, failing{};

  bool counting{};

  struct block {
    void* address{};
    std::size_t bytes{}, alignment{};
  };
  std::array<block, 64> blocks{};
  std::size_t live{};

  void begin() {
    attempts = releases = bytes = 0;
    wrong = nullptr;
  }
  void plan(std::uint64_t k, bool all_after) {
    fail_in = k;
    and_all_after = all_after;
    failing = false;
  }
  [[nodiscard]] bool next_fails() const { return failing || fail_in == 1; }
};

extern heap_account the_heap;

}  // namespace ringspec::fuzz
