#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# report.json is what spec/report.schema.json says: the golden one, which has every verdict, and what this build writes
# for all references and for a queue that fails. The schema describes every field, and refuses what it should.
set -euo pipefail
build=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
command=$build/bin/ringspec
[[ -x $command ]] || exit 77
# Debian's own Python has Debian's packages; another one, first in PATH, has not.
python=/usr/bin/python3
"$python" -c 'import jsonschema' 2>/dev/null || {
  echo "report_schema: $python has no module jsonschema; ci/setup installs it (package python3-jsonschema)." >&2
  exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { # NAME ARGUMENT...
  local name=$1 status=0
  shift
  "$command" verify --budget smoke --report "$work/$name" "$@" >"$work/$name.txt" 2>&1 || status=$?
  if [[ $status != [013] || ! -e $work/$name/report.json ]]; then
    echo "report_schema: verify $* ended with status $status and this output:" >&2
    cat "$work/$name.txt" >&2
    exit 1
  fi
  echo "$status" >"$work/$name/status"
}

run references
reports=("$work/references")
wrong=$build/lib/ringspec/wrong/wrong_shrink.so
if [[ -e $wrong ]]; then
  run wrong --port "$wrong"
  reports+=("$work/wrong")
fi

"$python" - "$root" "${reports[@]}" <<'PYTHON'
import copy, json, pathlib, sys
import xml.etree.ElementTree
from jsonschema import Draft202012Validator

root, folders = pathlib.Path(sys.argv[1]), [pathlib.Path(a) for a in sys.argv[2:]]
schema = json.loads((root / "spec/report.schema.json").read_text())
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
complaints = []

def complain(where, what):
    complaints.append(f"{where}: {what}")

def undescribed(node, rule, path):
    """The fields that a report has and the schema does not know."""
    while "$ref" in rule:
        rule = schema["$defs"][rule["$ref"].rsplit("/", 1)[1]]
    if isinstance(node, dict):
        for key, value in node.items():
            if key not in rule.get("properties", {}):
                yield f"{path}.{key}"
            else:
                yield from undescribed(value, rule["properties"][key], f"{path}.{key}")
    elif isinstance(node, list):
        for item in node:
            yield from undescribed(item, rule.get("items", {}), path)

def check(name, report):
    for error in validator.iter_errors(report):
        complain(name, f"{error.json_path}: {error.message}")
    for path in sorted(set(undescribed(report, schema, "report"))):
        complain(name, f"the schema does not describe {path}")

golden = json.loads((root / "tests/golden/report.json").read_text())
check("the golden report", golden)
known = set(schema["$defs"]["verdict"]["properties"]["verdict"]["enum"])
missing = known - {v["verdict"] for p in golden["ports"] for v in p["verdicts"]}
if missing:
    complain("the golden report", f"has no verdict {sorted(missing)}")
xml.etree.ElementTree.parse(root / "tests/golden/report.xml")

for folder in folders:
    report = json.loads((folder / "report.json").read_text())
    check(folder.name, report)
    if str(report["exit"]) != (folder / "status").read_text().strip():
        complain(folder.name, "`exit` is not the exit status of the command")
    for port in report["ports"]:
        for v in port["verdicts"]:
            if "trace" in v and not (folder / v["trace"]).is_file():
                complain(folder.name, f"{v['trace']} is not there")
    if (folder / "junit.xml").exists():
        xml.etree.ElementTree.parse(folder / "junit.xml")

def verdict_of(report, what):
    return next(v for p in report["ports"] for v in p["verdicts"] if v["verdict"] == what)

# A schema that refuses nothing would accept all of the above too.
for name, spoil in {
    "another schema": lambda r: r.update(schema=2),
    "no seed": lambda r: r.pop("seed"),
    "exit status 2": lambda r: r.update(exit=2),
    "a module with its folder": lambda r: r["ports"][0].update(module="/somewhere/port.so"),
    "0 for a time that is not known": lambda r: r.update(seconds=0),
    "a pass without a check": lambda r: verdict_of(r, "pass").update(checks=0),
    "a count for what is not claimed": lambda r: verdict_of(r, "unclaimed").update(checks=0),
    "a failure without its instance": lambda r: verdict_of(r, "fail").pop("instance"),
    "a deviation without a reason": lambda r: verdict_of(r, "deviation").pop("message"),
    "an unknown verdict": lambda r: verdict_of(r, "pass").update(verdict="ok"),
}.items():
    spoilt = copy.deepcopy(golden)
    spoil(spoilt)
    if validator.is_valid(spoilt):
        complain("the schema", f"accepts {name}")

for line in complaints[:40]:
    print("report_schema:", line)
sys.exit(1 if complaints else 0)
PYTHON
