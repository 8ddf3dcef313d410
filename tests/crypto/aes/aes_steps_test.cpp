// The steps against the values that FIPS 197 prints, and the forms that go beyond it.
#include "crypto/aes/aes_steps.h"

#include <gtest/gtest.h>

#include "support/hex.h"

namespace incore {
namespace {

using namespace aes_steps;
using test::Bytes;
using test::from_hex;
using test::to_hex;

State state_of(const char* hex) {
  const Bytes bytes = from_hex(hex);
  State s;
  std::memcpy(s.bytes, bytes.data(), kAesBlockLen);
  return s;
}
std::string hex_of(const State& s) {
  return to_hex(s.bytes, kAesBlockLen);
}

AesRoundKeys expand(const char* key_hex, unsigned rounds) {
  const Bytes key = from_hex(key_hex);
  AesRoundKeys r;
  key_expansion(key.data(), key.size(), rounds, &r);
  return r;
}
std::string words(const AesRoundKeys& r, unsigned first, unsigned num) {
  return to_hex(r.bytes + 4 * first, 4 * num);
}

constexpr char kKeyA1[] = "2b7e151628aed2a6abf7158809cf4f3c";
constexpr char kCounting128[] = "000102030405060708090a0b0c0d0e0f";
constexpr char kCountingBlock[] = "00112233445566778899aabbccddeeff";

TEST(aes_steps, multiplication_gives_the_examples_of_section_4_2) {
  EXPECT_EQ(multiply(0x57, 0x83), 0xC1);
  EXPECT_EQ(multiply(0x57, 0x13), 0xFE);
  EXPECT_EQ(xtimes(0x57), 0xAE);
  EXPECT_EQ(xtimes(0xAE), 0x47);
}

TEST(aes_steps, sbox_has_the_values_of_figure_7_and_its_inverse_undoes_it) {
  const uint8_t first_row[] = {0x63, 0x7C, 0x77, 0x7B, 0xF2, 0x6B, 0x6F, 0xC5,
                               0x30, 0x01, 0x67, 0x2B, 0xFE, 0xD7, 0xAB, 0x76};
  EXPECT_EQ(to_hex(kTables.sbox, 16), to_hex(first_row, 16));
  EXPECT_EQ(kTables.sbox[0x53], 0xED);
  EXPECT_EQ(kTables.sbox[0xFF], 0x16);
  for (unsigned a = 0; a < 256; ++a) EXPECT_EQ(kTables.inv_sbox[kTables.sbox[a]], a);
}

TEST(aes_steps, round_1_of_appendix_b_step_by_step) {
  State s = state_of("3243f6a8885a308d313198a2e0370734");
  const AesRoundKeys r = expand(kKeyA1, 10);
  add_round_key(s, r.bytes);
  EXPECT_EQ(hex_of(s), "193de3bea0f4e22b9ac68d2ae9f84808");
  sub_bytes(s);
  EXPECT_EQ(hex_of(s), "d42711aee0bf98f1b8b45de51e415230");
  shift_rows(s);
  EXPECT_EQ(hex_of(s), "d4bf5d30e0b452aeb84111f11e2798e5");
  mix_columns(s);
  EXPECT_EQ(hex_of(s), "046681e5e0cb199a48f8d37a2806264c");
  add_round_key(s, r.bytes + 16);
  EXPECT_EQ(hex_of(s), "a49c7ff2689f352b6b5bea43026a5049");
}

TEST(aes_steps, inverse_steps_undo_the_steps) {
  State s = state_of("d42711aee0bf98f1b8b45de51e415230");
  inv_sub_bytes(s);
  EXPECT_EQ(hex_of(s), "193de3bea0f4e22b9ac68d2ae9f84808");
  s = state_of("d4bf5d30e0b452aeb84111f11e2798e5");
  inv_shift_rows(s);
  EXPECT_EQ(hex_of(s), "d42711aee0bf98f1b8b45de51e415230");
  s = state_of("046681e5e0cb199a48f8d37a2806264c");
  inv_mix_columns(s);
  EXPECT_EQ(hex_of(s), "d4bf5d30e0b452aeb84111f11e2798e5");
}

TEST(aes_steps, key_expansion_gives_the_words_of_appendix_a) {
  const AesRoundKeys a1 = expand(kKeyA1, 10);
  EXPECT_EQ(words(a1, 0, 8), "2b7e151628aed2a6abf7158809cf4f3ca0fafe1788542cb123a339392a6c7605");
  EXPECT_EQ(words(a1, 40, 4), "d014f9a8c9ee2589e13f0cc8b6630ca6");
  const AesRoundKeys a2 = expand("8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", 12);
  EXPECT_EQ(words(a2, 6, 6), "fe0c91f72402f5a5ec12068e6c827f6b0e7a95b95c56fec2");
  EXPECT_EQ(words(a2, 48, 4), "e98ba06f448c773c8ecc720401002202");
  const AesRoundKeys a3 =
      expand("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", 14);
  EXPECT_EQ(words(a3, 8, 8), "9ba354118e6925afa51a8b5f2067fcdea8b09c1a93d194cdbe49846eb75d5b9a");
  EXPECT_EQ(words(a3, 56, 4), "fe4890d1e6188d0b046df344706c631e");
}

TEST(aes_steps, a_cut_expansion_is_the_beginning_of_a_longer_one) {
  for (const char* key : {kKeyA1, "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
                          "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"}) {
    const AesRoundKeys longest = expand(key, kAesMaxRounds);
    for (unsigned rounds = 1; rounds < kAesMaxRounds; ++rounds)
      EXPECT_EQ(words(expand(key, rounds), 0, 4 * (rounds + 1)),
                words(longest, 0, 4 * (rounds + 1)));
  }
}

TEST(aes_steps, ciphers_give_the_results_of_appendix_c) {
  const struct {
    const char* key;
    unsigned rounds;
    const char* ciphertext;
  } cases[] = {
      {kCounting128, 10, "69c4e0d86a7b0430d8cdb78070b4c55a"},
      {"000102030405060708090a0b0c0d0e0f1011121314151617", 12, "dda97ca4864cdfe06eaf70a0ec0d7191"},
      {"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", 14,
       "8ea2b7ca516745bfeafc49904b496089"},
  };
  for (const auto& c : cases) {
    const AesRoundKeys forward = expand(c.key, c.rounds);
    State s = state_of(kCountingBlock);
    cipher(forward, s.bytes, s.bytes);
    EXPECT_EQ(hex_of(s), c.ciphertext);
    AesRoundKeys inverse;
    inverse_schedule(forward, &inverse);
    eq_inv_cipher(inverse, s.bytes, s.bytes);
    EXPECT_EQ(hex_of(s), kCountingBlock);
  }
}

TEST(aes_steps, inverse_schedule_is_that_of_appendix_c_1) {
  AesRoundKeys inverse;
  inverse_schedule(expand(kCounting128, 10), &inverse);
  EXPECT_EQ(words(inverse, 0, 4), "13111d7fe3944a17f307a78b4d2b30c5");
  EXPECT_EQ(words(inverse, 4, 4), "13aa29be9c8faff6f770f58000f7bf03");
  EXPECT_EQ(words(inverse, 40, 4), kCounting128);
}

std::string encrypt_counting_block(unsigned rounds, bool intermediate) {
  State s = state_of(kCountingBlock);
  cipher(expand(kCounting128, rounds), s.bytes, s.bytes, intermediate);
  return hex_of(s);
}

TEST(aes_steps, intermediate_operation_shows_the_start_of_the_next_round) {
  // FIPS 197 appendix C.1, round[2].start and round[3].start.
  // clause: PLK-ACE-099
  EXPECT_EQ(encrypt_counting_block(1, true), "89d810e8855ace682d1843d8cb128fe4");
  EXPECT_EQ(encrypt_counting_block(2, true), "4915598f55e5d7a0daca94fa1f0a63f7");
}

TEST(aes_steps, the_last_of_few_rounds_mixes_no_columns) {
  // clause: PLK-ACE-100
  EXPECT_EQ(encrypt_counting_block(1, false), "b5f99471dbcf93fe17d6cfa06c61a619");
}

TEST(aes_steps, sixteen_rounds_continue_the_expansion) {
  EXPECT_EQ(encrypt_counting_block(16, false), "e8f0b469620be19442eb9a7a8446ff62");
}

TEST(aes_steps, intermediate_inverse_operation_shows_the_start_of_the_next_round) {
  // FIPS 197 appendix C.1, equivalent inverse cipher, round[2].istart.
  const AesRoundKeys forward = expand(kCounting128, 10);
  AesRoundKeys inverse;
  inverse_schedule(forward, &inverse);
  inverse.rounds = 1;
  State s = state_of("69c4e0d86a7b0430d8cdb78070b4c55a");
  eq_inv_cipher(inverse, s.bytes, s.bytes, true);
  EXPECT_EQ(hex_of(s), "54d990a16ba09ab596bbf40ea111702f");
}

}  // namespace
}  // namespace incore
