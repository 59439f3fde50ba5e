# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # ci/nightly sources this file: it reads legs, and root, port and scaled() are its own
#
# The legs of ci/nightly: a function leg_NAME each, run in a shell of its own with its output in a log. Status 0: passed, 1:
# failed, 3: it could not run, or could not tell. What stands in the summary is the last line that begins with "leg: ".

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

# built PRESET TARGET [CMAKE_ARGUMENT...]
built() { build "$@" || failed "the build failed: build/log/$1.*.log"; }

# judged PRESET ARGUMENT...: builds the command and the port with this preset, and judges the port.
judged() {
  local preset=$1 module=${port%%:*} status=0
  shift
  built "$preset" verify_targets -DRINGSPEC_TESTS=OFF
  if [[ -e $root/tests/wrong/$module.cpp ]]; then
    built "$preset" "$module" -DRINGSPEC_WRONG=ON
  fi
  local output=$root/build/nightly/$preset.verify.txt
  "$root/build/$preset/bin/ringspec" verify --port "$port" --timeout 100000 --report "$root/build/nightly/$preset" "$@" \
    >"$output" 2>&1 || status=$?
  cat "$output"
  say "$(tail -n 1 "$output")"
  exit "$status"
}

# The typed programs include the reference itself. With RINGSPEC_REFERENCE_INCLUDE they include another one in its place,
# from that folder: a wrong reference shows whether they see it.
includes() {
  [[ -z ${RINGSPEC_REFERENCE_INCLUDE:-} ]] || printf '%s\n' -I "$RINGSPEC_REFERENCE_INCLUDE"
  printf '%s\n' -I "$root/src" -I "$root"
}

leg format "the sources are formatted, the scripts are clean"
leg_format() {
  needs clang-format-14 shellcheck git
  cd "$root" || exit 1
  git ls-files '*.cpp' '*.hpp' '*.c' '*.h' | xargs -r clang-format-14 --dry-run -Werror ||
    failed "clang-format-14 would change what is above"
  git ls-files | xargs -r grep -lE '^#!.*\b(bash|sh)$|^# shellcheck shell=' | xargs -r shellcheck -x ||
    failed "shellcheck complains"
}

leg debug-library "checks of the C++ library: unit tests and the gate, with _GLIBCXX_DEBUG"
leg_debug_library() {
  built debug-library ringspec_unit_tests
  built debug-library ringspec_reference_tests
  "$root/build/debug-library/bin/ringspec_unit_tests" --gtest_brief=1 || failed "a unit test failed"
  "$root/build/debug-library/bin/ringspec_reference_tests" --gtest_brief=1 || failed "a unit test of the reference failed"
  judged debug-library --budget smoke --random-steps "$(scaled 60000 2000000 20000000)"
}

leg asan-ubsan "AddressSanitizer and UndefinedBehaviorSanitizer, g++"
leg_asan_ubsan() { judged asan-ubsan --budget gate --random-steps "$(scaled 1000000 20000000 200000000)"; }

leg asan-ubsan-clang "AddressSanitizer and UndefinedBehaviorSanitizer, clang"
leg_asan_ubsan_clang() {
  needs clang++-19
  judged asan-ubsan-clang --budget gate --random-steps "$(scaled 1000000 20000000 200000000)"
}

leg tsan "ThreadSanitizer; no subject has threads of its own yet, so it watches what a port may start"
leg_tsan() { judged tsan --budget smoke --random-steps "$(scaled 60000 2000000 20000000)"; }

leg memcheck "Valgrind: the definedness of every byte, unused slots included"
leg_memcheck() {
  needs valgrind
  judged valgrind --under valgrind --budget smoke --random-steps "$(scaled 60000 1000000 10000000)"
}

leg msan "MemorySanitizer on the typed reference, from fuzzed bytes"
leg_msan() {
  needs clang++-19
  local work=$root/build/nightly/msan
  mkdir -p "$work"
  mapfile -t include < <(includes)
  # The C++ driver would add an operator new of the runtime's, beside which there can be no other.
  clang-19 -x c++ -std=c++20 -O1 -g -fsanitize=fuzzer,memory -fsanitize-memory-track-origins "${include[@]}" \
    "$root"/fuzz/{fuzz_queue_typed,typed_queues,failing_new}.cpp -lstdc++ -lm -o "$work/fuzz_queue_typed" || failed "it does not compile"
  mkdir -p "$work/new"
  "$work/fuzz_queue_typed" -seed=1 -runs="$(scaled 300000 10000000 100000000)" -max_len=256 -artifact_prefix="$work/" \
    -print_final_stats=1 "$work/new" "$root/fuzz/corpus/fuzz_queue_typed" || failed "MemorySanitizer, or the comparison with the model"
}

# The port as a fuzz target takes it: "" for the reference beside the target, and otherwise the file of another build, for a
# target brings its sanitizer along.
fuzzed_port() {
  local module=${port%%:*} kind=ports
  [[ $port != reference ]] || return 0
  [[ ! -e $root/tests/wrong/$module.cpp ]] || kind=wrong
  echo "$root/build/release/lib/ringspec/$kind/$module.so${port#"$module"}"
}

leg libfuzzer "every fuzz target with AddressSanitizer, for a fixed number of runs; its corpus is merged"
leg_libfuzzer() {
  needs clang++-19
  local target
  [[ $port == reference ]] || built release all -DRINGSPEC_WRONG=ON
  for target in fuzz_queue_trace fuzz_queue_typed fuzz_trace_parser fuzz_report_reader; do
    RINGSPEC_PORT=$(fuzzed_port) "$root/fuzz/run.sh" "$target" --preset fuzz-asan --seed 1 --merge \
      --into "$root/build/nightly/corpus/$target" --runs "$(scaled 500000 10000000 100000000)" ||
      failed "$target found something"
  done
}

leg properties "the properties, with more and larger cases"
leg_properties() {
  built release ringspec_typed_properties
  built release ringspec_trace_property
  export RINGSPEC_PORT RC_PARAMS
  RINGSPEC_PORT=$port
  RC_PARAMS="max_success=$(scaled 1000 10000 100000)"
  "$root/build/release/bin/ringspec_typed_properties" || failed "a property of the typed reference does not hold"
  "$root/build/release/bin/ringspec_trace_property" || failed "the trace property does not hold for $port"
}

leg explore "every state and operation: to 128 for one kind of value, to 64 for all, words of 3 to 32"
leg_explore() { judged release --source vectors,explore --budget "$(scaled gate nightly nightly)"; }

leg random "many random traces"
leg_random() { judged release --source vectors,random --budget nightly --random-steps "$(scaled 30000000 400000000 4000000000)"; }

leg capacity "a queue of bytes to its last capacity, 2^31 slots, and back"
leg_capacity() {
  local work=$root/build/nightly/capacity free
  free=$(awk '/^MemAvailable/ { print int($2 / 1024) }' /proc/meminfo)
  ((free > 3500)) || inconclusive "it takes 3.5 GiB of memory, and $free MiB are free"
  mkdir -p "$work"
  mapfile -t include < <(includes)
  g++ -std=c++20 -O2 "${include[@]}" "$root/tests/large/capacity.cpp" -o "$work/capacity" || failed "it does not compile"
  "$work/capacity" || failed "the last capacity"
}

# cross TRIPLE QEMU: typed replay of the corpora and the vectors on another machine.
cross() {
  local status=0
  mapfile -t include < <(includes)
  "$root/fuzz/replay_elsewhere.sh" "$1-g++" -static "${include[@]}" -- "$2" || status=$?
  ((status != 77)) || inconclusive "$1-g++ or $2 is not installed (ci/setup nightly would do it)"
  ((status == 0)) || failed "the replay under $2"
}

leg s390x "typed replay of corpora and vectors on a big-endian machine"
leg_s390x() { cross s390x-linux-gnu qemu-s390x-static; }

leg aarch64 "typed replay of corpora and vectors on another instruction set"
leg_aarch64() { cross aarch64-linux-gnu qemu-aarch64-static; }
