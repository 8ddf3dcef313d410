// AES-128-GCM in vector registers. The workload checks the result against the steps of the
// standards.
#include "vemicry/workload_rig.h"
#include "vemicry/workloads/aes_input.h"
#include "vemicry/workloads/ghash_input.h"

namespace incore::vemicry::test {
namespace {

TEST(vemicry_gcm, result_is_right_with_junk_at_reset) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    for (const uint32_t p : {8u, 16u, 32u}) {
      Config config;
      config.p = config.r = p;
      config.junk = true;
      config.junk_seed = seed;
      ASSERT_EQ(measured("aes128-gcm-256", seed, config), "") << seed << ' ' << p;
    }
  }
}

// Test case 3 of the specification of GCM: a message of four blocks.
TEST(vemicry_gcm, published_example) {
  Call call("aes128-gcm-256");
  AesInput input;
  input.key = from_hex("feffe9928665731c6d6a8f9467308308");
  aes_steps::key_expansion(input.key.data(), kAes128KeyLen, kAes128Rounds, &input.round_keys);
  GhashBlock subkey = {};
  aes_steps::cipher(input.round_keys, subkey.data(), subkey.data());
  call.write(call.argument(0),
             from_hex("d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                      "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255"));
  call.write(call.argument(1), stored_round_keys(input, KeyForm::skewed_and_rows_at_the_end, 2));
  call.run().write_words(call.argument(3), prepared_subkey(subkey));
  call.write(call.argument(4), from_hex("cafebabefacedbaddecaf888"));
  call.run().arguments[5] = 4;
  call.execute();
  EXPECT_EQ(to_hex(call.read(call.argument(0), 64)),
            "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
            "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985");
  EXPECT_EQ(to_hex(call.read(call.argument(4) + 12, 16)), "4d5c2af327cd64a62cf35abd2ba6fab4");
}

TEST(vemicry_gcm, takes_little_more_than_its_parts) {
  const uint64_t of_aes = instructions("aes128-encrypt-wide-best"),
                 of_ghash = instructions("ghash-16-blocks-by-4") + instructions("ghash-block");
  // Two blocks at a time, and the tag's; counters, sums and calls besides.
  EXPECT_LT(instructions("aes128-gcm-256"), (9 * of_aes + of_ghash) * 12 / 10);
}

TEST(vemicry_workload, a_program_of_several_files_is_their_text_in_order) {
  const auto text_of = [](const char* name) {
    const ProgramFile* const file = find_program(name);
    return std::string(reinterpret_cast<const char*>(file->bytes), file->len);
  };
  EXPECT_EQ(program_text("ghash.s"), text_of("ghash.s"));
  EXPECT_EQ(program_text("aes_encrypt.s ghash.s"), text_of("aes_encrypt.s") + text_of("ghash.s"));
  EXPECT_EQ(program_text("ghash.s nothing.s"), "");
}

}  // namespace
}  // namespace incore::vemicry::test
