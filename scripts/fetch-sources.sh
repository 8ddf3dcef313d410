#!/usr/bin/env bash
# Fetches source packages of the system's own release into FOLDER, and unpacks them if asked. Only apt's mirrors are taken from the
# machine's configuration; its lists of packages stay as they are.
# usage: fetch-sources.sh [--unpack] FOLDER NAME=VERSION...
set -euo pipefail

fail() {
  echo "fetch-sources: $*" >&2
  exit 1
}

how=--download-only
if [ "${1:-}" = --unpack ]; then
  how=
  shift
fi
[ $# -ge 2 ] || { echo "usage: fetch-sources.sh [--unpack] FOLDER NAME=VERSION..." >&2; exit 2; }
folder=$1
shift
command -v apt-get >/dev/null || fail "this needs Debian or Ubuntu, from which the sources come: $*"
command -v dpkg-source >/dev/null || fail "dpkg-dev is missing; as root: scripts/install-deps.sh tarball"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/source"
apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' | sort -u >"$work/sources.list"
[ -s "$work/sources.list" ] || fail "apt has no lists of packages; as root: apt-get update"
own_lists=(-qq -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::Lists=$work/lists"
  -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root)
(cd "$work/source" && apt-get "${own_lists[@]}" update && apt-get "${own_lists[@]}" source ${how:+"$how"} --only-source "$@") >"$work/log" 2>&1 || {
  tail -n 5 "$work/log" >&2
  fail "the sources cannot be had; is there a network? They are: $*"
}
mkdir -p "$folder"
cp -r "$work"/source/* "$folder/"
