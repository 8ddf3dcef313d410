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
  # ctest's line for one finished test: " 3/40 Test  #7: name .....   Passed    0.01 sec".
  results=$(grep -E '^ *[0-9]+/[0-9]+ Test +#[0-9]+: ' "$log" || true)
  num_all=$(grep -c . <<<"$results" || true)
  num_passed=$(grep -cE ' Passed +[0-9.]+ sec' <<<"$results" || true)
  num_skipped=$(grep -cE '\*\*\*(Skipped|Not Run \(Disabled\)) ' <<<"$results" || true)
  num_failed=$((num_all - num_passed - num_skipped))
  if [ $status -ne 0 ] && [ $num_failed -eq 0 ]; then
    cat "$log"  # ctest itself failed
    num_failed=1
  elif [ $num_failed -ne 0 ]; then
    grep -vE '^ *[0-9]+/[0-9]+ Test +#[0-9]+:.*( Passed|\*\*\*Skipped) |^ *Start +[0-9]+:' "$log" || true
  fi
  scripts/skipped.sh "build/$preset"
  echo "$preset: $num_passed passed, $num_failed failed, $num_skipped skipped;" \
    "built in $(minutes $((built - started))), tested in $(minutes $((SECONDS - built)))"
  passed=$((passed + num_passed)) failed=$((failed + num_failed)) skipped=$((skipped + num_skipped))
done
echo
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
