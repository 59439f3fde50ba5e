// SPDX-License-Identifier: Apache-2.0
//
// The watch over unused slots: what it takes for a write, and what it forgives.
#include "ringspec/queue/slot_watch.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "ringspec/alloc/ledger.hpp"

namespace {

using namespace ringspec;

constexpr std::size_t stride = 12;

/// A storage of eight slots of twelve bytes, 64 bytes behind the place where its paint begins.
class slot_watching : public testing::Test {
 protected:
  slot_watching() { alloc::paint(memory_.data(), memory_.size()); }

  std::byte* slot(std::size_t i) { return memory_.data() + 64 + i * stride; }
  void write(std::size_t i, int byte = 0x55) { std::memset(slot(i), byte, stride); }
  std::string check(std::uint64_t head, std::uint64_t live, std::size_t exempt = 0) {
    const rs_slots slots{sizeof slots, slot(0), stride, 8, head};
    return watch.check(slots, live, memory_.data(), exempt);
  }

  queue::slot_watch watch;

 private:
  alignas(64) std::array<std::byte, 64 + 8 * stride + 64> memory_{};
};

TEST_F(slot_watching, painted_slots_are_untouched) {
  EXPECT_EQ(check(0, 0), "");
  EXPECT_EQ(check(5, 0), "");
}

TEST_F(slot_watching, a_storage_seen_for_the_first_time_must_be_painted) {
  slot(2)[3] ^= std::byte{1};
  EXPECT_EQ(check(0, 0), "byte 3 of slot 2 (of 8, head 0, 0 in use) was written");
  EXPECT_EQ(check(0, 0), "") << "told once, then it is what the slot holds";
}

TEST_F(slot_watching, slots_in_use_may_hold_anything) {
  write(0);
  write(1);
  EXPECT_EQ(check(0, 2), "");
  write(1, 0x66);
  write(2, 0x66);
  EXPECT_EQ(check(0, 3), "");
}

TEST_F(slot_watching, a_push_may_write_its_own_slot_only) {
  EXPECT_EQ(check(0, 0), "");
  write(0);
  slot(1)[0] = std::byte{0};
  EXPECT_EQ(check(0, 1), "byte 0 of slot 1 (of 8, head 0, 1 in use) was written");
}

TEST_F(slot_watching, a_pop_leaves_the_bytes_of_its_slot) {
  write(0);
  write(1);
  EXPECT_EQ(check(0, 2), "");
  EXPECT_EQ(check(1, 1), "") << "the old value still lies there";
  slot(0)[11] = std::byte{0};
  EXPECT_EQ(check(1, 1), "byte 11 of slot 0 (of 8, head 1, 1 in use) was written");
}

TEST_F(slot_watching, values_wrap_around_the_end) {
  EXPECT_EQ(check(6, 0), "");
  for (const std::size_t i : {6U, 7U, 0U}) write(i);
  EXPECT_EQ(check(6, 3), "");
  slot(5)[1] = std::byte{0};
  EXPECT_EQ(check(6, 3), "byte 1 of slot 5 (of 8, head 6, 3 in use) was written");
  slot(1)[2] = std::byte{0};
  EXPECT_EQ(check(6, 3), "byte 2 of slot 1 (of 8, head 6, 3 in use) was written");
}

TEST_F(slot_watching, a_full_storage_has_no_unused_slot) {
  for (std::size_t i = 0; i < 8; ++i) write(i, static_cast<int>(i));
  EXPECT_EQ(check(3, 8), "");
}

TEST_F(slot_watching, where_a_heap_pointer_lived_is_exempt) {
  EXPECT_EQ(check(0, 0), "");
  std::memset(slot(0), 0, 8);
  EXPECT_EQ(check(0, 0, 8), "");
  slot(0)[8] = std::byte{0};
  EXPECT_EQ(check(0, 0, 8), "byte 8 of slot 0 (of 8, head 0, 0 in use) was written");
  slot(1)[0] = std::byte{0};
  EXPECT_EQ(check(0, 0, 8), "byte 0 of slot 1 (of 8, head 0, 0 in use) was written")
      << "the first bytes of the storage, not of each slot";
}

TEST_F(slot_watching, storage_that_was_painted_anew_has_no_past) {
  write(4);
  EXPECT_EQ(check(4, 1), "");
  EXPECT_EQ(check(5, 0), "");
  alloc::paint(slot(0) - 64, 64 + 8 * stride);
  EXPECT_EQ(check(5, 0), "byte 0 of slot 4 (of 8, head 5, 0 in use) was written");
  write(4);
  EXPECT_EQ(check(4, 1), "");
  alloc::paint(slot(0) - 64, 64 + 8 * stride);
  watch.forget(slot(0) - 8, 8);
  watch.forget(slot(0) + 1, 8);
  EXPECT_NE(check(5, 0), "") << "that was other storage";
  write(4);
  EXPECT_EQ(check(4, 1), "");
  alloc::paint(slot(0) - 64, 64 + 8 * stride);
  watch.forget(slot(0), 1);
  EXPECT_EQ(check(5, 0), "");
  write(4);
  EXPECT_EQ(check(4, 1), "");
  alloc::paint(slot(0) - 64, 64 + 8 * stride);
  watch.reset();
  EXPECT_EQ(check(5, 0), "");
}

TEST_F(slot_watching, two_storages_are_watched_each_on_its_own) {
  alignas(64) std::array<std::byte, 4 * stride> other;
  alloc::paint(other.data(), other.size());
  const rs_slots slots{sizeof slots, other.data(), stride, 4, 0};
  EXPECT_EQ(check(0, 0), "");
  EXPECT_EQ(watch.check(slots, 0, other.data(), 0), "");
  other[3 * stride] ^= std::byte{1};
  EXPECT_EQ(check(0, 0), "");
  EXPECT_EQ(watch.check(slots, 0, other.data(), 0), "byte 0 of slot 3 (of 4, head 0, 0 in use) was written");
}

}  // namespace
