#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the shrinker makes of every failure of the wrong queues.

    tests/tools/shrink_table.py BUILD [--source SOURCE,...] [--budget B] [--seed N] [--seconds S] [--modules FOLDER]

Prints a line of tab-separated values for each failure that a source finds alone: port, requirement, instance, source,
steps of the trace that was found, steps of the smallest, milliseconds of processor time, candidates, 2 C0 + 6 with
C0 = max(8, 2N), and whether the smallest keeps to it; "shortest" where the source's is longer than another source's.
Then, on stderr, how many failures that more than one source finds on the same instance end in the same trace.
"""
import argparse, concurrent.futures, json, os, pathlib, re, subprocess, sys, tempfile

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("build", type=pathlib.Path)
parser.add_argument("--source", default="vectors,random")
parser.add_argument("--budget", default="smoke")
parser.add_argument("--seed", default="1")
parser.add_argument("--seconds", default="1")
parser.add_argument("--modules", type=pathlib.Path)
arguments = parser.parse_args()
command = arguments.build / "bin/ringspec"
modules = sorted((arguments.modules or arguments.build / "lib/ringspec/wrong").glob("*.so"))


def steps_of(trace):
    """The steps alone, without what is expected of them and what the failure looked like."""
    body = trace.split("\n\n", 1)[1] if "\n\n" in trace else ""
    rows = []
    for line in body.splitlines():
        words = line.split("->")[0].split()
        if not words or line.startswith("#"):
            continue
        times = int(words.pop()[1:]) if re.fullmatch("x[0-9]+", words[-1]) else 1
        if rows and rows[-1][0] == words:
            rows[-1][1] += times
        else:
            rows.append([words, times])
    return "; ".join(" ".join(words) + (f" x{times}" if times > 1 else "") for words, times in rows)


def shrink(found):
    run = subprocess.run([command, "shrink", "--seconds", arguments.seconds, found["file"]], capture_output=True,
                         text=True, errors="replace")
    said = re.search(r": (\d+) of (\d+) steps are left, after (\d+) candidates in ([0-9.]+) s(.*)", run.stderr)
    if run.returncode != 0 and found.get("may_pass"):
        return None
    if run.returncode != 0 or not said:
        sys.exit(f"shrink of {found['file']} ends with status {run.returncode}: {run.stderr}")
    return found | {"after": int(said[1]), "before": int(said[2]), "tried": int(said[3]),
                    "ms": round(1000 * float(said[4])), "steps": steps_of(run.stdout), "finished": not said[5]}


with tempfile.TemporaryDirectory() as work:
    failures = []
    for source in arguments.source.split(","):
        folder = pathlib.Path(work) / source
        ports = [word for module in modules for word in ("--port", module)]
        subprocess.run([command, "verify", "--quiet", "--no-shrink", "--source", source, "--budget", arguments.budget,
                        "--seed", arguments.seed, "--report", folder, *ports], check=False)
        for port in json.loads((folder / "report.json").read_text())["ports"]:
            for v in port["verdicts"]:
                if v["verdict"] == "fail":
                    failures.append({"port": port["name"], "requirement": v["requirement"], "instance": v["instance"],
                                     "source": source, "file": folder / v["trace"]})
    # What another source finds on another instance is also shrunk here, to see whether it ends alike.
    elsewhere = []
    for f in failures:
        for other in failures:
            if (f["port"], f["requirement"]) != (other["port"], other["requirement"]) or f["source"] == other["source"] \
                    or f["instance"] == other["instance"]:
                continue
            moved = pathlib.Path(work) / f"{len(elsewhere)}.trace"
            moved.write_text(other["file"].read_text().replace(f"\ninstance {other['instance']}\n", f"\ninstance {f['instance']}\n"))
            elsewhere.append(other | {"instance": f["instance"], "file": moved, "may_pass": True})
    with concurrent.futures.ThreadPoolExecutor(max(1, (os.cpu_count() or 2) // 2)) as pool:
        results = list(pool.map(shrink, failures))
        moved_results = [r for r in pool.map(shrink, elsewhere) if r]

by_failure = {}
for r in results + moved_results:
    by_failure.setdefault((r["port"], r["requirement"], r["instance"]), []).append(r)
print("port", "requirement", "instance", "source", "before", "after", "ms", "candidates", "bound", "kept", "finished",
      "steps", sep="\t")
over = 0
for r in results:
    bound = 2 * max(8, 2 * int(r["instance"].rsplit("/", 1)[1])) + 6
    kept = r["after"] <= bound
    over += not kept
    print(r["port"], r["requirement"], r["instance"], r["source"], r["before"], r["after"], r["ms"], r["tried"], bound,
          "yes" if kept else "no", "yes" if r["finished"] else "no", r["steps"], sep="\t")
several = [group for group in by_failure.values() if len(group) > 1]
different = [group for group in several if len({r["steps"] for r in group}) != 1]
for group in different:
    for r in group:
        print("differs:", r["port"], r["requirement"], r["instance"], r["source"], r["before"], r["after"], r["steps"],
              sep="\t", file=sys.stderr)
slow = sum(1 for r in results if r["ms"] > 1000)
print(f"{len(results)} failures, {over} longer than 2 C0 + 6, {slow} took longer than a second; of {len(several)} that "
      f"several sources find on one instance {len(several) - len(different)} end in the same trace", file=sys.stderr)
