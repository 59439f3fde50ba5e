#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh CXX INCLUDE_DIR [FOLDER]: checks files that must not compile, with one compiler. FOLDER is by default the one
# of this script, which holds the class queue.constraints.
#
# Each file breaks one constraint and states in its first comment after the licence line, `// expect: ...`, what the
# compiler has to say about it. A file that compiles is a miss, and so is one that fails for another reason: the words
# must stand in an error line. Files named good*.cpp must compile, without warnings, with and without exceptions; a folder
# without one is a miss, because then everything could fail for want of a header.
#
# Prints one line per case. Exit status: 0 all as expected, 1 a miss, 2 usage.
set -u
LC_ALL=C
export LC_ALL

cxx=${1:-}
include=${2:-}
folder=${3:-$(dirname -- "$0")}
if [ $# -lt 2 ] || [ $# -gt 3 ] || [ ! -d "$include/ringspec" ] || [ ! -d "$folder" ]; then
  echo "usage: $0 CXX INCLUDE_DIR [FOLDER] (INCLUDE_DIR is the directory that holds ringspec/)" >&2
  exit 2
fi
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'
misses=0

# $cxx is split into words on purpose, so that "ccache g++-12" is a compiler too.
compile() {
  # shellcheck disable=SC2086
  $cxx -std=c++20 -I "$include" "$@" 2>&1
}

hit() { echo "ok    $1"; }
miss() {
  echo "MISS  $1: $2"
  if [ -n "$3" ]; then printf '%s\n' "$3" | sed 's/^/      | /' | head -n 20; fi
  misses=$((misses + 1))
}

check_good() {
  for extra in -fexceptions -fno-exceptions; do
    # shellcheck disable=SC2086 # these words are many on purpose
    if output=$(compile -c -o /dev/null $warnings $extra "$1"); then
      hit "$2 $extra"
    else
      miss "$2 $extra" "must compile" "$output"
    fi
  done
}

check_bad() {
  expected=$(sed -n '2s|^// expect: ||p' "$1")
  if [ -z "$expected" ]; then
    miss "$2" "its second line does not begin with '// expect: '" ""
  elif output=$(compile -fsyntax-only "$1"); then
    miss "$2" "compiles, but breaks a constraint" "$output"
  elif printf '%s\n' "$output" | grep 'error:' | grep -F -q -- "$expected"; then
    hit "$2"
  else
    miss "$2" "no error says: $expected" "$output"
  fi
}

found_good=no
for file in "$folder"/*.cpp; do
  name=$(basename -- "$file")
  case $name in
    good*.cpp)
      found_good=yes
      check_good "$file" "$name"
      ;;
    *) check_bad "$file" "$name" ;;
  esac
done
[ "$found_good" = yes ] || miss "good*.cpp" "there is none in $folder" ""

[ "$misses" -eq 0 ]
