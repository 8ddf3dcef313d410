#!/usr/bin/env bash
# Builds every fuzzer of fuzz/ with Clang and runs each for SECONDS. A finding ends it with exit 1; the input that led
# there stays in build/fuzz/findings, and what was learnt on the way in build/fuzz/corpus. Then runs the plain programs
# soak_*, which make CALLS random calls each. Says how long it took.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:?usage: fuzz.sh SECONDS [CALLS]}
calls=${2:-5000000}
[ -e fuzz/CMakeLists.txt ] || { echo "fuzz.sh: there is no fuzz/CMakeLists.txt" >&2; exit 2; }

build=build/fuzz
mkdir -p build
if ! cmake --preset clang -B "$build" -DINCORE_BUILD_FUZZERS=ON -DINCORE_BUILD_TESTS=OFF >build/fuzz.log 2>&1; then
  cat build/fuzz.log
  exit 1
fi
rm -f build/fuzz.log
cmake --build "$build" --target fuzz/all -j "$(nproc)"

built=$SECONDS

mapfile -t fuzzers < <(find "$build/fuzz" -maxdepth 1 -name 'fuzz_*' -type f -perm -u+x | sort)
[ ${#fuzzers[@]} -gt 0 ] || { echo "fuzz.sh: no fuzzer was built in $build/fuzz" >&2; exit 1; }
failed=0
for fuzzer in "${fuzzers[@]}"; do
  name=$(basename "$fuzzer")
  seeds=$build/fuzz/seeds/$name
  mkdir -p "$build/corpus/$name" "$build/findings" "$seeds"
  if "$fuzzer" -max_total_time="$seconds" -timeout=10 -print_final_stats=1 \
      -artifact_prefix="$build/findings/$name-" "$build/corpus/$name" "$seeds" >"$build/$name.log" 2>&1; then
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$name.log")
    echo "$name: ok, ${runs:-?} inputs"
  else
    echo "$name: FAILED"
    tail -n 40 "$build/$name.log"
    failed=1
  fi
done
for soak in "$build"/fuzz/soak_*; do
  result=$("$soak" "$calls" "$(date +%s)" 2>&1) || failed=1
  echo "$(basename "$soak"): $result"
done
printf 'built in %d:%02d min, ran for %d:%02d min\n' $((built / 60)) $((built % 60)) \
  $(((SECONDS - built) / 60)) $(((SECONDS - built) % 60))
exit $failed
