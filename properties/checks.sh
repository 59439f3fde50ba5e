#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the properties promise: RC_PARAMS is refused where RapidCheck would ignore it, a run can be repeated, each property
# finds the fault that it is there for, and the trace property finds every wrong port. $1 is the build folder.
set -euo pipefail
build=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export RINGSPEC_TRACES=$work/traces
unset RC_PARAMS RINGSPEC_PORT
complaints=0
complain() {
  echo "properties: $1"
  complaints=$((complaints + 1))
}

# ---- RC_PARAMS
refuses() { # RC_PARAMS WORDS...: exit status 2, and a sentence with these words
  local status=0 word
  RC_PARAMS=$1 "$build/bin/ringspec_typed_properties" >"$work/out" 2>"$work/err" || status=$?
  [[ $status == 2 ]] || complain "RC_PARAMS='$1' ends with status $status instead of 2"
  for word in "${@:2}"; do
    grep -qF -- "$word" "$work/err" || complain "RC_PARAMS='$1' is refused without '$word': $(<"$work/err")"
  done
}
refuses "bogus=2" "'bogus'" "seed, max_success, max_size"
refuses "seed=1 max_sucess=7" "'max_sucess'" "max_success"
refuses "max_success=12x" "'max_success'" "'12x'"
refuses "max_success=0" "'max_success'" "from 1"
refuses "max_success" "'max_success' needs a value"
refuses "seed=1 seed=2" "'seed' is given twice"
refuses "noshrink=yes" "'noshrink'" "0 or 1"
refuses "reproduce=nonsense" "reproduce"

# ---- a run can be repeated, and says how many cases it ran
few() { # RC_PARAMS: what is told of a run, without times
  RC_PARAMS=$1 "$build/bin/ringspec_typed_properties" 2>&1 | sed -n 's/ steps, [0-9]* ms;/ steps;/p' || true
}
few "max_success=5" >"$work/first"
few "max_success=5" >"$work/second"
few "max_success=5 seed=5" >"$work/third"
[[ $(grep -c ': 180 cases, 5 on each of 36 instances' "$work/first") == 8 ]] ||
  complain "eight properties should tell of 180 cases each: $(<"$work/first")"
cmp -s "$work/first" "$work/second" || complain "two runs with the same seed differ"
cmp -s "$work/first" "$work/third" && complain "two runs with different seeds are the same"

RINGSPEC_PORT=referense "$build/bin/ringspec_trace_property" >"$work/out" 2>&1 && complain "a port that is not there passes"
grep -q "RINGSPEC_PORT: .*did you mean 'reference'" "$work/out" || complain "no sentence for a port that is not there"

# ---- each property finds the fault that it is there for, and leaves a trace
forks=0
for fork in "$build"/bin/typed_fork_*; do
  [[ -x $fork ]] || continue
  property=${fork##*typed_fork_} status=0
  forks=$((forks + 1))
  "$fork" --gtest_filter="typed.$property" >"$work/out" 2>&1 || status=$?
  if [[ $status != 1 ]] || ! grep -q "$property does not hold on" "$work/out"; then
    complain "the property $property does not find its fault (status $status)"
  elif ! ls "$RINGSPEC_TRACES/$property".*.trace >/dev/null 2>&1; then
    complain "the property $property leaves no trace"
  fi
done
if grep -q '^CMAKE_CXX_FLAGS:[A-Z]*=.*-fsanitize' "$build/CMakeCache.txt"; then
  echo "properties: forks and wrong ports are left to a build without sanitizer, which would end some of them first."
  exit $((complaints != 0))
fi
[[ $forks == 8 ]] || complain "there are $forks forked references instead of 8"
if [[ -e $build/lib/ringspec/traps/fork.so ]]; then
  # That port has values of a kind of its own.
  sed 's|^instance .*/|instance */|' "$RINGSPEC_TRACES"/any_steps.*.trace >"$work/any.trace"
  "$build/bin/ringspec" replay --port "$build/lib/ringspec/traps/fork.so" "$work/any.trace" >"$work/out" 2>&1 &&
    complain "the trace of any_steps shows nothing on a port with the same fault"
  grep -q "FAILED queue.growth-policy.doubles-when-full" "$work/out" || complain "its replay says: $(tail -n 3 "$work/out")"
fi

# ---- the trace property finds every wrong port that is built, accuses no right one, and its traces fail again
# Made smaller is the one of the canary only: there are hundreds of processes in that.
RC_PARAMS="noshrink=1" "$here/wrong_ports.sh" "$build" "$work/wrong" >"$work/table"
RINGSPEC_PORT=wrong_shrink:wrong-threshold-below "$build/bin/ringspec_trace_property" >"$work/out" 2>&1 || true
length=$(awk -F '\t' '$1 == "result" { print $6 }' "$work/out")
[[ $length =~ ^[0-9]+$ && $length -le 22 ]] || complain "the canary's trace should have at most 2 C0 + 6 = 22 steps, not '$length'"
while IFS=$'\t' read -r port fault found _; do
  [[ $found == "not run" && $(ls "$build"/lib/ringspec/wrong) == wrong_shrink.so ]] && continue
  if [[ $fault == - && $found != - ]]; then complain "$port is right, but $found is reported"; fi
  if [[ $fault != - && $found != queue.* ]]; then complain "$port is wrong ($fault), but found is: $found"; fi
done < <(tail -n +2 "$work/table")
replayed=0
for trace in "$work"/wrong/*.trace; do
  ((replayed++ % 7 == 0)) || continue
  requirement=$(sed -n 's/^requirement //p' "$trace")
  "$build/bin/ringspec" replay "$trace" >"$work/out" 2>&1 && complain "${trace##*/} passes when it is replayed"
  grep -q "^FAILED $requirement " "$work/out" || complain "${trace##*/} fails otherwise: $(grep FAILED "$work/out")"
done
echo "properties: $forks forks, $(($(wc -l <"$work/table") - 1)) wrong ports, $replayed traces, $complaints complaints"
exit $((complaints != 0))
