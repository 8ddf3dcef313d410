// The AES-128 key schedule in vector registers, and that it serves the encryption (FIPS 197,
// appendices A.1 and B).
#include "vemicry/workload_rig.h"

namespace incore::vemicry::test {
namespace {

// FIPS 197, appendix A.1.
const char* const kRoundKeys[] = {
    "2b7e151628aed2a6abf7158809cf4f3c", "a0fafe1788542cb123a339392a6c7605",
    "f2c295f27a96b9435935807a7359f67f", "3d80477d4716fe3e1e237e446d7a883b",
    "ef44a541a8525b7fb671253bdb0bad00", "d4d1c6f87c839d87caf2b8bc11f915bc",
    "6d88a37a110b3efddbf98641ca0093fd", "4e54f70e5f5fc9f384a64fb24ea6dc4f",
    "ead27321b58dbad2312bf5607f8d292f", "ac7766f319fadc2128d12941575c006e",
    "d014f9a8c9ee2589e13f0cc8b6630ca6"};

// The round keys that a workload's function leaves for the key of appendix A.1.
std::vector<std::string> round_keys(const char* name) {
  Call call(name);
  call.write(call.argument(0), from_hex(kRoundKeys[0]));
  call.execute();
  std::vector<std::string> keys;
  for (uint32_t t = 0; t <= 10; ++t)
    keys.push_back(to_hex(call.read(call.argument(1) + 16 * t, 16)));
  return keys;
}

TEST(vemicry_aes_keys, all_round_keys_of_the_standards_example) {
  for (const char* name : {"aes128-keys", "aes128-keys-loop", "scalar-asm-aes128-keys"}) {
    const std::vector<std::string> keys = round_keys(name);
    // clause: VM-ALG-021
    for (uint32_t t = 0; t <= 10; ++t) EXPECT_EQ(keys[t], kRoundKeys[t]) << name << " " << t;
  }
  Call call("aes128-keys");
  call.execute();
  EXPECT_EQ(call.count("vbyteld"), 10u);
  EXPECT_EQ(call.count("vwshl"), 20u);
}

TEST(vemicry_aes_keys, skewed_round_keys_have_row_i_of_round_t_turned_by_i_times_t) {
  const std::vector<std::string> keys = round_keys("aes128-keys-skewed");
  for (unsigned t = 0; t <= 10; ++t) {
    const Bytes plain = from_hex(kRoundKeys[t]);
    Bytes skewed(16);
    for (unsigned i = 0; i < 16; ++i) skewed[(i + 4 * (i % 4) * t) % 16] = plain[i];
    // clause: VM-ALG-020
    const bool turned = t == 1 || t == 2 || t == 3 || t == 5 || t == 6 || t == 7 || t == 9;
    EXPECT_EQ(keys[t], turned ? to_hex(skewed) : kRoundKeys[t]) << t;
    EXPECT_EQ(keys[t] != kRoundKeys[t], turned) << t;
  }
}

TEST(vemicry_aes_keys, the_schedule_runs_first_and_leaves_its_keys_in_memory) {
  for (const auto& [schedule, cipher] : {std::pair{"aes128-keys-skewed", "aes128-encrypt-16"},
                                         {"aes128-keys-16-best", "aes128-encrypt-16-best"}}) {
    Call keys(schedule), encryption(cipher);
    keys.write(keys.argument(0), from_hex(kRoundKeys[0]));
    keys.execute();
    encryption.write(encryption.argument(0), from_hex("3243f6a8885a308d313198a2e0370734"));
    encryption.write(encryption.argument(1), keys.read(keys.argument(1), 208));
    encryption.execute();
    // clause: VM-ALG-002
    // clause: VM-ALG-001
    EXPECT_EQ(to_hex(encryption.read(encryption.argument(0), 16)),
              "3925841d02dc09fbdc118597196a0b32");
  }
}

TEST(vemicry_aes_keys, fewer_instructions_than_published) {
  // clause: VM-RES-009
  EXPECT_LE(instructions("aes128-keys"), 136u);
  EXPECT_EQ(instructions("aes128-keys-loop"), 151u);
  EXPECT_LE(instructions("aes128-keys-skewed"), 169u);
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    Config config;
    config.p = seed % 2 == 0 ? 4 : 16;
    config.r = 1;
    config.junk = true;
    for (const char* name :
         {"aes128-keys", "aes128-keys-loop", "aes128-keys-skewed", "aes128-keys-16-best"})
      ASSERT_EQ(measured(name, seed, config), "") << name << " " << seed;
  }
}

}  // namespace
}  // namespace incore::vemicry::test
