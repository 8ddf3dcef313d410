#!/usr/bin/env bash
# shellcheck disable=SC2317  # the functions are called by their names in a table
# Checks all that a release stands on: builds, tests, packages and what is in them. Prints a line for each check: passed, failed or
# skipped, and why; what it printed is in build/release-check/CHECK.log. Exit 1 if one failed. Takes an hour or more; --long, many hours.
# usage: release-check.sh [--long] [CHECK...]      all checks, or those named
set -uo pipefail
cd "$(dirname "$0")/.." || exit

# A check's name, and its command: exit code 77 means that it cannot be done here. Each builds on those above it.
checks='
tree          is_committed
build         make build
test          make test
deb           scripts/check-deb.sh
wheel         make wheel
size          is_small
licences      check_licences
sbom          check_sbom
sources       make sources
portable      scripts/try-portable.sh
reproducible  make_again
'
long_checks='
test-all            make test-all
test-asan           make test-asan
test-power8         make test-power8
test-power8-clang   make test-power8-clang
fuzz-short          make fuzz-short
mutate              make mutate
mutate-power8       make mutate-power8
mutate-vemicry      make mutate-vemicry
'

packages() { ls build/tarball/incore-*-linux-x86_64.tar.gz build/wheel/incore-*.whl; }

is_committed() {
  local changed
  changed=$(git status --porcelain) || return
  [ -z "$changed" ] || { echo "files are not committed: ${changed//$'\n'/,}"; return 1; }
}

is_small() {
  local files file mistakes=0
  files=$(packages) || return
  for file in $files; do
    [ "$(stat -c %s "$file")" -lt 15000000 ] || { echo "$file has $(stat -c %s "$file") bytes, not less than 15,000,000"; mistakes=1; }
  done
  return "$mistakes"
}

check_licences() { scripts/licences.py build/native incore && scripts/licences.py build/tarball incore; }

check_sbom() {
  local files
  make sbom || return
  files=$(packages) || return
  # shellcheck disable=SC2086
  scripts/sbom.py --check build/tarball $files
}

# In another folder, for another user, at another place on earth, and without a compiler cache, which would bring back the first code.
make_again() {
  local again=$work/again/incore files file mistakes=0
  files=$(packages) || return
  git clone --quiet . "$again" || return
  (umask 077
    unset CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER
    export TZ=Asia/Kathmandu HOME=$work CCACHE_DISABLE=1
    make -C "$again" wheel) || return
  for file in $files; do
    cmp "$file" "$again/$file" || mistakes=1
  done
  return "$mistakes"
}

list() { awk 'NF { print $1 }' <<<"$checks$long_checks"; }
is_long=
asked=()
for word in "$@"; do
  case $word in
    --long) is_long=1 ;;
    *)
      list | grep -qxF -e "$word" || { echo "release-check: no check '$word'; there are: $(list | xargs)" >&2; exit 2; }
      asked+=("$word")
      ;;
  esac
done

logs=$PWD/build/release-check
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$logs" || exit
failed=0

# check NAME COMMAND...: does it, and prints its line. What the command itself skipped follows.
check() {
  local name=$1 log=$logs/$1.log started=$SECONDS code=0 time counts
  shift
  "$@" >"$log" 2>&1 </dev/null || code=$?
  time=$(((SECONDS - started) / 60))$(printf ':%02d min' $(((SECONDS - started) % 60)))
  case $code in
    0)
      counts=$(grep -E '^[0-9]+ passed, ' "$log" | tail -n 1)
      echo "passed   $name, $time${counts:+: $counts}"
      sed -n 's/^skipped  */skipped  '"$name: /p" "$log"
      ;;
    77) echo "skipped  $name: $(tail -n 1 "$log")" ;;
    *)
      echo "failed   $name, $time: exit code $code: $(grep -vE '^make(\[[0-9]+\])?: ' "$log" | tail -n 1); all of it: ${log#"$PWD/"}"
      failed=1
      ;;
  esac
}

while read -r name command; do
  [ -n "$name" ] || continue
  if [ ${#asked[@]} -gt 0 ]; then
    [[ " ${asked[*]} " == *" $name "* ]] || continue
  elif [ -z "$is_long" ] && grep -q "^$name " <<<"$long_checks"; then
    echo "skipped  $name: takes long; --long does it"
    continue
  fi
  # shellcheck disable=SC2086
  check "$name" $command
done <<<"$checks$long_checks"
exit $failed
