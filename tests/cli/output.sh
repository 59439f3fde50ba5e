#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What verify prints and writes: plain text where nobody looks at a terminal, the seed always, only what was asked for,
# and every file of the report, also when the time is over before the budget is used.
set -euo pipefail
build=$1
command=$build/bin/ringspec
[[ -x $command ]] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
complaints=0
escape=$'\033'
return=$'\r'

complain() {
  echo "output: $*"
  complaints=$((complaints + 1))
}

verify() { # NAME WANTED_STATUS ARGUMENT...: stdout, stderr and report are in a folder of this name
  local name=$1 wanted=$2 status=0
  shift 2
  mkdir -p "$work/$name"
  "$command" verify --report "$work/$name/report" "$@" >"$work/$name/out" 2>"$work/$name/err" </dev/null || status=$?
  [[ $status == "$wanted" ]] || complain "$name: status $status instead of $wanted: $(tail -n 2 "$work/$name/err" "$work/$name/out")"
}

# A port that passes and one that fails, so that both kinds of output are looked at.
wrong=$build/lib/ringspec/wrong/wrong_shrink.so
[[ -e $wrong ]] || complain "$wrong, the canary of every run, is not there"
both=(--budget smoke --port reference --port "$wrong:wrong-threshold-below")

# ---- not a terminal ----
unset NO_COLOR
verify plain 1 "${both[@]}" --seed 4711
for file in out err; do
  ! grep -q "$escape" "$work/plain/$file" || complain "an escape character in $file, which is no terminal"
  ! grep -q "$return" "$work/plain/$file" || complain "a carriage return in $file, which is no terminal"
done
[[ ! -s $work/plain/err ]] || complain "stderr is not empty: $(head -n 1 "$work/plain/err")"
grep -q '^seed  *4711,' "$work/plain/out" || complain "the seed is not printed"
grep -q 'queue.shrink-policy.threshold' "$work/plain/out" || complain "the failed requirement is not printed"
grep -qF "ringspec replay $work/plain/report/traces/" "$work/plain/out" || complain "no line that replays the trace"
[[ $(awk '{ if (length > 200) print }' "$work/plain/out" | wc -l) == 0 ]] || complain "lines of more than 200 characters"
verify default_seed 0 --budget smoke --port reference
grep -q '^seed  *1,' "$work/default_seed/out" || complain "the default seed is not printed"

# The line that the output gives for a replay does replay, as it stands.
line=$(sed -n 's/^ *ringspec replay /replay /p' "$work/plain/out" | head -n 1)
status=0
# shellcheck disable=SC2086
"$command" $line >"$work/replay.out" 2>&1 || status=$?
[[ $status == 1 ]] || complain "'ringspec $line' ends with status $status: $(tail -n 1 "$work/replay.out")"
! grep -q "$escape\|$return" "$work/replay.out" || complain "escape characters or carriage returns in the output of replay"

# A report replaces the traces of the one before it, and no other file.
old=$(find "$work/plain/report/traces" -name '*.trace' | head -n 1)
echo "mine" >"$work/plain/report/traces/mine.trace"
cp -r "$work/plain/report" "$work/kept"
"$command" verify --budget smoke --port reference --report "$work/kept" >/dev/null
[[ -e $work/kept/traces/mine.trace ]] || complain "a file that is not of the report was removed"
[[ ! -e $work/kept/traces/$(basename "$old") ]] || complain "a trace of the report before is still there"

# ---- a terminal ----
if command -v script >/dev/null; then
  on_terminal() { # NAME: sets colours to the number of lines with a colour code
    printf -v line '%q ' "$command" verify --report "$work/$1/report" "${both[@]}"
    mkdir -p "$work/$1"
    TERM=xterm script -qec "$line" /dev/null >"$work/$1/out" </dev/null || true
    grep -q '^seed  *1,' <(tr -d '\r' <"$work/$1/out") || complain "$1: the output on a terminal is incomplete"
    colours=$(grep -c "$escape\[[0-9;]*m" "$work/$1/out" || true)
  }
  on_terminal coloured
  [[ $colours != 0 ]] || complain "no colour on a terminal"
  export NO_COLOR=1
  on_terminal without_colour
  [[ $colours == 0 ]] || complain "colour on a terminal in spite of NO_COLOR"
  # An empty NO_COLOR is as good as none: no-color.org.
  export NO_COLOR=
  on_terminal empty_no_colour
  [[ $colours != 0 ]] || complain "an empty NO_COLOR takes the colour away"
  unset NO_COLOR
else
  echo "output: script(1) is missing, so nothing was looked at on a terminal."
fi

# ---- only, quiet ----
verify only 0 --budget smoke --port reference --only queue.growth
verify quiet 0 --budget smoke --port reference --quiet
verify quiet_failure 1 "${both[@]}" --quiet
for name in quiet quiet_failure; do
  [[ ! -s $work/$name/out && ! -s $work/$name/err ]] || complain "$name: --quiet prints: $(cat "$work/$name/out" "$work/$name/err" | head -n 1)"
done
# Silence is not a clean result: a prefix that is refused is fine, and one that selects something, but not a pass of nothing.
status=0
"$command" verify --budget smoke --port reference --only queue.gro --report "$work/nothing" >"$work/nothing.out" 2>&1 || status=$?
if [[ $status == 0 ]] && ! grep -q '^  *growth ' "$work/nothing.out"; then
  complain "--only queue.gro selects nothing and ends with status 0: $(tail -n 1 "$work/nothing.out")"
fi

# ---- the time is over ----
verify timeout 3 --budget nightly --timeout 1 --port reference
verify timeout_quiet 3 --budget nightly --timeout 1 --port reference --quiet

"$command" list requirements >"$work/requirements.txt"
/usr/bin/python3 - "$work" <<'PYTHON' || complaints=$((complaints + 1))
import json, pathlib, sys
import xml.etree.ElementTree

work = pathlib.Path(sys.argv[1])
requirements = [line.split()[2] for line in (work / "requirements.txt").read_text().splitlines()]
complaints = []

def complain(what):
    complaints.append(what)

def report_of(name):
    folder = work / name / "report"
    for file in "report.json", "junit.xml", "summary.md":
        if not (folder / file).is_file() or not (folder / file).stat().st_size:
            complain(f"{name}: {file} is missing or empty")
            return None
    return json.loads((folder / "report.json").read_text())

for name in "plain", "quiet_failure", "only", "timeout", "timeout_quiet":
    report = report_of(name)
    if report is None:
        continue
    root = xml.etree.ElementTree.parse(work / name / "report/junit.xml").getroot()
    cases = root.findall(".//testcase")
    if not cases:
        complain(f"{name}: junit.xml has no test case")
    failed = [v["requirement"] for p in report["ports"] for v in p["verdicts"] if v["verdict"] == "fail"]
    if len(root.findall(".//failure")) < len(failed):
        complain(f"{name}: {len(failed)} failures, but {len(root.findall('.//failure'))} in junit.xml")
    summary = (work / name / "report/summary.md").read_text()
    for requirement in failed:
        if requirement not in summary:
            complain(f"{name}: {requirement} fails, but summary.md does not say it")

plain = report_of("plain")
if plain and (plain["seed"] != 4711 or plain["exit"] != 1 or [p["name"] for p in plain["ports"]] != ["reference", "wrong-threshold-below"]):
    complain("plain: the report has another seed, exit status or other ports")

only = report_of("only")
if only:
    shown = [v["requirement"] for p in only["ports"] for v in p["verdicts"]]
    if not shown or any(not name.startswith("queue.growth") for name in shown):
        complain(f"--only queue.growth: the report has {shown}")
    lines = [line.split() for line in (work / "only/out").read_text().splitlines() if line.startswith("  ")]
    rows = [words[0] for words in lines if len(words) > 3 and words[1].isdigit() and words[2] == "-"]
    if not rows or any(not row.startswith("growth") for row in rows):
        complain(f"--only queue.growth: the table has the rows {rows}")

for name in "timeout", "timeout_quiet":
    report = report_of(name)
    if report is None:
        continue
    seen = [v["requirement"] for v in report["ports"][0]["verdicts"]]
    if report["exit"] != 3 or not report["ports"][0]["inconclusive"] or seen != requirements:
        complain(f"{name}: exit is {report['exit']}, inconclusive {report['ports'][0]['inconclusive']}, {len(seen)} of {len(requirements)} requirements")

for line in complaints:
    print("output:", line)
sys.exit(1 if complaints else 0)
PYTHON

[[ $complaints == 0 ]] || exit 1
