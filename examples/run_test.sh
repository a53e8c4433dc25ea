#!/bin/sh
# run_test.sh PROBE EXPECTED PROGRAM [ARGUMENT...]
# Status 77 if the device is not there; 0 if the program succeeds and what it prints, its lines joined by "|", matches
# the extended regular expression EXPECTED.
"$1" --probe || exit $?
expected=$2
shift 2
output=$("$@")
status=$?
echo "$output"
[ $status -eq 0 ] || exit $status
echo "$output" | tr '\n' '|' | grep -Eq -e "$expected" && exit 0
echo "the output does not match: $expected"
exit 1
