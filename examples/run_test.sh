#!/bin/sh
# run_test.sh PROBE EXPECTED PROGRAM [ARGUMENT...]
# Status 77 if the device or a library that the program needs is not there; 0 if the program succeeds and what it prints,
# its lines joined by "|", matches the extended regular expression EXPECTED, and it writes the files that $EXPECTED_FILES
# names: pictures begin as PNG and SVG files do.
"$1" --probe || exit $?
expected=$2
shift 2
# shellcheck disable=SC2086
rm -f $EXPECTED_FILES
errors=$(mktemp)
output=$("$@" 2>"$errors")
status=$?
echo "$output"
missing=$(grep -h 'could not be loaded (.*No such file or directory' "$errors")
cat "$errors" >&2
rm -f "$errors"
if [ $status -ne 0 ] && [ -n "$missing" ]; then
  echo "skipped: $missing"
  exit 77
fi
[ $status -eq 0 ] || exit $status
echo "$output" | tr '\n' '|' | grep -Eq -e "$expected" || {
  echo "the output does not match: $expected"
  exit 1
}
for file in $EXPECTED_FILES; do
  case $file in
  *.png) [ "$(head -c 8 "$file" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] ;;
  *.svg) [ "$(head -c 5 "$file")" = '<svg ' ] ;;
  *) [ -s "$file" ] ;;
  esac || {
    echo "$file was not written"
    exit 1
  }
done
