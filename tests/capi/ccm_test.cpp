// The C interface to CCM: every length against the formulas of SP 800-38C over CBC and CTR, tags
// that do not match, and every fault of a caller.
#include "incore/ccm.h"

#include <gtest/gtest.h>

#include <cstring>

#include "support/hex.h"

namespace incore::test {
namespace {

incore_aes_key key_of(const Bytes& key) {
  incore_aes_key k;
  EXPECT_EQ(incore_aes_key_set(&k, key.data(), key.size()), INCORE_OK);
  return k;
}

void append(Bytes& to, uint64_t number, size_t len) {  // big-endian
  for (size_t i = len; i-- > 0;) to.push_back(i < 8 ? static_cast<uint8_t>(number >> 8 * i) : 0);
}

struct Sealed {
  Bytes text, tag;
};

// SP 800-38C section 6.1 and appendix A.
Sealed expected_seal(const incore_aes_key& key, const Bytes& nonce, const Bytes& aad,
                     const Bytes& text, size_t tag_len) {
  const size_t q = 15 - nonce.size();
  Bytes blocks = {static_cast<uint8_t>((aad.empty() ? 0 : 64) + 8 * ((tag_len - 2) / 2) + q - 1)};
  blocks.insert(blocks.end(), nonce.begin(), nonce.end());
  append(blocks, text.size(), q);
  if (!aad.empty()) {
    if (aad.size() >= 0xFF00) append(blocks, 0xFFFE, 2);
    append(blocks, aad.size(), aad.size() < 0xFF00 ? 2 : 4);
    blocks.insert(blocks.end(), aad.begin(), aad.end());
    blocks.resize((blocks.size() + 15) / 16 * 16);
  }
  blocks.insert(blocks.end(), text.begin(), text.end());
  blocks.resize((blocks.size() + 15) / 16 * 16);
  Bytes mac(16), counter = {static_cast<uint8_t>(q - 1)};
  EXPECT_EQ(incore_aes_cbc_encrypt(&key, mac.data(), blocks.data(), blocks.size(), blocks.data()),
            INCORE_OK);
  counter.insert(counter.end(), nonce.begin(), nonce.end());
  counter.resize(16);
  Bytes stream(16 + text.size());
  EXPECT_EQ(incore_aes_crypt(&key, INCORE_AES_CTR128, counter.data(), stream.data(), stream.size(),
                             stream.data()),
            INCORE_OK);
  Sealed sealed = {text, Bytes(mac.begin(), mac.begin() + static_cast<long>(tag_len))};
  for (size_t i = 0; i < tag_len; ++i) sealed.tag[i] ^= stream[i];
  for (size_t i = 0; i < text.size(); ++i) sealed.text[i] ^= stream[16 + i];
  return sealed;
}

void check(const incore_aes_key& key, const Bytes& nonce, const Bytes& aad, const Bytes& text,
           size_t tag_len) {
  SCOPED_TRACE("text " + std::to_string(text.size()) + ", aad " + std::to_string(aad.size()));
  const Sealed expected = expected_seal(key, nonce, aad, text, tag_len);
  const size_t at = text.size() % 32;
  Bytes in(text.size() + 32), out(text.size() + 48, 0xA5), tag(tag_len);
  std::copy(text.begin(), text.end(), in.begin() + static_cast<long>(at));
  ASSERT_EQ(
      incore_ccm_encrypt(&key, nonce.data(), nonce.size(), aad.data(), aad.size(), in.data() + at,
                         text.size(), out.data() + 32 - at, tag.data(), tag_len),
      INCORE_OK);
  ASSERT_EQ(to_hex(out.data() + 32 - at, text.size()), to_hex(expected.text));
  ASSERT_EQ(to_hex(tag), to_hex(expected.tag));
  for (size_t i = 32 - at + text.size(); i < out.size(); ++i) ASSERT_EQ(out[i], 0xA5);

  Bytes in_place = text;
  ASSERT_EQ(incore_ccm_encrypt(&key, nonce.data(), nonce.size(), aad.data(), aad.size(),
                               in_place.data(), text.size(), in_place.data(), tag.data(), tag_len),
            INCORE_OK);
  ASSERT_EQ(in_place, expected.text);
  Bytes back(text.size());
  ASSERT_EQ(incore_ccm_decrypt(&key, nonce.data(), nonce.size(), aad.data(), aad.size(),
                               in_place.data(), text.size(), tag.data(), tag_len, back.data()),
            INCORE_OK);
  ASSERT_EQ(back, text);
  ASSERT_EQ(incore_ccm_decrypt(&key, nonce.data(), nonce.size(), aad.data(), aad.size(),
                               in_place.data(), text.size(), tag.data(), tag_len, in_place.data()),
            INCORE_OK);
  ASSERT_EQ(in_place, text);
}

TEST(capi_ccm, every_length_equals_the_standards_formulas) {
  const incore_aes_key key = key_of(random_bytes(24, 1));
  for (size_t len = 0; len <= 300 && !HasFailure(); ++len)
    check(key, random_bytes(7 + len % 7, 2), random_bytes(len * 7 % 61, 3), random_bytes(len, len),
          4 + 2 * (len % 7));
  for (size_t len : {383, 384, 385, 4096, 5000, 65535})  // around the pieces of the work
    check(key, random_bytes(13, 2), random_bytes(5, 3), random_bytes(len, len), 16);
  for (size_t len = 0; len <= 66; ++len)
    check(key, random_bytes(12, 2), random_bytes(len, 3), random_bytes(20, 4), 16);
}

TEST(capi_ccm, associated_data_whose_length_takes_more_bytes) {
  const incore_aes_key key = key_of(random_bytes(16, 1));
  for (size_t len : {0xFEFF, 0xFF00, 0xFF01, 0x10000, 0x12345})
    check(key, random_bytes(11, 2), random_bytes(len, 3), random_bytes(33, 4), 8);
}

TEST(capi_ccm, a_tag_with_any_bit_changed_releases_nothing) {
  const incore_aes_key key = key_of(random_bytes(32, 1));
  const Bytes nonce = random_bytes(12, 2), aad = random_bytes(9, 3), text = random_bytes(70, 4);
  const Sealed sealed = expected_seal(key, nonce, aad, text, 16);
  const auto opens = [&](const Bytes& n, const Bytes& a, const Bytes& c, const Bytes& t) {
    Bytes out(c.size(), 0xA5), in_place = c;
    const incore_status status =
        incore_ccm_decrypt(&key, n.data(), n.size(), a.data(), a.size(), c.data(), c.size(),
                           t.data(), t.size(), out.data());
    EXPECT_EQ(status,
              incore_ccm_decrypt(&key, n.data(), n.size(), a.data(), a.size(), in_place.data(),
                                 c.size(), t.data(), t.size(), in_place.data()));
    if (status == INCORE_OK) return true;
    EXPECT_EQ(status, INCORE_ERROR_TAG);
    EXPECT_EQ(out, Bytes(c.size(), 0xA5));
    EXPECT_EQ(in_place, c);
    return false;
  };
  ASSERT_TRUE(opens(nonce, aad, sealed.text, sealed.tag));
  for (size_t which = 0; which < 4; ++which) {
    Bytes parts[] = {nonce, aad, sealed.text, sealed.tag};
    for (size_t bit = 0; bit < 8 * parts[which].size(); ++bit) {
      parts[which][bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
      ASSERT_FALSE(opens(parts[0], parts[1], parts[2], parts[3])) << which << ' ' << bit;
      parts[which][bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    }
  }
  // A tag cut short is that of another message: its length is part of what is authenticated.
  EXPECT_FALSE(opens(nonce, aad, sealed.text, Bytes(sealed.tag.begin(), sealed.tag.end() - 2)));
}

class capi_ccm_faults : public testing::Test {
 protected:
  void SetUp() override {
    key = key_of(random_bytes(16, 1));
    std::memset(buffer, 0xA5, sizeof buffer);
  }
  void TearDown() override {
    for (uint8_t b : buffer) ASSERT_EQ(b, 0xA5);
  }
  // Both directions with the same arguments; in a decryption the tag is input.
  void expect(incore_status status, const incore_aes_key* k, const void* n, size_t n_len,
              const void* a, size_t a_len, const void* i, size_t len, void* o, void* t,
              size_t t_len) {
    EXPECT_EQ(incore_ccm_encrypt(k, n, n_len, a, a_len, i, len, o, t, t_len), status);
    EXPECT_EQ(incore_ccm_decrypt(k, n, n_len, a, a_len, i, len, t, t_len, o), status);
  }

  incore_aes_key key;
  uint8_t buffer[256];
  uint8_t* const in = buffer;
  uint8_t* const out = buffer + 64;
  uint8_t* const nonce = buffer + 128;
  uint8_t* const aad = buffer + 160;
  uint8_t* const tag = buffer + 224;
};

TEST_F(capi_ccm_faults, null_pointers) {
  expect(INCORE_ERROR_NULL, nullptr, nonce, 12, aad, 8, in, 32, out, tag, 16);
  expect(INCORE_ERROR_NULL, &key, nullptr, 12, aad, 8, in, 32, out, tag, 16);
  expect(INCORE_ERROR_NULL, &key, nonce, 12, nullptr, 8, in, 32, out, tag, 16);
  expect(INCORE_ERROR_NULL, &key, nonce, 12, aad, 8, nullptr, 32, out, tag, 16);
  expect(INCORE_ERROR_NULL, &key, nonce, 12, aad, 8, in, 32, nullptr, tag, 16);
  expect(INCORE_ERROR_NULL, &key, nonce, 12, aad, 8, in, 32, out, nullptr, 16);
  Bytes mine(16);
  EXPECT_EQ(incore_ccm_encrypt(&key, nonce, 12, nullptr, 0, nullptr, 0, nullptr, mine.data(), 16),
            INCORE_OK);
  EXPECT_EQ(incore_ccm_decrypt(&key, nonce, 12, nullptr, 0, nullptr, 0, mine.data(), 16, nullptr),
            INCORE_OK);
}

TEST_F(capi_ccm_faults, keys_that_are_not_set) {
  incore_aes_key wiped = key, garbage;
  incore_aes_key_wipe(&wiped);
  std::memset(&garbage, 0xA5, sizeof garbage);
  for (const incore_aes_key* bad : {&wiped, &garbage})
    expect(INCORE_ERROR_STATE, bad, nonce, 12, aad, 8, in, 32, out, tag, 16);
}

TEST_F(capi_ccm_faults, lengths) {
  for (size_t nonce_len = 0; nonce_len <= 32; ++nonce_len)
    if (nonce_len < 7 || nonce_len > 13)
      expect(INCORE_ERROR_LENGTH, &key, nonce, nonce_len, aad, 8, in, 32, out, tag, 16);
  for (size_t tag_len = 0; tag_len <= 32; ++tag_len)
    if (tag_len < 4 || tag_len > 16 || tag_len % 2 != 0)
      expect(INCORE_ERROR_LENGTH, &key, nonce, 12, aad, 8, in, 32, out, tag, tag_len);
  expect(INCORE_ERROR_LENGTH, &key, nonce, SIZE_MAX, aad, 8, in, 32, out, tag, 16);
  expect(INCORE_ERROR_LENGTH, &key, nonce, 12, aad, 8, in, 32, out, tag, SIZE_MAX);
  // Refused by the length alone, before a byte of it is read.
  expect(INCORE_ERROR_LENGTH, &key, nonce, 13, aad, 8, in, 0x10000, out, tag, 16);
  expect(INCORE_ERROR_LENGTH, &key, nonce, 12, aad, 8, in, 0x1000000, out, tag, 16);
  expect(INCORE_ERROR_LENGTH, &key, nonce, 12, aad, 8, in, SIZE_MAX, out, tag, 16);
#if SIZE_MAX > 0xFFFFFFFF
  expect(INCORE_ERROR_LENGTH, &key, nonce, 8, aad, 8, in, size_t{1} << 56, out, tag, 16);
#endif
}

TEST_F(capi_ccm_faults, overlap) {
  for (ptrdiff_t shift : {-31, -1, 1, 31})
    expect(INCORE_ERROR_OVERLAP, &key, nonce, 12, aad, 8, in + 32, 32, in + 32 + shift, tag, 16);
  expect(INCORE_ERROR_OVERLAP, &key, out + 31, 12, aad, 8, in, 32, out, tag, 16);
  expect(INCORE_ERROR_OVERLAP, &key, nonce, 12, out - 7, 8, in, 32, out, tag, 16);
  expect(INCORE_ERROR_OVERLAP, &key, nonce, 12, aad, 8, in, 32, out, out + 31, 16);
  EXPECT_EQ(incore_ccm_encrypt(&key, nonce, 12, aad, 8, in, 32, out, in + 31, 16),
            INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_ccm_encrypt(&key, nonce, 12, aad, 8, in, 32, out, nonce + 11, 16),
            INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_ccm_encrypt(&key, nonce, 12, aad, 8, in, 32, out, aad - 15, 16),
            INCORE_ERROR_OVERLAP);
}

}  // namespace
}  // namespace incore::test
