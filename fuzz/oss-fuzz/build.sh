#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# build.sh [TARGET...]
#
# Builds the fuzz targets, or those that are named, as OSS-Fuzz and ClusterFuzzLite ask for them, in the current folder or where this file lies:
# with CC, CXX, CFLAGS, CXXFLAGS, LIB_FUZZING_ENGINE and SANITIZER, into OUT, with WORK for what lies between.
set -euo pipefail
: "${CC:?}" "${CXX:?}" "${LIB_FUZZING_ENGINE:?}" "${OUT:?}"
root=$PWD
[[ -f $root/fuzz/CMakeLists.txt ]] || root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=${WORK:-$(mktemp -d)}/ringspec-${SANITIZER:-none}
mkdir -p "$OUT"

targets=(fuzz_queue_trace fuzz_queue_typed fuzz_trace_parser)
[[ -f $root/src/ringspec/report/read.hpp ]] && targets+=(fuzz_report_reader)
if [[ ${SANITIZER:-} == memory ]]; then
  # The other targets use a C++ library that was not built for this.
  targets=(fuzz_queue_typed)
fi
if (($#)); then targets=("$@"); fi
# fuzz_queue_trace loads the port that lies beside it.
modules=()
[[ " ${targets[*]} " != *" fuzz_queue_trace "* ]] || modules=(fuzz_reference)

flags=${CXXFLAGS:-}
coverage=()
case $flags in # whoever says how to measure coverage has said it for everything
  *fuzzer-no-link* | *-fsanitize-coverage=* | *-fprofile-instr-generate*) coverage=(-DRINGSPEC_FUZZ_COVERAGE=) ;;
esac
# Where the targets run there is no fmt: its headers alone do as well.
cmake -S "$root" -B "$work" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" \
  -DCMAKE_C_FLAGS="${CFLAGS:-}" -DCMAKE_CXX_FLAGS="$flags -DFMT_HEADER_ONLY" \
  -DCMAKE_EXE_LINKER_FLAGS=-Wl,--as-needed -DRINGSPEC_FUZZ=ON -DRINGSPEC_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" \
  "${coverage[@]}" -DRINGSPEC_TESTS=OFF -DRINGSPEC_WRONG=OFF -DRINGSPEC_INSTALL=OFF -DRINGSPEC_WERROR=OFF
cmake --build "$work" --target "${targets[@]}" "${modules[@]}"

pack() { # ZIP FILE...
  rm -f "$1"
  if command -v zip >/dev/null; then zip -q -j "$@"; else python3 -m zipfile -c "$@"; fi
}
for target in "${targets[@]}"; do
  cp "$work/fuzz/$target" "$OUT/"
  seeds=("$root/fuzz/corpus/$target"/*)
  [[ $target == fuzz_trace_parser ]] && seeds+=("$root"/spec/vectors/*/*.trace)
  pack "$OUT/${target}_seed_corpus.zip" "${seeds[@]}"
  # What there is to see is which edges a queue has taken, not how often.
  printf '[libfuzzer]\nuse_counters = 0\n' >"$OUT/$target.options"
  [[ $target == fuzz_queue_* ]] && echo 'max_len = 64' >>"$OUT/$target.options"
  if [[ -f $root/fuzz/$target.dict ]]; then cp "$root/fuzz/$target.dict" "$OUT/"; fi
done
if ((${#modules[@]})); then cp "$work/fuzz/reference.so" "$OUT/"; fi
