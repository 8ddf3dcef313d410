// The C interface to XTS: every length against the formulas of IEEE 1619 over ECB, runs of data
// units, and every fault of a caller.
#include "incore/xts.h"

#include <gtest/gtest.h>

#include <cstring>

#include "support/hex.h"

namespace incore::test {
namespace {

incore_xts_key xts_key_of(const Bytes& key) {
  incore_xts_key k;
  EXPECT_EQ(incore_xts_key_set(&k, key.data(), key.size()), INCORE_OK);
  return k;
}

Bytes tweak_of_unit(uint64_t unit) {
  Bytes tweak(16);
  for (size_t i = 0; i < 8; ++i) tweak[i] = static_cast<uint8_t>(unit >> 8 * i);
  return tweak;
}

Bytes ecb(const Bytes& key, const Bytes& in) {
  incore_aes_key k;
  EXPECT_EQ(incore_aes_key_set(&k, key.data(), key.size()), INCORE_OK);
  Bytes out(in.size());
  EXPECT_EQ(incore_aes_ecb_encrypt(&k, in.data(), in.size(), out.data()), INCORE_OK);
  return out;
}

// IEEE 1619 section 5.3, bit by bit where it multiplies.
Bytes expected_ciphertext(const Bytes& key, const Bytes& tweak, const Bytes& text) {
  const auto half = static_cast<long>(key.size() / 2);
  const Bytes key1(key.begin(), key.begin() + half), key2(key.begin() + half, key.end());
  Bytes t = ecb(key2, tweak), out;
  const auto crypt_block = [&](Bytes block) {
    for (size_t i = 0; i < 16; ++i) block[i] ^= t[i];
    block = ecb(key1, block);
    for (size_t i = 0; i < 16; ++i) block[i] ^= t[i];
    unsigned carry = 0;
    for (uint8_t& b : t) {
      const unsigned shifted = b * 2u + carry;
      b = static_cast<uint8_t>(shifted);
      carry = shifted >> 8;
    }
    if (carry != 0) t[0] ^= 0x87;
    return block;
  };
  const size_t whole = text.size() / 16 * 16, rest = text.size() % 16;
  for (size_t i = 0; i < whole; i += 16) {
    const Bytes c = crypt_block(
        Bytes(text.begin() + static_cast<long>(i), text.begin() + static_cast<long>(i) + 16));
    out.insert(out.end(), c.begin(), c.end());
  }
  if (rest == 0) return out;
  Bytes last(text.begin() + static_cast<long>(whole), text.end());
  const Bytes lent(out.end() - 16, out.end());
  last.insert(last.end(), lent.begin() + static_cast<long>(rest), lent.end());
  last = crypt_block(last);
  std::copy(last.begin(), last.end(), out.end() - 16);
  out.insert(out.end(), lent.begin(), lent.begin() + static_cast<long>(rest));
  return out;
}

TEST(capi_xts, every_length_and_alignment_equals_the_standards_formulas) {
  for (size_t key_len : {32, 64}) {
    const Bytes key = random_bytes(key_len, key_len), tweak = random_bytes(16, 1);
    const incore_xts_key k = xts_key_of(key);
    for (size_t len = 16; len <= 300; ++len) {
      const size_t at = len % 32;  // alignment
      const Bytes text = random_bytes(len, len), expected = expected_ciphertext(key, tweak, text);
      Bytes in(len + 32), out(len + 48, 0xA5);
      std::copy(text.begin(), text.end(), in.begin() + static_cast<long>(at));
      ASSERT_EQ(
          incore_xts_encrypt(&k, tweak.data(), in.data() + at, len, out.data() + (at * 7) % 32),
          INCORE_OK);
      ASSERT_EQ(to_hex(out.data() + (at * 7) % 32, len), to_hex(expected)) << len;
      EXPECT_EQ(to_hex(out.data() + (at * 7) % 32 + len, 16), to_hex(Bytes(16, 0xA5)));
      Bytes in_place = text;
      ASSERT_EQ(incore_xts_encrypt(&k, tweak.data(), in_place.data(), len, in_place.data()),
                INCORE_OK);
      ASSERT_EQ(in_place, expected) << len;
      Bytes back(len);
      ASSERT_EQ(incore_xts_decrypt(&k, tweak.data(), expected.data(), len, back.data()), INCORE_OK);
      ASSERT_EQ(back, text) << len;
      ASSERT_EQ(incore_xts_decrypt(&k, tweak.data(), in_place.data(), len, in_place.data()),
                INCORE_OK);
      ASSERT_EQ(in_place, text) << len;
    }
  }
}

TEST(capi_xts, a_run_of_units_is_unit_after_unit) {
  const incore_xts_key k = xts_key_of(random_bytes(64, 1));
  const uint64_t first = 0xFFFFFFF0;  // beyond 32 bits on the way
  for (size_t unit_len : {16, 17, 48, 100, 512}) {
    for (size_t len : {unit_len, 2 * unit_len, 16 * unit_len, 17 * unit_len, 40 * unit_len + 16}) {
      const Bytes text = random_bytes(len, unit_len);
      Bytes expected(len), out(len), back(len);
      for (size_t done = 0, unit = 0; done < len; done += unit_len, ++unit)
        ASSERT_EQ(incore_xts_encrypt(&k, tweak_of_unit(first + unit).data(), text.data() + done,
                                     std::min(unit_len, len - done), expected.data() + done),
                  INCORE_OK);
      ASSERT_EQ(incore_xts_encrypt_units(&k, first, unit_len, text.data(), len, out.data()),
                INCORE_OK);
      ASSERT_EQ(out, expected) << unit_len << ' ' << len;
      ASSERT_EQ(incore_xts_decrypt_units(&k, first, unit_len, out.data(), len, back.data()),
                INCORE_OK);
      ASSERT_EQ(back, text) << unit_len << ' ' << len;
      ASSERT_EQ(incore_xts_decrypt_units(&k, first, unit_len, out.data(), len, out.data()),
                INCORE_OK);
      ASSERT_EQ(out, text) << "in place";
    }
  }
}

TEST(capi_xts, the_longest_unit_and_no_longer_one) {
  const incore_xts_key k = xts_key_of(random_bytes(32, 1));
  const Bytes tweak(16);
  constexpr size_t kMax = INCORE_XTS_MAX_UNIT_LEN;
  Bytes data(kMax + 1), before = data;
  for (auto crypt : {incore_xts_encrypt, incore_xts_decrypt})
    EXPECT_EQ(crypt(&k, tweak.data(), data.data(), kMax + 1, data.data()), INCORE_ERROR_LENGTH);
  EXPECT_EQ(incore_xts_encrypt_units(&k, 0, kMax + 1, data.data(), kMax + 1, data.data()),
            INCORE_ERROR_LENGTH);
  EXPECT_TRUE(data == before);
  ASSERT_EQ(incore_xts_encrypt(&k, tweak.data(), data.data(), kMax - 1, data.data()), INCORE_OK);
  ASSERT_EQ(incore_xts_decrypt(&k, tweak.data(), data.data(), kMax - 1, data.data()), INCORE_OK);
  EXPECT_TRUE(data == before);
  ASSERT_EQ(incore_xts_encrypt_units(&k, 0, kMax, data.data(), kMax, data.data()), INCORE_OK);
  EXPECT_FALSE(data == before);
}

// A caller's faults; what a call might write is looked at afterwards.
class capi_xts_faults : public testing::Test {
 protected:
  void SetUp() override {
    key = xts_key_of(random_bytes(32, 1));
    std::memset(buffer, 0xA5, sizeof buffer);
  }
  void TearDown() override {
    for (uint8_t b : buffer) ASSERT_EQ(b, 0xA5);
    for (uint8_t b : tweak) ASSERT_EQ(b, 0x5A);
  }
  incore_xts_key key;
  uint8_t tweak[16] = {0x5A, 0x5A, 0x5A, 0x5A, 0x5A, 0x5A, 0x5A, 0x5A,
                       0x5A, 0x5A, 0x5A, 0x5A, 0x5A, 0x5A, 0x5A, 0x5A};
  uint8_t buffer[256];
  uint8_t* const in = buffer;
  uint8_t* const out = buffer + 128;
};

TEST_F(capi_xts_faults, null_pointers) {
  for (auto crypt : {incore_xts_encrypt, incore_xts_decrypt}) {
    EXPECT_EQ(crypt(nullptr, tweak, in, 32, out), INCORE_ERROR_NULL);
    EXPECT_EQ(crypt(&key, nullptr, in, 32, out), INCORE_ERROR_NULL);
    EXPECT_EQ(crypt(&key, tweak, nullptr, 32, out), INCORE_ERROR_NULL);
    EXPECT_EQ(crypt(&key, tweak, in, 32, nullptr), INCORE_ERROR_NULL);
  }
  for (auto crypt : {incore_xts_encrypt_units, incore_xts_decrypt_units}) {
    EXPECT_EQ(crypt(nullptr, 0, 32, in, 32, out), INCORE_ERROR_NULL);
    EXPECT_EQ(crypt(&key, 0, 32, nullptr, 32, out), INCORE_ERROR_NULL);
    EXPECT_EQ(crypt(&key, 0, 32, in, 32, nullptr), INCORE_ERROR_NULL);
  }
  EXPECT_EQ(incore_xts_key_set(nullptr, in, 32), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_xts_key_set(&key, nullptr, 32), INCORE_ERROR_NULL);
  incore_xts_key_wipe(nullptr);
}

TEST_F(capi_xts_faults, keys_that_are_refused_leave_the_earlier_one) {
  const incore_xts_key before = key;
  const Bytes bytes = random_bytes(130, 3);
  for (size_t len = 0; len <= 130; ++len) {
    if (len == 32 || len == 64) continue;
    EXPECT_EQ(incore_xts_key_set(&key, bytes.data(), len), INCORE_ERROR_KEY_LENGTH) << len;
  }
  EXPECT_EQ(incore_xts_key_set(&key, bytes.data(), SIZE_MAX), INCORE_ERROR_KEY_LENGTH);
  for (size_t len : {32, 64}) {
    Bytes equal_halves = random_bytes(len / 2, 1);
    equal_halves.resize(len);
    std::copy_n(equal_halves.begin(), len / 2, equal_halves.begin() + static_cast<long>(len / 2));
    EXPECT_EQ(incore_xts_key_set(&key, equal_halves.data(), len), INCORE_ERROR_RANGE);
  }
  // Bytes within the context that do differ.
  EXPECT_EQ(incore_xts_key_set(&key, key.opaque + 16, 32), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(std::memcmp(&key, &before, sizeof key), 0);
}

TEST_F(capi_xts_faults, lengths) {
  for (size_t len = 0; len < 16; ++len) {
    for (auto crypt : {incore_xts_encrypt, incore_xts_decrypt})
      EXPECT_EQ(crypt(&key, tweak, in, len, out), INCORE_ERROR_LENGTH) << len;
    for (auto crypt : {incore_xts_encrypt_units, incore_xts_decrypt_units}) {
      EXPECT_EQ(crypt(&key, 0, len, in, 64, out), INCORE_ERROR_LENGTH) << len;
      EXPECT_EQ(crypt(&key, 0, 32, in, len, out), INCORE_ERROR_LENGTH) << len;
      if (len != 0) {
        EXPECT_EQ(crypt(&key, 0, 32, in, 64 + len, out), INCORE_ERROR_LENGTH) << len;
      }
    }
  }
  for (auto crypt : {incore_xts_encrypt, incore_xts_decrypt})
    EXPECT_EQ(crypt(&key, tweak, in, SIZE_MAX, out), INCORE_ERROR_LENGTH);
  for (auto crypt : {incore_xts_encrypt_units, incore_xts_decrypt_units}) {
    EXPECT_EQ(crypt(&key, 0, SIZE_MAX, in, SIZE_MAX, out), INCORE_ERROR_LENGTH);
    EXPECT_EQ(crypt(&key, UINT64_MAX, 32, in, 33 + 15, out), INCORE_ERROR_RANGE);
    EXPECT_EQ(crypt(&key, UINT64_MAX - 1, 16, in, 48, out), INCORE_ERROR_RANGE);
  }
}

TEST_F(capi_xts_faults, overlap) {
  for (ptrdiff_t shift : {-47, -16, -1, 1, 15, 16, 47}) {
    uint8_t* const at = buffer + 64;
    for (auto crypt : {incore_xts_encrypt, incore_xts_decrypt})
      EXPECT_EQ(crypt(&key, tweak, at, 48, at + shift), INCORE_ERROR_OVERLAP);
    for (auto crypt : {incore_xts_encrypt_units, incore_xts_decrypt_units})
      EXPECT_EQ(crypt(&key, 0, 16, at, 48, at + shift), INCORE_ERROR_OVERLAP);
  }
  for (auto crypt : {incore_xts_encrypt, incore_xts_decrypt}) {
    EXPECT_EQ(crypt(&key, in + 31, in, 32, out), INCORE_ERROR_OVERLAP);
    EXPECT_EQ(crypt(&key, out - 15, in, 32, out), INCORE_ERROR_OVERLAP);
  }
}

TEST_F(capi_xts_faults, keys_that_are_not_set) {
  incore_xts_key wiped = key, garbage;
  incore_xts_key_wipe(&wiped);
  for (unsigned char b : wiped.opaque) ASSERT_EQ(b, 0);
  std::memset(&garbage, 0xA5, sizeof garbage);
  for (const incore_xts_key* bad : {&wiped, &garbage}) {
    for (auto crypt : {incore_xts_encrypt, incore_xts_decrypt})
      EXPECT_EQ(crypt(bad, tweak, in, 32, out), INCORE_ERROR_STATE);
    for (auto crypt : {incore_xts_encrypt_units, incore_xts_decrypt_units})
      EXPECT_EQ(crypt(bad, 0, 32, in, 32, out), INCORE_ERROR_STATE);
  }
}

TEST_F(capi_xts_faults, the_last_number_of_a_unit_is_taken) {
  const Bytes text = random_bytes(32, 1);
  Bytes by_number(32), by_tweak(32);
  ASSERT_EQ(incore_xts_encrypt_units(&key, UINT64_MAX, 32, text.data(), 32, by_number.data()),
            INCORE_OK);
  ASSERT_EQ(
      incore_xts_encrypt(&key, tweak_of_unit(UINT64_MAX).data(), text.data(), 32, by_tweak.data()),
      INCORE_OK);
  EXPECT_EQ(by_number, by_tweak);
}

}  // namespace
}  // namespace incore::test
