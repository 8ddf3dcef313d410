// The C interface to AES: results, streams in pieces, and every fault of a caller.
#include "incore/aes.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "crypto/aes/aes_testing.h"
#include "support/nist_vectors.h"
#include "support/process.h"

namespace incore::test {
namespace {

constexpr incore_aes_stream_mode kStreamModes[] = {
    INCORE_AES_CFB128_ENCRYPT, INCORE_AES_CFB128_DECRYPT, INCORE_AES_OFB,   INCORE_AES_CTR16,
    INCORE_AES_CTR32,          INCORE_AES_CTR64,          INCORE_AES_CTR128};
constexpr const char* kModeNames[] = {"cfb_encrypt", "cfb_decrypt", "ofb",   "ctr16",
                                      "ctr32",       "ctr64",       "ctr128"};

incore_aes_key key_of(const Bytes& key) {
  incore_aes_key k;
  EXPECT_EQ(incore_aes_key_set(&k, key.data(), key.size()), INCORE_OK);
  return k;
}

// What the oracle makes of |in|, any length.
Bytes expected_stream(size_t mode, const Bytes& key, const Bytes& iv, Bytes in) {
  const size_t len = in.size();
  in.resize((len + 15) / 16 * 16);
  Bytes out = run_mode(aes_mode(kModeNames[mode]), aes_steps_oracle,
                       make_keys(aes_steps_oracle, key, standard_rounds(key)), iv, in);
  out.resize(len);
  return out;
}

TEST(capi_aes, names_the_kernel_that_was_chosen) {
  ASSERT_NE(incore_aes_kernel(), nullptr);
  EXPECT_STREQ(incore_aes_kernel(), aes_kernel()->info.name);
}

TEST(capi_aes, sp_800_38a_examples_for_192_bit_keys) {
  const incore_aes_key key = key_of(from_hex("8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b"));
  const Bytes p = from_hex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51");
  const Bytes iv = from_hex("000102030405060708090a0b0c0d0e0f");
  const Bytes counter = from_hex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
  Bytes out(32), back(32);
  ASSERT_EQ(incore_aes_ecb_encrypt(&key, p.data(), 32, out.data()), INCORE_OK);
  EXPECT_EQ(to_hex(out), "bd334f1d6e45f25ff712a214571fa5cc974104846d0ad3ad7734ecb3ecee4eef");
  ASSERT_EQ(incore_aes_ecb_decrypt(&key, out.data(), 32, back.data()), INCORE_OK);
  EXPECT_EQ(back, p);

  Bytes chain = iv;
  ASSERT_EQ(incore_aes_cbc_encrypt(&key, chain.data(), p.data(), 16, out.data()), INCORE_OK);
  ASSERT_EQ(incore_aes_cbc_encrypt(&key, chain.data(), p.data() + 16, 16, out.data() + 16),
            INCORE_OK);
  EXPECT_EQ(to_hex(out), "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a");
  EXPECT_EQ(to_hex(chain), "b4d9ada9ad7dedf4e5e738763f69145a");
  chain = iv;
  ASSERT_EQ(incore_aes_cbc_decrypt(&key, chain.data(), out.data(), 32, back.data()), INCORE_OK);
  EXPECT_EQ(back, p);
  EXPECT_EQ(to_hex(chain), "b4d9ada9ad7dedf4e5e738763f69145a");

  const struct {
    incore_aes_stream_mode mode;
    const Bytes& iv;
    const char* expected;
  } cases[] = {
      {INCORE_AES_CFB128_ENCRYPT, iv,
       "cdc80d6fddf18cab34c25909c99a417467ce7f7f81173621961a2b70171d3d7a"},
      {INCORE_AES_OFB, iv, "cdc80d6fddf18cab34c25909c99a4174fcc28b8d4c63837c09e81700c1100401"},
      {INCORE_AES_CTR128, counter,
       "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94"},
  };
  for (const auto& c : cases) {
    ASSERT_EQ(incore_aes_crypt(&key, c.mode, c.iv.data(), p.data(), 32, out.data()), INCORE_OK);
    EXPECT_EQ(to_hex(out), c.expected);
  }
  ASSERT_EQ(incore_aes_crypt(&key, INCORE_AES_CFB128_ENCRYPT, iv.data(), p.data(), 32, out.data()),
            INCORE_OK);
  ASSERT_EQ(
      incore_aes_crypt(&key, INCORE_AES_CFB128_DECRYPT, iv.data(), out.data(), 32, back.data()),
      INCORE_OK);
  EXPECT_EQ(back, p);
}

TEST(capi_aes, rfc_3686_messages_that_end_within_a_block) {
  if (nist_files("ciphers/AES/ECB").empty()) GTEST_SKIP() << nist_missing();
  size_t num_odd = 0;
  for (const char* bits : {"128", "192", "256"}) {
    for (const NistCase& c : load_nist(std::string("ciphers/AES/CTR/aes-") + bits + "-ctr.txt")) {
      const incore_aes_key key = key_of(from_hex(c.fields.at("KEY")));
      const Bytes in = from_hex(c.fields.at("PLAINTEXT"));
      Bytes out(in.size());
      ASSERT_EQ(incore_aes_crypt(&key, INCORE_AES_CTR32, from_hex(c.fields.at("IV")).data(),
                                 in.data(), in.size(), out.data()),
                INCORE_OK);
      EXPECT_EQ(to_hex(out), to_hex(from_hex(c.fields.at("CIPHERTEXT"))));
      num_odd += in.size() % 16 != 0;
    }
  }
  EXPECT_EQ(num_odd, 3u);
}

TEST(capi_aes, messages_of_every_length_agree_with_the_steps_out_of_place_and_in_place) {
  for (size_t key_len : {16, 24, 32}) {
    const Bytes key = random_bytes(key_len, key_len), iv = random_bytes(16, 1);
    const incore_aes_key k = key_of(key);
    for (size_t m = 0; m < std::size(kStreamModes); ++m) {
      for (size_t len = 0; len <= 300; ++len) {
        const Bytes in = random_bytes(len, 1000 * m + len),
                    expected = expected_stream(m, key, iv, in);
        Bytes out(len + 16, 0xA5), in_place = in;
        ASSERT_EQ(incore_aes_crypt(&k, kStreamModes[m], iv.data(), in.data(), len, out.data()),
                  INCORE_OK);
        EXPECT_EQ(to_hex(out.data() + len, 16), to_hex(Bytes(16, 0xA5)));
        out.resize(len);
        ASSERT_EQ(out, expected) << kModeNames[m] << ' ' << len;
        ASSERT_EQ(
            incore_aes_crypt(&k, kStreamModes[m], iv.data(), in_place.data(), len, in_place.data()),
            INCORE_OK);
        ASSERT_EQ(in_place, expected) << kModeNames[m] << ' ' << len;
      }
    }
  }
}

TEST(capi_aes, the_iv_may_lie_at_any_place_beside_the_data) {
  constexpr size_t kLen = 64, kRoom = 256;
  const Bytes key_bytes = random_bytes(16, 21), iv = random_bytes(16, 22);
  const Bytes in = random_bytes(kLen, 23);
  const incore_aes_key key = key_of(key_bytes);
  const AesKeys keys = make_keys(aes_steps_oracle, key_bytes, 10);
  for (const bool encrypt : {true, false}) {
    const Bytes expected =
        run_mode(aes_mode(encrypt ? "cbc_encrypt" : "cbc_decrypt"), aes_steps_oracle, keys, iv, in);
    const auto call = encrypt ? incore_aes_cbc_encrypt : incore_aes_cbc_decrypt;
    for (size_t at = 0; at <= kRoom - 16; ++at) {
      constexpr size_t kData = 96;
      if (at + 16 > kData && at < kData + kLen) continue;
      Bytes memory(kRoom), apart(kLen);
      uint8_t* const data = memory.data() + kData;
      std::memcpy(memory.data() + at, iv.data(), iv.size());
      std::memcpy(data, in.data(), kLen);
      ASSERT_EQ(call(&key, memory.data() + at, data, kLen, apart.data()), INCORE_OK);
      ASSERT_EQ(apart, expected) << "input, iv at " << at;
      std::memcpy(memory.data() + at, iv.data(), iv.size());
      ASSERT_EQ(call(&key, memory.data() + at, in.data(), kLen, data), INCORE_OK);
      ASSERT_EQ(Bytes(data, data + kLen), expected) << "output, iv at " << at;
    }
  }
}

TEST(capi_aes, a_stream_in_any_pieces_gives_the_message_in_one) {
  const Bytes key = random_bytes(16, 2), iv = random_bytes(16, 3), in = random_bytes(1000, 4);
  const Bytes pieces = random_bytes(5000, 5);
  const incore_aes_key k = key_of(key);
  size_t next_piece = 0;
  for (size_t m = 0; m < std::size(kStreamModes); ++m) {
    const Bytes expected = expected_stream(m, key, iv, in);
    for (size_t largest : {1, 3, 17, 40, 200}) {
      for (int trial = 0; trial < 10; ++trial) {
        incore_aes_stream stream;
        ASSERT_EQ(incore_aes_stream_start(&stream, kStreamModes[m], iv.data()), INCORE_OK);
        Bytes out(in.size());
        for (size_t done = 0; done < in.size();) {
          const size_t n =
              std::min(pieces[next_piece++ % pieces.size()] % (largest + 1), in.size() - done);
          ASSERT_EQ(incore_aes_stream_update(&stream, &k, in.data() + done, n, out.data() + done),
                    INCORE_OK);
          done += n;
        }
        ASSERT_EQ(out, expected) << kModeNames[m] << ' ' << largest;
      }
    }
  }
}

TEST(capi_aes, a_copied_stream_goes_on_by_itself) {
  const Bytes key = random_bytes(16, 2), iv = random_bytes(16, 3), in = random_bytes(100, 4);
  const incore_aes_key k = key_of(key), copied_key = k;
  incore_aes_stream stream;
  ASSERT_EQ(incore_aes_stream_start(&stream, INCORE_AES_OFB, iv.data()), INCORE_OK);
  Bytes out(100), again(100);
  ASSERT_EQ(incore_aes_stream_update(&stream, &k, in.data(), 37, out.data()), INCORE_OK);
  incore_aes_stream copy = stream;
  ASSERT_EQ(incore_aes_stream_update(&stream, &k, in.data() + 37, 63, out.data() + 37), INCORE_OK);
  ASSERT_EQ(incore_aes_stream_update(&copy, &copied_key, in.data() + 37, 63, again.data() + 37),
            INCORE_OK);
  EXPECT_EQ(out, expected_stream(2, key, iv, in));
  EXPECT_EQ(to_hex(again.data() + 37, 63), to_hex(out.data() + 37, 63));
}

// A caller's faults. Everything that a call might write is filled with A5 first and looked at
// afterwards.
class capi_aes_faults : public testing::Test {
 protected:
  void SetUp() override {
    key = key_of(random_bytes(16, 1));
    std::memset(buffer, 0xA5, sizeof buffer);
    ASSERT_EQ(incore_aes_stream_start(&stream, INCORE_AES_CTR128, iv), INCORE_OK);
    std::memcpy(&stream_before, &stream, sizeof stream);
  }
  void TearDown() override {
    for (uint8_t b : buffer) ASSERT_EQ(b, 0xA5);
    for (uint8_t b : iv) ASSERT_EQ(b, 0x5A);
    EXPECT_EQ(std::memcmp(&stream, &stream_before, sizeof stream), 0);
  }

  incore_aes_key key;
  incore_aes_stream stream, stream_before;
  uint8_t iv[16] = {0x5A, 0x5A, 0x5A, 0x5A, 0x5A, 0x5A, 0x5A, 0x5A,
                    0x5A, 0x5A, 0x5A, 0x5A, 0x5A, 0x5A, 0x5A, 0x5A};
  uint8_t buffer[256];
  uint8_t* const in = buffer;
  uint8_t* const out = buffer + 128;
};

TEST_F(capi_aes_faults, null_pointers) {
  incore_aes_key other = key;
  EXPECT_EQ(incore_aes_key_set(nullptr, in, 16), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_aes_key_set(&other, nullptr, 16), INCORE_ERROR_NULL);
  EXPECT_EQ(std::memcmp(&other, &key, sizeof key), 0);
  for (auto ecb : {incore_aes_ecb_encrypt, incore_aes_ecb_decrypt}) {
    EXPECT_EQ(ecb(nullptr, in, 32, out), INCORE_ERROR_NULL);
    EXPECT_EQ(ecb(&key, nullptr, 32, out), INCORE_ERROR_NULL);
    EXPECT_EQ(ecb(&key, in, 32, nullptr), INCORE_ERROR_NULL);
    EXPECT_EQ(ecb(&key, nullptr, 0, nullptr), INCORE_OK);
  }
  for (auto cbc : {incore_aes_cbc_encrypt, incore_aes_cbc_decrypt}) {
    EXPECT_EQ(cbc(nullptr, iv, in, 32, out), INCORE_ERROR_NULL);
    EXPECT_EQ(cbc(&key, nullptr, in, 32, out), INCORE_ERROR_NULL);
    EXPECT_EQ(cbc(&key, iv, nullptr, 32, out), INCORE_ERROR_NULL);
    EXPECT_EQ(cbc(&key, iv, in, 32, nullptr), INCORE_ERROR_NULL);
    EXPECT_EQ(cbc(&key, iv, nullptr, 0, nullptr), INCORE_OK);
  }
  EXPECT_EQ(incore_aes_crypt(nullptr, INCORE_AES_OFB, iv, in, 5, out), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_aes_crypt(&key, INCORE_AES_OFB, nullptr, in, 5, out), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_aes_crypt(&key, INCORE_AES_OFB, iv, nullptr, 5, out), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_aes_crypt(&key, INCORE_AES_OFB, iv, in, 5, nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_aes_crypt(&key, INCORE_AES_OFB, iv, nullptr, 0, nullptr), INCORE_OK);
  EXPECT_EQ(incore_aes_stream_start(nullptr, INCORE_AES_OFB, iv), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_aes_stream_start(&stream, INCORE_AES_OFB, nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_aes_stream_update(nullptr, &key, in, 5, out), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_aes_stream_update(&stream, nullptr, in, 5, out), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_aes_stream_update(&stream, &key, nullptr, 5, out), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_aes_stream_update(&stream, &key, in, 5, nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_aes_stream_update(&stream, &key, nullptr, 0, nullptr), INCORE_OK);
  incore_aes_key_wipe(nullptr);
  incore_aes_stream_wipe(nullptr);
}

// clause: P8-AES-029
TEST_F(capi_aes_faults, key_lengths) {
  incore_aes_key other = key;
  for (size_t len = 0; len <= 64; ++len) {
    if (len == 16 || len == 24 || len == 32) continue;
    EXPECT_EQ(incore_aes_key_set(&other, in, len), INCORE_ERROR_KEY_LENGTH) << len;
  }
  EXPECT_EQ(incore_aes_key_set(&other, in, 128), INCORE_ERROR_KEY_LENGTH);  // bits
  EXPECT_EQ(incore_aes_key_set(&other, in, SIZE_MAX), INCORE_ERROR_KEY_LENGTH);
  EXPECT_EQ(incore_aes_key_set(&other, reinterpret_cast<uint8_t*>(&other) + 100, 16),
            INCORE_ERROR_OVERLAP);
  EXPECT_EQ(std::memcmp(&other, &key, sizeof key), 0) << "the earlier key must stay";
}

TEST_F(capi_aes_faults, lengths_that_are_not_whole_blocks) {
  for (size_t len : {1, 15, 17, 31, 127}) {
    EXPECT_EQ(incore_aes_ecb_encrypt(&key, in, len, out), INCORE_ERROR_LENGTH);
    EXPECT_EQ(incore_aes_ecb_decrypt(&key, in, len, out), INCORE_ERROR_LENGTH);
    EXPECT_EQ(incore_aes_cbc_encrypt(&key, iv, in, len, out), INCORE_ERROR_LENGTH);
    EXPECT_EQ(incore_aes_cbc_decrypt(&key, iv, in, len, out), INCORE_ERROR_LENGTH);
  }
}

TEST_F(capi_aes_faults, partial_overlap_of_input_and_output) {
  for (ptrdiff_t shift : {-47, -16, -1, 1, 15, 16, 47}) {
    uint8_t* const at = buffer + 64;
    EXPECT_EQ(incore_aes_ecb_encrypt(&key, at, 48, at + shift), INCORE_ERROR_OVERLAP);
    EXPECT_EQ(incore_aes_ecb_decrypt(&key, at, 48, at + shift), INCORE_ERROR_OVERLAP);
    EXPECT_EQ(incore_aes_cbc_encrypt(&key, iv, at, 48, at + shift), INCORE_ERROR_OVERLAP);
    EXPECT_EQ(incore_aes_cbc_decrypt(&key, iv, at, 48, at + shift), INCORE_ERROR_OVERLAP);
    EXPECT_EQ(incore_aes_crypt(&key, INCORE_AES_OFB, iv, at, 48, at + shift), INCORE_ERROR_OVERLAP);
    EXPECT_EQ(incore_aes_stream_update(&stream, &key, at, 48, at + shift), INCORE_ERROR_OVERLAP);
  }
}

TEST_F(capi_aes_faults, overlap_with_the_iv_or_the_stream) {
  EXPECT_EQ(incore_aes_cbc_encrypt(&key, in + 17, in, 32, out), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_aes_cbc_encrypt(&key, out + 17, in, 32, out), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_aes_cbc_decrypt(&key, out - 15, in, 32, out), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_aes_crypt(&key, INCORE_AES_OFB, out + 3, in, 4, out), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_aes_crypt(&key, INCORE_AES_OFB, in + 3, in, 4, out), INCORE_ERROR_OVERLAP);
  uint8_t* const inside = reinterpret_cast<uint8_t*>(&stream) + 20;
  EXPECT_EQ(incore_aes_stream_update(&stream, &key, in, 5, inside), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_aes_stream_update(&stream, &key, inside, 5, out), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_aes_stream_start(&stream, INCORE_AES_OFB, inside), INCORE_ERROR_OVERLAP);
}

TEST_F(capi_aes_faults, contexts_that_are_not_set) {
  incore_aes_key wiped = key;
  incore_aes_key_wipe(&wiped);
  incore_aes_key garbage;
  std::memset(&garbage, 0xA5, sizeof garbage);
  for (const incore_aes_key* bad : {&wiped, &garbage}) {
    EXPECT_EQ(incore_aes_ecb_encrypt(bad, in, 16, out), INCORE_ERROR_STATE);
    EXPECT_EQ(incore_aes_ecb_decrypt(bad, in, 16, out), INCORE_ERROR_STATE);
    EXPECT_EQ(incore_aes_cbc_encrypt(bad, iv, in, 16, out), INCORE_ERROR_STATE);
    EXPECT_EQ(incore_aes_cbc_decrypt(bad, iv, in, 16, out), INCORE_ERROR_STATE);
    EXPECT_EQ(incore_aes_crypt(bad, INCORE_AES_OFB, iv, in, 16, out), INCORE_ERROR_STATE);
    EXPECT_EQ(incore_aes_stream_update(&stream, bad, in, 16, out), INCORE_ERROR_STATE);
  }
  incore_aes_stream wiped_stream = stream, garbage_stream;
  incore_aes_stream_wipe(&wiped_stream);
  std::memset(&garbage_stream, 0xA5, sizeof garbage_stream);
  EXPECT_EQ(incore_aes_stream_update(&wiped_stream, &key, in, 16, out), INCORE_ERROR_STATE);
  EXPECT_EQ(incore_aes_stream_update(&garbage_stream, &key, in, 16, out), INCORE_ERROR_STATE);
}

TEST_F(capi_aes_faults, modes_that_do_not_exist) {
  for (int mode : {-1, 0, 8, 128}) {
    EXPECT_EQ(incore_aes_crypt(&key, static_cast<incore_aes_stream_mode>(mode), iv, in, 16, out),
              INCORE_ERROR_RANGE);
    EXPECT_EQ(incore_aes_stream_start(&stream, static_cast<incore_aes_stream_mode>(mode), iv),
              INCORE_ERROR_RANGE);
  }
}

// clause: P8-AES-030
TEST(capi_aes, wiping_leaves_nothing_of_key_and_stream) {
  incore_aes_key key = key_of(random_bytes(32, 1));
  incore_aes_key_wipe(&key);
  for (unsigned char b : key.opaque) ASSERT_EQ(b, 0);
  incore_aes_stream stream;
  ASSERT_EQ(incore_aes_stream_start(&stream, INCORE_AES_OFB, random_bytes(16, 1).data()),
            INCORE_OK);
  incore_aes_stream_wipe(&stream);
  for (unsigned char b : stream.opaque) ASSERT_EQ(b, 0);
}

TEST(capi_aes, a_message_may_use_each_counter_once_and_no_more) {
  constexpr size_t kMost = size_t{16} << 16;  // CTR16
  const Bytes key_bytes = random_bytes(16, 1), iv = random_bytes(16, 2), in(kMost + 1);
  const incore_aes_key key = key_of(key_bytes);
  Bytes out(kMost + 1, 0xA5);
  EXPECT_EQ(incore_aes_crypt(&key, INCORE_AES_CTR16, iv.data(), in.data(), kMost + 1, out.data()),
            INCORE_ERROR_LENGTH);
  EXPECT_EQ(out, Bytes(kMost + 1, 0xA5));
  EXPECT_EQ(incore_aes_crypt(&key, INCORE_AES_CTR32, iv.data(), in.data(), kMost + 1, out.data()),
            INCORE_OK);
  ASSERT_EQ(incore_aes_crypt(&key, INCORE_AES_CTR16, iv.data(), in.data(), kMost, out.data()),
            INCORE_OK);

  incore_aes_stream stream;
  ASSERT_EQ(incore_aes_stream_start(&stream, INCORE_AES_CTR16, iv.data()), INCORE_OK);
  Bytes again(kMost);
  ASSERT_EQ(incore_aes_stream_update(&stream, &key, in.data(), 5, again.data()), INCORE_OK);
  EXPECT_EQ(incore_aes_stream_update(&stream, &key, in.data(), kMost - 4, again.data() + 5),
            INCORE_ERROR_LENGTH);
  ASSERT_EQ(incore_aes_stream_update(&stream, &key, in.data(), kMost - 8, again.data() + 5),
            INCORE_OK);
  EXPECT_EQ(incore_aes_stream_update(&stream, &key, in.data(), 4, again.data()),
            INCORE_ERROR_LENGTH);
  ASSERT_EQ(incore_aes_stream_update(&stream, &key, in.data(), 3, again.data() + kMost - 3),
            INCORE_OK);
  EXPECT_EQ(incore_aes_stream_update(&stream, &key, in.data(), 1, again.data()),
            INCORE_ERROR_LENGTH);
  out.resize(kMost);
  EXPECT_TRUE(again == out);
}

// INCORE_KERNEL is read once in a process, so each value gets a process of its own.
class capi_aes_environment : public testing::Test {
 protected:
  void SetUp() override {
    if (test::kEmulated) GTEST_SKIP() << "under an emulator GoogleTest cannot start processes anew";
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }

  // Ends the process with the status of setting a key under INCORE_KERNEL=|value|; 100 if a refused
  // call wrote.
  [[noreturn]] static void set_key_and_exit(const char* value) {
    setenv("INCORE_KERNEL", value, 1);
    incore_aes_key key;
    std::memset(&key, 0xA5, sizeof key);
    const incore_status status = incore_aes_key_set(&key, "0123456789abcdef", 16);
    if (status != INCORE_OK)
      for (unsigned char b : key.opaque)
        if (b != 0xA5) std::exit(100);
    if ((incore_aes_kernel() == nullptr) != (status == INCORE_ERROR_KERNEL)) std::exit(101);
    std::exit(status);
  }
  [[noreturn]] static void print_kernel_and_exit(const char* value) {
    setenv("INCORE_KERNEL", value, 1);
    std::fputs(incore_aes_kernel() == nullptr ? "none" : incore_aes_kernel(), stderr);
    std::exit(0);
  }
};

TEST_F(capi_aes_environment, a_wrong_incore_kernel_is_an_error) {
  for (const char* value : {"aes:nonsense", "nonsense:portable", "aes", "aes:portable,nonsense:x"})
    EXPECT_EXIT(set_key_and_exit(value), testing::ExitedWithCode(INCORE_ERROR_KERNEL), "");
  EXPECT_EXIT(set_key_and_exit("aes:portable"), testing::ExitedWithCode(INCORE_OK), "");
  EXPECT_EXIT(set_key_and_exit(""), testing::ExitedWithCode(INCORE_OK), "");
}

TEST_F(capi_aes_environment, the_forced_kernel_is_the_one_that_serves) {
  for (const AesKernel* kernel : aes_kernels()) {
    if (!detect_features().has_all(kernel->info.needs)) continue;
    const std::string value = std::string("aes:") + kernel->info.name;
    EXPECT_EXIT(print_kernel_and_exit(value.c_str()), testing::ExitedWithCode(0),
                std::string("^") + kernel->info.name + "$");
  }
}

}  // namespace
}  // namespace incore::test
