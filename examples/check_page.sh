#!/bin/sh
# check_page.sh PAGE PROGRAM [LANGUAGE]
# Succeeds if every line of C++ on the page, in blocks of a language (cpp), is a line of the program, which the tests run.
awk -v fence="\`\`\`${3:-cpp}" '
  FNR == NR { lines[$0] = 1; next }
  $0 == fence { inside = 1; next }
  /^```$/ { inside = 0; next }
  inside && !($0 in lines) { print FILENAME ":" FNR ": not in the program: " $0; wrong = 1 }
  inside { n++ }
  END { exit wrong || n == 0 }
' "$2" "$1"
