#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fuzz/wrong_ports.sh [--runs N] [--seed N] [--modules FOLDER] [PORT...]
#
# Which wrong ports does fuzzing alone find? Runs fuzz_queue_trace on each port of tests/wrong/expected.txt, or on those
# that are named, from an empty corpus and a fixed seed: N runs guided by edges, and if they found nothing N more guided by
# how often each was taken. Prints a line of tab-separated values for each:
#
#   port, found (yes, no), the requirement that was told, runs needed, seconds
#
# Needs `cmake --preset fuzz && cmake --build build/fuzz --target fuzz_wrong_ports`, or modules that are built elsewhere.
# Exit status 0 if it could run them all, whatever it found; 2 otherwise.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/fuzz
modules=$build/lib/ringspec/wrong
runs=1000000
seed=1
only=()
while (($#)); do
  case $1 in
    --runs) runs=$2 && shift 2 ;;
    --seed) seed=$2 && shift 2 ;;
    --modules) modules=$2 && shift 2 ;;
    -*) echo "fuzz/wrong_ports.sh: $1 is no option; they are --runs, --seed and --modules." >&2 && exit 2 ;;
    *) only+=("$1") && shift ;;
  esac
done
target=$build/fuzz/fuzz_queue_trace
[[ -x $target ]] || { echo "fuzz/wrong_ports.sh: there is no $target; build the target fuzz_wrong_ports." >&2 && exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The requirement of a death stands in no message of the target: the gate tells it of the trace.
of_death() { # MODULE:PORT
  local crash
  crash=$(find "$work" -name 'crash-*' | head -n 1)
  [[ -n $crash ]] || return 0
  RINGSPEC_PORT=$1 "$build/bin/ringspec-fuzz-to-trace" "$crash" >"$work/trace"
  "$build/bin/ringspec" replay "$work/trace" 2>/dev/null | grep -o -m 1 'queue\.[a-z.-]*' || true
}

if ((${#only[@]} == 0)); then
  while read -r name _; do only+=("$name"); done < <(grep '^wrong-' "$root/tests/wrong/expected.txt")
fi
printf 'port\tfound\trequirement\truns\tseconds\n'
status=0
for name in "${only[@]}"; do
  module=$(grep -l -a -P "$name\\x00" "$modules"/*.so | head -n 1 || true)
  if [[ -z $module ]]; then
    echo "fuzz/wrong_ports.sh: no module in $modules has the port $name." >&2
    status=2
    continue
  fi
  rm -rf "$work"/crash-*
  started=$(date +%s.%N)
  failed=0 needed=0
  # Edges alone find most, quickly; how often they were taken tells more of how a queue came to be as it is.
  for counts in 0 1; do
    RINGSPEC_PORT=$module:$name "$target" -runs="$runs" -seed="$seed" -max_len=64 -use_counters="$counts" \
      -print_final_stats=1 -artifact_prefix="$work/" >"$work/log" 2>&1 || failed=$?
    executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
    needed=$((needed + ${executed:-0}))
    ((failed == 0)) || break
  done
  seconds=$(awk -v from="$started" -v to="$(date +%s.%N)" 'BEGIN { printf "%.1f", to - from }')
  if ((failed == 0)); then
    printf '%s\tno\t-\t%s\t%s\n' "$name" "$needed" "$seconds"
    continue
  fi
  requirement=$(sed -n 's/^FAILED \([^ ]*\).*/\1/p' "$work/log" | head -n 1)
  [[ -n $requirement ]] || requirement=$(of_death "$module:$name")
  if [[ -z $executed ]]; then
    echo "fuzz/wrong_ports.sh: $name: the target did not run:" >&2
    tail -n 5 "$work/log" >&2
    status=2
    continue
  fi
  printf '%s\tyes\t%s\t%s\t%s\n' "$name" "${requirement:-?}" "$needed" "$seconds"
done
exit "$status"
