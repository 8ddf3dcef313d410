#!/usr/bin/env bash
# Prints what the last ctest run in BUILD_DIR did not test and why, one line each, then how many they were. The reasons
# are the messages of GTEST_SKIP in ctest's own log, which holds the whole output of every test.
set -euo pipefail
build=${1:?usage: skipped.sh BUILD_DIR}
log=$build/Testing/Temporary/LastTest.log
[ -r "$log" ] || { echo "skipped.sh: no $log; run ctest first" >&2; exit 2; }

{
  awk '
    /^[0-9]+\/[0-9]+ Testing: / { name = $0; sub(/^[^ ]+ Testing: /, "", name); reason = ""; reading = 0; next }
    /^\[  SKIPPED \]/           { reading = 0 }
    reading && NF               { reason = reason (reason == "" ? "" : " ") $0 }
    /: Skipped$/                { reading = 1 }
    /^(Skip regular expression found|Skip return code)/ {
      print "skipped: " name ": " (reason == "" ? "no reason given" : reason)
    }' "$log"
  ctest --test-dir "$build" -N | sed -n 's/^ *Test *#[0-9]*: \(.*\) (Disabled)$/skipped: \1: disabled in its source/p'
} | sort | awk '{ print } END { print "skipped in all: " NR }'
