// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

/// What a target does with a file that is a trace and not bytes; a target without it takes every file as bytes.
[[gnu::weak]] void ringspec_fuzz_replay(std::string_view text, const std::string& file);
