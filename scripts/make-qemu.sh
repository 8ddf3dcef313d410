#!/usr/bin/env bash
# Builds QEMU with the PadLock units of libincore: the source package of this Debian, with the patches of machine/qemu. The programs are
# then in build/qemu, where `incore boot` finds them. With --release the sources are those of another release, with --patch-only
# nothing is built. `make build` comes first: libincore is taken from build/native.
# usage: make-qemu.sh [--release RELEASE] [--patch-only] [PROGRAM...]      PROGRAM is one of those that it builds otherwise
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

fail() {
  echo "make-qemu: $*" >&2
  exit 1
}

all=(qemu-system-i386 qemu-system-x86_64 qemu-i386 qemu-x86_64)
release=() patch_only= programs=()
while [ $# -gt 0 ]; do
  case $1 in
    --release) [ $# -ge 2 ] || fail "--release needs the name of a Debian release, such as trixie"; release=(--release "$2"); shift ;;
    --patch-only) patch_only=yes ;;
    *)
      [[ " ${all[*]} " == *" $1 "* ]] || { echo "make-qemu: no program '$1'; there are: ${all[*]}" >&2; exit 2; }
      programs+=("$1")
      ;;
  esac
  shift
done
build=${BUILD:-build}
[ ${#programs[@]} -gt 0 ] || programs=("${all[@]}")
folder=$build/qemu
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

# Prints the folder with the patches for the sources in $1.
patches_for() {
  local version
  version=$(cat "$1/VERSION")
  [ -d "machine/qemu/${version%.*}" ] ||
    fail "there are no patches for QEMU $version; there are for $(cd machine/qemu && echo [0-9]*/ | tr -d /): Debian 12 and 13 have these"
  echo "machine/qemu/${version%.*}"
}

# The sources are fetched once, and patched anew when a patch has changed.
new=$folder/new
rm -rf "$new"
mkdir "$new"
fetched=$folder/fetched${release[1]:+-${release[1]}}
if [ ! -d "$fetched" ]; then
  scripts/fetch-sources.sh --unpack "${release[@]}" "$new" qemu >&2 || fail "QEMU's source package cannot be had"
  rm -rf "$fetched"
  mv "$new"/qemu-*/ "$fetched"
fi
patches=$(patches_for "$fetched")
source=$folder/source
sum=$(cat "$fetched/VERSION" "$patches"/*.patch | sha256sum)
if [ "$(cat "$source/incore-patches" 2>/dev/null)" != "$sum" ]; then
  cp -r "$fetched" "$new/source"
  for patch in "$patches"/*.patch; do
    (cd "$new/source" && patch -p1 -s -f -F0) <"$patch" >"$new/log" ||
      { cat "$new/log" >&2; fail "$patch does not apply to QEMU $(cat "$fetched/VERSION")"; }
  done
  echo "$sum" >"$new/source/incore-patches"
  rm -rf "$source" "$folder/build"
  mv "$new/source" "$source"
fi
rm -rf "$new"
[ -z "$patch_only" ] || exit 0

# QEMU links the static library: the programs then need nothing of Incore's.
[ -f "$build/native/libincore.a" ] || fail "$build/native/libincore.a is missing; make build makes it"
prefix=$folder/prefix
rm -rf "$prefix"
cmake --install "$build/native" --prefix "$prefix" >"$folder/log" || { cat "$folder/log" >&2; exit 1; }
find "$prefix" -name 'libincore*.so*' -delete
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name incore.pc)")
export PKG_CONFIG_PATH
mkdir -p "$folder/build"
cd "$folder/build"
if [ ! -f build.ninja ]; then
  launcher=${CMAKE_C_COMPILER_LAUNCHER:-}
  "$source/configure" --cc="${launcher:+$launcher }${CC:-cc}" --target-list=i386-softmmu,x86_64-softmmu,i386-linux-user,x86_64-linux-user \
    --without-default-features --enable-system --enable-linux-user --enable-tcg --enable-padlock --enable-plugins --enable-slirp \
    --enable-fdt=system --disable-docs --disable-tools --disable-guest-agent --disable-install-blobs \
    --firmwarepath=/usr/share/qemu:/usr/share/seabios >"$folder/log" 2>&1 ||
    { rm -f build.ninja; tail -n 20 "$folder/log" >&2; fail "QEMU cannot be configured: $folder/log"; }
fi
rm -f "${programs[@]}"  # linked again, with the libincore of now
ninja -j "${JOBS:-$(nproc)}" "${programs[@]}" >"$folder/log" 2>&1 || { tail -n 20 "$folder/log" >&2; fail "QEMU cannot be built: $folder/log"; }
for program in "${programs[@]}"; do
  strip -o "$folder/$program" "$program"
done
echo "built: $(printf "${folder#"$root/"}/%s " "${programs[@]}")"
