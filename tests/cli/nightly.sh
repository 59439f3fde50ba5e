#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ci/nightly with legs that only say how they end: what it adds up to, and what the reports say of it.
set -euo pipefail
build=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# It does not depend on the build, so one is enough.
[[ $(basename "$build") == release ]] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/ci" "$work"/{src/ports,tests/wrong} "$work/else/ringspec/queue"
touch "$work/src/ports/reference.cpp" "$work/tests/wrong/wrong_x.cpp" "$work/else/ringspec/queue/inline_ring_queue.hpp"
cp "$root"/ci/{nightly,build.sh,summary.py} "$work/ci"
printf '#!/bin/sh\n' >"$work/ci/setup"
chmod +x "$work/ci/setup"
# Its own head, and what it gives to the legs, but not the legs themselves.
sed '/^leg format /,$d' "$root/ci/legs.sh" >"$work/ci/legs.sh"
cat >>"$work/ci/legs.sh" <<'LEGS'
leg green "passes"
leg_green() {
  echo "built: 0 s"
  say "nothing found in $(scaled 1 2 3) steps of $port, $kind"
}
leg red "fails"
leg_red() { printf 'a bell \a <&>\n'; false || failed "a | fault"; }
leg dead "is ended by something else"
leg_dead() { exit 2; }
leg no-tool "has no tool"
leg_no_tool() { needs sh no-such-command-anywhere; }
LEGS
problems=0
complain() {
  echo "nightly: $1"
  problems=1
}

ends() { # STATUS ARGUMENT...: the output is in $work/output
  local wanted=$1 seen=0
  shift
  "$work/ci/nightly" "$@" >"$work/output" 2>&1 || seen=$?
  ((seen == wanted)) || complain "nightly $* ends with status $seen, not $wanted: $(tail -n 1 "$work/output")"
}
says() { # FILE TEXT
  grep -qF -- "$2" "$work/$1" || complain "'$2' is not in $1"
}

ends 0 --only green
says output "passed: 1 legs"
says build/nightly/summary.md "nothing found in 2 steps of reference"
ends 0 --only green --minutes 10 --port wrong_x:y
says build/nightly/summary.md "nothing found in 1 steps of wrong_x:y, wrong"
ends 0 --only green --reference "$work/else"
says build/nightly/summary.md "Port reference with the reference in $work/else"
ends 0 --only green --minutes 480
says build/nightly/summary.md "in 3 steps"
ends 3 --only green --only no-tool
says output "inconclusive; "
says build/nightly/summary.md "1 legs passed, 0 failed, 1 inconclusive"
says build/nightly/junit.xml '<error message="no-such-command-anywhere is not installed'
ends 1 --only no-tool --only red
ends 1 --only red --only no-tool
ends 1 --only dead
says output "its output is in build/nightly/dead.log"
ends 1
says output "FAILED; "
says build/nightly/summary.md 'a \| fault'
says build/nightly/junit.xml 'tests="4" failures="2" errors="1"'
says build/nightly/junit.xml '&lt;&amp;&gt;'
python3 - "$work/build/nightly/junit.xml" <<'PYTHON' || complain "junit.xml is no XML with four cases"
import sys, xml.etree.ElementTree as xml
sys.exit(len(xml.parse(sys.argv[1]).getroot().findall("testcase")) != 4)
PYTHON
ends 2 --minutes 0
says output "--minutes '0' is not a whole number above 0"
ends 2 --minutes
ends 2 --only nothing
says output "there is no leg 'nothing'"
ends 2 --port nothing:y
says output "there is no 'nothing' in src/ports, tests/wrong or tests/traps"
ends 2 --reference "$work"
says output "there is no $work/ringspec/queue/inline_ring_queue.hpp"
ends 2 --fast

# Every leg of the real list has its function.
"$root/ci/nightly" --list >"$work/list"
while read -r leg _; do
  grep -q "^leg_${leg//-/_}()" "$root/ci/legs.sh" || complain "the leg $leg has no function"
done <"$work/list"
(($(wc -l <"$work/list") >= 14)) || complain "the list of legs is short"
exit "$problems"
