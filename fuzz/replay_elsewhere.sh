#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fuzz/replay_elsewhere.sh COMPILER [ARGUMENT OF THE COMPILER...] [-- EMULATOR [ARGUMENT...]]
#
#   fuzz/replay_elsewhere.sh s390x-linux-gnu-g++ -static -- qemu-s390x-static
#   fuzz/replay_elsewhere.sh aarch64-linux-gnu-g++ -static -- qemu-aarch64-static
#
# Compiles the typed executor with any compiler for any machine, and replays on it the corpora of the targets that run
# queues and all traces of spec/vectors. Exit status 0 if all went well; 77 if the compiler or the emulator is missing.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
compiler=() emulator=()
while (($#)) && [[ $1 != -- ]]; do compiler+=("$1") && shift; done
[[ ${1:-} != -- ]] || { shift && emulator=("$@"); }
((${#compiler[@]})) || { echo "fuzz/replay_elsewhere.sh: name a compiler; see the head of this file." >&2 && exit 2; }
for program in "${compiler[0]}" "${emulator[@]:0:1}"; do
  command -v "$program" >/dev/null || { echo "fuzz/replay_elsewhere.sh: $program is not installed." && exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The reader of traces prints its errors with fmt, whose headers are the same on all machines; a cross compiler does not
# look where they are, and must not see what else is there.
mkdir "$work/include"
fmt=$(echo '#include <fmt/core.h>' | g++ -E -x c++ - 2>/dev/null | sed -n 's,^# [0-9]* "\(.*/fmt\)/core\.h".*,\1,p' | head -n 1)
[[ -n $fmt ]] || { echo "fuzz/replay_elsewhere.sh: fmt/core.h is not installed." && exit 77; }
ln -s "$fmt" "$work/include/fmt"

cd "$root"
"${compiler[@]}" -std=c++20 -O2 -w -DFMT_HEADER_ONLY -I . -I src -isystem "$work/include" -o "$work/replay" \
  fuzz/{fuzz_queue_typed,typed_queues,failing_new,typed_replay,replay_main}.cpp \
  src/ringspec/trace/{text,specification}.cpp
"${emulator[@]}" "$work/replay" fuzz/corpus/fuzz_queue_typed fuzz/corpus/fuzz_queue_trace spec/vectors \
  >"$work/log" 2>&1 || { tail -n 5 "$work/log" && exit 1; }
tail -n 1 "$work/log"
