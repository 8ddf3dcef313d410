#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages that a task needs, and says which. Does nothing when all are there.
# usage: install-deps.sh [KIND...]     KIND is one of those in the table; without one it is test
# The names are those of Debian 12. Later releases renamed some: libgnutls30 is there as libgnutls30t64, which says that it
# provides libgnutls30. apt-get installs by either name, so only the question of what is there must take both.
set -euo pipefail

# Kinds, the packages that they need, and why. Each package stands here once.
table='
build: g++ make cmake ninja-build                            # compiler and build
build: libcli11-dev libfmt-dev nlohmann-json3-dev libtomlplusplus-dev  # command line
build: libdivsufsort-dev libboost-dev                        # incore rng analyze
build: libzydis-dev libdw-dev                                # incore run, incore scan
demo bench: openssl                                          # the first client, and a peer of the benchmarks
install bench test power8 lab boot qemu probe-image: python3  # manual pages and completions; scripts
deb: build-essential debhelper                               # what makes Debian packages
tarball lab qemu: dpkg-dev                                   # unpacks sources: of libraries that Debian has not as static ones, of projects to try
release: lintian debootstrap autopkgtest musl-tools busybox-static  # what looks at packages, and systems to try them in
bench test: libgcrypt20 libgnutls30 libisal2                 # peers of the benchmarks; `incore scan` is tested on them, too
bench test lab boot: gcc-i686-linux-gnu libc6-dev-i386-cross # 32-bit programs for incore run
lab: libc6-i386 m4                                           # they load their libraries; makes nettle its assembly
test fuzz: libgmp-dev                                        # an oracle for big numbers
test power8: googletest python3-cryptography-vectors         # tests and known answers
test: libcrypto++8 libbz2-dev ent dieharder                  # what single tests compare with or look at
test format deb: git                                         # which files are sources
test lab qemu: pkg-config                                    # how programs find installed libraries
test: python3-yaml                                           # to read action.yml and packaging/ci/gitlab.yml as CI services do
boot test: qemu-system-x86                                   # whole machines
boot probe-image: cpio kmod                                  # what an initramfs is made with
qemu: libfdt-dev libglib2.0-dev libpixman-1-dev libslirp-dev meson python3-venv  # QEMU with the patches of machine/qemu
qemu: qemu-system-data seabios                               # the firmware of its machines
probe-image: syslinux mtools dosfstools                      # a disk that boots
test: mandoc                                                 # what is wrong in manual pages
test: valgrind                                               # the check of constant-time code
test deb tarball: gcc-mips-linux-gnu                         # VeMICry: programs in C
test: gdb-multiarch                                          # a debugger for its programs
test: gcc-mipsel-linux-gnu iverilog                          # its tests, and its Verilog model
test vemicry-fpga: yosys                                     # the size of that
all vemicry-fpga: nextpnr-ice40                              # its clock in FPGAs; nextpnr-ecp5 is no package of Debian 12
all vemicry-rtl: verilator                                   # the Verilog model, faster
# the library for POWER8 in both byte orders, programs for the tests of incore run, and their emulator
test power8: g++-powerpc64le-linux-gnu libc6-dev-ppc64el-cross g++-powerpc64-linux-gnu libc6-dev-ppc64-cross qemu-user
model: llvm-19                                               # a model of POWER8 pipelines
clang fuzz: clang libclang-rt-dev                            # the second compiler, and the fuzzers
format: clang-format                                         # how sources look
all lab: g++-i686-linux-gnu                                  # the library in 32 bits, and others in C++
all: zsh fish                                                # completions of these shells
'
# What a kind needs beside its own packages.
declare -A also=([demo]=build [install]=build [deb]=install [tarball]=install [release]="deb tarball test" [bench]=demo
  [test]="demo install" [power8]=build [boot]=build [probe-image]=build [qemu]=build [model]=power8 [lab]=build [fuzz]=build [clang]=build
  [vemicry-rtl]=test
  [all]="test boot probe-image fuzz clang format")

known=$(sed -nE 's/^([a-z][^:]*):.*/\1/p' <<<"$table" | tr ' ' '\n' | sort -u | xargs)
[ $# -gt 0 ] || set -- test
packages=()
while [ $# -gt 0 ]; do
  kind=$1
  shift
  [[ " $known " == *" $kind "* ]] || { echo "incore: no kind of packages '$kind'; there are: $known" >&2; exit 2; }
  read -ra names < <(sed -nE "/^[^:]*\b$kind\b[^:]*:/ { s/#.*//; s/^[^:]*://; p }" <<<"$table" | xargs)
  packages+=("${names[@]}")
  read -ra more <<<"${also[$kind]:-}"
  set -- "$@" "${more[@]}"
done
mapfile -t packages < <(printf '%s\n' "${packages[@]}" | awk '!seen[$0]++')

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "incore: no apt-get here; install what these packages of Debian hold and run make with DEPS=true: ${packages[*]}" >&2
  exit 1
fi

# Each installed package and what it provides, between a space and a comma.
installed=$(dpkg-query -W -f='${db:Status-Status}:, ${Package}, ${Provides},\n' | sed -n 's/^installed://p' | sed 's/ ([^)]*)//g')
missing=()
for package in "${packages[@]}"; do
  [[ $installed == *" $package,"* ]] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -ne 0 ]; then
  echo "incore: these packages are missing; run as root, or install them: ${missing[*]}" >&2
  exit 1
fi
echo "incore: installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Lists that cannot be fetched need not matter: what is missing may be in older ones.
apt-get update -qq >"$log" 2>&1 || true
apt-get install -y -qq --no-install-recommends "${missing[@]}" >>"$log" 2>&1 && exit 0

unknown=$(sed -nE "s/^E: Unable to locate package (.*)/\1/p; s/^E: Package '(.*)' has no installation candidate.*/\1/p" "$log" | sort -u | xargs)
if grep -qE 'Failed to fetch|Could not (resolve|connect)|Temporary failure' "$log"; then
  echo "incore: packages could not be fetched; check the network and apt's sources, and start again" >&2
elif [ -n "$unknown" ]; then
  echo "incore: this release lacks packages that Debian 12, Debian 13 and Ubuntu 24.04 have; install what they hold and run" \
    "make with DEPS=true: $unknown" >&2
else
  tail -n 20 "$log" >&2
  echo "incore: installing packages failed" >&2
fi
exit 1
