#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fuzz/run.sh TARGET [--runs N | --seconds N] [--counts] [--merge [--into FOLDER]] [--preset fuzz|fuzz-asan] [--seed N]
#
# Runs a fuzz target from its corpus in the tree and from what earlier runs found (build/PRESET/fuzz/found/TARGET, kept
# from run to run). With --merge, what adds coverage to the corpus in the tree is then copied there, as small as it gets; with
# --into that goes to the folder, and the tree stays as it is.
# With --counts the fuzzer is guided by how often each edge was taken, not only by which were: a third of the speed, and
# it finds a few faults that the other does not. Builds what is missing. Exit status 0: nothing found; 1: something found,
# whose input is named; 2: it could not run.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target="" into="" preset=fuzz seed=0 merge=0 counts=0 limit=(-runs=1000000)
while (($#)); do
  case $1 in
    --runs) limit=("-runs=$2") && shift 2 ;;
    --seconds) limit=("-max_total_time=$2") && shift 2 ;;
    --preset) preset=$2 && shift 2 ;;
    --seed) seed=$2 && shift 2 ;;
    --counts) counts=1 && shift ;;
    --merge) merge=1 && shift ;;
    --into) into=$2 && shift 2 ;;
    -*) echo "fuzz/run.sh: $1 is no option; see the head of this file." >&2 && exit 2 ;;
    *) target=$1 && shift ;;
  esac
done
build=${RINGSPEC_BUILDS:-$root/build}/$preset
log=$root/build/log/$preset.fuzz.log
mkdir -p "$root/build/log"
if ! { cmake -S "$root" --preset "$preset" -B "$build" && cmake --build "$build" --target fuzz_targets; } >"$log" 2>&1; then
  echo "fuzz/run.sh: the targets could not be built; the whole output is in ${log#"$root/"}." >&2
  exit 2
fi
program=$build/fuzz/$target
if [[ -z $target || ! -x $program ]]; then
  echo "fuzz/run.sh: '$target' is no target; they are: $(find "$build/fuzz" -maxdepth 1 -name 'fuzz_*' -printf '%f ')" >&2
  exit 2
fi
corpus=$root/fuzz/corpus/$target
found=$build/fuzz/found/$target
mkdir -p "$found" "$corpus"

# Long inputs are only slower: 64 bytes reach every state that the trace's length allows. What reads words needs more.
options=(-max_len=64 -seed="$seed" -artifact_prefix="$found/../$target-")
case $target in
  fuzz_trace_parser) options+=(-max_len=512) ;;
  fuzz_report_reader) options+=(-max_len=2048) ;;
esac
[[ -f $root/fuzz/$target.dict ]] && options+=(-dict="$root/fuzz/$target.dict")

status=0
"$program" "${options[@]}" "${limit[@]}" -use_counters="$counts" -print_final_stats=1 "$found" "$corpus" >"$log" 2>&1 || status=$?
if ((status != 0)); then
  # Without a sentence of the target's own, what stands before and after the engine's word says most.
  if grep -q '^FAILED' "$log"; then
    sed -n '/^FAILED/,$p' "$log" | grep -v '^\(MS: \|0x\|NOTE:\|==\|artifact_prefix\)' | head -n 40 || true
  else
    grep -m 1 -B 2 -A 27 '^==[0-9]*==' "$log" || tail -n 30 "$log"
  fi
  echo "fuzz/run.sh: $target found something; fuzz/README.md says how to look at it. The whole output: ${log#"$root/"}"
  exit 1
fi
runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
echo "fuzz/run.sh: $target ($preset): $runs runs, nothing found"
((merge)) || exit 0

# Everything into a new folder, the smallest first, so that what has become superfluous goes.
smaller=$(mktemp -d)
trap 'rm -rf "$smaller"' EXIT
"$program" "${options[@]}" -use_counters=0 -merge=1 "$smaller" "$corpus" "$found" >>"$log" 2>&1
if [[ -n $into ]]; then
  mkdir -p "$into"
  corpus=$into
fi
# What has a name was found once, and stays.
find "$corpus" -type f -regextype posix-extended -regex '.*/[0-9a-f]{40}' -delete
cp "$smaller"/* "$corpus/"
echo "fuzz/run.sh: $target: the corpus has $(find "$corpus" -type f | wc -l) files, $(du -bs "$corpus" | cut -f 1) bytes"
