// SPDX-License-Identifier: Apache-2.0
#include "ringspec/alloc/ledger.hpp"
#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include "ringspec/alloc/definedness.hpp"
#include "ringspec/alloc/heap.hpp"

namespace ringspec::alloc {
namespace {

constexpr std::size_t redzone = 16;            // painted bytes behind each block, and least number before it
constexpr std::size_t youngest = 256;          // live blocks that an inspection looks at
constexpr std::size_t quarantine_blocks = 16;  // released blocks kept readable as poison

std::size_t hash(const void* address) {
  return static_cast<std::size_t>((reinterpret_cast<std::uintptr_t>(address) >> 4) * 0x9E3779B97F4A7C15ULL >> 20);
}

/// Painted bytes before a block: not all of what a large alignment leaves there, which may be megabytes.
std::size_t painted_front(std::size_t front) { return std::min<std::size_t>(front, 256); }

bool redzones_intact(const block& b) {
  const std::size_t before = painted_front(b.front);
  return still_painted(b.address + b.bytes, redzone, b.bytes) && still_painted(b.address - before, before);
}

void give_back(const block& b) { heap_release(b.address - b.front, b.bytes, b.alignment, b.made_by); }

bool still_poison(const block& b) {
  // Equal to its own neighbour throughout, and the first byte is right.
  return b.bytes == 0 || (b.address[0] == poison && std::memcmp(b.address, b.address + 1, b.bytes - 1) == 0);
}

// paint_at() repeats after 256 offsets: two rounds of it hold every stretch of up to 256 bytes in one piece.
constexpr std::size_t paint_period = 256;
constexpr auto pattern = [] {
  std::array<std::byte, 2 * paint_period> p{};
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = paint_at(i);
  return p;
}();
static_assert(paint_at(7) == paint_at(7 + paint_period));

}  // namespace

void paint(void* memory, std::size_t bytes) {
  auto* const to = static_cast<std::byte*>(memory);
  for (std::size_t i = 0; i < bytes; i += paint_period)
    std::memcpy(to + i, pattern.data(), std::min(paint_period, bytes - i));
}

bool still_painted(const void* memory, std::size_t bytes, std::size_t from) {
  const auto* const at = static_cast<const std::byte*>(memory);
  for (std::size_t i = 0; i < bytes; i += paint_period) {
    if (std::memcmp(at + i, pattern.data() + (from + i) % paint_period, std::min(paint_period, bytes - i)) != 0)
      return false;
  }
  return true;
}

ledger::ledger() : table_(1024), quarantine_(quarantine_blocks), forwards_(heap_is_watched()) { live_.reserve(256); }

ledger& ledger::instance() {
  static ledger& the_ledger = *new ledger;  // never destroyed: exit handlers release blocks too
  return the_ledger;
}

void ledger::begin_trace() {
  ++epoch_;
  epoch_live_ = 0;
  quarantined_ = 0;
  step = {};
  fail_in_ = 0;
  and_all_after_ = failing_ = false;
  if (fault_flag_ != nullptr) *fault_flag_ = 0;
}

std::uint64_t ledger::leaked_bytes() const {
  std::uint64_t bytes = 0;
  for (const block* const b : live_) bytes += b->epoch == epoch_ ? b->bytes : 0;
  return bytes;
}

const block* ledger::find(const void* address) const {
  const auto* const p = static_cast<const std::byte*>(address);
  for (auto b = live_.rbegin(); b != live_.rend(); ++b) {  // the youngest first
    if (p >= (*b)->address && p < (*b)->address + (*b)->bytes) return *b;
  }
  return nullptr;
}

void ledger::inspect() {
  if (forwards_) return;
  const std::size_t looked_at = std::min(live_.size(), youngest);
  for (block* b : std::span(live_).last(looked_at)) {
    // What an abandoned trace did to a block is not this one's doing.
    if (b->epoch == epoch_ && !b->overrun_told && !redzones_intact(*b)) {
      step.violations |= violation::overrun;
      ++step.events;
      b->overrun_told = true;
    }
  }
  for (std::size_t back = 1; back <= std::min(quarantined_, quarantine_blocks); ++back) {
    const block& b = quarantine_[(quarantine_next_ + quarantine_blocks - back) % quarantine_blocks];
    if (b.address != nullptr && !still_poison(b)) {
      step.violations |= violation::written_after_release;
      ++step.events;
      std::memset(b.address, static_cast<int>(poison), b.bytes);
    }
  }
}

void ledger::plan(std::uint64_t k, bool and_all_after) {
  fail_in_ = k;
  and_all_after_ = and_all_after && k != 0;
  failing_ = false;
}

block* ledger::find_slot(const void* address) {
  const std::size_t mask = table_.size() - 1;
  std::size_t i = hash(address) & mask;
  while (table_[i].address != nullptr && table_[i].address != address) i = (i + 1) & mask;
  return &table_[i];
}

const block* ledger::lookup(const void* address) const {
  const block* const b = const_cast<ledger*>(this)->find_slot(address);
  return b->address == address && b->live ? b : nullptr;
}

void ledger::forget(const void* address) {
  if (block* const b = find_slot(address); b->address == address && !b->live) b->forgotten = true;
}

void ledger::rehash() {
  // Released blocks tell a second release from a foreign pointer; those of earlier traces are forgotten here.
  const auto wanted = [&](const block& b) { return b.live || (b.address != nullptr && b.epoch == epoch_); };
  std::vector<block> old(table_.size());
  old.swap(table_);
  used_ = static_cast<std::size_t>(std::count_if(old.begin(), old.end(), wanted));
  if (used_ * 4 > old.size()) table_.assign(old.size() * 2, block{});
  for (const block& b : old) {
    if (!wanted(b)) continue;
    block* const to = find_slot(b.address);
    *to = b;
    if (b.live) live_[b.position] = to;
  }
}

void* ledger::allocate(std::size_t bytes, std::size_t alignment, family made_by) {
  ++step.events;
  ++step.attempts;
  ++totals_.allocations;
  if (next_fails()) {
    failing_ = and_all_after_;
    fail_in_ = 0;
    ++step.failures;
    ++totals_.failures;
    if (fault_flag_ != nullptr) *fault_flag_ = 1;
    return nullptr;
  }
  if (fail_in_ != 0) --fail_in_;
  // The tool that watches keeps redzones of its own. Else a block is aligned as was asked and not to twice that, or heaps
  // with generous addresses would hide who asks for too little.
  const std::size_t unit = std::max(alignment, redzone);
  const std::size_t around = forwards_ ? 0 : 2 * unit + redzone;
  if (alignment > SIZE_MAX / 4 || bytes > SIZE_MAX - around) return nullptr;
  auto* const base = static_cast<std::byte*>(heap_allocate(bytes + around, forwards_ ? alignment : unit, made_by));
  if (base == nullptr) return nullptr;
  const bool doubly_aligned = reinterpret_cast<std::uintptr_t>(base) % (2 * unit) == 0;
  const std::size_t front = forwards_ ? 0 : doubly_aligned ? unit : 2 * unit;
  std::byte* const memory = base + front;
  paint(memory - painted_front(front), painted_front(front));
  paint(memory, forwards_ ? bytes : bytes + redzone);
  make_undefined(memory, bytes);
  if (step.releases != 0) step.released_first = true;
  step.bytes += bytes;
  totals_.bytes += bytes;

  if (used_ * 2 >= table_.size()) rehash();
  block* const b = find_slot(memory);
  if (b->address == nullptr) ++used_;
  *b = {memory, bytes, alignment, front, epoch_, made_by, true, false, false, static_cast<std::uint32_t>(live_.size())};
  live_.push_back(b);
  live_bytes_ += bytes;
  ++epoch_live_;
  return memory;
}

void ledger::drop_live(block& b) {
  b.live = false;
  live_bytes_ -= b.bytes;
  if (b.epoch == epoch_) --epoch_live_;
  live_[b.position] = live_.back();
  live_[b.position]->position = b.position;
  live_.pop_back();
}

bool ledger::release(void* address, std::size_t bytes, std::size_t alignment, family made_by) {
  ++step.events;
  block* const b = find_slot(address);
  if (b->address != address || b->forgotten) return false;
  if (!b->live) {
    // Not handed on: the port's fault is told in words, and the process lives to tell it.
    step.violations |= violation::released_twice;
    return true;
  }
  ++step.releases;
  ++totals_.releases;
  if (bytes != 0 && bytes != b->bytes) step.violations |= violation::wrong_size;
  if (made_by != b->made_by || (made_by == family::aligned_new && alignment != b->alignment)) {
    step.violations |= violation::wrong_function;
  }
  if (!forwards_ && !b->overrun_told && !redzones_intact(*b)) step.violations |= violation::overrun;
  drop_live(*b);
  if (forwards_) {
    give_back(*b);
    return true;
  }
  // Poisoned and kept for a while, so that a late read sees poison and a late write is seen.
  std::memset(address, static_cast<int>(poison), b->bytes);
  evict_oldest();
  quarantine_[quarantine_next_] = *b;
  ++quarantined_;
  quarantine_next_ = (quarantine_next_ + 1) % quarantine_blocks;
  return true;
}

void ledger::evict_oldest() {
  block& oldest = quarantine_[quarantine_next_];
  if (oldest.address == nullptr) return;
  if (!still_poison(oldest)) step.violations |= violation::written_after_release;
  give_back(oldest);
  oldest = {};
}

}  // namespace ringspec::alloc
