#!/usr/bin/env bash
# Fetches source packages into FOLDER, and unpacks them if asked; with --upstream only what their authors published, without the
# distribution's patches. They are of the system's own release, or of RELEASE as it was published. Only apt's mirrors are taken from
# the machine's configuration; its lists of packages stay as they are.
# usage: fetch-sources.sh [--unpack | --upstream] [--release RELEASE] FOLDER NAME[=VERSION]...
set -euo pipefail

fail() {
  echo "fetch-sources: $*" >&2
  exit 1
}

how=--download-only upstream= release=
while :; do
  case ${1:-} in
    --unpack) how= ;;
    --upstream) upstream=yes ;;
    --release) release=${2:-}; [ $# -lt 2 ] || shift ;;
    *) break ;;
  esac
  shift
done
[ $# -ge 2 ] || { echo "usage: fetch-sources.sh [--unpack | --upstream] [--release RELEASE] FOLDER NAME[=VERSION]..." >&2; exit 2; }
folder=$1
shift
command -v apt-get >/dev/null || fail "this needs Debian or Ubuntu, from which the sources come: $*"
command -v dpkg-source >/dev/null || fail "dpkg-dev is missing; as root: scripts/install-deps.sh tarball"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/source"
apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' | sort -u >"$work/sources.list"
if [ -n "$release" ]; then
  own=$(. /etc/os-release && echo "$VERSION_CODENAME")
  sed -i -n "s/^\(deb-src [^ ]*\) $own \([^ ]*\)$/\1 $release \2/p" "$work/sources.list"
fi
[ -s "$work/sources.list" ] || fail "apt has no lists of packages; as root: apt-get update"
own_lists=(-qq -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::Lists=$work/lists"
  -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root)
get() { cd "$work/source" && apt-get "${own_lists[@]}" update && apt-get "${own_lists[@]}" source ${how:+"$how"} --only-source "$@"; }
# Upstream's archive, which apt-get has checked, is enough even where a mirror lacks the rest of the package.
has_all_archives() { [ -n "$upstream" ] && [ "$(find "$work/source" -name '*.orig.tar.*[z2]' | wc -l)" -eq $# ]; }
(get "$@") >"$work/log" 2>&1 || has_all_archives "$@" || {
  tail -n 5 "$work/log" >&2
  fail "the sources cannot be had; is there a network? They are: $*"
}
mkdir -p "$folder"
if [ -z "$upstream" ]; then
  cp -r "$work"/source/* "$folder/"
  exit
fi
for archive in "$work"/source/*.orig.tar.*[z2]; do
  name=$(basename "${archive%.orig.tar.*}")
  mkdir -p "$folder/${name/_/-}"
  tar --extract --file "$archive" --directory "$folder/${name/_/-}" --strip-components 1 --no-same-owner
done
