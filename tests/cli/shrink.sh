#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `ringspec shrink` and the traces of a report: of faults of each sort (a wrong value, a leak, a damaged block, a death, a
# failing allocation) the smallest trace is the same whichever source found it, fails again with the same requirement, and
# is shrunk no further. `ringspec emit-test`: the tests compile as GoogleTest, C and Rust, fail on the wrong port, pass on
# the reference, and do not pass where they cannot run.
set -euo pipefail
build=$(cd "$1" && pwd)
command=$build/bin/ringspec
wrong=$build/lib/ringspec/wrong
# shellcheck source=../tools/wrong_queues.sh source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/../tools/wrong_queues.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
complaints=0
complain() {
  echo "shrink: $*"
  complaints=$((complaints + 1))
}

# SENTENCE STATUS COMMAND...: the output goes to the file `said`
ends() {
  local sentence=$1 wanted=$2 status=0
  shift 2
  "$@" >said 2>&1 || status=$?
  [[ $status == "$wanted" ]] || complain "$sentence: status $status instead of $wanted: $(tail -n 3 said)"
}

# The steps alone, one a line.
steps() { sed -e '1,/^$/d' -e '/^#/d' -e 's/ *->.*//' "$1"; }

# MODULE PORT REQUIREMENT STEPS
faults=(
  "wrong_fifo wrong-order-lost-on-wrap fifo.order 10"
  "wrong_fifo wrong-crashes-on-wrapped-pop fifo.survives 10"
  "wrong_storage wrong-destructor-leaks-when-empty storage.no-leak 3"
  "wrong_storage wrong-writes-past-block storage.stays-inside-blocks 8"
  "wrong_failure wrong-failed-growth-half-done failure.growth-changes-nothing 10"
  "wrong_growth wrong-grows-fourfold growth-policy.doubles-when-full 9"
  "wrong_shrink wrong-to-inline-allocates shrink-policy.to-inline-blocks 16"
)
i=0 compared=0
for fault in "${faults[@]}"; do
  read -r module port requirement longest <<<"$fault"
  requirement=queue.$requirement
  i=$((i + 1))
  for source in vectors random; do
    ends "verify of $port" 1 "$command" verify --quiet --port "$wrong/$module.so:$port" --source $source --budget smoke \
      --report $source
    trace=$source/traces/$port.$requirement.trace
    if [[ ! -e $trace ]]; then
      complain "$port: $source show no failure of $requirement"
      continue 2
    fi
    ends "replay of $trace" 1 "$command" replay "$trace"
    grep -q "^FAILED $requirement " said || complain "$trace fails $(grep '^FAILED' said || echo nothing)"
    length=$(steps "$trace" | wc -l)
    ((length <= longest)) || complain "$trace has $length steps, more than $longest"
    # From there shrink finds nothing smaller.
    ends "shrink of $trace" 0 "$command" shrink "$trace" -o again.trace
    diff <(steps "$trace") <(steps again.trace) >said || complain "$trace can be shrunk further: $(head -n 5 said)"
  done
  cp "vectors/traces/$port.$requirement.trace" "$i.trace"
  # On the instance of the one, the other ends alike, if it fails there.
  sed "s|^instance .*|$(grep '^instance ' "vectors/traces/$port.$requirement.trace")|" \
    "random/traces/$port.$requirement.trace" >other.trace
  "$command" replay other.trace >said 2>&1 || true
  grep -q "^FAILED $requirement " said || continue
  compared=$((compared + 1))
  ends "shrink of a random trace on the other instance" 0 "$command" shrink other.trace -o other-shrunk.trace
  diff <(steps "vectors/traces/$port.$requirement.trace") <(steps other-shrunk.trace) >said ||
    complain "$port: the vectors and the random traces end differently: $(head -n 6 said)"
done
((compared >= 4)) || complain "only $compared traces of two sources could be compared"

# ---- reports ----
ends "verify --no-shrink" 1 "$command" verify --quiet --no-shrink --port "$wrong/wrong_shrink.so:wrong-never-shrinks" \
  --source random --budget smoke --report whole
ends "verify" 1 "$command" verify --port "$wrong/wrong_shrink.so:wrong-never-shrinks" --source random --budget smoke \
  --report smallest
tr -s ' \n' ' ' <said | grep -q 'random trace [0-9]* of seed 1, shrunk from [0-9]* steps' ||
  complain "the output does not say what a trace was shrunk from"
/usr/bin/python3 - whole/report.json smallest/report.json <<'PYTHON' || complaints=$((complaints + 1))
import json, sys

whole, smallest = (json.load(open(name)) for name in sys.argv[1:])
failed = 0
for a, b in zip(whole["ports"][0]["verdicts"], smallest["ports"][0]["verdicts"]):
    same = {key: value for key, value in b.items() if key in ("requirement", "verdict", "checks", "source")}
    if any(a.get(key) != value for key, value in same.items()):
        sys.exit(f"shrink: {a} is without shrinking, {b} with it: more than the trace differs")
    if a["verdict"] == "fail":
        failed += 1
        shorter = b["length"] < a["length"]
        if "shrunk_from" in a or b.get("shrunk_from") != (a["length"] if shorter else None) or b["length"] > a["length"]:
            sys.exit(f"shrink: {a['requirement']}: length {a['length']}, and then {b['length']}, shrunk_from {b.get('shrunk_from')}")
if not failed:
    sys.exit("shrink: wrong-never-shrinks fails nothing")
PYTHON

# ---- what cannot be shrunk ----
printf 'ringspec trace 1\nsubject queue\npush a\n' >sound.trace
ends "shrink of a trace that does not fail" 2 "$command" shrink sound.trace
grep -q "does not fail on port reference" said || complain "shrink of a sound trace says: $(cat said)"
sed 's/^requirement .*/requirement queue.fifo.order/' 6.trace >other-name.trace
ends "shrink of a trace that fails something else" 2 "$command" shrink other-name.trace
grep -q "about queue.fifo.order, but on port .* it fails queue.growth-policy.doubles-when-full" said ||
  complain "shrink of a trace that fails something else says: $(cat said)"
sed '/^requirement /d' 6.trace >no-name.trace
ends "shrink of a trace that names no requirement" 0 "$command" shrink no-name.trace
grep -q "^requirement queue.growth-policy.doubles-when-full" said || complain "without a name: $(head -n 4 said)"
ends "shrink in no time" 2 "$command" shrink --seconds 0 6.trace
# A call that hangs takes no more than its share of the time.
if [[ -e $build/lib/ringspec/traps/endless_loop.so ]]; then
  { echo "ringspec trace 1"; echo "subject queue"; printf '\npush a x9\nclear a\npush a\npop a\npush a x8\npop a x9\n'; } >hangs.trace
  ends "shrink of a trace that hangs" 0 timeout 60 "$command" shrink hangs.trace -o hung.trace \
    --port "$build/lib/ringspec/traps/endless_loop.so"
  [[ $(steps hung.trace) == $'push a x6\npop a' ]] || complain "the trace that hangs was shrunk to $(steps hung.trace)"
fi

# ---- emit-test ----
ends "emit-test in no language" 2 "$command" emit-test 1.trace --as cobol
grep -q "gtest, c or rust" said || complain "emit-test --as cobol says: $(cat said)"
languages=(c)
if echo '#include <gtest/gtest.h>' | g++ -std=c++20 -E -x c++ - >/dev/null 2>&1; then
  languages+=(gtest)
else
  echo "shrink: GoogleTest is not here: nothing of emit-test --as gtest was tried"
fi
if command -v rustc >/dev/null; then
  languages+=(rust)
else
  echo "shrink: rustc is not here: nothing of emit-test --as rust was tried"
fi
compile() { # LANGUAGE FILE PROGRAM
  case $1 in
    c) cc -std=c11 -Wall -Wextra -Wpedantic -Werror -x c "$2" -o "$3" ;;
    gtest) g++ -std=c++17 -O0 -Wall -Wextra -Wno-unused-result -x c++ "$2" -o "$3" -lgtest -lgtest_main -pthread ;;
    rust) rustc --test --edition=2021 -Dwarnings "$2" -o "$3" ;;
  esac
}
export RINGSPEC=$command
unset RINGSPEC_PORT
bad_status() { [[ $1 == rust ]] && echo 101 || echo 1; }
for language in "${languages[@]}"; do
  for n in 1 2 3 4 5 6 7; do
    ends "emit-test --as $language" 0 "$command" emit-test "$n.trace" --as "$language" -o "$n.$language"
    if ! compile "$language" "$n.$language" "$n-$language" >said 2>&1; then
      complain "the $language test of $n.trace does not compile: $(head -n 5 said)"
      continue
    fi
    ends "the $language test of $n.trace on the wrong port" "$(bad_status "$language")" "./$n-$language"
    grep -q "FAILED $(sed -n 's/^requirement //p' $n.trace) " said || complain "the $language test of $n.trace does not show the failure"
    ends "the $language test of $n.trace on the reference" 0 env RINGSPEC_PORT=reference "./$n-$language"
    # It has not passed where it could not run.
    could_not=2
    [[ $language == c ]] || could_not=$(bad_status "$language")
    for port in nobody bounded; do
      # The bounded port never shrinks, so that nobody answers for that.
      [[ $port == nobody || $n == 7 ]] || continue
      ends "the $language test of $n.trace on $port" "$could_not" env RINGSPEC_PORT=$port "./$n-$language"
      [[ $port == bounded ]] && ! grep -q "is not judged on this port" said && complain "the $language test on $port does not say why: $(tail -n 2 said)"
      grep -q "could not run" said || complain "the $language test of $n.trace on $port does not say that it could not run"
    done
    ends "the $language test of $n.trace without the command" "$could_not" env RINGSPEC=no-such-command "./$n-$language"
  done
done
# The port may also be named when it is compiled.
ends "a macro for the port" 0 cc -std=c11 "-DRINGSPEC_PORT=\"reference\"" -x c 1.c -o named
ends "the test with a macro" 0 ./named

[[ $complaints == 0 ]] || exit 1
