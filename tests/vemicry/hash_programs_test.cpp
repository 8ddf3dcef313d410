// SHA-256, SHA-512, Keccak and GHASH in vector registers. The workloads check results against the
// standards' steps; seed 1 is a published example.
#include "vemicry/workload_rig.h"

namespace incore::vemicry::test {
namespace {

const char* const kPrograms[] = {"sha256-block", "sha512-block",    "keccak-f1600",
                                 "ghash-block",  "ghash-16-blocks", "ghash-16-blocks-by-4"};

TEST(vemicry_hashes, results_are_right_with_junk_at_reset) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Config config;
    config.junk = true;
    config.junk_seed = seed;
    for (const char* name : kPrograms) ASSERT_EQ(measured(name, seed, config), "") << name << seed;
    config.p = 16;
    for (const char* name : kPrograms) ASSERT_EQ(measured(name, seed, config), "") << name << seed;
  }
}

// FIPS 180-4 for "abc"; test case 2 of the specification of GCM.
TEST(vemicry_hashes, published_examples) {
  Call sha256("sha256-block");
  sha256.execute();
  EXPECT_EQ(to_hex(sha256.read(sha256.argument(0), 32)),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  Call sha512("sha512-block");
  sha512.execute();
  EXPECT_EQ(to_hex(sha512.read(sha512.argument(0), 64)),
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f");
  Call sha3("keccak-f1600");  // FIPS 202's SHA3-256 for "abc", in words that are little-endian
  sha3.execute();
  const Bytes state = sha3.read(sha3.argument(0), 32);
  Bytes hash;
  for (size_t i = 0; i < state.size(); ++i) hash.push_back(state[i ^ 3]);
  EXPECT_EQ(to_hex(hash), "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532");
  Call ghash("ghash-block");
  ghash.execute();
  EXPECT_EQ(to_hex(ghash.read(ghash.argument(0), 16)), "5e2ec746917062882c85b0685353deb7");
}

TEST(vemicry_hashes, fewer_instructions_than_scalar_code) {
  EXPECT_LE(instructions("sha256-block"), 2364u);
  EXPECT_LE(instructions("sha512-block"), 4992u);
  EXPECT_LE(instructions("keccak-f1600"), 12890u);
  EXPECT_LE(instructions("ghash-block"), 60u);
  EXPECT_LT(instructions("ghash-16-blocks-by-4"), instructions("ghash-16-blocks"));
  if (find_program("scalar_c_sha256.elf") == nullptr)
    GTEST_SKIP() << "there was no compiler for MIPS (mips-linux-gnu-gcc)";
  EXPECT_LT(2 * instructions("sha256-block"), instructions("scalar-c-sha256-block"));
  EXPECT_LT(5 * instructions("sha512-block") / 2, instructions("scalar-c-sha512-block"));
  EXPECT_LT(instructions("keccak-f1600"), instructions("scalar-c-keccak-f1600"));
  EXPECT_LT(20 * instructions("ghash-block"), instructions("scalar-c-ghash-block"));
}

}  // namespace
}  // namespace incore::vemicry::test
