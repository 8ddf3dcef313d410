#!/usr/bin/env bash
# Makes build/tarball/incore-VERSION-linux-x86_64.tar.gz: the program, linked statically, with its manual pages, completions, documents
# and the licences of what is inside. The same commit on the same Debian gives the same bytes, in any folder.
# usage: make-tarball.sh
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "make-tarball: $*" >&2
  exit 1
}

[ "$(uname -sm)" = "Linux x86_64" ] || fail "the tarball is made on x86-64 Linux, and this is $(uname -sm)"
command -v dpkg-query >/dev/null || fail "the tarball is made on Debian or Ubuntu, which have static libraries; 'make install' works here"
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || true)}"
[ -n "$SOURCE_DATE_EPOCH" ] || fail "git tells no commit, whose date the files would have; set SOURCE_DATE_EPOCH, in seconds"
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022

build=build/tarball
version=$(sed -n 's/^project(incore VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
name=incore-$version-linux-x86_64
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

scripts/make-static-libraries.sh $build/static
make --no-print-directory build-tarball CONFIGURE= TARGETS=incore_cli
dynamic=$(readelf -ld $build/incore | grep -E 'NEEDED|interpreter' || true)
[ -z "$dynamic" ] || fail "the program is not static: $dynamic"
scripts/licences.py --files $build incore >"$work/licences"

stage=$work/$name
doc=$stage/share/doc/incore
install -D -m 755 $build/incore "$stage/bin/incore"
install -m 755 packaging/ci/incore-matrix "$stage/bin/incore-matrix"
scripts/make-help-files.py $build/incore "$stage/share/man/man1" "$stage/share"
mkdir -p "$doc/licenses"
cp -r README.md LICENSE NOTICE docs "$doc/"
# Debian's copyright file of each part, and the licences that these only name.
while read -r source file; do
  cp "$file" "$doc/licenses/$source.txt"
done <"$work/licences"
cp -L /usr/share/common-licenses/{LGPL-2.1,LGPL-3,GPL-2,GPL-3} "$doc/licenses/"
chmod -R u=rwX,go=rX "$stage"

tar --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$work" -c "$name" |
  gzip -9n >$build/$name.tar.gz.new
rm -f $build/incore-*.tar.gz $build/incore-*.spdx.json
mv $build/$name.tar.gz.new $build/$name.tar.gz
echo "$build/$name.tar.gz"
