#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The command exports no symbol of its own (a port would be judged by the command's templates instead of its own), and
# a port exports its one function and nothing else. Symbols with a version belong to libraries: data that the linker copied.
set -euo pipefail
build=$1
status=0

own_symbols() { nm -D --defined-only "$1" | awk '{print $NF}' | grep -v -E '@|^(_init|_fini)$' | sort -u || true; }

command=$build/bin/ringspec
[[ -e $command ]] || exit 77
# The runtime of a sanitizer or of coverage puts its own symbols into the program.
found=$(own_symbols "$command" | grep -v -E '^_*(asan|lsan|ubsan|sanitizer|interceptor|llvm|interception)_?' || true)
if [[ -n $found ]]; then
  echo "bin/ringspec exports: $(tr '\n' ' ' <<<"$found")"
  status=1
fi

for module in "$build"/lib/ringspec/ports/*.so; do
  [[ -e $module ]] || continue
  found=$(own_symbols "$module" | tr '\n' ' ')
  if [[ $found != "ringspec_ports_v1 " ]]; then
    echo "${module#"$build/"} exports: ${found:-nothing}"
    status=1
  fi
done
exit "$status"
