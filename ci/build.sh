# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the scripts beside it, which set `script` to their own name. Quiet while all is well.
: "${script:?}"

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# Where builds are, one folder for each preset.
builds=${RINGSPEC_BUILDS:-$root/build}

# phase TEXT: one line for each phase.
phase() {
  echo "$script: $1"
}

# quietly LOG COMMAND...: the output goes to build/log/LOG and is shown only if the command fails.
quietly() {
  local log="$root/build/log/$1"
  shift
  mkdir -p "$root/build/log"
  "$@" >"$log" 2>&1 && return 0
  # The first errors say more than the last lines, and C++ can make a single line very long.
  {
    grep -m 12 -E '^FAILED:|error:|CMake Error|undefined reference' "$log" || tail -n 30 "$log"
  } | cut -c 1-300 >&2
  echo "$script: failed; the whole output is in ${log#"$root/"}" >&2
  return 1
}

# build PRESET TARGET [CMAKE_ARGUMENT...]
build() {
  local preset=$1 target=$2
  shift 2
  quietly "$preset.configure.log" cmake -S "$root" --preset "$preset" -B "$builds/$preset" "$@" &&
    quietly "$preset.build.log" cmake --build "$builds/$preset" --target "$target"
}
