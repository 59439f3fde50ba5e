#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ringspec.rs says what port.h says: every size, offset and number of its mirrors is checked by the C compiler. What it
# cannot use it refuses with a sentence of its own, and a file that uses all of it compiles without a warning.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
adapter=$root/src/ringspec/rust/ringspec.rs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
complain() {
  echo "rust: $1"
  status=1
}

# ---- the mirrors ----
{
  echo '#include "ringspec/port.h"'
  # A struct begins with `name, size: {`; a field is `name @ offset: type,`.
  sed -n -E \
    -e 's/^    (rs_[a-z_]+), ([0-9]+): \{$/#define S \1\n_Static_assert(sizeof(S) == \2, "the size of " "\1");/p' \
    -e 's/^        ([a-z_]+) @ ([0-9]+): .*,$/_Static_assert(offsetof(S, \1) == \2, "the offset of \1");/p' \
    -e 's/^    \}$/#undef S/p' \
    -e 's/^pub const (RS_[A-Z_]+): [a-z0-9_]+ = u64::MAX;$/_Static_assert(\1 == UINT64_MAX, "\1");/p' \
    -e 's/^pub const (RS_[A-Z_]+): [a-z0-9_]+ = ([0-9 <]+);$/_Static_assert(\1 == (\2), "\1");/p' "$adapter"
} >"$work/mirrors.c"
cc -std=c11 -fsyntax-only -I "$root/src" "$work/mirrors.c" || complain "the mirrors of ringspec.rs differ from port.h"
# Every name of port.h is among them; rs_host is not, since every allocation of std is seen without it.
while read -r name; do
  grep -q -w "$name" "$work/mirrors.c" || complain "ringspec.rs has no $name"
done < <(sed -n -E 's/^(#define|typedef struct) (RS_[A-Z_]+|rs_[a-z_]+) .*/\2/p' "$root/src/ringspec/port.h" |
  grep -v -E '^(RS_EXPORT|rs_host)$')

# ---- what compiles and what does not ----
rustc=$(command -v rustc) || exit "$((status ? status : 77))"
compile() { # COMPILER FILE FLAG...
  "$1" --crate-type=cdylib --emit=metadata -o "$work/out" "${@:2}" 2>&1
}
for edition in 2021 2024; do
  output=$(compile "$rustc" "$root/tests/compile_fail_rust/good.rs" --edition=$edition -Dwarnings) ||
    complain "good.rs does not compile with edition $edition: $output"
done
for file in "$root"/tests/compile_fail_rust/*.rs; do
  expected=$(sed -n 's|^// expect: ||p' "$file")
  [[ -n $expected ]] || continue
  if output=$(compile "$rustc" "$file" --edition=2021); then
    complain "$(basename "$file") compiles"
  elif [[ $output != *"$expected"* ]]; then
    complain "$(basename "$file") is not refused with '$expected': $output"
  fi
done

# ---- what the language decides is not offered as a class to claim ----
if [[ -x $1/bin/ringspec && -e $1/lib/ringspec/ports/std_vec_deque.so ]]; then
  output=$("$1/bin/ringspec" verify --port std_vec_deque --budget smoke --report "$work/report") || complain "$output"
  [[ $output != *"offered but not claimed: "*alias* ]] || complain "alias, which never applies, is offered"
fi

# ---- a file that is named with `mod` builds the module anew, whatever the folders are called ----
mkdir "$work/a crate"
echo 'mod inner;' >"$work/a crate/lib.rs"
cat >"$work/a crate/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.21)
project(a_crate LANGUAGES NONE)
include("$root/cmake/ringspec_add_port.cmake")
ringspec_add_module(module SOURCES lib.rs)
CMAKE
for generator in Ninja "Unix Makefiles"; do
  folder="$work/a crate/by $generator"
  : >"$work/a crate/inner.rs"
  cmake -S "$work/a crate" -B "$folder" -G "$generator" >/dev/null
  output=$(cmake --build "$folder" 2>&1) || complain "$generator: $output"
  touch -d "+2 seconds" "$work/a crate/inner.rs" # later than what was built, on a clock of seconds too
  output=$(cmake --build "$folder" 2>&1)
  [[ $output == *"Building the Rust module"* ]] || complain "$generator: a change of inner.rs builds nothing"
done

# ---- how it is written, if these two are installed ----
files=("$root"/src/ports/*.rs "$root"/tests/traps/*.rs "$root"/tests/compile_fail_rust/*.rs)
if rustfmt --version >/dev/null 2>&1; then
  rustfmt --check "${files[@]}" || complain "rustfmt would write that otherwise"
fi
if clippy-driver --version >/dev/null 2>&1; then
  for file in "$root"/src/ports/*.rs "$root"/tests/traps/*.rs "$root/tests/compile_fail_rust/good.rs"; do
    output=$(compile clippy-driver "$file" --edition=2021 -Dwarnings) || complain "clippy complains: $output"
  done
fi
exit "$status"
