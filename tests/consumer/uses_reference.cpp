// SPDX-License-Identifier: Apache-2.0
#include "ringspec/queue/inline_ring_queue.hpp"

int main() {
  ringspec::inline_ring_queue<int, 4> queue;
  for (int i = 0; i < 100; ++i) queue.push(i);
  for (int i = 0; i < 100; ++i, queue.pop()) {
    if (queue.front() != i) return 1;
  }
  return queue.size() == 0 ? 0 : 1;
}
