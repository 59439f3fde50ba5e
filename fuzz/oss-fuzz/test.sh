#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fuzz/oss-fuzz/test.sh FOLDER
#
# Calls build.sh as OSS-Fuzz does, without a sanitizer and with two, and runs what it has built from its seeds. Builds in
# FOLDER, which is kept, so that a second run is quick. Exit status 77 without clang-19.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$1/oss-fuzz
command -v clang++-19 >/dev/null || exit 77
export CC=clang-19 CXX=clang++-19 LIB_FUZZING_ENGINE=-fsanitize=fuzzer WORK=$folder/work

complain() {
  echo "oss-fuzz: SANITIZER=$SANITIZER: $1"
  [[ ! -f $folder/log ]] || tail -n 30 "$folder/log"
  exit 1
}

mkdir -p "$folder"
for SANITIZER in none address memory; do
  export SANITIZER OUT=$folder/out-$SANITIZER
  flags="-O1 -g1"
  [[ $SANITIZER == none ]] || flags+=" -fno-omit-frame-pointer -fsanitize=$SANITIZER"
  # Without fuzzer-no-link the project says itself what shall be seen: both ways have to work.
  [[ $SANITIZER != address ]] || flags+=" -fsanitize=fuzzer-no-link"
  # All targets once: they need the whole engine.
  expected=(fuzz_queue_typed)
  [[ $SANITIZER != address ]] || expected+=(fuzz_queue_trace fuzz_trace_parser)
  rm -rf "$OUT"
  (cd "$folder" && CFLAGS=$flags CXXFLAGS=$flags bash "$here/build.sh" "${expected[@]}") >"$folder/log" 2>&1 || complain "build.sh failed."
  # As it is carried to the machines that fuzz.
  rm -rf "$folder/elsewhere"
  mv "$OUT" "$folder/elsewhere"
  for target in "${expected[@]}"; do
    program=$folder/elsewhere/$target
    [[ -x $program ]] || complain "$target was not built."
    if ldd "$program" | grep -E 'libfmt|libpugixml'; then complain "$target needs a library that is not there."; fi
    seeds=$folder/elsewhere/seeds
    rm -rf "$seeds"
    python3 -m zipfile -e "$folder/elsewhere/${target}_seed_corpus.zip" "$seeds"
    count=$(find "$seeds" -type f | wc -l)
    ((count > 10)) || complain "$target has only $count seeds."
    (cd / && "$program" -runs=$((count + 500)) -seed=1 -use_counters=0 -artifact_prefix="$folder/" "$seeds") \
      >"$folder/log" 2>&1 || complain "$target failed."
    grep -q "Done $((count + 500)) runs" "$folder/log" || complain "$target did not make its runs."
    # The first count of what the runs have covered: the engine sees something.
    cov=$(sed -n 's/.*DONE *cov: \([0-9]*\).*/\1/p' "$folder/log")
    ((${cov:-0} > 50)) || complain "$target covers ${cov:-nothing}: the engine does not see it."
    if [[ $target == fuzz_queue_trace ]]; then
      grep -q '^fuzz: port reference, 36 instances$' "$folder/log" || complain "$target has another port."
      if grep '^fuzz: .*ledger' "$folder/log"; then complain "$target does not see the memory of its port."; fi
    fi
    echo "oss-fuzz: $SANITIZER: $target: $count seeds and 500 runs, cov $cov"
  done
done
