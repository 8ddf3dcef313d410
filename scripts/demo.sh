#!/usr/bin/env bash
# The demonstration: this machine's own OpenSSL finds a PadLock unit under `incore run`, encrypts a real file with it in
# every mode, and gets the bytes that its software gives. Exit 1 if anything differs. Below a minute.
set -euo pipefail
cd "$(dirname "$0")/.."

incore=$PWD/build/native/incore
file_len=8000003  # not a multiple of the block, so that padding and partial blocks take part
key_sizes=(128 192 256)
modes=(ecb cbc cfb ofb ctr)

[ -x "$incore" ] || { echo "demo: no $incore; run 'make build'" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

bold='' red='' green='' plain=''
[ -t 1 ] && bold=$'\e[1m' red=$'\e[31m' green=$'\e[32m' plain=$'\e[0m'
failed=0

heading() { printf '\n%s%s%s\n' "$bold" "$1" "$plain"; }

# check FUNCTION: sets $verdict to ok or FAILED; what the function had to say is shown below the table.
check() {
  if "$1" >check.log 2>&1; then
    verdict="${green}ok    $plain"
  else
    verdict="${red}FAILED$plain"
    failed=$((failed + 1))
    { echo "FAILED: $1, $cipher ${key[*]}"; tail -n 5 check.log; } >>failures.log
  fi
}

# The engine's result must equal the software's, and the instruction must really have run.
engine_encrypts() {
  "$incore" run --require "xcrypt-$mode" -- \
    openssl enc -engine padlock "-$cipher" "${key[@]}" -in plain -out padlock.out && cmp software.out padlock.out
}
engine_decrypts() {
  "$incore" run --require "xcrypt-$mode" -- \
    openssl enc -d -engine padlock "-$cipher" "${key[@]}" -in software.out -out back.out && cmp plain back.out
}

model_name=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
echo "This CPU: ${model_name:-unknown}. The client: $(openssl version | cut -d' ' -f1,2), as the system installed it."

heading "1. The engine looks for a PadLock unit"
echo '$ openssl engine -t padlock'
openssl engine -t padlock || true
echo '$ incore run -- openssl engine -t padlock'
"$incore" run -- openssl engine -t padlock | tee engine.log || true
grep -q '\[ available \]' engine.log || { echo "${red}FAILED${plain}: the engine is not available"; failed=1; }

while [ "$(stat -c %s plain 2>/dev/null || echo 0)" -lt $file_len ]; do
  ldd "$(command -v openssl)" | awk '$3 ~ /^\// { print $3 }' | xargs cat >>plain
done
truncate -s $file_len plain
heading "2. A file of $file_len bytes (OpenSSL's own libraries), by the engine under incore run"
echo "Compared byte for byte with OpenSSL's software; each run must execute its PadLock instruction."
printf '%-13s%-11s%-11s%s\n' cipher encrypted decrypted instruction
for bits in "${key_sizes[@]}"; do
  for mode in "${modes[@]}"; do
    cipher=aes-$bits-$mode
    key=(-K "$(openssl rand -hex $((bits / 8)))")
    [ "$mode" = ecb ] || key+=(-iv "$(openssl rand -hex 16)")
    openssl enc "-$cipher" "${key[@]}" -in plain -out software.out
    check engine_encrypts
    encrypted=$verdict
    check engine_decrypts
    printf '%-13s%s     %s     rep xcrypt%s\n' "$cipher" "$encrypted" "$verdict" "$mode"
    rm -f padlock.out back.out
  done
done
[ ! -e failures.log ] || cat failures.log

heading "3. What ran"
echo '$ incore run --stats -- openssl enc -engine padlock -aes-256-cbc ...'
"$incore" run --stats -- openssl enc -engine padlock -aes-256-cbc -K "$(openssl rand -hex 32)" \
  -iv "$(openssl rand -hex 16)" -in plain -out padlock.out 2>&1 || failed=$((failed + 1))

if [ $failed -ne 0 ]; then
  printf '\n%sFAILED%s: %d of the checks above; no speed is shown\n' "$red" "$plain" "$failed"
  exit 1
fi

# rate COMMAND...: the MB/s (10^6 bytes) that `openssl speed -mr` reports, by the wall clock.
rate() {
  "$@" -elapsed -seconds 1 -mr 2>/dev/null | awk -F: '/^\+F:/ { printf "%.0f", $NF / 1e6; found = 1 } END { exit !found }'
}
heading "4. Speed: openssl speed -evp aes-128-cbc, encryption, MB/s"
printf '%-34s%14s%14s\n' '' '1 KiB calls' '16 KiB calls'
row() {
  local name=$1 small large
  shift
  if small=$(rate "$@" -bytes 1024) && large=$(rate "$@" -bytes 16384); then
    printf '%-34s%14s%14s\n' "$name" "$small" "$large"
  else
    printf '%-34s%14s%14s\n' "$name" FAILED FAILED
    failed=1
  fi
}
row 'PadLock engine under incore run' \
  "$incore" run --require xcrypt-cbc -- openssl speed -engine padlock -evp aes-128-cbc
row 'OpenSSL in software, this CPU' openssl speed -evp aes-128-cbc
echo
if [ $failed -ne 0 ]; then
  echo "${red}FAILED${plain}: a speed could not be measured"
  exit 1
fi
echo "Done: ${#key_sizes[@]} key sizes x ${#modes[@]} modes, encrypted and decrypted, all as in software."
