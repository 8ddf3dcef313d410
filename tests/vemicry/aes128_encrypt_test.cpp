// AES-128 with skewed columns: results, exact counts, and the facts that the forms rest on. The
// workloads check every result against the steps of FIPS 197; seed 1 is appendix C.1.
#include "crypto/aes/aes_steps.h"
#include "vemicry/workload_rig.h"

namespace incore::vemicry::test {
namespace {

const char* const kSkewed[] = {"aes128-encrypt-16",         "aes128-encrypt-16-pairs",
                               "aes128-encrypt-16-x-table", "aes128-encrypt-16-pairs-x-table",
                               "aes128-encrypt-16-best",    "aes128-encrypt-32",
                               "aes128-encrypt-32-x-table", "aes128-encrypt-32-best",
                               "aes128-encrypt-wide",       "aes128-encrypt-wide-best"};

TEST(vemicry_aes_encrypt, one_block_takes_160_instructions) {
  // clause: VM-RES-008
  EXPECT_EQ(instructions("aes128-encrypt-16"), 160u);
  EXPECT_EQ(instructions("aes128-encrypt-16-pairs"), 155u);
  EXPECT_LE(instructions("aes128-encrypt-16-x-table"), 143u);
  EXPECT_LE(instructions("aes128-encrypt-16-pairs-x-table"), 138u);
  EXPECT_LE(instructions("aes128-encrypt-16-best"), 129u);
}

TEST(vemicry_aes_encrypt, two_blocks_take_182_instructions) {
  // clause: VM-RES-013
  EXPECT_EQ(instructions("aes128-encrypt-32"), 182u);
  EXPECT_EQ(instructions("aes128-encrypt-wide"), 160u);
  EXPECT_LE(instructions("aes128-encrypt-32-best"), 141u);
}

TEST(vemicry_aes_encrypt, doubling_round_keys_takes_the_22_instructions_between) {
  Call one("aes128-encrypt-16"), two("aes128-encrypt-32");
  const uint64_t one_block = one.execute(), two_blocks = two.execute();
  // clause: VM-ALG-019
  EXPECT_EQ(two_blocks - one_block, 22u);
  EXPECT_EQ(two.count("vwshl") - one.count("vwshl"), 11u);
  EXPECT_EQ(two.count("vxor") - one.count("vxor"), 11u);
}

TEST(vemicry_aes_encrypt, all_forms_are_right_for_200_inputs) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    // clause: VM-ALG-017
    ASSERT_EQ(measured("aes128-encrypt-16", seed), "") << seed;
    ASSERT_EQ(measured("aes128-encrypt-16-best", seed), "") << seed;
    ASSERT_EQ(measured("aes128-encrypt-32-best", seed), "") << seed;
  }
}

TEST(vemicry_aes_encrypt, junk_at_reset_changes_nothing) {
  for (const char* name : kSkewed) {
    for (uint64_t seed = 1; seed <= 10; ++seed) {
      Config config;
      config.junk = true;
      config.junk_seed = seed;
      EXPECT_EQ(measured(name, seed, config), "") << name;
    }
  }
}

// p / 4 blocks, with the same number of instructions while 16 bits hold the conditions.
TEST(vemicry_aes_encrypt, the_wide_form_fills_registers_of_any_size) {
  for (const char* name : {"aes128-encrypt-wide", "aes128-encrypt-wide-best"}) {
    for (const uint32_t p : {4u, 8u, 12u, 16u, 32u, 64u, 256u}) {
      Config config;
      config.p = p;
      config.r = 1;
      config.junk = true;
      uint64_t count = 0;
      ASSERT_EQ(measured(name, p, config, &count), "") << name << " p " << p;
      EXPECT_EQ(count, instructions(name) + (p > 16 ? 1 : 0)) << p;
      EXPECT_EQ(find_workload(name)->num_bytes(config), 4 * p);
    }
  }
}

TEST(vemicry_aes_encrypt, a_short_vector_length_is_as_good_as_a_short_register) {
  Config config;
  config.l = 4;
  config.junk = true;
  for (const char* name : {"aes128-encrypt-16", "aes128-encrypt-wide", "aes128-encrypt-wide-best"})
    EXPECT_EQ(measured(name, 3, config), "") << name;
  EXPECT_NE(measured("aes128-encrypt-32", 3, config), "");  // refused
  EXPECT_NE(measured("aes128-encrypt-16-best", 3, config), "");
}

TEST(vemicry_aes_encrypt, two_blocks_at_a_time_are_two_runs_of_one) {
  for (uint64_t seed = 2; seed < 12; ++seed) {
    Call two("aes128-encrypt-32", seed);
    const Bytes blocks = two.read(two.argument(0), 32), keys = two.read(two.argument(1), 176);
    two.execute();
    Bytes singly;
    for (int i = 0; i < 2; ++i) {
      Call one("aes128-encrypt-16", seed);
      one.write(one.argument(0), Bytes(blocks.begin() + 16 * i, blocks.begin() + 16 * i + 16));
      one.write(one.argument(1), keys);
      one.execute();
      const Bytes out = one.read(one.argument(0), 16);
      singly.insert(singly.end(), out.begin(), out.end());
    }
    // clause: VM-ALG-018
    EXPECT_EQ(to_hex(two.read(two.argument(0), 32)), to_hex(singly));
  }
}

TEST(vemicry_aes_encrypt, a_table_multiplies_by_x_as_vmpmul_does) {
  Call table("aes128-encrypt-16-x-table"), vmpmul("aes128-encrypt-16");
  // clause: VM-ALG-016
  const Bytes times_x = table.read(table.argument(3), 256);
  for (uint32_t b = 0; b < 256; ++b) {
    vmpmul.state().vcr = 0x11B;
    vmpmul.state().v[0][0] = b;
    Memory& memory = vmpmul.machine().memory();
    const Word word{0x4A000002};  // vmpmul v0, v0
    ASSERT_FALSE(decode(word)->execute(vmpmul.state(), memory, word));
    ASSERT_EQ(vmpmul.state().v[0][0], times_x[b]) << b;
  }
  table.execute();
  vmpmul.execute();
  EXPECT_EQ(table.count("vmpmul"), 0u);
  EXPECT_EQ(table.count("vbyteld"), 19u);
  EXPECT_EQ(to_hex(table.read(table.argument(0), 16)), to_hex(vmpmul.read(vmpmul.argument(0), 16)));
}

// Row i of |block| turned |i * places| bytes to the right.
Bytes skewed(const Bytes& block, unsigned places) {
  Bytes result(16);
  for (unsigned i = 0; i < 16; ++i) result[(i + 4 * (i % 4) * places) % 16] = block[i];
  return result;
}

TEST(vemicry_aes_encrypt, shift_rows_is_not_executed) {
  Call call("aes128-encrypt-16");
  AesRoundKeys keys;
  Bytes key(16), block(16);
  for (uint8_t i = 0; i < 16; ++i) {
    key[i] = i;
    block[i] = static_cast<uint8_t>(0x11 * i);
  }
  aes_steps::key_expansion(key.data(), 16, 10, &keys);
  // The state at the begin of round t + 1, in front of each VBYTELD.
  unsigned round = 0;
  Bytes before_last_key;
  call.execute("aes128_encrypt_16", [&](const Step& step) {
    const std::string mnemonic = step.insn->mnemonic;
    if (mnemonic == "vxor") before_last_key = call.vector(0);
    if (mnemonic != "vbyteld") return;
    aes_steps::State state;
    std::copy(block.begin(), block.end(), state.bytes);
    aes_steps::add_round_key(state, keys.bytes);
    for (unsigned t = 1; t <= round; ++t) {
      aes_steps::sub_bytes(state);
      aes_steps::shift_rows(state);
      aes_steps::mix_columns(state);
      aes_steps::add_round_key(state, keys.bytes + 16 * t);
    }
    // clause: VM-ALG-013
    // clause: VM-ALG-015
    EXPECT_EQ(to_hex(call.vector(0)), to_hex(skewed(Bytes(state.bytes, state.bytes + 16), round)));
    ++round;
  });
  EXPECT_EQ(round, 10u);
  // clause: VM-ALG-020
  Bytes last(16);
  const Bytes out = call.read(call.argument(0), 16);
  for (size_t i = 0; i < 16; ++i) last[i] = out[i] ^ keys.bytes[160 + i];
  EXPECT_EQ(to_hex(before_last_key), to_hex(last));
  EXPECT_EQ(to_hex(out), "69c4e0d86a7b0430d8cdb78070b4c55a");  // FIPS 197, C.1
}

TEST(vemicry_aes_decrypt, turns_the_encryption_back) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    Config config;
    config.junk = true;
    // clause: VM-NEXT-008
    ASSERT_EQ(measured("aes128-decrypt-16", seed, config), "") << seed;
    ASSERT_EQ(measured("aes128-decrypt-wide", seed, config), "") << seed;
  }
  Call call("aes128-decrypt-16");
  EXPECT_EQ(to_hex(call.read(call.argument(0), 16)), "69c4e0d86a7b0430d8cdb78070b4c55a");
  EXPECT_LE(call.execute(), 195u);
  EXPECT_EQ(to_hex(call.read(call.argument(0), 16)), "00112233445566778899aabbccddeeff");
  for (const uint32_t p : {4u, 16u, 32u}) {
    Config config;
    config.p = p;
    config.r = 1;
    EXPECT_EQ(measured("aes128-decrypt-wide", p, config), "") << p;
  }
}

}  // namespace
}  // namespace incore::vemicry::test
