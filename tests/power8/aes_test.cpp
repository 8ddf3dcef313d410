// AES on POWER8: what each instruction computes, the key schedules, and what is peculiar to the
// kernel. The tests of tests/crypto/aes run every vector on it. FIPS 197, Power ISA 2.07B.
#include <gtest/gtest.h>

#include <cstring>

#include "crypto/aes/aes_steps.h"
#include "crypto/aes/aes_testing.h"
#include "crypto/power8/vector.h"
#include "incore/aes.h"

namespace incore::test {
namespace {

using namespace power8;

uint8x16_p8 image(const Bytes& bytes) {
  return VectorLoadBE(bytes.data());
}
std::string hex_of(uint8x16_p8 x) {
  uint8_t bytes[16];
  VectorStoreBE(x, bytes);
  return to_hex(bytes, 16);
}
uint8x16_p8 image_of_hex(const std::string& text) {
  return image(from_hex(text));
}
aes_steps::State state_of(const Bytes& bytes) {
  aes_steps::State s;
  std::memcpy(s.bytes, bytes.data(), 16);
  return s;
}

// FIPS 197 appendix B.
constexpr char kKeyB[] = "2b7e151628aed2a6abf7158809cf4f3c";
constexpr char kStartOfRound1[] = "193de3bea0f4e22b9ac68d2ae9f84808";
constexpr char kRoundKey1[] = "a0fafe1788542cb123a339392a6c7605";
constexpr char kStartOfRound2[] = "a49c7ff2689f352b6b5bea43026a5049";
constexpr char kStartOfRound10[] = "eb40f21e592e38848ba113e71bc342d2";
constexpr char kRoundKey10[] = "d014f9a8c9ee2589e13f0cc8b6630ca6";
constexpr char kOutputB[] = "3925841d02dc09fbdc118597196a0b32";

// clause: P8-AES-003
TEST(power8_aes, vcipher_is_a_round_of_fips_197) {
  EXPECT_EQ(hex_of(vcipher(image_of_hex(kStartOfRound1), image_of_hex(kRoundKey1))),
            kStartOfRound2);
}

// clause: P8-AES-004
TEST(power8_aes, vcipherlast_is_the_last_round_of_fips_197) {
  EXPECT_EQ(hex_of(vcipherlast(image_of_hex(kStartOfRound10), image_of_hex(kRoundKey10))),
            kOutputB);
}

// clause: P8-AES-005
TEST(power8_aes, vncipher_adds_the_key_before_inv_mix_columns) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const Bytes in = random_bytes(16, 2 * seed), key = random_bytes(16, 2 * seed + 1);
    aes_steps::State s = state_of(in);
    aes_steps::inv_shift_rows(s);
    aes_steps::inv_sub_bytes(s);
    aes_steps::add_round_key(s, key.data());
    aes_steps::inv_mix_columns(s);
    ASSERT_EQ(hex_of(vncipher(image(in), image(key))), to_hex(s.bytes, 16));
  }
  // Round 2 of appendix B and back: what a round adds comes off first.
  const uint8x16_p8 without_key = vec_xor(image_of_hex(kStartOfRound2), image_of_hex(kRoundKey1));
  const uint8x16_p8 zero = {};
  EXPECT_EQ(
      hex_of(vncipherlast(vcipherlast(vncipher(vcipherlast(without_key, zero), zero), zero), zero)),
      hex_of(vcipherlast(image_of_hex(kStartOfRound1), zero)));
}

// clause: P8-AES-007
TEST(power8_aes, vncipherlast_undoes_the_last_round) {
  const uint8x16_p8 without_key = vec_xor(image_of_hex(kOutputB), image_of_hex(kRoundKey10));
  EXPECT_EQ(hex_of(vncipherlast(without_key, uint8x16_p8{})), kStartOfRound10);
  // And adds a key behind it.
  const Bytes key = random_bytes(16, 1);
  EXPECT_EQ(hex_of(vncipherlast(without_key, image(key))),
            hex_of(vec_xor(image_of_hex(kStartOfRound10), image(key))));
}

// clause: P8-AES-008
TEST(power8_aes, vsbox_is_sub_bytes_on_every_byte) {
  for (unsigned value = 0; value < 256; ++value) {
    // All values at once, each in another place.
    Bytes in(16), expected(16);
    for (unsigned i = 0; i < 16; ++i) {
      in[i] = static_cast<uint8_t>(value + 17 * i);
      expected[i] = aes_steps::kTables.sbox[in[i]];
    }
    ASSERT_EQ(hex_of(vsbox(image(in))), to_hex(expected));
  }
}

// The assembler's words of the five instructions with operands 1, 2 and 3.
extern "C" const uint32_t incore_test_aes_words[5];
__asm__(
    ".pushsection .rodata\n\t.balign 4\n"
    "incore_test_aes_words:\n\t.machine push\n\t.machine power8\n\t"
    "vcipher 1,2,3\n\tvcipherlast 1,2,3\n\tvncipher 1,2,3\n\tvncipherlast 1,2,3\n\tvsbox 1,2\n\t"
    ".machine pop\n\t.popsection");

// clause: P8-AES-009
TEST(power8_aes, encodings) {
  constexpr uint32_t kExtended[] = {1288, 1289, 1352, 1353, 1480};
  for (size_t i = 0; i < 5; ++i) {
    const uint32_t word = incore_test_aes_words[i];
    EXPECT_EQ(word >> 26, 4u) << i;
    EXPECT_EQ(word & 0x7FF, kExtended[i]) << i;
    EXPECT_EQ(word >> 21 & 31, 1u) << i;
    EXPECT_EQ(word >> 16 & 31, 2u) << i;
    EXPECT_EQ(word >> 11 & 31, i == 4 ? 0u : 3u) << i;
  }
}

// clause: P8-AES-010
TEST(power8_aes, byte_0_of_the_state_is_the_leftmost_of_the_register) {
  const Bytes in = from_hex("000102030405060708090a0b0c0d0e0f");
  const uint64x2_p8 x = as_u64(image(in));
  EXPECT_EQ(VectorLeft64BE(x), 0x0001020304050607u);
  EXPECT_EQ(VectorRight64BE(x), 0x08090a0b0c0d0e0fu);
  // ShiftRows tells the places apart: byte n of the output is byte 5n modulo 16 of the input.
  uint8_t out[16];
  VectorStoreBE(vcipherlast(image(in), uint8x16_p8{}), out);
  for (unsigned n = 0; n < 16; ++n) EXPECT_EQ(out[n], aes_steps::kTables.sbox[5 * n % 16]) << n;
}

struct Example {
  const char *key, *in, *out;
};
constexpr Example kExamples[] = {
    {kKeyB, "3243f6a8885a308d313198a2e0370734", kOutputB},
    {"000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff",
     "69c4e0d86a7b0430d8cdb78070b4c55a"},
    {"000102030405060708090a0b0c0d0e0f1011121314151617", "00112233445566778899aabbccddeeff",
     "dda97ca4864cdfe06eaf70a0ec0d7191"},
    {"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
     "00112233445566778899aabbccddeeff", "8ea2b7ca516745bfeafc49904b496089"},
};

AesRoundKeys forward_keys(const Bytes& key) {
  AesRoundKeys r;
  aes_power8.expand_key(key.data(), key.size(), standard_rounds(key), &r);
  return r;
}
uint8x16_p8 round_key_of(const AesRoundKeys& r, unsigned round) {
  return VectorLoadBE(r.bytes + 16 * round);
}

// Instruction by instruction.
std::string encrypt_by_hand(const AesRoundKeys& r, const Bytes& in) {
  uint8x16_p8 x = vec_xor(image(in), round_key_of(r, 0));
  for (unsigned i = 1; i < r.rounds; ++i) x = vcipher(x, round_key_of(r, i));
  return hex_of(vcipherlast(x, round_key_of(r, r.rounds)));
}
// |r| in the order of encryption, whatever its inner round keys are.
std::string decrypt_by_hand(const AesRoundKeys& r, const Bytes& in) {
  uint8x16_p8 x = vec_xor(image(in), round_key_of(r, r.rounds));
  for (unsigned i = r.rounds - 1; i != 0; --i) x = vncipher(x, round_key_of(r, i));
  return hex_of(vncipherlast(x, round_key_of(r, 0)));
}

// clause: P8-AES-011
// clause: P8-AES-012
// clause: P8-AES-013
// clause: P8-AES-014
// clause: P8-AES-015
TEST(power8_aes, examples_of_fips_197) {
  for (const Example& e : kExamples) {
    const Bytes key = from_hex(e.key), in = from_hex(e.in);
    EXPECT_EQ(encrypt_by_hand(forward_keys(key), in), e.out);
    const AesKeys keys = make_keys(aes_power8, key, standard_rounds(key));
    EXPECT_EQ(to_hex(run_mode(aes_mode("ecb_encrypt"), aes_power8, keys, {}, in)), e.out);
  }
}

// clause: P8-AES-002
// clause: P8-AES-017
TEST(power8_aes, decryption_takes_the_schedule_of_encryption_backwards) {
  for (const Example& e : kExamples) {
    const Bytes key = from_hex(e.key), out = from_hex(e.out);
    EXPECT_EQ(decrypt_by_hand(forward_keys(key), out), e.in);
    const AesKeys keys = make_keys(aes_power8, key, standard_rounds(key));
    EXPECT_EQ(to_hex(run_mode(aes_mode("ecb_decrypt"), aes_power8, keys, {}, out)), e.in);
  }
}

// clause: P8-AES-006
TEST(power8_aes, vncipher_does_not_take_the_keys_of_the_equivalent_inverse_cipher) {
  const Example& e = kExamples[1];
  AesRoundKeys transformed = forward_keys(from_hex(e.key));
  for (unsigned i = 1; i < transformed.rounds; ++i) {
    aes_steps::State s =
        state_of(Bytes(transformed.bytes + 16 * i, transformed.bytes + 16 * i + 16));
    aes_steps::inv_mix_columns(s);
    std::memcpy(transformed.bytes + 16 * i, s.bytes, 16);
  }
  EXPECT_NE(decrypt_by_hand(transformed, from_hex(e.out)), e.in);
}

// The kernel keeps, for vncipher, the round keys of vcipher in the opposite order; no call changes
// them.
// clause: P8-AES-018
TEST(power8_aes, both_directions_keep_the_same_round_keys_and_change_none) {
  constexpr size_t kOfDecryption = 16 * (kAesMaxRounds + 1);
  const Bytes iv = random_bytes(16, 1), in = random_bytes(16 * 21, 2);
  for (size_t key_len : {16, 24, 32}) {
    const Bytes key = random_bytes(key_len, key_len);
    const unsigned rounds = standard_rounds(key);
    const AesKeys keys = make_keys(aes_power8, key, rounds);
    const AesRoundKeys plain = forward_keys(key);
    for (unsigned i = 0; i <= rounds; ++i) {
      const uint8x16_p8 forward = VectorLoad(keys.forward.storage + 16 * i);
      EXPECT_EQ(hex_of(forward), to_hex(plain.bytes + 16 * i, 16));
      EXPECT_EQ(hex_of(VectorLoad(keys.inverse.storage + kOfDecryption + 16 * (rounds - i))),
                hex_of(forward));
    }
    const AesKeys before = keys;
    for (const AesMode& mode : aes_modes()) run_mode(mode, aes_power8, keys, iv, in);
    EXPECT_EQ(std::memcmp(&before.forward, &keys.forward, sizeof keys.forward), 0);
    EXPECT_EQ(std::memcmp(&before.inverse, &keys.inverse, sizeof keys.inverse), 0);
  }
}

// clause: P8-AES-019
TEST(power8_aes, decryption_gives_back_what_was_encrypted) {
  const Bytes lengths = random_bytes(1000, 1);
  for (size_t key_len : {16, 24, 32}) {
    for (size_t i = 0; i < 1000; ++i) {
      const Bytes key = random_bytes(key_len, 3 * i), in = random_bytes(16 * (lengths[i] % 18), i);
      const AesKeys keys = make_keys(aes_power8, key, standard_rounds(key));
      const Bytes out = run_mode(aes_mode("ecb_encrypt"), aes_power8, keys, {}, in);
      ASSERT_TRUE(in.empty() || out != in);
      ASSERT_EQ(run_mode(aes_mode("ecb_decrypt"), aes_power8, keys, {}, out), in) << key_len;
    }
  }
}

// clause: P8-AES-016
TEST(power8_aes, works_in_place_at_every_offset_from_16_bytes) {
  constexpr size_t kLen = 16 * 13;
  const Bytes key = random_bytes(16, 1), iv = random_bytes(16, 2), in = random_bytes(kLen, 3);
  const AesKeys keys = make_keys(aes_power8, key, 10);
  const AesKeys oracle_keys = make_keys(aes_steps_oracle, key, 10);
  for (const AesMode& mode : aes_modes()) {
    const Bytes expected = run_mode(mode, aes_steps_oracle, oracle_keys, iv, in);
    alignas(16) uint8_t buffer[kLen + 48];
    for (size_t offset = 0; offset < 16; ++offset) {
      Bytes chain = iv;
      std::memset(buffer, 0xA5, sizeof buffer);
      uint8_t* const data = buffer + 16 + offset;
      std::memcpy(data, in.data(), kLen);
      mode.run(aes_power8, keys, chain.data(), data, data, kLen / 16);
      ASSERT_EQ(to_hex(data, kLen), to_hex(expected)) << mode.name << ' ' << offset;
      for (uint8_t* p = buffer; p != buffer + sizeof buffer; ++p) {
        ASSERT_TRUE((p >= data && p < data + kLen) || *p == 0xA5) << mode.name << ' ' << offset;
      }
    }
  }
}

// clause: P8-AES-020
TEST(power8_aes, schedules_have_a_round_key_more_than_rounds_and_nothing_is_written_behind) {
  for (size_t key_len : {16, 24, 32}) {
    const Bytes key = random_bytes(key_len, key_len);
    const size_t schedule_len = 16 * (standard_rounds(key) + 1u);
    EXPECT_EQ(schedule_len, key_len == 16 ? 176u : key_len == 24 ? 208u : 240u);
    for (unsigned rounds = 1; rounds <= kAesMaxRounds; ++rounds) {
      AesRoundKeys r, expected;
      std::memset(r.bytes, 0xA5, sizeof r.bytes);
      aes_power8.expand_key(key.data(), key_len, rounds, &r);
      aes_steps::key_expansion(key.data(), key_len, rounds, &expected);
      const size_t len = 16 * (rounds + 1u);
      ASSERT_EQ(to_hex(r.bytes, len), to_hex(expected.bytes, len));
      // The key itself may be longer than the schedule of one round.
      for (size_t i = std::max(len, key_len); i < sizeof r.bytes; ++i)
        ASSERT_EQ(r.bytes[i], 0xA5) << key_len << ' ' << rounds << ' ' << i;
    }
  }
}

// What the schedule of |r| adds to SubWord(RotWord(w[i - 1])) at word i, a multiple of nk.
uint32_t rcon_at(const AesRoundKeys& r, size_t nk, size_t i) {
  uint32_t sum = 0;
  for (size_t j = 0; j < 4; ++j) {
    const uint8_t rotated = r.bytes[4 * (i - 1) + (j + 1) % 4];
    sum = sum << 8 | uint32_t{static_cast<uint8_t>(r.bytes[4 * i + j] ^ r.bytes[4 * (i - nk) + j] ^
                                                   aes_steps::kTables.sbox[rotated])};
  }
  return sum;
}

// clause: P8-AES-023
TEST(power8_aes, rcon_is_a_power_of_x_in_the_first_byte) {
  constexpr uint8_t kRcon[] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80,
                               0x1B, 0x36, 0x6C, 0xD8, 0xAB, 0x4D, 0x9A, 0x2F};
  for (size_t nk : {4, 6, 8}) {
    const AesRoundKeys r = forward_keys(random_bytes(4 * nk, nk));
    size_t used = 0;
    for (size_t i = nk; i < 4 * (r.rounds + 1u); i += nk, ++used)
      EXPECT_EQ(rcon_at(r, nk, i), uint32_t{kRcon[used]} << 24) << nk << ' ' << i;
    EXPECT_EQ(used, nk == 4 ? 10u : nk == 6 ? 8u : 7u);
  }
  AesRoundKeys longest;
  aes_power8.expand_key(random_bytes(16, 1).data(), 16, 16, &longest);
  for (size_t i = 1; i <= 16; ++i)
    EXPECT_EQ(rcon_at(longest, 4, 4 * i), uint32_t{kRcon[i - 1]} << 24);
}

// clause: P8-AES-022
TEST(power8_aes, words_4_modulo_8_of_a_256_bit_key_take_sub_word_alone) {
  const AesRoundKeys r = forward_keys(random_bytes(32, 1));
  for (size_t i = 12; i < 60; i += 8)
    for (size_t j = 0; j < 4; ++j)
      EXPECT_EQ(r.bytes[4 * i + j] ^ r.bytes[4 * (i - 8) + j],
                aes_steps::kTables.sbox[r.bytes[4 * (i - 1) + j]])
          << i;
}

// clause: P8-AES-028
TEST(power8_aes, schedules_are_aligned_for_aligned_loads) {
  EXPECT_GE(alignof(AesRoundKeys), 16u);
  EXPECT_GE(alignof(AesKey), 16u);
  EXPECT_EQ(offsetof(AesKey, storage) % 16, 0u);
  EXPECT_GE(alignof(incore_aes_key), 16u);
}

// clause: P8-AES-033
TEST(power8_aes, a_counter_of_128_bits_carries_through_all_bytes) {
  const Bytes key = from_hex(kKeyB);
  const AesKeys keys = make_keys(aes_power8, key, 10);
  const struct {
    const char *first, *counters, *next;
  } cases[] = {
      {"fffffffffffffffffffffffffffffffe",
       "fffffffffffffffffffffffffffffffeffffffffffffffffffffffffffffffff"
       "0000000000000000000000000000000000000000000000000000000000000001",
       "00000000000000000000000000000002"},
      {"00000000fffffffffffffffffffffffe",
       "00000000fffffffffffffffffffffffe00000000ffffffffffffffffffffffff"
       "0000000100000000000000000000000000000001000000000000000000000001",
       "00000001000000000000000000000002"},
  };
  for (const auto& c : cases) {
    Bytes counter = from_hex(c.first), out(64);
    aes_power8.ctr(keys.forward, counter.data(), out.data(), out.data(), 4, 128);  // of zeros
    EXPECT_EQ(to_hex(out), to_hex(run_mode(aes_mode("ecb_encrypt"), aes_power8, keys, {},
                                           from_hex(c.counters))));
    EXPECT_EQ(to_hex(counter), c.next);
  }
}

// clause: P8-AES-035
TEST(power8_aes, gives_what_the_portable_kernel_gives) {
  const Bytes choice = random_bytes(3 * 10000, 1), data = random_bytes(16 * 24, 2);
  for (size_t i = 0; i < 10000; ++i) {
    const AesMode& mode = aes_modes()[choice[3 * i] % aes_modes().size()];
    const Bytes key = random_bytes(16 + choice[3 * i + 1] % 3 * 8, 2 * i), iv = random_bytes(16, i);
    const Bytes in(data.begin(), data.begin() + 16 * (choice[3 * i + 2] % 20));
    const unsigned rounds = standard_rounds(key);
    const auto run = [&](const AesKernel& kernel) {
      Bytes vector = iv, out(in.size());
      mode.run(kernel, make_keys(kernel, key, rounds), vector.data(), in.data(), out.data(),
               in.size() / kAesBlockLen);
      return to_hex(out) + " " + to_hex(vector);  // with which the message goes on
    };
    ASSERT_EQ(run(aes_power8), run(aes_portable)) << mode.name << ' ' << i;
  }
}

}  // namespace
}  // namespace incore::test
