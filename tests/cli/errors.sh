#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the command cannot do it says in one line on stderr that names the culprit and, where it can, the way out; and it
# ends with status 2. An unreadable trace is told with file, line and column, and no input makes the command crash.
set -euo pipefail
build=$(cd "$1" && pwd)
command=$build/bin/ringspec
ports=$build/lib/ringspec/ports
[[ -x $command ]] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
complaints=0
context=""
head="ringspec trace 1\nsubject queue\n"

complain() {
  echo "errors: $*"
  complaints=$((complaints + 1))
}

run() { # ARGUMENT...: sets status; stdout is in out, stderr in err
  status=0
  "$command" "$@" >out 2>err </dev/null || status=$?
}

# ends STATUS ARGUMENT... -- TEXT...: the command ends so, and each text is in its output
ends() {
  local wanted=$1 arguments=() text
  shift
  while [[ $1 != -- ]]; do
    arguments+=("$1")
    shift
  done
  shift
  local shown="ringspec ${arguments[*]}$context"
  run "${arguments[@]}"
  [[ $status == "$wanted" ]] || complain "'$shown' ends with status $status instead of $wanted: $(tail -n 1 err | cut -c1-200)"
  for text in "$@"; do
    grep -qF -e "$text" out err || complain "'$shown' does not say '$text', but: $(head -c 300 err)"
  done
}

# refuses ARGUMENT... -- TEXT...: status 2, nothing on stdout, one readable line on stderr with each text
refuses() {
  ends 2 "$@"
  local shown="ringspec $*"
  shown=${shown%% -- *}$context
  [[ ! -s out ]] || complain "'$shown' writes to stdout: $(head -n 1 out | cut -c1-200)"
  [[ $(wc -l <err) == 1 && $(tail -c 1 err | wc -l) == 1 ]] || complain "'$shown' writes $(wc -l <err) lines to stderr: $(head -c 300 err)"
  grep -q '^ringspec: ' err || complain "'$shown' does not begin with its name: $(head -c 200 err)"
  [[ $(wc -c <err) -le 1000 ]] || complain "'$shown' writes a line of $(wc -c <err) bytes"
  ! LC_ALL=C grep -q '[[:cntrl:]]' err || complain "'$shown' writes control characters: $(cat -v err | cut -c1-200)"
}

# broken LINE:COLUMN CONTENT [TEXT...]: the trace is refused at this place; CONTENT is a format of printf
broken() {
  local place=$1 content=$2
  shift 2
  context=" (a trace with '${content//$head/}')"
  # shellcheck disable=SC2059
  printf "$content" >broken.trace
  refuses replay broken.trace -- "broken.trace:$place: " "$@"
  context=""
}

# ---- help and version ----
ends 0 --version -- "ringspec " "0."
ends 0 --help -- verify replay shrink emit-test explain list "Exit status" "ringspec verify --port"
for verb in verify replay shrink emit-test explain list; do
  ends 0 "$verb" --help -- "$verb"
  [[ ! -s err ]] || complain "'ringspec $verb --help' writes to stderr"
done
ends 0 verify --help -- --port --only --budget --seed --report --require "Exit status"

# ---- words of the command line ----
refuses -- --help
refuses verfy -- verfy "did you mean 'verify'"
refuses verify --nonsense -- --nonsense --help
refuses verify --seed abc -- --seed abc
refuses verify --timeout soon -- --timeout soon
refuses verify --port -- --port
refuses replay -- --help
refuses shrink -- --help
refuses emit-test -- --help
refuses explain -- --help
refuses list -- --help
refuses list queues -- queues ports requirements classes
refuses verify --budget enormous -- enormous smoke gate nightly
refuses verify --source guess -- guess vectors random
refuses verify --source vectors,guess -- guess vectors random
refuses verify --subject quue -- quue

# ---- requirements and classes ----
refuses verify --only queue.grwth -- queue.grwth "did you mean 'queue.growth'"
refuses verify --only queue.fifo.ordr -- queue.fifo.ordr "did you mean 'queue.fifo.order'"
refuses verify --only zzzzzzzzzzzz -- zzzzzzzzzzzz "ringspec list requirements"
refuses explain queue.fifo.ordr -- queue.fifo.ordr "did you mean 'queue.fifo.order'"
refuses explain queue.growth-polcy -- "did you mean 'queue.growth-policy'"
refuses explain zzzzzzzzzzzz -- zzzzzzzzzzzz "ringspec list requirements"
refuses verify --require fifoo -- fifoo "did you mean 'fifo'"
refuses verify --require queue.fifoo -- fifoo "did you mean 'fifo'"
refuses verify --budget smoke --port reference --require bounded -- reference bounded --require

# ---- ports ----
echo "This is a text, and not a shared object." >text.so
: >empty.so
refuses verify --port ./missing.so -- ./missing.so
refuses verify --port referense -- referense "did you mean 'reference'"
refuses verify --port zzzzzzzzzzzz -- zzzzzzzzzzzz reference
refuses verify --port "$ports/reference.so:nobody" -- reference.so nobody
refuses verify --port ./text.so -- ./text.so "shared object"
refuses verify --port text.so -- text.so "shared object"
refuses verify --port ./empty.so -- ./empty.so "shared object"
refuses verify --port "$work" -- "$work"
refuses replay "$work/missing.trace" --port reference -- missing.trace "No such file"
if [[ -e $build/lib/ringspec/traps/not_a_port.so ]]; then
  refuses verify --port "$build/lib/ringspec/traps/not_a_port.so" -- not_a_port.so ringspec_ports_v1 "not a port"
fi
# One refused port refuses the run, wherever it stands.
refuses verify --budget smoke --port reference --port ./text.so -- ./text.so

# ---- report folders that cannot be made ----
refuses verify --budget smoke --port reference --report text.so -- text.so folder
refuses verify --budget smoke --port reference --report text.so/report -- text.so/report folder

# ---- traces ----
printf '%brepeat 3\n  push a x2 -> size=6\nend\npop a\n' "$head" >good.trace
ends 0 replay good.trace -- "no difference"
printf '%bpush a\r\npop a' "${head//\\n/\\r\\n}" >good.trace
ends 0 replay good.trace -- "no difference"
printf '%brequirement queue.slots.push\npush a\n' "$head" >slots.trace
ends 3 replay slots.trace --port std_deque -- "queue.slots.push is not judged on this port: it needs rs_queue.slots"
refuses replay missing.trace -- missing.trace "No such file"
for verb in shrink "emit-test --as c"; do
  # shellcheck disable=SC2086
  refuses $verb missing.trace -- missing.trace "No such file"
  # shellcheck disable=SC2086
  refuses $verb text.so -- text.so:1:1: "ringspec trace 1"
done
refuses emit-test slots.trace -- --as
refuses emit-test slots.trace --as java -- java gtest
refuses shrink slots.trace --seconds soon -- --seconds soon
refuses shrink slots.trace --port std_deque -- "queue.slots.push is not judged on this port"
refuses shrink slots.trace -- slots.trace "does not fail" "nothing to shrink"
refuses emit-test slots.trace --as c -o text.so/test.c -- text.so/test.c "cannot be written"
refuses replay . -- .: directory
printf '%binstance byte/3\npush a\n' "$head" >good.trace
refuses replay good.trace -- byte/3 byte/32
printf '%bport nobody\npush a\n' "$head" >good.trace
refuses replay good.trace -- nobody reference
broken 1:1 "# nothing but a comment\n" "ringspec trace 1"
broken 1:1 "hello, world\n" "ringspec trace 1"
broken 1:16 "ringspec trace 2\n" "'2'" "format 1"
broken 2:9 "ringspec trace 1\nsubject nobody\n" "'nobody'"
broken 2:1 "ringspec trace 1\npush a\n" "subject NAME"
broken 1:1 "ringspec trace 1\n" "subject NAME"
broken 3:6 "${head}seed x\n" "'x'" number
broken 3:1 "${head}about\n" "'about'"
broken 4:1 "${head}\nfrobnicate a\n" "'frobnicate'"
broken 4:3 "${head}\n  pushh a\n" "'pushh'" "did you mean 'push'"
broken 3:6 "${head}push e\n" "'e'" "a, b, c, d"
broken 3:5 "${head}push\n" "needs a register"
broken 3:7 "${head}swap a\n" "second register"
broken 3:8 "${head}swap a a\n" "two different registers"
broken 3:8 "${head}read a x\n" "'x'" number
broken 3:7 "${head}read a\n" "needs a number"
broken 3:6 "${head}fail -1\n" "'-1'" number
broken 3:6 "${head}fail 99999999999999\n" "'99999999999999'" number
broken 3:6 "${head}fail 99999999999999999999999\n" "'99999999999999999999999'" number
broken 3:8 "${head}push a y3\n" "'y3'"
broken 3:8 "${head}push a x0\n" "steps"
broken 3:8 "${head}push a x99999999999\n" "at most" "steps"
broken 3:11 "${head}push a -> size\n" "'size'" "key=value"
broken 3:1 "${head}end\n" "'end'" "'repeat'"
broken 4:1 "${head}push a\nrepeat 3\n  push a\n" "'repeat'" "'end'"
broken 3:1 "${head}repeat\n" "'repeat'" number
broken 3:8 "${head}repeat many\n" "'many'" number
broken 6:1 "${head}repeat 1000000\n  push a\n  pop a\nend\n" "at most" "steps"

# A file that is empty, or no text at all.
: >broken.trace
refuses replay broken.trace -- broken.trace "ringspec trace 1"
broken 3:6 "${head}push \\377\\376\n" register
broken 3:6 "${head}push a\\000\n" register
broken 3:6 "${head}push \\033[31m\n" register
/usr/bin/python3 - <<'PYTHON'
import random

noise = random.Random(1)
head = b"ringspec trace 1\nsubject queue\n"
files = {
    "noise": noise.randbytes(5_000_000),
    "noise_after_head": head + noise.randbytes(5_000_000),
    "noise_after_push": head + b"push a -> " + noise.randbytes(5_000_000),
    "nul": bytes(5_000_000),
    "nul_after_head": head + bytes(5_000_000),
    "one_word": head + b"push " + b"a" * 5_000_000,
    "one_operation": head + b"p" * 5_000_000,
    "blocks": head + b"repeat 10\n" * 200_000 + b"push a\n" + b"end\n" * 200_000,
    "letters": head + bytes(noise.choice(b"push pop a b c d x9 repeat end\n") for _ in range(1_000_000)),
}
for name, content in files.items():
    with open(name + ".trace", "wb") as file:
        file.write(content)
PYTHON
for name in noise noise_after_head noise_after_push nul nul_after_head one_word one_operation blocks letters; do
  refuses replay $name.trace -- $name.trace:
done

[[ $complaints == 0 ]] || exit 1
