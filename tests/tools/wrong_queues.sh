# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by tests that judge the wrong queues as they are, after `build` is set: skips them where that cannot be.
: "${build:?}"
name=$(basename "${BASH_SOURCE[1]}" .sh)
[[ -x $build/bin/ringspec ]] || exit 77
if grep -q '^CMAKE_CXX_FLAGS:[A-Z]*=.*-fsanitize' "$build/CMakeCache.txt"; then
  echo "$name: skipped, because the sanitizer of this build ends some of the wrong queues before they are judged."
  exit 77
fi
if grep -q '^RINGSPEC_WRONG:BOOL=\(OFF\|0\|NO\|FALSE\)' "$build/CMakeCache.txt"; then
  echo "$name: skipped, because this build has only the canary (RINGSPEC_WRONG is off)."
  exit 77
fi
