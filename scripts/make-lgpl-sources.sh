#!/usr/bin/env bash
# Makes build/tarball/incore-VERSION-lgpl-sources.tar: Debian's source packages of the libraries under the LGPL that the program of the
# tarball contains, in the versions that it contains. NOTICE says who needs them.
# usage: make-lgpl-sources.sh
set -euo pipefail
cd "$(dirname "$0")/.."

build=build/tarball
tarball=$(echo $build/incore-*-linux-x86_64.tar.gz)
[ -f "$tarball" ] || { echo "make-lgpl-sources: no tarball here; first: make tarball" >&2; exit 1; }
file=${tarball%-linux-x86_64.tar.gz}-lgpl-sources.tar
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

scripts/licences.py --lgpl $build incore >"$work/parts"
mapfile -t parts <"$work/parts"
scripts/fetch-sources.sh "$work/sources" "${parts[@]}"
tar --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime=@0 -C "$work" -cf "$file.new" sources
rm -f $build/incore-*-lgpl-sources.tar
mv "$file.new" "$file"
echo "$file"
