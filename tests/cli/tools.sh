#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Ports that bring a sanitizer, and children that run under Valgrind, judged by a command that is built with neither: the
# tool's finding is a verdict that names the port's own function, and a port without a fault passes.
set -euo pipefail
build=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
command=$build/bin/ringspec
traps=$build/lib/ringspec/traps
# A sanitised command is no user's command; the ports of that build are sanitised themselves.
[[ -x $command && -d $traps && $(basename "$build") != *san* ]] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

complain() {
  echo "tools: $1" >&2
  status=1
}

compile() { # NAME COMPILER FLAG...
  local name=$1 compiler=$2
  shift 2
  "$compiler" -std=c++20 -O1 -g -gdwarf-4 -fPIC -shared -I "$root/src" "$@" "$root/tests/tools/port.cpp" -o "$work/$name.so"
}

# NAME EXIT_STATUS TEXT...: judges NAME.so of the work folder, or the file that NAME is; all texts must be in the output.
ends() {
  local name=$1 wanted=$2 seen=0 text module=$1
  shift 2
  [[ $name == */* ]] || module=$work/$name.so
  "$command" verify --budget smoke --port "$module" --report "$work/report.$(basename "$name")" "${options[@]}" \
    >"$work/output" 2>&1 || seen=$?
  ((seen == wanted)) || complain "$name ends with status $seen, not $wanted: $(tail -n 1 "$work/output")"
  for text in "$@"; do
    # Lines may be broken inside of what is looked for.
    tr -s ' \n' ' ' <"$work/output" | grep -qF -- "$text" || {
      complain "$name: '$text' is not in the output:"
      head -n 40 "$work/output" >&2
    }
  done
}

options=()
compile gcc_asan g++ -fsanitize=address,undefined
compile gcc_asan_fault g++ -fsanitize=address,undefined -DFAULT_OVERFLOW
compile gcc_ubsan_fault g++ -fsanitize=undefined -DFAULT_UNDEFINED
compile gcc_static g++ -fsanitize=address -static-libasan
compile plain g++
compile plain_fault g++ -DFAULT_OVERFLOW
# The runtime may come with a library that the port brings along; and a copy of it may lie where LD_PRELOAD cannot say.
odd="$work/of: this" linker="-Wl,--no-as-needed,-rpath,\$ORIGIN"
mkdir "$odd"
echo "int helped(int i) { int a[4] = {1}; return a[i & 3]; }" |
  g++ -g -fPIC -shared -fsanitize=address -x c++ -o "$work/libhelper.so" -
compile along g++ "$linker" -L "$work" -lhelper
compile "of: this/here" g++ -fsanitize=address "$linker"
cp "$(g++ -print-file-name=libasan.so)" "$odd/$(objdump -p "$odd/here.so" | awk '/NEEDED.*asan/ { print $2 }')"
ends along 0 "passed: "
ends "$odd/here.so" 0 "passed: "
ends gcc_asan 0 "passed: "
ends gcc_asan_fault 1 "AddressSanitizer: heap-buffer-overflow" "Grow" "ring.hpp:" "FAILED queue.growth."
ends gcc_ubsan_fault 1 "UndefinedBehaviorSanitizer: shift exponent" "ring.hpp:"
# Where the kernel spreads addresses widely, this runtime starts no program at all.
echo 'int main() {}' | g++ -fsanitize=thread -x c++ - -o "$work/starts"
if "$work/starts" 2>/dev/null; then
  compile gcc_tsan g++ -fsanitize=thread
  ends gcc_tsan 0 "passed: "
else
  echo "tools: ThreadSanitizer starts no program here: nothing of it was tried"
fi
ends gcc_static 2 "with g++ drop -static-libasan"

trace=$(find "$work/report.gcc_asan_fault/traces" -name '*.trace' | head -n 1)
if "$command" replay "$trace" >"$work/replay"; then complain "the replay of $trace shows nothing"; fi
grep -q "AddressSanitizer: heap-buffer-overflow" "$work/replay" || complain "the replay of $trace does not show the finding"
if "$command" replay --in-process "$trace" >"$work/replay" 2>&1; then complain "--in-process went on without the runtime"; fi
grep -q "put LD_PRELOAD=" "$work/replay" || complain "--in-process does not say how the runtime gets into the process"

if command -v clang++-19 >/dev/null && [[ -e $(clang++-19 -print-file-name="libclang_rt.asan-$(uname -m).so") ]]; then
  compile clang_asan clang++-19 -fsanitize=address,undefined -shared-libsan
  compile clang_asan_fault clang++-19 -fsanitize=address,undefined -shared-libsan -DFAULT_OVERFLOW
  compile clang_ubsan_fault clang++-19 -fsanitize=undefined -shared-libsan -DFAULT_UNDEFINED
  compile clang_static clang++-19 -fsanitize=address
  compile clang_msan clang++-19 -fsanitize=memory
  ends clang_asan 0 "passed: "
  ends clang_asan_fault 1 "AddressSanitizer: heap-buffer-overflow" "acme::Ring<" "Grow()"
  ends clang_ubsan_fault 1 "UndefinedBehaviorSanitizer: shift exponent"
  ends clang_static 2 "add -shared-libsan to the flags"
  ends clang_msan 2 "MemorySanitizer"
else
  echo "tools: clang++-19 or its sanitizers are not here: nothing of them was tried"
fi

options=(--under "no-such-tool --option")
ends plain 2 "no-such-tool"

if command -v valgrind >/dev/null && "$command" verify --under valgrind --port reference --source vectors --budget smoke \
  --report "$work/memcheck" >"$work/output" 2>&1; then
  options=(--under valgrind --source vectors)
  ends plain_fault 1 "memcheck: Invalid write of size" "Grow"
  ends plain 0 "passed: "
  # What no other tool can see: a branch on a slot that was never written, and a write of the bytes that are there.
  ends "$traps/reads_unwritten.so" 1 "memcheck: Conditional jump or move depends on uninitialised value(s)"
  ends "$traps/rewrites_slots.so" 1 "FAILED queue.slots.clear" "was written with what it held"
  ends "$traps/host_allocator.so" 0 "passed: "
  # The ledger counts alike, and all else is the same as well.
  "$command" verify --port reference --source vectors --budget smoke --report "$work/native" >/dev/null
  python3 - "$work/native/report.json" "$work/memcheck/report.json" <<'PYTHON' || status=1
import json, sys

def stable(node):
    if isinstance(node, dict):
        return {key: stable(value) for key, value in node.items() if key not in ("seconds", "under")}
    return [stable(item) for item in node] if isinstance(node, list) else node

native, memcheck = (stable(json.load(open(name))) for name in sys.argv[1:3])
for port in native["ports"]:
    if not port["memory"]["allocations"] or not port["memory"]["failures"]:
        sys.exit("tools: the ledger saw no allocation, or none that failed")
if native != memcheck:
    for a, b in zip(native["ports"], memcheck["ports"]):
        for key in a:
            if a[key] != b[key]:
                print(f"tools: {key}: natively {a[key]}\n  under memcheck {b[key]}"[:2000])
    sys.exit("tools: natively and under memcheck differ")
PYTHON
elif command -v valgrind >/dev/null; then
  complain "the reference does not pass under memcheck: $(tail -n 5 "$work/output")"
else
  echo "tools: valgrind is not here: nothing of it was tried"
fi
exit "$status"
