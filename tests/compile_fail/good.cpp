// SPDX-License-Identifier: Apache-2.0
//
// Everything that the constraints allow, at their edges. This file must compile; without it the other files of this
// folder could fail for a reason of their own, such as a missing header. Serves queue.constraints.no-default-constructor.
#include "ringspec/queue/inline_ring_queue.hpp"

#include <cstddef>
#include <utility>

namespace {

struct no_default_constructor {
  explicit no_default_constructor(int value) noexcept : number(value) {}
  int number;
};

struct not_assignable {
  const int number;
};

enum class colour : unsigned char { red, green };

template <class T, std::size_t N, class... Policy>
void use(const T& value) {
  using queue_type = ringspec::inline_ring_queue<T, N, Policy...>;
  queue_type queue;
  queue.push(value);
  queue.emplace(queue.front());
  queue_type moved(std::move(queue));
  queue = std::move(moved);
  swap(queue, moved);
  queue.pop();
  queue.clear();
  queue.release();
}

}  // namespace

void good() {
  use<no_default_constructor, 1>(no_default_constructor(1));
  use<not_assignable, 2>({1});
  use<colour, 4>(colour::green);
  use<const void*, 32>(nullptr);
  use<double, 1, ringspec::low_water>(1.0);
  use<long double, 1, ringspec::keep_storage>(1.0L);
}

// The largest N. No object is made: it would be 512 MiB.
static_assert(sizeof(ringspec::inline_ring_queue<char, std::size_t{1} << 29>) > (std::size_t{1} << 29));
