// The compatible AES (incore/compat), clause by clause of docs/clauses/gladman.tsv. On this CPU the
// ordinary code serves; tests/run/gladman_test.cpp runs this file again where there is an engine,
// and then the counters of src/compat/trace.h must say so.
#include <gtest/gtest.h>

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <thread>
#include <type_traits>

#include "compat/trace.h"
#include "incore/aes.h"
#include "incore/compat/aes.h"
#include "support/choices.h"
#include "support/hex.h"
#include "support/property.h"

namespace incore::test {
namespace {

constexpr int kOk = EXIT_SUCCESS;

bool has_engine() {
  return std::string(incore_aes_kernel()) == "padlock";
}

struct Contexts {
  aes_encrypt_ctx encrypt;
  aes_decrypt_ctx decrypt;
};

Contexts with_key(const Bytes& key) {
  Contexts c;
  EXPECT_EQ(aes_encrypt_key(key.data(), static_cast<int>(key.size()), &c.encrypt), kOk);
  EXPECT_EQ(aes_decrypt_key(key.data(), static_cast<int>(key.size()), &c.decrypt), kOk);
  return c;
}

void standard_increment(unsigned char* counter) {
  for (int i = 15; i >= 0 && ++counter[i] == 0; --i) {
  }
}

struct Mode {
  const char* name;
  bool whole_blocks, has_iv;
  int (*run)(Contexts& c, const uint8_t* in, uint8_t* out, int len, uint8_t* iv);
};
void PrintTo(const Mode& mode, std::ostream* out) {
  *out << mode.name;
}

#define RUN(call)                                                                                  \
  [](Contexts& c, const uint8_t* in, uint8_t* out, int len, [[maybe_unused]] uint8_t* iv) -> int { \
    return call;                                                                                   \
  }
const Mode kModes[] = {
    {"ecb_encrypt", true, false, RUN(aes_ecb_encrypt(in, out, len, &c.encrypt))},
    {"ecb_decrypt", true, false, RUN(aes_ecb_decrypt(in, out, len, &c.decrypt))},
    {"cbc_encrypt", true, true, RUN(aes_cbc_encrypt(in, out, len, iv, &c.encrypt))},
    {"cbc_decrypt", true, true, RUN(aes_cbc_decrypt(in, out, len, iv, &c.decrypt))},
    {"cfb_encrypt", false, true, RUN(aes_cfb_encrypt(in, out, len, iv, &c.encrypt))},
    {"cfb_decrypt", false, true, RUN(aes_cfb_decrypt(in, out, len, iv, &c.encrypt))},
    {"ofb", false, true, RUN(aes_ofb_crypt(in, out, len, iv, &c.encrypt))},
    {"ctr", false, true, RUN(aes_ctr_crypt(in, out, len, iv, standard_increment, &c.encrypt))},
    {"ctr_own", false, true, RUN(aes_ctr_crypt(in, out, len, iv, nullptr, &c.encrypt))},
};
#undef RUN

const Bytes kKey = from_hex("2b7e151628aed2a6abf7158809cf4f3c");
const Bytes kIv = from_hex("000102030405060708090a0b0c0d0e0f");
const Bytes kCounter = from_hex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
const Bytes kPlain = from_hex(
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710");

const Mode& mode_called(const std::string& name) {
  for (const Mode& mode : kModes)
    if (name == mode.name) return mode;
  throw std::invalid_argument(name);
}

// |in| in one call, from a fresh context.
Bytes in_one_call(const Mode& mode, const Bytes& key, const Bytes& first_iv, const Bytes& in,
                  Bytes* out_iv = nullptr) {
  Contexts c = with_key(key);
  Bytes iv = first_iv, out(in.size());
  EXPECT_EQ(mode.run(c, in.data(), out.data(), static_cast<int>(in.size()), iv.data()), kOk);
  if (out_iv != nullptr) *out_iv = iv;
  return out;
}

class gladman_mode : public testing::TestWithParam<Mode> {
 protected:
  const Mode& mode() const { return GetParam(); }
};

// --- the functions

TEST(gladman_api, prototypes_are_those_of_the_note) {
  using In = const unsigned char*;
  using Out = unsigned char*;
  using Enc = aes_encrypt_ctx*;
  using ConstEnc = const aes_encrypt_ctx*;
  using ConstDec = const aes_decrypt_ctx*;
  // clause: BG-RULE-025
  // clause: BG-API-011
  static_assert(std::is_same_v<decltype(&aes_ecb_encrypt), AES_RETURN (*)(In, Out, int, ConstEnc)>);
  // clause: BG-API-012
  static_assert(std::is_same_v<decltype(&aes_ecb_decrypt), AES_RETURN (*)(In, Out, int, ConstDec)>);
  // clause: BG-API-013
  static_assert(
      std::is_same_v<decltype(&aes_cbc_encrypt), AES_RETURN (*)(In, Out, int, Out, ConstEnc)>);
  // clause: BG-API-014
  static_assert(
      std::is_same_v<decltype(&aes_cbc_decrypt), AES_RETURN (*)(In, Out, int, Out, ConstDec)>);
  // clause: BG-API-015
  static_assert(std::is_same_v<decltype(&aes_cfb_encrypt), AES_RETURN (*)(In, Out, int, Out, Enc)>);
  // clause: BG-API-016
  static_assert(std::is_same_v<decltype(&aes_cfb_decrypt), AES_RETURN (*)(In, Out, int, Out, Enc)>);
  // clause: BG-API-017
  static_assert(std::is_same_v<decltype(&aes_ofb_crypt), AES_RETURN (*)(In, Out, int, Out, Enc)>);
  // clause: BG-API-019
  static_assert(std::is_same_v<decltype(&aes_ctr_crypt),
                               AES_RETURN (*)(In, Out, int, Out, void (*)(Out), Enc)>);
  // clause: BG-API-010
  static_assert(std::is_same_v<decltype(&aes_mode_reset), AES_RETURN (*)(Enc)>);
  // clause: BG-API-020
  static_assert(std::is_same_v<cbuf_inc, void(Out)>);
  // clause: BG-API-022
  static_assert(std::is_same_v<decltype(&aes_encrypt), AES_RETURN (*)(In, Out, ConstEnc)>);
  static_assert(std::is_same_v<decltype(&aes_decrypt), AES_RETURN (*)(In, Out, ConstDec)>);
  // clause: BG-API-018
  EXPECT_EQ(&aes_ofb_encrypt, &aes_ofb_crypt);
  EXPECT_EQ(&aes_ofb_decrypt, &aes_ofb_crypt);
  // clause: BG-API-021
  EXPECT_EQ(&aes_ctr_encrypt, &aes_ctr_crypt);
  EXPECT_EQ(&aes_ctr_decrypt, &aes_ctr_crypt);
}

// SP 800-38A, appendix F, AES-128: four blocks, both directions. Also clause BG-API-025, as F.3.13
// is CFB128.
// clause: BG-API-011
// clause: BG-API-012
// clause: BG-API-013
// clause: BG-API-014
// clause: BG-API-015
// clause: BG-API-016
// clause: BG-API-017
// clause: BG-API-019
// clause: BG-API-025
TEST(gladman_api, gives_the_examples_of_sp_800_38a) {
  const struct {
    const char *encrypt, *decrypt;
    const Bytes& iv;
    const char* cipher;
  } examples[] = {
      {"ecb_encrypt", "ecb_decrypt", kIv,
       "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"
       "43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4"},
      {"cbc_encrypt", "cbc_decrypt", kIv,
       "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
       "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7"},
      {"cfb_encrypt", "cfb_decrypt", kIv,
       "3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b"
       "26751f67a3cbb140b1808cf187a4f4dfc04b05357c5d1c0eeac4c66f9ff7f2e6"},
      {"ofb", "ofb", kIv,
       "3b3fd92eb72dad20333449f8e83cfb4a7789508d16918f03f53c52dac54ed825"
       "9740051e9c5fecf64344f7a82260edcc304c6528f659c77866a510d9c1d6ae5e"},
      {"ctr", "ctr", kCounter,
       "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
       "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee"},
      {"ctr_own", "ctr_own", kCounter,
       "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
       "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee"},
  };
  for (const auto& e : examples) {
    EXPECT_EQ(to_hex(in_one_call(mode_called(e.encrypt), kKey, e.iv, kPlain)), e.cipher)
        << e.encrypt;
    EXPECT_EQ(to_hex(in_one_call(mode_called(e.decrypt), kKey, e.iv, from_hex(e.cipher))),
              to_hex(kPlain))
        << e.decrypt;
  }
}

// FIPS 197, appendix C, with key lengths in bytes, in bits, and in the function's name.
// clause: BG-API-022
TEST(gladman_api, single_blocks_give_the_examples_of_fips_197) {
  const Bytes key = from_hex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
  const Bytes plain = from_hex("00112233445566778899aabbccddeeff");
  const char* const ciphers[] = {"69c4e0d86a7b0430d8cdb78070b4c55a",
                                 "dda97ca4864cdfe06eaf70a0ec0d7191",
                                 "8ea2b7ca516745bfeafc49904b496089"};
  AES_RETURN(*const set[])
  (const unsigned char*, aes_encrypt_ctx*) = {aes_encrypt_key128, aes_encrypt_key192,
                                              aes_encrypt_key256};
  AES_RETURN(*const set_inverse[])
  (const unsigned char*, aes_decrypt_ctx*) = {aes_decrypt_key128, aes_decrypt_key192,
                                              aes_decrypt_key256};
  EXPECT_EQ(aes_init(), kOk);
  for (int size = 0; size < 3; ++size) {
    for (int way = 0; way < 3; ++way) {
      Contexts c;
      const int len = way == 0 ? 16 + 8 * size : 128 + 64 * size;
      EXPECT_EQ(way == 2 ? set[size](key.data(), &c.encrypt)
                         : aes_encrypt_key(key.data(), len, &c.encrypt),
                kOk);
      EXPECT_EQ(way == 2 ? set_inverse[size](key.data(), &c.decrypt)
                         : aes_decrypt_key(key.data(), len, &c.decrypt),
                kOk);
      Bytes block = plain;
      EXPECT_EQ(aes_encrypt(block.data(), block.data(), &c.encrypt), kOk);
      EXPECT_EQ(to_hex(block), ciphers[size]);
      EXPECT_EQ(aes_decrypt(block.data(), block.data(), &c.decrypt), kOk);
      EXPECT_EQ(to_hex(block), to_hex(plain));
    }
  }
}

TEST(gladman_api, key_lengths_that_do_not_exist_are_refused_and_the_old_key_stays) {
  const Bytes key = random_bytes(32, 1);
  Contexts c = with_key(kKey);
  for (int len : {-1, 0, 1, 15, 17, 31, 33, 64, 127, 129, 257}) {
    EXPECT_NE(aes_encrypt_key(key.data(), len, &c.encrypt), kOk) << len;
    EXPECT_NE(aes_decrypt_key(key.data(), len, &c.decrypt), kOk) << len;
  }
  EXPECT_NE(aes_encrypt_key(nullptr, 16, &c.encrypt), kOk);
  EXPECT_NE(aes_encrypt_key(key.data(), 16, nullptr), kOk);
  Bytes block(kPlain.begin(), kPlain.begin() + 16);
  EXPECT_EQ(aes_encrypt(block.data(), block.data(), &c.encrypt), kOk);
  EXPECT_EQ(to_hex(block), "3ad77bb40d7a3660a89ecaf32466ef97");
}

// --- lengths

// clause: BG-RULE-011
// clause: BG-RULE-012
// clause: BG-RULE-013
// clause: BG-API-026
// clause: BG-API-027
// clause: BG-API-028
TEST_P(gladman_mode, lengths_that_are_refused_or_zero_change_nothing) {
  Contexts c = with_key(kKey);
  const Contexts before = c;
  Bytes iv = kIv, out(64, 0xA5);
  std::vector<int> refused = {-1, -16, INT32_MIN};
  if (mode().whole_blocks) refused.insert(refused.end(), {1, 15, 17, 31});
  for (int len : refused)
    EXPECT_NE(mode().run(c, kPlain.data(), out.data(), len, iv.data()), kOk) << len;
  EXPECT_EQ(mode().run(c, kPlain.data(), out.data(), 0, iv.data()), kOk);
  EXPECT_EQ(mode().run(c, nullptr, nullptr, 0, iv.data()), kOk);
  EXPECT_EQ(to_hex(out), to_hex(Bytes(64, 0xA5)));
  EXPECT_EQ(iv, kIv);
  EXPECT_EQ(std::memcmp(&c, &before, sizeof c), 0);
  EXPECT_EQ(mode().run(c, kPlain.data(), out.data(), 64, iv.data()), kOk);
}

// clause: BG-RULE-015
TEST_P(gladman_mode, each_length_that_is_not_refused_gives_the_beginning_of_the_longest) {
  const Bytes in = random_bytes(64, 2), all = in_one_call(mode(), kKey, kIv, in);
  for (size_t len = 1; len <= 64; ++len) {
    if (mode().whole_blocks && len % 16 != 0) continue;
    const Bytes part(in.begin(), in.begin() + static_cast<long>(len));
    EXPECT_EQ(to_hex(in_one_call(mode(), kKey, kIv, part)), to_hex(all.data(), len)) << len;
  }
}

// --- pieces

// clause: BG-API-029
// clause: BG-API-030
// clause: BG-RULE-016
// clause: BG-RULE-017
// clause: BG-RULE-018
TEST_P(gladman_mode, pieces_cut_at_every_pair_of_places_equal_one_call) {
  const Bytes in = random_bytes(64, 3);
  const size_t step = mode().whole_blocks ? 16 : 1;
  Bytes last_iv;
  const Bytes expected = in_one_call(mode(), kKey, kIv, in, &last_iv);
  for (size_t first = 0; first <= 64; first += step) {
    for (size_t second = first; second <= 64; second += step) {
      Contexts c = with_key(kKey);
      Bytes iv = kIv, out(64);
      const auto piece = [&](size_t from, size_t to) {
        EXPECT_EQ(mode().run(c, in.data() + from, out.data() + from, static_cast<int>(to - from),
                             iv.data()),
                  kOk);
      };
      piece(0, first);
      piece(first, second);
      piece(second, 64);
      ASSERT_EQ(to_hex(out), to_hex(expected)) << first << ' ' << second;
      // In CTR the last block's counter may still stand there if that block was begun before.
      const bool counts = std::string(mode().name).find("ctr") == 0;
      const size_t last = second < 64 ? second : first;
      if (mode().has_iv && (!counts || last <= 48 || last == 64)) {
        ASSERT_EQ(to_hex(iv), to_hex(last_iv)) << first << ' ' << second;
      }
    }
  }
}

// clause: BG-API-029
TEST(gladman_stream, cbc_leaves_the_last_ciphertext_block_as_its_vector) {
  Bytes iv;
  const Bytes cipher = in_one_call(mode_called("cbc_encrypt"), kKey, kIv, kPlain, &iv);
  EXPECT_EQ(to_hex(iv), to_hex(cipher.data() + 48, 16));
  in_one_call(mode_called("cbc_decrypt"), kKey, kIv, cipher, &iv);
  EXPECT_EQ(to_hex(iv), to_hex(cipher.data() + 48, 16));
}

int num_increments;
void counting_increment(unsigned char* counter) {
  ++num_increments;
  standard_increment(counter);
}

// clause: BG-API-031
TEST(gladman_stream, ctr_increments_once_behind_each_whole_block) {
  const Bytes in = random_bytes(400 * 16, 4);
  for (int len = 1; len <= 6400; len += len < 100 ? 1 : 97) {
    Contexts c = with_key(kKey);
    Bytes counter = kCounter, out(in.size());
    num_increments = 0;
    EXPECT_EQ(
        aes_ctr_crypt(in.data(), out.data(), len, counter.data(), counting_increment, &c.encrypt),
        kOk);
    EXPECT_EQ(num_increments, len / 16) << len;
    Bytes expected = kCounter;
    for (int i = 0; i < num_increments; ++i) standard_increment(expected.data());
    EXPECT_EQ(to_hex(counter), to_hex(expected)) << len;
  }
}

// In pieces: a begun block keeps its counter, even when its last byte is used, until the next call
// goes on behind it.
// clause: BG-API-031
TEST_P(gladman_mode, ctr_leaves_the_counter_of_a_begun_block_until_data_come_behind_it) {
  if (std::string(mode().name).find("ctr") != 0) return;  // counts nothing
  const struct {
    std::vector<int> pieces;
    int num_increments;
  } cases[] = {{{5}, 0},           {{16}, 1},           {{17}, 1},         {{5, 11}, 0},
               {{5, 11, 0}, 0},    {{5, 11, 1}, 1},     {{5, 12}, 1},      {{5, 11, 16}, 2},
               {{5, 11, 31}, 2},   {{20, 12}, 1},       {{20, 12, 48}, 5}, {{16, 16}, 2},
               {{1, 1, 1, 13}, 0}, {{15, 1, 15, 1}, 1}, {{15, 17}, 2},     {{15, 33}, 3}};
  for (const auto& a_case : cases) {
    Contexts c = with_key(kKey);
    Bytes counter = kCounter, expected = kCounter, data = random_bytes(96, 15);
    int at = 0;
    for (const int len : a_case.pieces) {
      EXPECT_EQ(mode().run(c, data.data() + at, data.data() + at, len, counter.data()), kOk);
      at += len;
    }
    for (int i = 0; i < a_case.num_increments; ++i) standard_increment(expected.data());
    EXPECT_EQ(to_hex(counter), to_hex(expected)) << testing::PrintToString(a_case.pieces);
    // The data are those of one call all the same.
    const Bytes all = in_one_call(mode(), kKey, kCounter, random_bytes(96, 15));
    EXPECT_EQ(to_hex(data.data(), static_cast<size_t>(at)),
              to_hex(all.data(), static_cast<size_t>(at)));
  }
}

// clause: BG-RULE-018
TEST(gladman_stream, another_mode_may_follow_where_ctr_used_a_block_up) {
  Contexts c = with_key(kKey);
  Bytes iv = kCounter, out(32);
  const Mode& ctr = mode_called("ctr");
  EXPECT_EQ(ctr.run(c, kPlain.data(), out.data(), 5, iv.data()), kOk);
  EXPECT_EQ(ctr.run(c, kPlain.data(), out.data(), 11, iv.data()), kOk);
  iv = kIv;
  EXPECT_EQ(mode_called("ofb").run(c, kPlain.data(), out.data(), 32, iv.data()), kOk);
  EXPECT_EQ(to_hex(out), "3b3fd92eb72dad20333449f8e83cfb4a7789508d16918f03f53c52dac54ed825");
}

// clause: BG-API-010
TEST_P(gladman_mode, inf_tells_rounds_engine_direction_and_position) {
  for (const size_t len : {16, 24, 32}) {
    Contexts c = with_key(random_bytes(len, 16));
    for (const aes_crypt_ctx* cx : {&c.encrypt, &c.decrypt}) {
      EXPECT_EQ(cx->inf.b[0], 16 * (len / 4 + 6));
      EXPECT_EQ(cx->inf.b[1], has_engine() ? 0xFF : 0);
      EXPECT_EQ(cx->inf.b[3], 0);
    }
    EXPECT_TRUE(IS_ENCRYPTION_CTX(&c.encrypt) && !IS_DECRYPTION_CTX(&c.encrypt));
    EXPECT_TRUE(IS_DECRYPTION_CTX(&c.decrypt) && !IS_ENCRYPTION_CTX(&c.decrypt));
  }
  if (mode().whole_blocks) return;  // keeps no position
  Contexts c = with_key(kKey);
  Bytes iv = kIv, out(64);
  EXPECT_EQ(mode().run(c, kPlain.data(), out.data(), 21, iv.data()), kOk);
  EXPECT_EQ(c.encrypt.inf.b[3], 5);
  c.encrypt.inf.b[3] = 0;  // as programs reset a mode
  iv = kIv;
  EXPECT_EQ(mode().run(c, kPlain.data(), out.data(), 64, iv.data()), kOk);
  EXPECT_EQ(to_hex(out), to_hex(in_one_call(mode(), kKey, kIv, kPlain)));
  c.encrypt.inf.b[3] = 17;  // no position
  EXPECT_NE(mode().run(c, kPlain.data(), out.data(), 16, iv.data()), kOk);
}

TEST(gladman_api, alignment_is_told_for_the_widths_of_words_and_blocks) {
  for (const unsigned n : {4u, 8u, 16u}) EXPECT_EQ(aes_test_alignment_detection(n), kOk) << n;
  for (const unsigned n : {0u, 1u, 2u, 3u, 5u, 12u, 17u, 32u})
    EXPECT_NE(aes_test_alignment_detection(n), kOk) << n;
}

void little_endian_increment(unsigned char* counter) {
  for (int i = 0; i < 16 && ++counter[i] == 0; ++i) {
  }
}

// The counter is the callback's affair alone.
TEST(gladman_stream, ctr_takes_any_increment) {
  const Bytes in(100 * 16, 0);
  Contexts c = with_key(kKey);
  Bytes counter(16, 0xFF), out(in.size()), expected_counter = counter;
  EXPECT_EQ(aes_ctr_crypt(in.data(), out.data(), 1600, counter.data(), little_endian_increment,
                          &c.encrypt),
            kOk);
  for (size_t i = 0; i < 100; ++i) {
    uint8_t block[16];
    EXPECT_EQ(aes_encrypt(expected_counter.data(), block, &c.encrypt), kOk);
    EXPECT_EQ(to_hex(out.data() + 16 * i, 16), to_hex(block, 16)) << i;
    little_endian_increment(expected_counter.data());
  }
}

// clause: BG-API-033
TEST(gladman_stream, ctr_without_callback_counts_in_128_bits_big_endian) {
  const Bytes in = random_bytes(70 * 16 + 3, 5);
  for (const char* first :
       {"ffffffffffffffffffffffffffffffff", "00000000000000ffffffffffffffffff",
        "000000000000000000000000fffffff0", "fffffffffffffffffffffffffffffff0"}) {
    Bytes counter, counter_with_callback;
    EXPECT_EQ(in_one_call(mode_called("ctr_own"), kKey, from_hex(first), in, &counter),
              in_one_call(mode_called("ctr"), kKey, from_hex(first), in, &counter_with_callback));
    EXPECT_EQ(to_hex(counter), to_hex(counter_with_callback)) << first;
  }
  Bytes counter;
  in_one_call(mode_called("ctr_own"), kKey, Bytes(16, 0xFF), Bytes(16), &counter);
  EXPECT_EQ(to_hex(counter), std::string(32, '0'));
}

// --- reset and mixing

// clause: BG-API-010
// clause: BG-RULE-020
TEST_P(gladman_mode, reset_restarts_without_a_new_key) {
  if (mode().whole_blocks) return;  // keeps no position
  const Bytes in = random_bytes(7, 6);
  Contexts c = with_key(kKey);
  Bytes iv = kIv, first(7), second(7);
  EXPECT_EQ(mode().run(c, in.data(), first.data(), 7, iv.data()), kOk);
  EXPECT_EQ(aes_mode_reset(&c.encrypt), kOk);
  iv = kIv;
  EXPECT_EQ(mode().run(c, in.data(), second.data(), 7, iv.data()), kOk);
  EXPECT_EQ(to_hex(first), to_hex(second));
  EXPECT_EQ(to_hex(first), to_hex(in_one_call(mode(), kKey, kIv, in)));
}

// clause: BG-RULE-021
TEST_P(gladman_mode, a_new_key_needs_no_reset) {
  if (mode().whole_blocks) return;  // keeps no position
  const Bytes in = random_bytes(21, 7), other = random_bytes(32, 8);
  Contexts c = with_key(kKey);
  Bytes iv = kIv, out(21);
  EXPECT_EQ(mode().run(c, in.data(), out.data(), 5, iv.data()), kOk);
  EXPECT_EQ(aes_encrypt_key256(other.data(), &c.encrypt), kOk);
  iv = kIv;
  EXPECT_EQ(mode().run(c, in.data(), out.data(), 21, iv.data()), kOk);
  EXPECT_EQ(to_hex(out), to_hex(in_one_call(mode(), other, kIv, in)));
}

// clause: BG-RULE-022
TEST_P(gladman_mode, whole_blocks_need_no_reset) {
  const Bytes in = random_bytes(32, 9);
  Contexts c = with_key(kKey);
  Bytes iv = kIv, out(32);
  EXPECT_EQ(mode().run(c, in.data(), out.data(), 32, iv.data()), kOk);
  iv = kCounter;
  EXPECT_EQ(mode().run(c, in.data(), out.data(), 32, iv.data()), kOk);
  EXPECT_EQ(to_hex(out), to_hex(in_one_call(mode(), kKey, kCounter, in)));
}

// clause: BG-RULE-023
// clause: BG-RULE-024
TEST_P(gladman_mode, another_mode_within_a_block_is_refused_and_reported_until_a_reset) {
  if (mode().whole_blocks) return;  // keeps no position
  const Bytes in = random_bytes(20, 10);
  for (const Mode& other : kModes) {
    const bool same =
        other.name == std::string(mode().name) ||
        (std::string(other.name).find("ctr") == 0 && std::string(mode().name).find("ctr") == 0);
    if (other.whole_blocks || same) continue;
    Contexts c = with_key(kKey);
    Bytes iv = kIv, out(20);
    EXPECT_EQ(other.run(c, in.data(), out.data(), 5, iv.data()), kOk);
    const Contexts before = c;
    iv = kIv;
    out.assign(20, 0xA5);
    const unsigned long mixes = aes_trace.mode_mixes;
    EXPECT_NE(mode().run(c, in.data(), out.data(), 20, iv.data()), kOk) << other.name;
    EXPECT_EQ(aes_trace.mode_mixes, mixes + 1);
    EXPECT_EQ(to_hex(out), to_hex(Bytes(20, 0xA5)));
    EXPECT_EQ(iv, kIv);
    EXPECT_EQ(std::memcmp(&c, &before, sizeof c), 0);
    EXPECT_EQ(aes_mode_reset(&c.encrypt), kOk);
    EXPECT_EQ(mode().run(c, in.data(), out.data(), 20, iv.data()), kOk);
    EXPECT_EQ(to_hex(out), to_hex(in_one_call(mode(), kKey, kIv, in))) << other.name;
  }
}

// --- contexts

// clause: BG-API-024
TEST_P(gladman_mode, ecb_and_cbc_leave_their_context_as_it_is) {
  Contexts c = with_key(kKey);
  const Contexts before = c;
  Bytes iv = kIv, out(48);
  EXPECT_EQ(mode().run(c, kPlain.data(), out.data(), 48, iv.data()), kOk);
  if (mode().whole_blocks) {
    EXPECT_EQ(std::memcmp(&c, &before, sizeof c), 0);
  } else {
    EXPECT_EQ(mode().run(c, kPlain.data(), out.data(), 5, iv.data()), kOk);
    EXPECT_NE(std::memcmp(&c, &before, sizeof c), 0);
  }
}

// clause: BG-RULE-001
TEST_P(gladman_mode, a_context_without_a_key_is_refused) {
  Contexts c;
  std::memset(&c, 0, sizeof c);
  Bytes iv = kIv, out(16, 0xA5);
  EXPECT_NE(mode().run(c, kPlain.data(), out.data(), 16, iv.data()), kOk);
  // A key for the other direction is none.
  const Contexts set = with_key(kKey);
  std::memcpy(&c.encrypt, &set.decrypt, sizeof c.encrypt);
  std::memcpy(&c.decrypt, &set.encrypt, sizeof c.decrypt);
  EXPECT_NE(mode().run(c, kPlain.data(), out.data(), 16, iv.data()), kOk);
  EXPECT_EQ(to_hex(out), to_hex(Bytes(16, 0xA5)));
  EXPECT_EQ(iv, kIv);
}

// clause: BG-RULE-001
TEST(gladman_context, without_a_key_serves_no_single_block_and_no_reset) {
  Contexts c;
  std::memset(&c, 0, sizeof c);
  uint8_t block[16] = {};
  EXPECT_NE(aes_encrypt(block, block, &c.encrypt), kOk);
  EXPECT_NE(aes_decrypt(block, block, &c.decrypt), kOk);
  EXPECT_NE(aes_mode_reset(&c.encrypt), kOk);
  EXPECT_NE(aes_mode_reset(nullptr), kOk);
}

// clause: BG-RULE-002
// clause: BG-RULE-007
// clause: BG-RULE-009
TEST(gladman_context, lies_at_a_multiple_of_16_wherever_it_is_made) {
  static_assert(alignof(aes_encrypt_ctx) == 16 && alignof(aes_decrypt_ctx) == 16);
  static_assert(sizeof(aes_encrypt_ctx) % 16 == 0);
  static Contexts in_data;
  struct {
    char before;
    Contexts contexts;
  } local;
  alignas(16) uint8_t array[3];
  const auto heap = std::make_unique<Contexts>();
  for (const void* place :
       {static_cast<const void*>(&in_data.encrypt), static_cast<const void*>(&in_data.decrypt),
        static_cast<const void*>(&local.contexts.encrypt),
        static_cast<const void*>(&local.contexts.decrypt), static_cast<const void*>(array),
        static_cast<const void*>(&heap->encrypt)})
    EXPECT_EQ(reinterpret_cast<uintptr_t>(place) % 16, 0u);
}

// clause: BG-RULE-003
TEST_P(gladman_mode, a_context_that_is_not_aligned_is_refused) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizers report the misaligned context that this test makes";
#endif
  alignas(16) static uint8_t memory[sizeof(Contexts) + 16];
  const Contexts good = with_key(kKey);
  for (size_t offset = 1; offset < 16; ++offset) {
    std::memcpy(memory + offset, &good, sizeof good);
    Bytes iv = kIv, out(16, 0xA5);
    auto& misaligned = *reinterpret_cast<Contexts*>(memory + offset);
    EXPECT_NE(mode().run(misaligned, kPlain.data(), out.data(), 16, iv.data()), kOk) << offset;
    EXPECT_NE(aes_encrypt_key128(kKey.data(), &misaligned.encrypt), kOk) << offset;
    EXPECT_NE(aes_encrypt(kPlain.data(), out.data(), &misaligned.encrypt), kOk) << offset;
    EXPECT_EQ(to_hex(out), to_hex(Bytes(16, 0xA5)));
  }
}

// --- buffers

// clause: BG-API-032
TEST_P(gladman_mode, works_in_place_and_refuses_partial_overlap) {
  const Bytes in = random_bytes(16 * 40, 11);
  const Bytes expected = in_one_call(mode(), kKey, kIv, in);
  Contexts c = with_key(kKey);
  Bytes iv = kIv, data = in;
  EXPECT_EQ(mode().run(c, data.data(), data.data(), 640, iv.data()), kOk);
  EXPECT_EQ(data, expected);
  data = in;
  for (size_t offset : {1, 15, 16, 100}) {
    EXPECT_NE(mode().run(c, data.data(), data.data() + offset, 320, iv.data()), kOk) << offset;
    EXPECT_NE(mode().run(c, data.data() + offset, data.data(), 320, iv.data()), kOk) << offset;
  }
  if (mode().has_iv) {
    EXPECT_NE(mode().run(c, data.data(), data.data() + 320, 320, data.data() + 639), kOk);
    EXPECT_NE(mode().run(c, data.data(), data.data() + 320, 320, data.data()), kOk);
    EXPECT_NE(mode().run(c, data.data(), data.data() + 320, 320, nullptr), kOk);
  }
  EXPECT_NE(mode().run(c, nullptr, data.data(), 320, iv.data()), kOk);
  EXPECT_NE(mode().run(c, data.data(), nullptr, 320, iv.data()), kOk);
  EXPECT_EQ(data, in);
}

// clause: BG-RULE-004
TEST_P(gladman_mode, results_do_not_depend_on_alignment) {
  constexpr size_t kLen = 16 * 37;
  const Bytes in = random_bytes(kLen, 12), expected = in_one_call(mode(), kKey, kIv, in);
  alignas(16) uint8_t source[kLen + 16], target[kLen + 16], vector[32];
  Contexts c = with_key(kKey);
  for (size_t from = 0; from < 16; ++from) {
    for (size_t to = 0; to < 16; ++to) {
      uint8_t* const iv = vector + (from + to) % 16;
      std::memcpy(source + from, in.data(), kLen);
      std::memcpy(iv, kIv.data(), 16);
      ASSERT_EQ(mode().run(c, source + from, target + to, kLen, iv), kOk);
      ASSERT_EQ(std::memcmp(target + to, expected.data(), kLen), 0) << from << ' ' << to;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, gladman_mode, testing::ValuesIn(kModes),
                         [](const auto& tested) { return std::string(tested.param.name); });

// --- the engine

// clause: BG-API-001
// clause: BG-API-023
TEST(gladman_engine, serves_modes_and_never_single_blocks) {
  for (const Mode& mode : kModes) {
    Contexts c = with_key(kKey);
    Bytes iv = kIv, out(16);
    const unsigned long calls = aes_trace.engine_calls, blocks = aes_trace.engine_blocks;
    EXPECT_EQ(mode.run(c, kPlain.data(), out.data(), 16, iv.data()), kOk);
    EXPECT_EQ(aes_trace.engine_calls - calls, has_engine() ? 1u : 0u) << mode.name;
    EXPECT_EQ(aes_trace.engine_blocks - blocks, has_engine() ? 1u : 0u) << mode.name;
  }
  Contexts c = with_key(kKey);
  const unsigned long calls = aes_trace.engine_calls;
  uint8_t block[16] = {};
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(aes_encrypt(block, block, &c.encrypt), kOk);
    EXPECT_EQ(aes_decrypt(block, block, &c.decrypt), kOk);
  }
  EXPECT_EQ(aes_trace.engine_calls, calls);
}

// clause: BG-RULE-014
// clause: BG-RULE-019
TEST(gladman_engine, serves_the_whole_blocks_within_each_call) {
  const Bytes in = random_bytes(100, 13);
  for (const char* name : {"cfb_encrypt", "cfb_decrypt", "ofb", "ctr", "ctr_own"}) {
    const Mode& mode = mode_called(name);
    const auto engine_blocks = [&](std::initializer_list<int> lengths) {
      Contexts c = with_key(kKey);
      Bytes iv = kIv, out(100);
      const unsigned long before = aes_trace.engine_blocks;
      int done = 0;
      for (int len : lengths) {
        EXPECT_EQ(mode.run(c, in.data() + done, out.data() + done, len, iv.data()), kOk);
        done += len;
      }
      const Bytes part(in.begin(), in.begin() + done);
      EXPECT_EQ(to_hex(out.data(), static_cast<size_t>(done)),
                to_hex(in_one_call(mode, kKey, kIv, part)));
      return aes_trace.engine_blocks - before;
    };
    // in_one_call counts too: it is part of what the second number expects.
    const unsigned long on = has_engine() ? 1 : 0;
    EXPECT_EQ(engine_blocks({32}), on * (2 + 2)) << name;
    EXPECT_EQ(engine_blocks({5, 5, 5, 5, 5, 5}), on * (0 + 1)) << name;
    EXPECT_EQ(engine_blocks({5, 48}), on * (2 + 3)) << name;
  }
}

// clause: BG-RULE-028
TEST(gladman_engine, can_be_forbidden_by_the_test_hook) {
  const unsigned long calls = aes_trace.engine_calls, detections = aes_trace.detections;
  aes_trace.forbid_engine = 1;
  for (const Mode& mode : kModes) in_one_call(mode, kKey, kIv, kPlain);
  aes_trace.forbid_engine = 0;
  EXPECT_EQ(aes_trace.engine_calls, calls);
  EXPECT_EQ(aes_trace.detections > detections, has_engine());
  in_one_call(kModes[0], kKey, kIv, kPlain);
  EXPECT_EQ(aes_trace.engine_calls > calls, has_engine());
}

// clause: BG-RULE-028
TEST(gladman_engine, is_found_by_all_threads) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&wrong] {
      for (int i = 0; i < 200; ++i) {
        aes_encrypt_ctx cx;
        uint8_t block[16];
        if (aes_encrypt_key128(kKey.data(), &cx) != kOk ||
            aes_encrypt(kPlain.data(), block, &cx) != kOk ||
            to_hex(block, 16) != "3ad77bb40d7a3660a89ecaf32466ef97")
          ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// Engine, ordinary code and libincore's own interface: one mode, key, alignment and cut at random.
// clause: BG-RULE-026
TEST(gladman_engine, and_ordinary_code_differ_in_nothing) {
  for_each_seed(10000, [](uint64_t seed) {
    SeededChoices choices(seed);
    const Mode& mode = choices.pick(kModes);
    const Bytes key = choices.bytes(16 + 8 * choices.below(3));
    const size_t step = mode.whole_blocks ? 16 : 1;
    const size_t len = step * choices.below(800 / step + 1);
    const Bytes in = choices.bytes(len), first_iv = choices.bytes(16);
    const size_t cut = step * choices.below(len / step + 1);
    const size_t from = choices.below(16), to = choices.below(16);
    Bytes results[2], vectors[2], states[2];
    for (int engine = 0; engine < 2; ++engine) {
      aes_trace.forbid_engine = !engine;
      Contexts c = with_key(key);
      aes_trace.forbid_engine = 0;
      alignas(16) uint8_t source[816], target[816];
      std::copy(in.begin(), in.end(), source + from);
      Bytes iv = first_iv;
      EXPECT_EQ(mode.run(c, source + from, target + to, static_cast<int>(cut), iv.data()), kOk);
      EXPECT_EQ(mode.run(c, source + from + cut, target + to + cut, static_cast<int>(len - cut),
                         iv.data()),
                kOk);
      results[engine].assign(target + to, target + to + len);
      vectors[engine] = iv;
      // What the state is good for: the bytes that come next.
      uint8_t next[16] = {};
      EXPECT_EQ(mode.run(c, next, next, 16, iv.data()), kOk);
      states[engine].assign(next, next + 16);
    }
    EXPECT_EQ(to_hex(results[0]), to_hex(results[1])) << mode.name;
    EXPECT_EQ(to_hex(vectors[0]), to_hex(vectors[1])) << mode.name;
    EXPECT_EQ(to_hex(states[0]), to_hex(states[1])) << mode.name;
    if (mode.whole_blocks) return;

    incore_aes_key reference;
    EXPECT_EQ(incore_aes_key_set(&reference, key.data(), key.size()), INCORE_OK);
    const std::string name = mode.name;
    Bytes expected(len);
    EXPECT_EQ(incore_aes_crypt(&reference,
                               name == "cfb_encrypt"   ? INCORE_AES_CFB128_ENCRYPT
                               : name == "cfb_decrypt" ? INCORE_AES_CFB128_DECRYPT
                               : name == "ofb"         ? INCORE_AES_OFB
                                                       : INCORE_AES_CTR128,
                               first_iv.data(), in.data(), len, expected.data()),
              INCORE_OK);
    EXPECT_EQ(to_hex(results[1]), to_hex(expected)) << mode.name;
  });
}

// --- secrets

// Calls the modes on a stack of its own, which is then searched for the data. Where there is no
// engine nothing is copied, and what registers leave on the stack is the kernel's affair.
// clause: BG-RULE-029
TEST(gladman_secrets, copies_of_the_data_are_wiped) {
  if (!has_engine()) GTEST_SKIP() << "no engine, so no copies";
  constexpr size_t kLen = 1600, kStackLen = 256 << 10;
  static uint8_t source[kLen + 16], target[kLen + 16];
  alignas(16) static uint8_t stack[kStackLen];
  for (const Mode& mode : kModes) {
    static Contexts c;
    static Bytes iv;
    static const Mode* current;
    c = with_key(kKey);
    iv = kIv;
    current = &mode;
    const Bytes in = random_bytes(kLen, 14);
    std::memcpy(source + 1, in.data(), kLen);
    std::memset(stack, 0, sizeof stack);

    pthread_attr_t attributes;
    ASSERT_EQ(pthread_attr_init(&attributes), 0);
    ASSERT_EQ(pthread_attr_setstack(&attributes, stack, sizeof stack), 0);
    pthread_t thread;
    ASSERT_EQ(pthread_create(
                  &thread, &attributes,
                  [](void*) -> void* {
                    current->run(c, source + 1, target + 1, kLen, iv.data());
                    return nullptr;
                  },
                  nullptr),
              0);
    ASSERT_EQ(pthread_join(thread, nullptr), 0);
    pthread_attr_destroy(&attributes);

    ASSERT_EQ(to_hex(target + 1, kLen), to_hex(in_one_call(mode, kKey, kIv, in)));
    const auto found = [](const uint8_t* data, size_t len) {
      return memmem(stack, sizeof stack, data, len) != nullptr;
    };
    // Eight bytes of each block: of the plaintext, and of the key stream.
    const bool decrypts = std::string(mode.name).find("decrypt") != std::string::npos;
    const uint8_t* const plain = (decrypts ? target : source) + 1;
    for (size_t at = 0; at + 32 <= kLen; at += 16) {
      EXPECT_FALSE(found(plain + at + 4, 8)) << mode.name << ' ' << at;
      uint8_t keystream[16];
      for (size_t i = 0; i < 16; ++i) keystream[i] = source[1 + at + i] ^ target[1 + at + i];
      EXPECT_FALSE(found(keystream + 4, 8)) << mode.name << ", key stream " << at;
    }
  }
}

}  // namespace
}  // namespace incore::test
