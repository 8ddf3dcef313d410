#!/usr/bin/env bash
# Makes the Debian packages of this tree, for the Debian or Ubuntu that it runs on: FOLDER/*.deb, and the .changes and
# .buildinfo that tell of them. Nobody needs to be root. The source is what git tracks, as it lies in the working tree;
# it is built beside FOLDER, which changes only when all is done. The same tree gives the same bytes.
# usage: make-deb.sh [FOLDER]      (build/deb)
set -euo pipefail
folder=$(realpath -m "${1:-$(dirname "$0")/../build/deb}")
cd "$(dirname "$0")/.."

refuse() {
  echo "incore: $*" >&2
  exit 1
}

release=${INCORE_OS_RELEASE:-/etc/os-release}  # tests name another
if [ -r "$release" ]; then . "$release"; fi
if ! command -v dpkg-query >/dev/null; then
  refuse "Debian packages are made on Debian or Ubuntu, and this is ${PRETTY_NAME:-another system}; 'make install' works here"
fi
if ! command -v dpkg-checkbuilddeps >/dev/null; then
  refuse "no dpkg-dev here; as root: scripts/install-deps.sh deb"
fi
if ! unmet=$(dpkg-checkbuilddeps packaging/debian/control 2>&1); then
  refuse "packages are missing: ${unmet##*dependencies: }; as root: scripts/install-deps.sh deb"
fi
if ! unknown=$(git rev-parse --git-dir 2>&1); then
  refuse "the source is what git tracks, and it tracks nothing here (${unknown%%$'\n'*}); take a clone of the repository"
fi

version=$(sed -n 's/^project(incore VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
# Packages for different systems have different versions, so that those of a newer system replace an older one's.
system=$(tr -cd 'a-z0-9.' <<<"${ID/#debian/deb}${VERSION_ID:-sid}")
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export LC_ALL=C.UTF-8 TZ=UTC DEB_BUILD_OPTIONS="parallel=$(nproc) ${DEB_BUILD_OPTIONS:-}"
umask 022

mkdir -p "$(dirname "$folder")"
exec {lock}<"$(dirname "$folder")"
flock --nonblock "$lock" || refuse "Debian packages are being made in $(dirname "$folder") already; wait for them"
work=$folder.part
trap 'rm -rf "$work"' EXIT
rm -rf "$work"
source=$work/incore-$version
mkdir -p "$source"
git ls-files -z | while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done |
  tar --null --files-from=- --mtime="@$SOURCE_DATE_EPOCH" --mode=u+rw,go=u,go-w -c | tar -x -C "$source"
cp -rp "$source/packaging/debian" "$source/debian"
sed -i "1s/([^)]*)/($version+$system)/; \$s/  .*/  $(date -R -d "@$SOURCE_DATE_EPOCH")/" "$source/debian/changelog"

log=$folder.log
echo "incore: building Debian packages for ${PRETTY_NAME:-$system}; this takes minutes, and $log tells what is done"
if ! (cd "$source" && dpkg-buildpackage -b -us -uc) >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  refuse "no Debian packages were made; $log tells why"
fi
rm -rf "$source" "$folder"
mv "$work" "$folder"
ls -1 "$folder"/*.deb
