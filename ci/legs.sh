# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # ci/nightly sources this file: it reads legs and order; root, builds, out, port, kind,
# reference and scaled() are its own
#
# The legs of ci/nightly: a function leg_NAME each, run in a shell of its own with its output in a log. Status 0: passed, 1:
# failed, 3: it could not run, or could not tell. What stands in the summary is the last line that begins with "leg: ". A leg
# is run where `set -e` has no effect: each command says itself what its failure means.

declare -A legs=()
order=()
leg() { # NAME WHAT
  legs[$1]=$2
  order+=("$1")
}

say() { echo "leg: $1"; }
inconclusive() { # SENTENCE
  say "$1"
  exit 3
}
failed() { # SENTENCE
  say "$1"
  exit 1
}
needs() { # COMMAND...
  local command
  for command in "$@"; do
    command -v "$command" >/dev/null || inconclusive "$command is not installed (ci/setup nightly would do it)"
  done
}

# building COMMAND...: how long it took is told apart from the steps.
building() {
  local started=$SECONDS status=0
  "$@" || status=$?
  echo "built: $((SECONDS - started)) s"
  return "$status"
}

# built PRESET TARGET [CMAKE_ARGUMENT...]
built() {
  building build "$@" "-DRINGSPEC_REFERENCE_INCLUDE=$reference" || failed "the build failed: build/log/$1.*.log"
}

# built_port PRESET: the command and the port.
built_port() {
  built "$1" verify_targets -DRINGSPEC_TESTS=OFF
  case $kind in
    wrong) built "$1" "${port%%:*}" -DRINGSPEC_WRONG=ON ;;
    traps) built "$1" "trap_${port%%:*}" -DRINGSPEC_TESTS=ON ;;
  esac
}

# The port as those programs take it that load ports themselves: nothing for the reference, which they find in their own
# build, and otherwise the file in build/release.
port_file() {
  [[ $port == reference ]] || echo "$builds/release/lib/ringspec/$kind/${port%%:*}.so${port#"${port%%:*}"}"
}

# judged PRESET ARGUMENT...: builds the command and the port with this preset, and judges the port.
judged() {
  local preset=$1 status=0 output=$out/$1.verify.txt
  shift
  built_port "$preset"
  # What a shared machine's load can do to a run is to make it longer.
  "$builds/$preset/bin/ringspec" verify --port "$port" --timeout 1000000 --report "$out/$preset" "$@" >"$output" 2>&1 ||
    status=$?
  cat "$output"
  say "$(tail -n 1 "$output")"
  exit "$status"
}

# The typed programs are compiled with the reference, whatever the port is.
of_the_reference() {
  [[ $port == reference ]] || echo "of the reference and not of $port: "
}
# compiled OUTPUT COMPILER ARGUMENT...
compiled() {
  local output=$1
  shift
  building "$@" ${reference:+-I "$reference"} -I "$root/src" -I "$root" -o "$output" || failed "it does not compile"
}

leg format "the sources are formatted, the scripts are clean"
leg_format() {
  needs clang-format-14 shellcheck
  cd "$root" || exit 1
  local files=() sources=() scripts=()
  # Where this is no repository, or not one that git trusts, all that lies here counts.
  if git ls-files >/dev/null 2>&1; then
    mapfile -t files < <(git ls-files)
  else
    mapfile -t files < <(find . -type d \( -name build -o -name .git \) -prune -o -type f -print)
  fi
  mapfile -t sources < <(printf '%s\n' "${files[@]}" | grep -E '\.([ch]|[ch]pp)$')
  mapfile -t scripts < <(grep -lsIE '^#!.*\b(bash|sh)$|^# shellcheck shell=' "${files[@]}")
  ((${#sources[@]} != 0 && ${#scripts[@]} != 0)) || inconclusive "no sources or no scripts were found"
  clang-format-14 --dry-run -Werror "${sources[@]}" || failed "clang-format-14 would change what the log shows"
  shellcheck -x "${scripts[@]}" || failed "shellcheck complains; see the log"
  say "${#sources[@]} sources, ${#scripts[@]} scripts"
}

leg debug-library "checks of the C++ library: unit tests and the gate, with _GLIBCXX_DEBUG"
leg_debug_library() {
  local tests
  for tests in ringspec_unit_tests ringspec_reference_tests; do
    built debug-library "$tests" -DRINGSPEC_TESTS=ON
    "$builds/debug-library/bin/$tests" --gtest_brief=1 || failed "a test of $tests failed"
  done
  judged debug-library --budget smoke --random-steps "$(scaled 1000000 10000000 100000000)"
}

leg asan-ubsan "AddressSanitizer and UndefinedBehaviorSanitizer, g++"
leg_asan_ubsan() { judged asan-ubsan --budget gate --random-steps "$(scaled 1000000 20000000 200000000)"; }

leg asan-ubsan-clang "AddressSanitizer and UndefinedBehaviorSanitizer, clang"
leg_asan_ubsan_clang() {
  needs clang++-19
  judged asan-ubsan-clang --budget gate --random-steps "$(scaled 1000000 20000000 200000000)"
}

leg tsan "ThreadSanitizer; no subject has threads of its own yet, so it watches what a port may start"
leg_tsan() {
  # Where the kernel spreads addresses widely, this runtime starts no program at all.
  echo 'int main() {}' | building g++ -fsanitize=thread -x c++ - -o "$out/tsan-starts" ||
    failed "g++ links no program with ThreadSanitizer"
  "$out/tsan-starts" || inconclusive "ThreadSanitizer starts no program on this kernel"
  judged tsan --budget smoke --random-steps "$(scaled 1000000 10000000 100000000)"
}

leg memcheck "Valgrind: the definedness of every byte, unused slots included"
leg_memcheck() {
  needs valgrind
  judged valgrind --under valgrind --budget smoke --source vectors,random \
    --random-steps "$(scaled 60000 1000000 10000000)"
}

leg msan "MemorySanitizer on the typed reference, from fuzzed bytes"
leg_msan() {
  needs clang-19
  local work=$out/msan runs
  runs=$(scaled 300000 10000000 100000000)
  mkdir -p "$work/new"
  # The C++ driver would add an operator new of the runtime's, beside which there can be no other.
  compiled "$work/fuzz_queue_typed" clang-19 -x c++ -std=c++20 -O1 -g -fsanitize=fuzzer,memory \
    -fsanitize-memory-track-origins "$root"/fuzz/{fuzz_queue_typed,typed_queues,failing_new}.cpp -lstdc++ -lm
  "$work/fuzz_queue_typed" -seed=1 -runs="$runs" -max_len=256 -artifact_prefix="$work/" -print_final_stats=1 "$work/new" \
    "$root/fuzz/corpus/fuzz_queue_typed" ||
    failed "$(of_the_reference)MemorySanitizer found something, or the comparison with the model did; see the log"
  say "$(of_the_reference)nothing found in $runs runs"
}

leg libfuzzer "every fuzz target with AddressSanitizer, for a fixed number of runs; its corpus is merged"
leg_libfuzzer() {
  needs clang++-19
  local target runs status=0
  runs=$(scaled 300000 10000000 100000000)
  built fuzz-asan fuzz_targets
  # The target brings a sanitizer along, so that the port can have none.
  [[ $port == reference ]] || built_port release
  for target in "$root"/fuzz/fuzz_*.cpp; do
    target=$(basename "$target" .cpp)
    RINGSPEC_PORT=$(port_file) "$root/fuzz/run.sh" "$target" --preset fuzz-asan --seed 1 --merge \
      --into "$out/corpus/$target" --runs "$runs" || status=$?
    ((status != 1)) || failed "$target found something; see the log"
    ((status == 0)) || failed "$target could not be run; see the log"
  done
  say "nothing found in $runs runs of each target"
}

leg properties "the properties, with more cases: of the typed reference, and of the port through its boundary"
leg_properties() {
  local cases
  echo '#include <rapidcheck.h>' | g++ -std=c++20 -E -x c++ - >/dev/null ||
    inconclusive "RapidCheck is not installed (ci/setup nightly would do it)"
  built_port release
  built release ringspec_typed_properties -DRINGSPEC_TESTS=ON
  built release ringspec_trace_property -DRINGSPEC_TESTS=ON
  cases=$(scaled 1000 10000 100000)
  export RC_PARAMS="seed=1 max_success=$cases" RINGSPEC_TRACES=$out/properties RINGSPEC_PORT
  RINGSPEC_PORT=$(port_file)
  "$builds/release/bin/ringspec_typed_properties" || failed "$(of_the_reference)a property does not hold; see the log"
  "$builds/release/bin/ringspec_trace_property" || failed "the trace property does not hold for $port"
  say "all hold in $cases cases each"
}

leg explore "every state and operation: to 128 for one kind of value, to 64 for all, words of 3 to 32"
leg_explore() { judged release --source vectors,explore --budget nightly; }

leg random "many random traces"
leg_random() {
  judged release --source vectors,random --budget nightly --random-steps "$(scaled 30000000 400000000 4000000000)"
}

leg capacity "a queue of bytes to its last capacity, 2^31 slots, and back"
leg_capacity() {
  local work=$out/capacity free
  free=$(awk '/^MemAvailable/ { print int($2 / 1024) }' /proc/meminfo)
  ((free > 3500)) || inconclusive "it takes 3.5 GiB of memory, and $free MiB are free"
  mkdir -p "$work"
  compiled "$work/capacity" g++ -std=c++20 -O2 "$root/tests/large/capacity.cpp"
  "$work/capacity" || failed "$(of_the_reference)the last line of the log says what differs"
  say "$(of_the_reference)every capacity is as specified"
}

# elsewhere TRIPLE EMULATOR: on another machine, typed replay of the corpora and the vectors and the tests of the reference.
elsewhere() {
  local triple=$1 emulator=$2 work=$out/$1 gtest=/usr/src/googletest/googletest status=0
  needs "$triple-g++" "$emulator"
  "$root/fuzz/replay_elsewhere.sh" "$triple-g++" -static ${reference:+-I "$reference"} -- "$emulator" || status=$?
  ((status != 77)) || inconclusive "fmt is not installed (ci/setup nightly would do it)"
  ((status == 0)) || failed "$(of_the_reference)the replay under $emulator; see the log"
  [[ -e $gtest/src/gtest-all.cc ]] || inconclusive "the sources of GoogleTest are not in $gtest; replay alone passed"
  mkdir -p "$work"
  # As in tests/CMakeLists.txt: the tests look at paint that precedes a placement new.
  compiled "$work/reference_tests" "$triple-g++" -std=c++20 -O1 -static -w -fno-lifetime-dse -I "$gtest" -I "$gtest/include" \
    -I "$root/tests" "$gtest"/src/gtest{-all,_main}.cc "$root"/tests/unit/inline_ring_queue*.cpp
  "$emulator" "$work/reference_tests" --gtest_brief=1 || failed "$(of_the_reference)a unit test under $emulator; see the log"
  say "$(of_the_reference)replay and unit tests passed"
}

leg s390x "a big-endian machine: typed replay of corpora and vectors, unit tests of the reference"
leg_s390x() { elsewhere s390x-linux-gnu qemu-s390x-static; }

leg aarch64 "another instruction set: typed replay of corpora and vectors, unit tests of the reference"
leg_aarch64() { elsewhere aarch64-linux-gnu qemu-aarch64-static; }
