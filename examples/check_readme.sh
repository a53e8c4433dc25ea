#!/bin/sh
# check_readme.sh README SOURCE PROGRAM
# Succeeds if the page's first program is SOURCE, but for its first line, and the block behind it what PROGRAM prints.
block() { awk -v n="$2" '/^```/ { if (++fences > 2 * n) exit; next } fences == 2 * n - 1' "$1"; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
block "$1" 1 >"$work/program"
block "$1" 2 >"$work/output"
sed 1d "$2" | diff - "$work/program" && "$3" | diff - "$work/output"
