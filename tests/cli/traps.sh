#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The run outlives every trap port: each ends as its line of tests/traps/expected.txt says, with a whole report, and its
# failures have traces that fail again when they are replayed. Beside crashing ports, nothing of another port is lost.
set -euo pipefail
build=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
command=$build/bin/ringspec
traps=$build/lib/ringspec/traps
[[ -x $command && -d $traps ]] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

verify() { # NAME ARGUMENT...
  local name=$1 status=0
  shift
  mkdir -p "$work/$name"
  "$command" verify --budget smoke --report "$work/$name/report" "$@" >"$work/$name/output" 2>"$work/$name/errors" || status=$?
  echo "$status" >"$work/$name/status"
}

# Rust traps without a rustc.
skipped=$(tr '\n' ' ' <"$traps/skipped.txt")
[[ -z $skipped ]] || echo "traps: not built, for want of a rustc: $skipped"

"$command" list requirements >"$work/requirements.txt"
for module in "$traps"/*.so; do verify "$(basename "$module" .so)" --port "$module"; done

verify alone: --port reference
# Crashing ports before and after it, so that neither those that are done nor those that are to come can be lost.
verify together: --port "$traps/segfault.so" --port "$traps/endless_loop.so" --port reference --port "$traps/exits.so" \
  --port "$traps/aborts.so"

/usr/bin/python3 - "$work" "$root/tests/traps/expected.txt" "$command" "$skipped" <<'PYTHON'
import json, pathlib, subprocess, sys

work, expected_file, command = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
skipped = set(sys.argv[4].split())
complaints = []

def complain(what):
    complaints.append(what)

def last_line(text):
    return (text.strip().splitlines() or ["nothing"])[-1]

expected = {}
for line in expected_file.read_text().splitlines():
    if line.strip() and not line.startswith("#"):
        stem, status, text = line.split(maxsplit=2)
        expected[stem] = (int(status), text)

requirements = [line.split()[2] for line in (work / "requirements.txt").read_text().splitlines()]
runs = {folder.name for folder in work.iterdir() if folder.is_dir() and not folder.name.endswith(":")}
for stem in runs - expected.keys():
    complain(f"{stem} is a trap, but not in {expected_file.name}")
for stem in skipped - expected.keys():
    complain(f"{stem} is a trap, but not in {expected_file.name}")
for stem in expected.keys() - runs - skipped:
    complain(f"{stem} is in {expected_file.name}, but was not built")

def report_of(name):
    """The report of a run, after a look at its shape."""
    file = work / name / "report/report.json"
    if not file.is_file():
        complain(f"{name}: there is no report.json")
        return None
    report = json.loads(file.read_text())
    for port in report["ports"]:
        seen = [v["requirement"] for v in port["verdicts"]]
        if seen != requirements:
            complain(f"{name}: the report on {port['name']} lacks {sorted(set(requirements) - set(seen)) or 'the order'}")
    if report["problems"]:
        complain(f"{name}: problems of the run: {report['problems']}")
    return report

def replays(name, verdict):
    trace = work / name / "report" / verdict["trace"]
    run = subprocess.run([command, "replay", trace], capture_output=True, text=True, errors="replace")
    if run.returncode != 1 or f"FAILED {verdict['requirement']} " not in run.stdout:
        complain(f"{name}: replay of {verdict['trace']} ends with status {run.returncode} and "
                 f"'{last_line(run.stdout + run.stderr)}' instead of status 1 and 'FAILED {verdict['requirement']}'")

for stem in sorted(expected.keys() & runs):
    wanted, text = expected[stem]
    status = int((work / stem / "status").read_text())
    output = (work / stem / "output").read_text(errors="replace")
    errors = (work / stem / "errors").read_text(errors="replace")
    if status != wanted:
        complain(f"{stem} ends with status {status} instead of {wanted}: {last_line(errors or output)}")
    if text not in output + errors:
        complain(f"{stem}: '{text}' is not in the output, which ends with: {last_line(errors or output)}")
    if wanted == 2:
        if output or len(errors.splitlines()) != 1:
            complain(f"{stem}: a refusal is one line on stderr, not {len(output.splitlines())} lines on stdout "
                     f"and {len(errors.splitlines())} on stderr")
        continue
    report = report_of(stem)
    if report is None:
        continue
    if report["exit"] != status:
        complain(f"{stem}: `exit` in the report is {report['exit']}, but the command ended with {status}")
    for port in report["ports"]:
        for verdict in port["verdicts"]:
            if verdict["verdict"] != "fail":
                continue
            if "trace" in verdict:
                replays(stem, verdict)
            else:
                complain(f"{stem} fails {verdict['requirement']} without a trace ({verdict['source']}; seen: {verdict['seen']})")

# What a port says belongs to its failure, and nowhere else.
if "trap: " in (work / "prints/output").read_text() + (work / "prints/errors").read_text():
    complain("prints: what the port wrote is in the output of the command")

alone, together = report_of("alone:"), report_of("together:")
if alone and together:
    names = [p["name"] for p in together["ports"]]
    if names != ["trap-segfault", "trap-endless-loop", "reference", "trap-exit", "trap-abort"]:
        complain(f"together: the report is on {names}")
    ports = {p["name"]: p for p in together["ports"]}
    before, now = alone["ports"][0], ports.get("reference", {"verdicts": [], "claims": []})
    for old, new in zip(before["verdicts"], now["verdicts"]):
        for key in "verdict", "checks":
            if old[key] != new[key]:
                complain(f"together: {new['requirement']} of the reference: {key} is {new[key]}; alone it is {old[key]}")
        if new["class"] in now["claims"] and new["verdict"] not in ("pass", "elsewhere", "unclaimed"):
            complain(f"together: {new['requirement']} of the reference is {new['verdict']}")
    if not any(v["verdict"] == "pass" for v in now["verdicts"]):
        complain("together: nothing of the reference passes")
    for name in set(ports) - {"reference"}:
        if ports[name]["first_failure"] != "queue.fifo.survives":
            complain(f"together: {name} fails {ports[name]['first_failure']} first, not queue.fifo.survives")

for line in complaints:
    print("traps:", line)
sys.exit(1 if complaints else 0)
PYTHON
