#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each wrong queue of tests/wrong/expected.txt is caught at the smoke budget, first by the requirement that its line
# names, with a trace; the right ones among them (`-`) are not accused of anything. Every requirement that is checked
# by running has a wrong queue, and a sample of the traces fails again, in the same way, when it is replayed.
set -euo pipefail
build=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
command=$build/bin/ringspec
# shellcheck source=../tools/wrong_queues.sh source-path=SCRIPTDIR
. "$root/tests/tools/wrong_queues.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

ports=()
for module in "$build"/lib/ringspec/wrong/*.so; do ports+=(--port "$module"); done
status=0
"$command" verify --budget smoke --report "$work/report" "${ports[@]}" >"$work/output.txt" 2>&1 || status=$?
if [[ $status != 1 || ! -e $work/report/report.json ]]; then
  echo "wrong_queues: verify ended with status $status instead of 1, and this output:"
  tail -n 40 "$work/output.txt"
  exit 1
fi
"$command" list requirements >"$work/requirements.txt"

/usr/bin/python3 - "$work" "$root/tests/wrong/expected.txt" "$command" <<'PYTHON'
import json, pathlib, subprocess, sys

work, expected_file, command = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
folder = work / "report"
report = json.loads((folder / "report.json").read_text())
complaints = []

def complain(what):
    complaints.append(what)

expected = {}
for number, line in enumerate(expected_file.read_text().splitlines(), 1):
    words = line.split("#")[0].split()
    if not words:
        continue
    if len(words) != 2:
        complain(f"{expected_file.name}:{number}: a line is 'PORT REQUIREMENT' or 'PORT -'")
    elif words[0] in expected:
        complain(f"{expected_file.name}:{number}: {words[0]} is there twice")
    else:
        expected[words[0]] = words[1]

requirements = {}
for line in (work / "requirements.txt").read_text().splitlines():
    level, evidence, name = line.split()
    requirements[name] = evidence

ports = {p["name"]: p for p in report["ports"]}
for name in ports.keys() - expected.keys():
    complain(f"{name} is in {ports[name]['module']}, but not in {expected_file.name}")
for name in expected.keys() - ports.keys():
    complain(f"{name} is in {expected_file.name}, but in no module")
for name, evidence in requirements.items():
    if evidence == "run" and name not in expected.values():
        complain(f"{name} is checked by running, but no wrong queue is made to fail it")
for problem in report["problems"]:
    complain(f"the run itself: {problem}")

def is_right(port):
    for v in port["verdicts"]:
        if v["verdict"] not in ("pass", "unclaimed", "elsewhere"):
            complain(f"{port['name']} is right, but {v['requirement']} is {v['verdict']}: {v.get('message', '')}")
    if port["first_failure"] is not None or port["inconclusive"] or port["notes"]:
        complain(f"{port['name']} is right, but the report says: first failure {port['first_failure']}, "
                 f"inconclusive {port['inconclusive']}, notes {port['notes']}")

def is_caught(port, requirement):
    name = port["name"]
    if requirement not in requirements:
        complain(f"{name} should fail {requirement}, which is no requirement")
        return
    verdict = next(v for v in port["verdicts"] if v["requirement"] == requirement)
    failed = [v["requirement"] for v in port["verdicts"] if v["verdict"] == "fail"]
    if port["first_failure"] != requirement:
        complain(f"{name} should fail {requirement} first, but failed {port['first_failure']} first "
                 f"({requirement} is {verdict['verdict']}; all failures: {', '.join(failed) or 'none'})")
    if verdict["verdict"] != "fail":
        complain(f"{name} should fail {requirement}, which is {verdict['verdict']} after {verdict['checks']} checks")
    elif "trace" not in verdict:
        complain(f"{name} fails {requirement} without a trace ({verdict['source']}; seen: {verdict['seen']})")
    elif not (folder / verdict["trace"]).is_file():
        complain(f"{name}: {verdict['trace']} is in the report, but not in its folder")

for name, requirement in expected.items():
    if name in ports:
        is_right(ports[name]) if requirement == "-" else is_caught(ports[name], requirement)

# A trace that cannot be replayed is worth nothing.
failures = [(p["name"], v) for p in report["ports"] for v in p["verdicts"] if v["verdict"] == "fail" and "trace" in v]
for name, verdict in failures[::7]:
    run = subprocess.run([command, "replay", folder / verdict["trace"]], capture_output=True, text=True, errors="replace")
    said = [line for line in run.stdout.splitlines() if line.startswith("FAILED ")]
    if run.returncode != 1 or not said or said[0].split()[1] != verdict["requirement"]:
        complain(f"replay of {verdict['trace']} ends with status {run.returncode} and "
                 f"'{(said or run.stderr.splitlines() or run.stdout.splitlines() or ['nothing'])[-1]}' "
                 f"instead of status 1 and 'FAILED {verdict['requirement']}'")

for line in complaints:
    print("wrong_queues:", line)
print(f"{len(expected)} queues, {len(failures)} traces, {len(failures[::7])} of them replayed, {len(complaints)} complaints")
sys.exit(1 if complaints else 0)
PYTHON
