#!/usr/bin/env bash
# Builds and tests the presets given, one after the other, and says what was skipped and why.
set -euo pipefail
cd "$(dirname "$0")/.."

[ "$*" = native ] || scripts/install-deps.sh all
scripts/check-includes.py
for preset in "$@"; do
  make --no-print-directory "build-$preset"
  echo "== tests: $preset"
  log=build/$preset/tests.log
  status=0
  ctest --test-dir "build/$preset" --output-on-failure -j "$(nproc)" --no-tests=error >"$log" 2>&1 || status=$?
  if [ $status -ne 0 ]; then
    grep -vE '^ *[0-9]+/[0-9]+ Test +#[0-9]+:.* Passed|^ *Start +[0-9]+:' "$log" || true
    exit $status
  fi
  scripts/skipped.sh "build/$preset"
  tail -n 4 "$log"
done
