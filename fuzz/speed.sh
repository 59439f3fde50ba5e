#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fuzz/speed.sh [TARGET...]
#
# Executions per second and core of each fuzz target, at max_len 64 and in one process, without a sanitizer and with
# AddressSanitizer: from the corpus in the tree, over a fixed number of runs. Time is that of the processor, so that
# other work on the machine counts little. The two bounds are for the targets that run queues.
# Exit status 0: both kept; 1: one is missed; 2: it could not run.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
status=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

measure() { # PRESET RUNS BOUND TARGET
  local program=$root/build/$1/fuzz/$4 log cpu rate bound=-
  if [[ ! -x $program ]]; then
    echo "fuzz/speed.sh: there is no $program; run: cmake --preset $1 && cmake --build build/$1 --target fuzz_targets" >&2
    exit 2
  fi
  log=$work/log
  TIMEFORMAT='%U %S'
  # From a copy: what the run finds stays out of the tree.
  rm -rf "$work/corpus"
  cp -r "$root/fuzz/corpus/$4" "$work/corpus"
  cpu=$({ time "$program" -runs="$2" -max_len=64 -seed=1 -use_counters=0 -artifact_prefix="$work/" "$work/corpus" \
    >"$log" 2>&1; } 2>&1) || { tail -n 20 "$log" >&2 && exit 2; }
  rate=$(awk -v runs="$2" '{ printf "%.0f", runs / ($1 + $2) }' <<<"$cpu")
  if [[ $4 == fuzz_queue_* ]]; then
    bound=$3
    ((rate >= bound)) || status=1
  fi
  printf '%-20s %-10s %9s runs %9s /s   bound %s\n' "$4" "$1" "$2" "$rate" "$bound"
}

targets=("$@")
if ((${#targets[@]} == 0)); then
  for program in "$root"/build/fuzz/fuzz/fuzz_*; do targets+=("${program##*/}"); done
fi
for target in "${targets[@]}"; do
  measure fuzz 2000000 500000 "$target"
  measure fuzz-asan 500000 100000 "$target"
done
exit "$status"
