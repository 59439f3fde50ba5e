#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What other projects do with this one: the build is installed, the installation moved, and consumer/ built against it
# in several ways; then consumer/ takes the sources as a part of its own build.
set -euo pipefail
build=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

cached() { sed -n "s/^$1:[^=]*=//p" "$build/CMakeCache.txt"; }

# One build without sanitizers says it all.
[[ -x $build/bin/ringspec && $(cached RINGSPEC_INSTALL) == ON && $(cached CMAKE_CXX_FLAGS) != *-fsanitize* ]] || exit 77

# Always the same folder, so that ccache knows the files again.
work=$build/consumer
prefix=$work/prefix
rm -rf "$work"
mkdir -p "$work"
CC=$(cached CMAKE_C_COMPILER)
CXX=$(cached CMAKE_CXX_COMPILER)
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
export CC CXX PKG_CONFIG_PATH
launcher=$(cached RINGSPEC_CCACHE)
[[ $launcher == *ccache ]] || launcher=""

complaints=0
complain() {
  echo "consumer: $1"
  complaints=$((complaints + 1))
}

# quietly COMMAND...: what it writes is in $work/log, and shown if it fails.
quietly() {
  "$@" >"$work/log" 2>&1 && return 0
  tail -n 40 "$work/log"
  complain "'$*' failed"
  return 1
}

# configure NAME ARGUMENT...: consumer/ in the build folder $work/NAME
configure() {
  local name=$1
  shift
  quietly cmake -S "$root/tests/consumer" -B "$work/$name" -G Ninja "-DCMAKE_PREFIX_PATH=$prefix" \
    "-DCMAKE_C_COMPILER_LAUNCHER=$launcher" "-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher" "$@"
}

# passes NAME TESTS ARGUMENT...: configured with the arguments, it builds, and its tests of such names pass
passes() {
  local name=$1 tests=$2
  shift 2
  configure "$name" "$@" && quietly cmake --build "$work/$name" &&
    quietly ctest --test-dir "$work/$name" -R "$tests" --no-tests=error --output-on-failure
}

# has_tests NAME "WANTED..." CTEST_ARGUMENT...: the names of the tests that these arguments choose
has_tests() {
  local name=$1 wanted=$2 found
  shift 2
  found=$(ctest --test-dir "$work/$name" -N "$@" 2>/dev/null | sed -n 's/^ *Test *#[0-9]*: //p' | sort | tr '\n' ' ')
  [[ $found == "$wanted " ]] || complain "$name: 'ctest $*' finds $found and not $wanted"
}

# The packages that build ringspec are none of a consumer's business.
strangers='rapidcheck|gtest|gmock|mimalloc|fmt|cli11|nlohmann|pugixml|benchmark'

# ---- an installation that moved ----
quietly cmake --install "$build" --prefix "$work/first" || exit 1
mv "$work/first" "$prefix"
if grep -rIlF -e "$work/first" -e "$root" "$prefix"; then
  complain "the files above name the folder of the build or the first prefix"
fi
(cd / && quietly "$prefix/bin/ringspec" verify --budget smoke --port c_queue --report "$work/report") || true

# ---- find_package ----
if passes plain . -DCMAKE_BUILD_TYPE=Release; then
  for label in smoke gate; do
    has_tests plain "ringspec.mailbox_port.$label ringspec.ring_queue_port.$label" -L "$label"
    for port in mailbox_port ring_queue_port; do
      report=$work/plain/ringspec-report/$port.$label
      [[ -s $report/junit.xml && -s $report/summary.md ]] || complain "$report has no junit.xml or no summary.md"
    done
  done
  if grep -iwnE "$strangers" "$work/plain/CMakeCache.txt" "$work/plain/build.ninja"; then
    complain "the lines above bring a package that only ringspec's own build needs"
  fi
fi
passes no_exceptions 'smoke$' "-DCMAKE_CXX_FLAGS=-fno-exceptions -fno-rtti -O0" || true
passes only_c 'smoke$' -DCONSUMER_CXX=OFF || true
grep -q CMAKE_CXX_COMPILER: "$work/only_c/CMakeCache.txt" && complain "only_c: C++ was switched on"

mkdir "$work/forgetful"
cp "$root"/tests/consumer/*port.c "$work/forgetful"
sed '/^enable_testing/d' "$root/tests/consumer/CMakeLists.txt" >"$work/forgetful/CMakeLists.txt"
quietly cmake -S "$work/forgetful" -B "$work/forgetful/build" -G Ninja "-DCMAKE_PREFIX_PATH=$prefix" -DCONSUMER_CXX=OFF
grep -q 'enable_testing()' "$work/log" || complain "a project without enable_testing() is not told so"

# ---- sanitizers: a good queue passes, a broken one fails with the name of the function that broke the memory ----
sanitised=(-DCMAKE_BUILD_TYPE=RelWithDebInfo)
flags="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
[[ $("$CXX" --version) == *clang* ]] && flags+=" -shared-libasan"
sanitised+=("-DCMAKE_C_FLAGS=$flags" "-DCMAKE_CXX_FLAGS=$flags")
passes asan 'smoke$' "${sanitised[@]}" || true
if configure broken "${sanitised[@]}" -DCONSUMER_BROKEN=ON && quietly cmake --build "$work/broken"; then
  ctest --test-dir "$work/broken" -R 'ring_queue_port.smoke$' -V >"$work/broken/output" 2>&1 &&
    complain "broken: the gate passes a queue that writes behind its block"
  for place in output ringspec-report/ring_queue_port.smoke/report.json; do
    grep -qzE 'heap-buffer-overflow.*\b(TryPush|Grow)\b' "$work/broken/$place" ||
      complain "broken: $place does not name the function that broke the memory"
  done
fi

# ---- pkg-config ----
read -ra cflags < <(pkg-config --cflags ringspec)
if quietly "$CC" -std=c11 -O2 -fPIC -shared "${cflags[@]}" "$prefix/share/doc/ringspec/examples/c_queue.c" \
  -o "$work/c_queue.so"; then
  quietly "$(pkg-config --variable=command ringspec)" verify --budget smoke --port "$work/c_queue.so" \
    --report "$work/report" || true
fi

# ---- as a part of the consumer's build: only configured, for the command takes long to build ----
if configure fetched "-DRINGSPEC_SOURCE=$root" -DCMAKE_CXX_FLAGS=-fno-exceptions; then
  has_tests fetched "$(printf 'ringspec.%s ' {mailbox,ring_queue}_port.{gate,smoke})uses_reference"
  targets=$(cmake --build "$work/fetched" --target help)
  for target in ringspec ringspec_probe wrong_shrink mailbox_port; do
    grep -q "^$target: phony" <<<"$targets" || complain "fetched: there is no target $target"
  done
  if grep -E '^(port_|wrong_|trap_|audit_|ringspec_.*tests)[a-z_]*: phony' <<<"$targets" | grep -v ^wrong_shrink:; then
    complain "fetched: the targets above are only for who works on ringspec"
  fi
  if grep -rl --include=cmake_install.cmake 'file(INSTALL' "$work/fetched"; then
    complain "fetched: the files above install parts of ringspec with the consumer"
  fi
  if grep -A 5 '^build CMakeFiles/mailbox_port.dir/mailbox_port.c.o:' "$work/fetched/build.ninja" | grep -e '-W'; then
    complain "fetched: ringspec's warnings reach the consumer's files"
  fi
  grep -A 8 '^build .*ringspec_core.dir/ringspec/run/verify.cpp.o:' "$work/fetched/build.ninja" |
    grep -q -e '-fno-exceptions.*-fexceptions' || complain "fetched: the command is built without exceptions"
fi

((complaints == 0))
