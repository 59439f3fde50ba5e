// SPDX-License-Identifier: Apache-2.0
//
// The ledger: the record of every allocation and release made inside calls into the port, the fault plan that makes
// chosen allocations fail, and the canaries around and inside each block.
//
// One ledger per process (the taps that the loader writes into the port's relocations have no argument to carry it in).
// Not thread-safe: ports are called from one thread.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ringspec::alloc {

/// Which family of functions made a block; it must go back through the same one.
enum class family : std::uint8_t { malloc_family, plain_new, aligned_new, host };

/// What a port did wrong with a block, as bits.
namespace violation {
inline constexpr std::uint32_t released_twice = 1U << 0;
inline constexpr std::uint32_t wrong_size = 1U << 1;      // sized release, another size
inline constexpr std::uint32_t wrong_function = 1U << 2;  // another family or another alignment
inline constexpr std::uint32_t overrun = 1U << 3;         // a byte around the block was written
inline constexpr std::uint32_t written_after_release = 1U << 4;
}  // namespace violation

struct block {
  std::byte* address{};
  std::size_t bytes{};
  std::size_t alignment{};
  std::size_t front{};  // bytes before the address, the last of them painted
  std::uint32_t epoch{};
  family made_by{};
  bool live{};
  bool forgotten{};          // released, and by now somebody else's
  bool overrun_told{};       // a damaged redzone is one finding, not one in each inspection after it
  std::uint32_t position{};  // in ledger::live()
};

/// What happened since begin_step(). `events` is the only word that a fast path has to look at.
struct account {
  std::uint32_t events{};      // calls of any tap
  std::uint32_t attempts{};    // allocations asked for, failed ones included
  std::uint32_t failures{};    // of these, failed by the fault plan
  std::uint32_t releases{};    // blocks given back
  std::uint32_t violations{};  // bits of namespace violation
  std::uint64_t bytes{};       // bytes of the allocations that succeeded
  bool released_first{};       // an allocation succeeded after a block had been released
};

/// What happened over many steps.
struct totals {
  std::uint64_t allocations{}, failures{}, releases{}, bytes{};  // of account, summed up

  totals& operator+=(const totals& t) {
    allocations += t.allocations, failures += t.failures, releases += t.releases, bytes += t.bytes;
    return *this;
  }
};

class ledger {
 public:
  ledger();
  ledger(const ledger&) = delete;
  ledger& operator=(const ledger&) = delete;
  /// The process's ledger.
  static ledger& instance();

  // ---- what the oracle uses
  account step;
  void begin_step() {
    if (step.events != 0) step = {};
  }
  /// A new epoch: blocks that are live now are no longer anybody's leak. Ends the fault plan.
  void begin_trace();
  /// Blocks of this epoch that are still live.
  [[nodiscard]] std::size_t leaked_blocks() const { return epoch_live_; }
  [[nodiscard]] std::uint64_t leaked_bytes() const;
  [[nodiscard]] std::uint64_t live_bytes() const { return live_bytes_; }
  [[nodiscard]] const std::vector<block*>& live() const { return live_; }
  /// The live block that contains the address, or null. Linear in the number of live blocks.
  [[nodiscard]] const block* find(const void* address) const;
  /// Looks at the bytes around the live blocks of this trace (a few hundred of them: a port that leaks has thousands) and
  /// inside those that were released in it and are still in quarantine; adds what it finds to step.violations, each
  /// damage once. (Blocks of earlier traces are looked at when they are released, or leave the quarantine.)
  void inspect();
  /// All that happened since the last call.
  totals take_totals() { return std::exchange(totals_, {}); }

  // ---- fault plan
  /// The k-th allocation from now fails (k >= 1), once; with `and_all_after`, all from it on. 0 ends the plan.
  void plan(std::uint64_t k, bool and_all_after);
  /// Would the next allocation fail?
  [[nodiscard]] bool next_fails() const { return fail_in_ == 1 || failing_; }
  /// Set to 1 when the plan fails an allocation: memory that outlives the process, should the port die of it.
  void tell_faults_to(volatile std::uint32_t* flag) { fault_flag_ = flag; }

  // ---- what the taps use
  void* allocate(std::size_t bytes, std::size_t alignment, family made_by);  // null: failed
  /// `bytes` 0: the release does not say a size. Returns false if the address is not from here.
  bool release(void* address, std::size_t bytes, std::size_t alignment, family made_by);
  [[nodiscard]] const block* lookup(const void* address) const;
  /// The heap gave the address to somebody else: a release of it is no second release of a block that was there.
  void forget(const void* address);

  /// Under a sanitizer or Valgrind requests go on to that tool, and redzones and quarantine are left to it.
  [[nodiscard]] bool forwards() const { return forwards_; }

 private:
  block* find_slot(const void* address);
  void evict_oldest();
  void rehash();
  void drop_live(block& b);

  std::vector<block> table_;  // open addressing, power of two, never more than half full
  std::size_t used_{};
  std::vector<block*> live_;
  std::uint64_t live_bytes_{};
  std::size_t epoch_live_{};       // live blocks of this epoch
  std::vector<block> quarantine_;  // released, not yet given back to the heap; oldest first, ring
  std::size_t quarantine_next_{};
  std::size_t quarantined_{};  // blocks that came into quarantine in this trace
  std::uint64_t fail_in_{};
  bool and_all_after_{}, failing_{};
  volatile std::uint32_t* fault_flag_{};
  std::uint32_t epoch_{};
  totals totals_;
  bool forwards_{};
};

/// What released memory is filled with while it is in quarantine.
inline constexpr std::byte poison{0xDD};
/// Fills memory with a pattern that depends on the offset, so that a copy from elsewhere does not look untouched.
void paint(void* memory, std::size_t bytes);
/// The byte that paint() writes at this offset.
constexpr std::byte paint_at(std::size_t offset) { return static_cast<std::byte>(0xA5U ^ (offset * 29U)); }
/// True if all bytes are as paint() left them; `from` is the offset of the first.
bool still_painted(const void* memory, std::size_t bytes, std::size_t from = 0);

}  // namespace ringspec::alloc
