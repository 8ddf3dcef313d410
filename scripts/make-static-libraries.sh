#!/usr/bin/env bash
# Makes the libraries that Debian has only as shared ones, for a program that is linked statically: libZydis.a (its decoder, and what that
# calls) and libdivsufsort.a, from Debian's sources of the versions whose headers are installed. Does nothing when they are there.
# usage: make-static-libraries.sh FOLDER
set -euo pipefail

fail() {
  echo "make-static-libraries: $*" >&2
  exit 1
}

[ $# -eq 1 ] || { echo "usage: make-static-libraries.sh FOLDER" >&2; exit 2; }
folder=$1
version_of() {  # the version of an installed package's source
  dpkg-query -W -f='${source:Version}' "$1" 2>/dev/null || fail "$1 is missing; as root: scripts/install-deps.sh tarball"
}
zydis=$(version_of libzydis-dev)
divsufsort=$(version_of libdivsufsort-dev)
# Each library's source package, its version, and the package that has its headers and licence: scripts/linked_parts.py reads it.
made="libZydis.a zydis $zydis libzydis-dev
libdivsufsort.a libdivsufsort $divsufsort libdivsufsort-dev
by gcc $(gcc -dumpfullversion) and these commands: $(cksum <"$0")"
[ -f "$folder/libZydis.a" ] && [ -f "$folder/libdivsufsort.a" ] && [ "$(cat "$folder/made-from" 2>/dev/null)" = "$made" ] && exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$(dirname "$0")/fetch-sources.sh" --unpack "$work" "zydis=$zydis" "libdivsufsort=$divsufsort"

# Both build systems would also make programs and shared libraries; what is needed are these files. The headers are the installed ones.
archive() {  # NAME FLAGS... FILES...: lib NAME .a
  local name=$1
  shift
  mkdir "$work/$name"
  (cd "$work/$name" && gcc -c -O2 -fPIE -fstack-protector-strong -D_FORTIFY_SOURCE=2 -ffunction-sections "-ffile-prefix-map=$work=." "$@")
  ar rcsD "$work/lib$name.a" "$work/$name"/*.o
}
source=$(echo "$work"/zydis-*/)
archive Zydis -DZYDIS_STATIC_BUILD -DZYCORE_STATIC_BUILD -I"${source}include" -I"${source}src" \
  "$source"src/{Decoder,DecoderData,MetaInfo,Mnemonic,Register,Segment,SharedData,Utils,Zydis}.c
source=$(echo "$work"/libdivsufsort-*/)
archive divsufsort -DHAVE_STRING_H -DHAVE_STDLIB_H -DHAVE_INTTYPES_H -DINLINE=inline '-DPROJECT_VERSION_FULL=""' -I"${source}include" \
  "$source"lib/{divsufsort,sssort,trsort}.c

mkdir -p "$folder"
mv "$work"/lib{Zydis,divsufsort}.a "$folder/"
echo "$made" >"$folder/made-from"
