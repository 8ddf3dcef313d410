#!/usr/bin/env bash
# Builds and tests the presets given, one after the other, and says what was skipped and why, and how long building and
# testing took. Goes on after a failed test, so that one run shows all; the last line has the counts of all presets.
# Exit 1 if anything failed.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || { echo "usage: test.sh PRESET..." >&2; exit 2; }

minutes() { printf '%d:%02d min' $(($1 / 60)) $(($1 % 60)); }

passed=0 failed=0 skipped=0
for preset in "$@"; do
  started=$SECONDS
  make --no-print-directory "build-$preset"
  built=$SECONDS
  echo "== tests: $preset"
  log=build/$preset/tests.log
  status=0
  ctest --test-dir "build/$preset" --output-on-failure -j "$(nproc)" --no-tests=error >"$log" 2>&1 || status=$?
  scripts/test-results.py "build/$preset" >"build/$preset/results"
  read -r num_passed _ num_failed _ num_skipped _ < <(tail -n 1 "build/$preset/results")
  if [ $status -ne 0 ]; then
    # Without the lines of what passed.
    grep -vE '^ *[0-9]+/[0-9]+ Test +#[0-9]+:.*( Passed|\*\*\*Skipped) |^ *Start +[0-9]+:|^\[( RUN     |      OK|-{8,})' "$log" || true
    if [ "$num_failed" -eq 0 ]; then num_failed=1; fi  # ctest itself failed
  fi
  head -n -1 "build/$preset/results"
  echo "$preset: $num_passed passed, $num_failed failed, $num_skipped skipped;" \
    "built in $(minutes $((built - started))), tested in $(minutes $((SECONDS - built)))"
  passed=$((passed + num_passed)) failed=$((failed + num_failed)) skipped=$((skipped + num_skipped))
done
echo
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
