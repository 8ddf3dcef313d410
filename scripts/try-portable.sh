#!/usr/bin/env bash
# Tries the tarball and the wheel where users have them: in bare systems of Debian, old and new, in one with musl and nothing else, in one
# with no C library, on the first x86-64 processors, and as on old kernels. Prints a line for each trial; exit 1 if one failed, 77 if it
# cannot try.
# usage: try-portable.sh [FOLDER]      as root; the systems are kept in FOLDER for the next time, else removed
set -uo pipefail
cd "$(dirname "$0")/.." || exit
export LC_ALL=C

stop() {
  echo "try-portable: $*" >&2
  exit 77
}

[ "$(id -u)" = 0 ] || stop "this needs root, to change into other systems"
for tool in debootstrap musl-gcc busybox powerpc64le-linux-gnu-gcc qemu-x86_64 unshare; do
  command -v $tool >/dev/null || stop "$tool is missing; as root: scripts/install-deps.sh release"
done
tarball=$(echo build/tarball/incore-*-linux-x86_64.tar.gz)
wheel=$(echo build/wheel/incore-*.whl)
[ -f "$tarball" ] && [ -f "$wheel" ] || stop "no packages here; first: make wheel"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
systems=$(realpath -m "${1:-$work/systems}")
mkdir -p "$systems"
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' | grep -v security | head -n 1)
failed=0

# try NAME COMMAND...: one line with the seconds, and the output of what failed.
try() {
  local name=$1 start=${EPOCHREALTIME/./} code=0 tenths
  shift
  "$@" >"$work/out" 2>&1 </dev/null || code=$?
  tenths=$(((${EPOCHREALTIME/./} - start) / 100000))
  if [ $code -eq 0 ]; then
    printf 'ok      %-66s %3d.%d s\n' "$name" $((tenths / 10)) $((tenths % 10))
  else
    printf 'FAILED  %s: exit code %d\n' "$name" $code
    tail -n 10 "$work/out" | sed 's/^/        /'
    failed=1
  fi
}

# in_system SYSTEM COMMAND: the command by the system's own shell; what it mounts and starts ends with it.
in_system() {
  unshare --mount --pid --fork --kill-child sh -c '
    mount -t proc proc "$1/proc" && exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C chroot "$1" /bin/sh -ec "$2"' \
    sh "$systems/$1" "$2"
}

prints() {  # SYSTEM COMMAND TEXT: the command succeeds, and prints the text
  in_system "$1" "$2" >"$work/printed" 2>&1
  local code=$?
  cat "$work/printed"
  [ $code -eq 0 ] && grep -qF -e "$3" "$work/printed"
}

unpack() {
  rm -rf "$systems/$1/opt"
  mkdir -p "$systems/$1/opt"
  tar -xzf "$tarball" -C "$systems/$1/opt" --strip-components=1
}

# --- Debian, from the bare system to the main job -------------------------------------------------------------------------------------
find_engine='incore run -- openssl engine -t padlock'
compute='set -- -aes-128-cbc -K 00112233445566778899aabbccddeeff -iv 000102030405060708090a0b0c0d0e0f -in /etc/passwd
  incore run --require xcrypt-cbc --check -- openssl enc -engine padlock "$@" -out /tmp/engine
  openssl enc "$@" | cmp - /tmp/engine'
from_python='import incore; print(incore.__version__ in incore.run(["--version"], check=True, capture_output=True, text=True).stdout)'

by_tarball() {  # RELEASE
  unpack "$1" && prints "$1" "PATH=/opt/bin:\$PATH; $find_engine" '[ available ]'
}

by_wheel() {
  cp "$wheel" "$systems/$1/tmp/"
  prints "$1" "python3 -m venv /opt/venv; /opt/venv/bin/pip install -q --no-index /tmp/${wheel##*/}
    PATH=/opt/venv/bin:\$PATH; $find_engine" '[ available ]'
}

for release in trixie bookworm bullseye; do
  if [ ! -e "$systems/$release/etc/passwd" ]; then
    rm -rf "${systems:?}/$release"
    if ! debootstrap --variant=minbase $release "$systems/$release" "$mirror" >"$work/out" 2>&1; then
      echo "skipped $release: debootstrap cannot make it from this mirror: $(tail -n 1 "$work/out")"
      rm -rf "${systems:?}/$release"
      continue
    fi
  fi
  here="$release, glibc $(in_system $release 'ldd --version | head -n 1 | grep -o "[0-9.]*$"')"
  try "$here: OpenSSL and Python, by apt" in_system $release \
    'apt-get update -qq && apt-get install -y -qq --no-install-recommends openssl python3-venv'
  try "$here: tarball: unpacked, OpenSSL finds the engine" by_tarball $release
  try "$here: tarball: the engine computes right" in_system $release "PATH=/opt/bin:\$PATH; $compute"
  try "$here: wheel: installed, OpenSSL finds the engine" by_wheel $release
  try "$here: wheel: content with its place" in_system $release '/opt/venv/bin/pip check'
  try "$here: wheel: from Python" prints $release "/opt/venv/bin/python -c '$from_python'" True
done

# --- no glibc: musl alone, and no C library at all -------------------------------------------------------------------------------------
for system in musl busybox; do
  rm -rf "${systems:?}/$system"
  mkdir -p "$systems/$system"/{bin,dev,proc,tmp,guest}
  cp "$(command -v busybox)" "$systems/$system/bin/busybox"
  ln -s busybox "$systems/$system/bin/sh"
  mknod -m 666 "$systems/$system/dev/null" c 1 3
  unpack $system
done
install -D "$(readlink -f /lib/ld-musl-x86_64.so.1)" "$systems/musl/lib/ld-musl-x86_64.so.1"
for system in musl busybox; do
  echo 'void _start(void) {}' | powerpc64le-linux-gnu-gcc -nostdlib -static -xc -o "$systems/$system/guest/power" - || failed=1
done
for guest in xcrypt_modes xsha threads sigill_handler_and_xcrypt check; do
  musl-gcc -g -O1 -pthread -o "$systems/musl/guest/$guest" tests/guest/$guest.c || failed=1
  musl-gcc -g -O1 -pthread -static -o "$systems/busybox/guest/$guest" tests/guest/$guest.c || failed=1
done
for system in musl busybox; do
  incore=/opt/bin/incore
  for guest in xcrypt_modes xsha threads sigill_handler_and_xcrypt; do
    try "$system: $guest" in_system $system "$incore run -- /guest/$guest"
  done
  try "$system: --require" in_system $system "$incore run --require xcrypt-cbc --check -- /guest/check misaligned_data-ok"
  try "$system: --check names the line of the source" prints $system \
    "$incore run --check -- /guest/check misaligned_data || :" "tests/guest/padlock.h:"
  try "$system: a shell and what it starts" prints $system "$incore run -v -- busybox sh -c 'busybox true; /guest/xsha && echo all ran'" "all ran"
  try "$system: a program for PowerPC asks for QEMU" prints $system "$incore run -- /guest/power || :" "(package qemu-user)"
  try "$system: cpu" prints $system "$incore cpu" sha
  try "$system: hash" prints $system "$incore hash /bin/busybox" /bin/busybox
  try "$system: scan" prints $system "$incore scan /guest/xcrypt_modes" xcrypt-cbc
  try "$system: rng" in_system $system "$incore rng bytes -q -n 1M -o /tmp/r getrandom && $incore rng analyze /tmp/r"
  try "$system: a benchmark names the library that it cannot load" prints $system "$incore bench sha256 --vs openssl --sizes 64 --time 1 || :" \
    "this incore is linked statically and cannot load libcrypto.so.3"
  try "$system: numbers are not compared with GMP" prints $system "$incore modexp --bits 256 --count 1" "cannot load libgmp.so.10"
done

# --- the first and other old x86-64 processors, and old kernels: Linux 3.19 is of 2015 -------------------------------------------------
program=$systems/busybox/opt/bin/incore
older=$work/older_linux
gcc -o "$older" tests/guest/older_linux.c || failed=1
for place in "qemu-x86_64 -cpu qemu64" "qemu-x86_64 -cpu core2duo" "qemu-x86_64 -cpu Opteron_G1" "$older 3.19" "$older 4.19" "$older 5.8"; do
  for words in cpu "hash LICENSE" "scan /bin/true" "modexp --bits 256 --count 1" "rng bytes -q --hex -n 64 getrandom"; do
    # shellcheck disable=SC2086
    try "${place##*/}: incore $words" $place "$program" $words
  done
done
refused_on() {  # VERSION: incore run says what it needs
  "$older" "$1" "$program" run -- /bin/true 2>"$work/printed"
  local code=$?
  cat "$work/printed"
  [ $code -eq 2 ] && grep -qF "needs the seccomp of Linux 5.9 or newer" "$work/printed"
}
for version in 3.19 4.19 5.8; do
  try "older_linux $version: incore run says what it needs" refused_on $version
done
exit $failed
