// SPDX-License-Identifier: Apache-2.0
// The specification and its vectors, carried inside the program so that one binary is enough to judge a port.
#pragma once

#include <span>
#include <string_view>

namespace ringspec {

struct embedded_file {
  std::string_view name;  // path relative to spec/, "queue.md", "vectors/queue/fifo.order.trace"
  std::string_view text;
};

// Sorted by name (bytewise). The data lives as long as the program; the first call puts long files together.
std::span<const embedded_file> embedded_files();

/// The text of one of them; throws std::out_of_range if there is none of this name.
std::string_view embedded_text(std::string_view name);

}  // namespace ringspec
