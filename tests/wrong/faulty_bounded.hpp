// SPDX-License-Identifier: Apache-2.0
//
// The wrong queues with a largest size: a conforming queue behind a door that refuses values, with a fault in the door.
#pragma once

#include "faulty_queue.hpp"

#include <cstdint>
#include <utility>

namespace ringspec::wrong {

template <class T, std::uint64_t N, fault F>
class faulty_bounded : public faulty_queue<T, N, fault::none> {
  using queue = faulty_queue<T, N, fault::none>;

 public:
  static constexpr std::uint64_t max_size = 12;

  faulty_bounded() = default;
  faulty_bounded(faulty_bounded&& from) noexcept : queue(std::move(from)) { from.refused_ = false; }
  faulty_bounded& operator=(faulty_bounded&& from) noexcept {
    queue::operator=(std::move(from));
    if (this != &from) refused_ = from.refused_ = false;
    return *this;
  }
  void swap(faulty_bounded& other) noexcept {
    queue::swap(other);
    if (this != &other) refused_ = other.refused_ = false;
  }

  bool push(const T& value) { return admits() && queue::push(value); }
  template <class... Field>
  bool emplace_back(const Field&... field) {
    return admits() && queue::emplace_back(field...);
  }

 private:
  bool admits() {
    if (this->size() == 0) refused_ = false;
    const bool full = this->size() >= max_size - (F == fault::full_one_early ? 1 : 0);
    if (F == fault::refusal_drops_oldest && full) this->pop();
    if (F == fault::refusal_sticks && refused_) return false;
    refused_ = full;
    return !full;
  }

  bool refused_ = false;
};

}  // namespace ringspec::wrong
