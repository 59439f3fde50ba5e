#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The same seed gives the same verdicts and the same traces whatever built the command and the ports, and however many
# jobs ran: the reports of this build are compared with those of the other builds beside it.
set -euo pipefail
build=$1
[[ -x $build/bin/ringspec ]] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints a report without what may differ: seconds, the name of the build, and where the files are.
normalise() { # BUILD REPORT_FOLDER
  python3 - "$1" "$2" <<'PYTHON'
import json, pathlib, sys

build, folder = sys.argv[1], pathlib.Path(sys.argv[2])

def stable(node):
    if isinstance(node, dict):
        return {key: stable(value) for key, value in node.items() if key not in ("seconds", "build")}
    return [stable(item) for item in node] if isinstance(node, list) else node

def placeless(text):
    return text.replace(str(folder), "REPORT").replace(build, "BUILD")

report = json.loads((folder / "report.json").read_text())
print(placeless(json.dumps(stable(report), indent=1, sort_keys=True)))
for trace in sorted((folder / "traces").glob("*.trace")):
    print("==", trace.name)
    print(placeless(trace.read_text()))
PYTHON
}

run() { # BUILD JOBS NAME
  local port folder
  for port in ports/reference wrong/wrong_shrink; do
    folder=$work/$3/${port#*/}
    mkdir -p "$folder"
    # The wrong queues fail, as they should; only a report is wanted here.
    "$1/bin/ringspec" verify --port "$1/lib/ringspec/$port.so" --budget smoke --seed 7 --jobs "$2" --report "$folder" \
      >"$folder/output" 2>&1 || true
    if [[ ! -e $folder/report.json ]]; then
      echo "no report for $port of $1:" >&2
      cat "$folder/output" >&2
      exit 1
    fi
    normalise "$1" "$folder"
  done >"$work/$3.txt"
}

run "$build" 1 here
run "$build" 2 two_jobs
status=0
diff -u "$work/here.txt" "$work/two_jobs.txt" | head -n 60 || { echo "one job and two jobs differ"; status=1; }
# One build compares itself with the others; they need not do it again.
[[ $(basename "$build") == release ]] || exit "$status"
for other in release-clang asan-ubsan; do
  folder=$(dirname "$build")/$other
  [[ -x $folder/bin/ringspec ]] || continue
  run "$folder" 2 "$other"
  diff -u "$work/here.txt" "$work/$other.txt" | head -n 60 || { echo "release and $other differ"; status=1; }
done
exit "$status"
