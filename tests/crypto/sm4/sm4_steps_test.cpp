#include "crypto/sm4/sm4_steps.h"

#include <gtest/gtest.h>

#include <set>

#include "support/hex.h"

namespace incore {
namespace {

// GB/T 32907-2016, appendix A: key and plaintext of both examples.
const test::Bytes kExample = test::from_hex("0123456789abcdeffedcba9876543210");

std::string encrypted(unsigned times) {
  sm4::RoundKeys keys;
  sm4::expand_key(kExample.data(), &keys);
  test::Bytes block = kExample;
  for (unsigned i = 0; i < times; ++i) sm4::cipher(keys, false, block.data(), block.data());
  return test::to_hex(block);
}

TEST(sm4_steps, example_1) {
  EXPECT_EQ(encrypted(1), "681edf34d206965e86b3e94f536e4246");
}

TEST(sm4_steps, example_2_a_million_times) {
  EXPECT_EQ(encrypted(1000000), "595298c7c6fd271f0402f804c33d3f66");
}

TEST(sm4_steps, decryption_undoes_encryption) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const test::Bytes key = test::random_bytes(16, seed), plain = test::random_bytes(16, ~seed);
    sm4::RoundKeys keys;
    sm4::expand_key(key.data(), &keys);
    test::Bytes block = plain;
    sm4::cipher(keys, false, block.data(), block.data());
    EXPECT_NE(block, plain);
    sm4::cipher(keys, true, block.data(), block.data());
    EXPECT_EQ(block, plain);
  }
}

// The first and the last row of the table that the standard prints, and that it is a permutation.
TEST(sm4_steps, computed_s_box_is_the_printed_one) {
  const test::Bytes first = test::from_hex("d690e9fecce13db716b614c228fb2c05");
  const test::Bytes last = test::from_hex("18f07dec3adc4d2079ee5f3ed7cb3948");
  std::set<uint32_t> images;
  for (uint32_t x = 0; x < 256; ++x) {
    const uint32_t image = sm4::tau(x * 0x01010101);
    EXPECT_EQ(image, (image & 0xFF) * 0x01010101) << x;
    images.insert(image);
    if (x < 16) {
      EXPECT_EQ(image & 0xFF, first[x]) << x;
    }
    if (x >= 240) {
      EXPECT_EQ(image & 0xFF, last[x - 240]) << x;
    }
  }
  EXPECT_EQ(images.size(), 256u);
  EXPECT_EQ(sm4::tau(0x00010203), 0xd690e9feu);
}

}  // namespace
}  // namespace incore
