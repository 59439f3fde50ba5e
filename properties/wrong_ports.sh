#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# properties/wrong_ports.sh BUILD [FOLDER]
#
# The trace property on every wrong port of tests/wrong: a table, words between tabs, of what it finds and how fast. For a
# port that conforms (its fault is `-`) and one that is not found, `found` is `-`. FOLDER gets the traces.
set -euo pipefail
build=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
traces=${2:-$build/properties/wrong}
mkdir -p "$traces"

printf 'port\tfault\tfound\tcases\tms\tsteps\n'
for module in "$build"/lib/ringspec/wrong/*.so; do
  # It fails, as it should, for each that is found.
  RINGSPEC_TRACES=$traces RINGSPEC_PORT=$module "$build/bin/ringspec_trace_property" 2>&1 || true
done | awk -F '\t' -v OFS='\t' '
  NR == FNR { split($0, words, " "); fault[words[1]] = words[2]; next }
  $1 == "result" { sub(/.*:/, "", $2); print $2, ($2 in fault ? fault[$2] : "?"), $3, $4, $5, $6; delete fault[$2] }
  END { for (port in fault) print port, fault[port], "not run", "-", "-", "-" }
' "$root/tests/wrong/expected.txt" -
