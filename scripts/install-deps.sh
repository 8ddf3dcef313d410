#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages that building and testing need, and says which. Does nothing when all are there.
# The names are those of Debian 12. Later releases renamed some: libgnutls30 is there as libgnutls30t64, which says that it
# provides libgnutls30. apt-get installs by either name, so only the question of what is there must take both.
set -euo pipefail

packages=(
  build-essential cmake ninja-build git                       # build
  libcli11-dev libfmt-dev nlohmann-json3-dev libtomlplusplus-dev  # command line
  libdivsufsort-dev libbz2-dev libboost-dev      # incore rng analyze
  ent dieharder                                               # which its tests compare it with; rngtest too, if installed
  libzydis-dev libdw-dev                                      # incore run, incore scan
  googletest libgmp-dev python3 python3-cryptography-vectors  # tests and their oracles
  openssl                                                     # the first client, and the peer of the benchmarks
  libgcrypt20 libgnutls30 libcrypto++8                        # what `incore scan` is tested on
  libisal2                                                    # with those above: peers of the benchmarks
  pkg-config                                                  # how programs find the installed library
  valgrind                                                    # the check of constant-time code
  gcc-i686-linux-gnu libc6-dev-i386-cross                     # 32-bit programs for the tests of incore run
  # POWER8: the library for it in both byte orders, programs for the tests of incore run, and their emulator
  g++-powerpc64le-linux-gnu libc6-dev-ppc64el-cross g++-powerpc64-linux-gnu libc6-dev-ppc64-cross qemu-user
  gcc-mips-linux-gnu gcc-mipsel-linux-gnu                     # VeMICry: programs in C, and an oracle of its assembler
  iverilog yosys                                              # VeMICry: its Verilog model simulated, and its size
)
# Longer suites only: make test-all.
extra=(clang clang-format libclang-rt-dev g++-i686-linux-gnu zsh fish)
[ "${1:-}" = all ] && packages+=("${extra[@]}")
# A model of POWER8's pipelines: make bench-power8.
[ "${1:-}" = model ] && packages+=(llvm-19)

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
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  echo "incore: installing packages failed" >&2
  exit 1
fi
