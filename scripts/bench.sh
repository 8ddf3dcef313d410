#!/usr/bin/env bash
# How fast the library is beside others, and what `incore run` costs: one call of each PadLock instruction, the start of a program, programs without PadLock code,
# --check, and OpenSSL's PadLock engine beside software and a real Nehemiah. Known answers come first; without them no
# speed is shown. Pins everything to one core (INCORE_BENCH_CORE, or the last).
# usage: bench.sh [RUNS]      figures also go to build/native/bench/*.json
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-3}

if ! cmake --preset native -DINCORE_BUILD_BENCH=ON >build-bench.log 2>&1; then
  cat build-bench.log
  exit 1
fi
rm -f build-bench.log
cmake --build build/native -j "$(nproc)" >/dev/null
incore=$PWD/build/native/incore
out=$PWD/build/native/bench

core=${INCORE_BENCH_CORE:-$(taskset -cp $$ | sed 's/.*[^0-9]//')}
pinned=(taskset -c "$core")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "CPU: $(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1), core $core; Linux $(uname -r)"
echo "Peer: $(openssl version | cut -d' ' -f1,2); $("$incore" --version)"

openssl rand -out "$work/plain" 1000003
for mode in ecb cbc; do
  key=(-K "$(openssl rand -hex 16)")
  [ $mode = ecb ] || key+=(-iv "$(openssl rand -hex 16)")
  openssl enc -aes-128-$mode "${key[@]}" -in "$work/plain" -out "$work/software"
  if ! { "$incore" run --require xcrypt-$mode -- openssl enc -engine padlock -aes-128-$mode "${key[@]}" \
           -in "$work/plain" -out "$work/padlock" && cmp "$work/software" "$work/padlock"; } >"$work/log" 2>&1; then
    cat "$work/log"
    echo "bench: aes-128-$mode by the engine is wrong (${key[*]}); no speed is shown" >&2
    exit 1
  fi
done
echo "Known answers: aes-128-ecb and aes-128-cbc of 1000003 bytes by the engine equal OpenSSL's software"
echo

for family in aes gcm xts ccm mac sha crc gf2 modexp rsa; do
  "${pinned[@]}" "$incore" bench $family --vs openssl,gcrypt,nettle,isal 2>/dev/null
done
"${pinned[@]}" "$incore" bench --vs openssl --json >"$out/library.json"

aesni=()
grep -qw aes /proc/cpuinfo || aesni=(--no-aesni)
"${pinned[@]}" "$incore" run -- "$out/xcrypt_call" "${aesni[@]}" --json "$out/xcrypt_call.json"
echo
"${pinned[@]}" bench/insn_cost.py --incore "$incore" --guests "$out" --runs "$runs" --json "$out/insn_cost.json"
echo
"${pinned[@]}" bench/run_cost.py --incore "$incore" --json "$out/run_cost.json"
echo
"${pinned[@]}" bench/openssl_speed.py --incore "$incore" --runs "$runs" --json "$out/openssl_speed.json"
