#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sources.sh BUILD [TSV...]
#
# Which source of traces finds which wrong queue, and after how many traces. The explorer alone finds all of them; without
# the suffix that tells states apart it finds all but those of tests/wrong/survive_without_suffix.txt. Prints the table and
# writes it to BUILD/sources.md, with a column more for each TSV file: what properties/wrong_ports.sh BUILD and
# fuzz/wrong_ports.sh print.
set -euo pipefail
build=$1
shift
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
command=$build/bin/ringspec
# shellcheck source=../tools/wrong_queues.sh source-path=SCRIPTDIR
. "$root/tests/tools/wrong_queues.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

ports=()
for module in "$build"/lib/ringspec/wrong/*.so; do ports+=(--port "$module"); done
run() { # NAME ARGUMENT...
  local name=$1 status=0
  shift
  "$command" verify --no-shrink --timeout 3000 --report "$work/$name" "$@" "${ports[@]}" >"$work/$name.txt" 2>&1 || status=$?
  [[ $status == 1 && -e $work/$name/report.json ]] && return 0
  echo "sources: verify $* ended with status $status instead of 1, and this output:"
  tail -n 20 "$work/$name.txt"
  exit 1
}
run vectors --source vectors --budget smoke
run explore --source explore --budget gate
run no-suffix --source explore --budget gate --no-suffix
run random --source random --budget gate

python3 - "$work" "$root/tests/wrong" "$build/sources.md" "$@" <<'PYTHON'
import json, pathlib, re, sys

work, wrong, page = map(pathlib.Path, sys.argv[1:4])
expected = dict(line.split() for line in (wrong / "expected.txt").read_text().splitlines() if line.split("#")[0].split())
survivors = {line for line in (wrong / "survive_without_suffix.txt").read_text().splitlines() if line[:1] not in ("", "#")}

def found(name):
    """By port: what the source found first."""
    result = {}
    for port in json.loads((work / name / "report.json").read_text())["ports"]:
        failures = [v for v in port["verdicts"] if v["verdict"] == "fail"]
        numbers = [int(m[1]) + 1 for v in failures if (m := re.search(r"trace (\d+)", v["source"]))]
        result[port["name"]] = f"trace {min(numbers):,}" if numbers else "yes" if failures else "-"
    return result

columns = {name: found(name) for name in ("vectors", "explore", "no-suffix", "random")}
for file in sys.argv[4:]:
    head, *rows = [line.split("\t") for line in pathlib.Path(file).read_text().splitlines()]
    cases, time = ("cases", "ms") if "cases" in head else ("runs", "seconds")
    of = {row[0]: dict(zip(head, row)) for row in rows}
    columns["properties" if cases == "cases" else "fuzzing"] = {
        port: "-" if r["found"] in ("-", "no") else f"{r[cases]} {cases}, {r[time]} {time}" for port, r in of.items()}

faulty = [name for name, requirement in expected.items() if requirement != "-"]
table = [["wrong queue", *columns], ["---"] * (len(columns) + 1)]
table += [[name, *(column.get(name, "?") for column in columns.values())] for name in faulty]
table.append(["**found**", *(str(sum(c.get(n, "-") not in "-?" for n in faulty)) for c in columns.values())])
page.write_text("".join("| " + " | ".join(row) + " |\n" for row in table))
print(page.read_text(), end="")

complaints = [f"the explorer alone does not find {n}" for n in faulty if columns["explore"][n] == "-"]
complaints += [f"{n} is right, but the source {s} finds a fault" for n in expected.keys() - set(faulty)
               for s in columns if columns[s].get(n, "-") not in "-?"]
seen = {n for n in faulty if columns["no-suffix"][n] == "-"}
complaints += [f"{n} survives without the suffix and is not on the list" for n in sorted(seen - survivors)]
complaints += [f"{n} is on the list, but does not survive without the suffix" for n in sorted(survivors - seen)]
if not survivors:
    complaints.append("no wrong queue shows what the suffix is good for")
for line in complaints:
    print("sources:", line)
sys.exit(1 if complaints else 0)
PYTHON
