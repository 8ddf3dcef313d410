#!/usr/bin/env bash
# Checks the Debian packages of this tree, for the Debian or Ubuntu that it runs on: makes them twice and compares, lets lintian
# look, and as root installs them in a bare system and runs their tests there. Prints a line for each; exit 1 if one failed.
# Takes many minutes. The packages are in build/deb then.
# usage: check-deb.sh
set -uo pipefail
cd "$(dirname "$0")/.." || exit

packages=$PWD/build/deb
work=$(mktemp -d)
root=$work/system
clean() {
  # What is still mounted, if unmounting failed, must not be removed.
  if mountpoint -q "$root/proc"; then umount "$root/proc" || return; fi
  rm -rf --one-file-system "$work"
}
trap clean EXIT
failed=0

ok() { echo "ok       $*"; }
skip() { echo "skipped  $*; as root: scripts/install-deps.sh release"; }
# What went wrong, and where the end of $work/log tells it.
fail() {
  echo "FAILED   $*"
  tail -n 20 "$work/log" >&2
  failed=1
}

# The second time in another place, for another user, and without a compiler cache, which would bring back the first time's code.
make_again() (
  umask 077
  git clone --quiet . "$work/another" || return
  git diff --binary HEAD | git -C "$work/another" apply --allow-empty --index || return
  unset CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER
  export TZ=Asia/Kathmandu LC_ALL=C HOME=$work CCACHE_DISABLE=1 DEB_BUILD_OPTIONS=parallel=3
  "$work/another/scripts/make-deb.sh" "$work/again"
)

check_reproducible() {
  local package differ=()
  make_again >"$work/log" 2>&1 || { fail "made again"; return; }
  : >"$work/log"
  for package in "${made[@]}"; do
    cmp "$package" "$work/again/${package##*/}" >>"$work/log" 2>&1 || differ+=("${package##*/}")
  done
  diff <(cd "$packages" && ls -- *deb) <(cd "$work/again" && ls -- *deb) >>"$work/log" || differ+=("their names")
  if [ ${#differ[@]} -gt 0 ]; then fail "made again: ${differ[*]}"; else ok "made again, byte by byte the same"; fi
}

check_lintian() {
  command -v lintian >/dev/null || { skip "lintian is not installed"; return; }
  if lintian --fail-on error,warning --tag-display-limit 0 "$packages"/*.changes >"$work/log" 2>&1; then
    ok "lintian has no error and no warning"
  else
    fail "lintian"
  fi
}

# The tests of the packages, in a system that has them and nothing else.
check_installed() {
  local tool test result
  [ "$(id -u)" -eq 0 ] || { echo "skipped  installing in a bare system, which only root may"; return; }
  for tool in debootstrap autopkgtest; do
    command -v "$tool" >/dev/null || { skip "$tool is not installed"; return; }
  done
  if ! debootstrap --variant=minbase "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$root" >"$work/log" 2>&1; then
    fail "no bare system, by debootstrap; is there a network?"
    return
  fi
  mount -t proc proc "$root/proc" 2>"$work/log" || { echo "skipped  installing in a bare system: $(cat "$work/log")"; return; }
  mkdir "$work/tests"
  cp -r packaging/debian examples "$work/tests"
  autopkgtest --summary-file="$work/summary" "$packages"/*.deb "$work/tests/" -- chroot "$root" >"$work/log" 2>&1
  [ -s "$work/summary" ] || fail "no test of the packages ran"
  while read -r test result _; do
    if [ "$result" = PASS ]; then ok "in a bare system: $test"; else fail "in a bare system: $test"; fi
  done <"$work/summary"
}

if ! scripts/make-deb.sh >"$work/log" 2>&1; then
  fail "made"
  exit 1
fi
made=("$packages"/*deb)
ok "made: ${made[*]##*/}"
check_lintian
check_installed
check_reproducible
exit $failed
