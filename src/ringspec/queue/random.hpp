// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>
#include "ringspec/queue/model.hpp"
#include "ringspec/trace/step.hpp"

namespace ringspec::queue {

/// A random trace of push, pop and of the other operations in `offered` (bits by op), the same for the same seed and
/// policy. Swarm weights: each trace switches off a random subset of the rarer operations and weighs the rest; it is made
/// of segments that fill, drain, hover at low depth or mix, so that growth and contraction are reached at every capacity.
void random_trace(std::uint64_t seed, const numbers& policy, std::uint64_t offered, std::vector<step>& out);

}  // namespace ringspec::queue
