#!/bin/sh
# check_options.sh PROGRAM...
# Succeeds if every program explains itself, --device among its options, and ends with a message where an option or
# its value is wrong.
wrong=0
complain() {
  echo "$1: $2"
  wrong=1
}
for program in "$@"; do
  name=$(basename "$program")
  "$program" --help | grep -q -e '--device' || complain "$name" "--help does not list --device"
  text=$("$program" --nonsense 2>&1)
  [ $? -eq 2 ] || complain "$name" "an unknown option: $text"
  text=$("$program" --device=nonsense 2>&1)
  [ $? -eq 1 ] || complain "$name" "an unknown device: $text"
  case $text in
  "$name: \"nonsense\" is not a device"*) ;;
  *) complain "$name" "an unknown device: $text" ;;
  esac
  [ "$name" = heat_diffusion ] || continue
  text=$(GPARRAY_DEVICE=nonsense "$program" 2>&1)
  case $text in
  "$name: GPARRAY_DEVICE: \"nonsense\" is not a device"*) ;;
  *) complain "$name" "an unknown GPARRAY_DEVICE: $text" ;;
  esac
done
exit $wrong
