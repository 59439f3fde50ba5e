#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A run in three parts, merged, is the run in one piece: verdicts, figures and traces, of ports without and with a fault.
# Parts that do not belong together are refused, and one that is missing makes the merged report inconclusive.
set -euo pipefail
build=$1
command=$build/bin/ringspec
[[ -x $command ]] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
problems=0
complain() {
  echo "shards: $1"
  problems=1
}

ports=(reference bounded)
[[ -e $build/lib/ringspec/wrong/wrong_fifo.so ]] && ! grep -q '^CMAKE_CXX_FLAGS:[A-Z]*=.*-fsanitize' "$build/CMakeCache.txt" &&
  ports+=(wrong_shrink:wrong-threshold-below wrong_shrink:wrong-never-shrinks wrong_storage:wrong-destructor-leaks-when-empty
    wrong_fifo:wrong-crashes-on-wrapped-pop wrong_move:wrong-move-may-throw
    # In these one trace tells several requirements, of which a run must not lose those that it tells elsewhere.
    wrong_move:wrong-move-allocates wrong_move:wrong-assign-leaks-from-inline wrong_inline:wrong-allocates-at-destruction)
arguments=()
for port in "${ports[@]}"; do arguments+=(--port "$port"); done

ends() { # STATUS OUTPUT ARGUMENT...
  local wanted=$1 output=$2 seen=0
  shift 2
  "$command" "$@" >"$output" 2>&1 || seen=$?
  ((seen == wanted)) || complain "$* ends with status $seen, not $wanted: $(tail -n 1 "$output")"
}
expected=$((${#ports[@]} > 2 ? 1 : 0))
ends "$expected" "$work/whole.txt" verify --budget smoke --seed 3 "${arguments[@]}" --report "$work/whole"
for part in 1 2 3; do
  # Whether a part finds a fault depends on the fault; what it is for shows in the merged report.
  "$command" verify --budget smoke --seed 3 --shard "$part/3" "${arguments[@]}" --report "$work/$part" >"$work/$part.txt" 2>&1 || true
done
ends "$expected" "$work/merged.txt" merge "$work"/[123]/report.json --report "$work/merged"

python3 - "$work" <<'PYTHON' || problems=1
import json, pathlib, sys

work = pathlib.Path(sys.argv[1])
whole, merged = (json.loads((work / name / "report.json").read_text()) for name in ("whole", "merged"))
parts = [json.loads((work / str(n) / "report.json").read_text()) for n in (1, 2, 3)]
complaints = []

def same(where, a, b):
    if a != b:
        complaints.append(f"{where}: {a} in one run, {b} merged")

for key in whole.keys() - {"ports", "seconds"}:
    same(key, whole[key], merged[key])
for n, port in enumerate(whole["ports"]):
    other = merged["ports"][n]
    faulty = any(v["verdict"] == "fail" for v in port["verdicts"])
    # A part stops after so many failures or deaths, as a whole run does, so that together they run more of a wrong port.
    for key in port.keys() - {"verdicts", "seconds"} - ({"steps", "memory", "exploration", "notes"} if faulty else set()):
        same(f"{port['name']}, {key}", port[key], other[key])
    stopped = any("stopped after" in note for note in port["notes"])
    for a, b in zip(port["verdicts"], other["verdicts"], strict=True):
        # ... and may find there what the whole run did not come to.
        if stopped:
            if a["verdict"] == "fail":
                same(f"{port['name']}, {a['requirement']}, verdict", a["verdict"], b["verdict"])
            continue
        for key in (a.keys() | b.keys()) - ({"checks"} if faulty else set()):
            same(f"{port['name']}, {a['requirement']}, {key}", a.get(key), b.get(key))
        if "trace" in a:
            texts = [(work / name / v["trace"]).read_text() for name, v in (("whole", a), ("merged", b))]
            same(f"{port['name']}, {a['requirement']}, the trace", *texts)
    for part in parts:
        if not 0 < part["ports"][n]["steps"] < port["steps"] and not faulty:
            complaints.append(f"{port['name']}: part {part['shard']} has {part['ports'][n]['steps']} of {port['steps']} steps")
for line in complaints[:20]:
    print("shards:", line)
sys.exit(bool(complaints))
PYTHON

says() { # FILE TEXT
  tr -s ' \n' ' ' <"$1" | grep -qF -- "$2" || complain "'$2' is not in $(basename "$1"): $(tail -n 3 "$1")"
}
says "$work/1.txt" "part 1 of 3"
for n in 1 3; do mkdir -p "$work/right.$n"; done
for n in 1 3; do "$command" verify --budget smoke --shard "$n/3" --port reference --report "$work/right.$n" >/dev/null; done
ends 3 "$work/out" merge "$work"/right.[13]/report.json --report "$work/some"
says "$work/out" "Part 2 of 3 is missing."
ends 2 "$work/out" merge "$work"/right.1/report.json "$work"/right.1/report.json --report "$work/some"
says "$work/out" "it is part 1 of 3, as is"
ends 2 "$work/out" merge "$work"/right.1/report.json "$work"/3/report.json --report "$work/some"
says "$work/out" "it is not of the same run as"
"$command" verify --budget smoke --source vectors --shard 2/3 --port reference --report "$work/other" >/dev/null
ends 2 "$work/out" merge "$work"/right.1/report.json "$work"/other/report.json --report "$work/some"
says "$work/out" "sources is 'vectors' and not 'vectors, explore, random'"
ends 2 "$work/out" merge "$work"/whole/report.json --report "$work/some"
says "$work/out" "it is a whole run"

# A deviation that the port accepts fails in some parts only. The others do not call it stale.
honest=$build/lib/ringspec/traps/honest_deviation.so
if [[ -e $honest ]]; then
  accepted=(verify --budget smoke --source vectors --port "$honest")
  ends 0 "$work/out" "${accepted[@]}" --report "$work/accepted"
  for part in 1 2 3 4 5 6 7 8 9; do
    ends 0 "$work/accepted.$part.txt" "${accepted[@]}" --shard "$part/9" --report "$work/accepted.$part"
  done
  cat "$work"/accepted.*.txt >"$work/all"
  says "$work/all" "a listed deviation that passes in this part of the run"
  ends 0 "$work/out" merge "$work"/accepted.[1-9]/report.json --report "$work/accepted.merged"
  for report in accepted accepted.merged; do
    grep -c '"verdict": "deviation"' "$work/$report/report.json" >"$work/out"
    says "$work/out" 1
  done
fi

for shard in 0/3 4/3 3 1/ /2 a/b 1/0 -1/3; do
  ends 2 "$work/out" verify "--shard=$shard" --report "$work/some"
  says "$work/out" "is not a part: 2/4 is the second of four"
done
exit "$problems"
