// AES-192 and AES-256: the same programs with more rounds, and key schedules of their own. The
// workloads check every result against the steps of FIPS 197; seed 1 is appendix C.2 and C.3.
#include "vemicry/workload_rig.h"

namespace incore::vemicry::test {
namespace {

std::string of(const std::string& bits, const char* what) {
  return "aes" + bits + what;
}

TEST(vemicry_aes_long_keys, published_examples) {
  for (const auto& [bits, cipher_text] : {std::pair{"192", "dda97ca4864cdfe06eaf70a0ec0d7191"},
                                          {"256", "8ea2b7ca516745bfeafc49904b496089"}}) {
    for (const char* name : {"-encrypt-16", "-encrypt-16-best", "-encrypt-wide-best"}) {
      Call call(of(bits, name));
      EXPECT_EQ(to_hex(call.read(call.argument(0), 16)), "00112233445566778899aabbccddeeff");
      call.execute();
      EXPECT_EQ(to_hex(call.read(call.argument(0), 16)), cipher_text) << bits << name;
    }
    Call call(of(bits, "-decrypt-16"));
    EXPECT_EQ(to_hex(call.read(call.argument(0), 16)), cipher_text);
    call.execute();
    EXPECT_EQ(to_hex(call.read(call.argument(0), 16)), "00112233445566778899aabbccddeeff");
  }
}

// FIPS 197, appendices A.2 and A.3.
TEST(vemicry_aes_long_keys, last_round_key_of_the_standards_examples) {
  const struct {
    const char *bits, *key, *last;
    uint32_t rounds;
  } examples[] = {{"192", "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
                   "e98ba06f448c773c8ecc720401002202", 12},
                  {"256", "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
                   "fe4890d1e6188d0b046df344706c631e", 14}};
  for (const auto& [bits, key, last, rounds] : examples) {
    for (const char* name : {"-keys", "-keys-skewed"}) {  // the last one is never skewed
      Call call(of(bits, name));
      call.write(call.argument(0), from_hex(key));
      call.execute();
      EXPECT_EQ(to_hex(call.read(call.argument(1) + 16 * rounds, 16)), last) << bits << name;
    }
  }
}

TEST(vemicry_aes_long_keys, all_forms_are_right_with_junk_at_reset) {
  for (const char* bits : {"192", "256"}) {
    for (uint64_t seed = 1; seed <= 4; ++seed) {
      for (const uint32_t p : {4u, 8u, 16u, 32u}) {
        Config config;
        config.p = config.r = p;
        config.junk = true;
        config.junk_seed = seed;
        for (const char* name : {"-encrypt-16", "-encrypt-16-best", "-encrypt-wide-best",
                                 "-decrypt-16", "-decrypt-wide", "-keys", "-keys-skewed"}) {
          const std::string workload = of(bits, name);
          if (find_workload(workload)->refusal(config).empty()) {
            ASSERT_EQ(measured(workload, seed, config), "") << workload << p << ' ' << seed;
          }
        }
      }
    }
  }
}

TEST(vemicry_aes_long_keys, the_schedule_makes_the_keys_that_the_cipher_takes) {
  for (const char* bits : {"192", "256"}) {
    for (const char* cipher : {"-encrypt-16", "-encrypt-16-best", "-decrypt-16"}) {
      Figures of_keys, of_block;
      EXPECT_EQ(measure_with_keys(*find_workload(of(bits, "-keys-skewed")),
                                  *find_workload(of(bits, cipher)), {}, 7, &of_keys, &of_block),
                "");
      EXPECT_GT(of_keys.instructions, of_block.instructions / 2);
    }
  }
}

TEST(vemicry_aes_long_keys, a_round_takes_what_it_takes_with_128_bits) {
  // Rounds 11, 12 and 13, and no rows to turn after round 12.
  const uint64_t of_128 = instructions("aes128-encrypt-16");
  EXPECT_LT(instructions("aes192-encrypt-16"), of_128 * 12 / 10);
  EXPECT_LT(instructions("aes256-encrypt-16"), of_128 * 14 / 10);
  if (find_program("scalar_c_aes.elf") == nullptr)
    GTEST_SKIP() << "there was no compiler for MIPS (mips-linux-gnu-gcc)";
  for (const char* bits : {"192", "256"}) {
    EXPECT_LT(20 * instructions(of(bits, "-encrypt-16-best")),
              instructions("scalar-c-" + of(bits, "-encrypt")));
    EXPECT_LT(instructions(of(bits, "-keys")), instructions("scalar-c-" + of(bits, "-keys")));
  }
}

}  // namespace
}  // namespace incore::vemicry::test
