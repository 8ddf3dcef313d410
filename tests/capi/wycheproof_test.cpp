// Wycheproof: cases made to find mistakes, each with the result that it demands. A case that must
// be refused gets a status, and nothing is released. every_kernel_test.cpp runs them on each
// kernel.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "incore/aes.h"
#include "incore/ccm.h"
#include "incore/cmac.h"
#include "incore/gcm.h"
#include "incore/hmac.h"
#include "incore/rsa.h"
#include "incore/xts.h"
#include "support/known_answers.h"
#include "support/vector_file.h"

namespace incore::test {
namespace {

void gave(const char* algorithm, const char* vectors, size_t num) {
  gave_answers(algorithm, serving_kernel(algorithm), vectors, num);
}

bool is_valid(VectorCase& c) {
  const std::string& result = c.text("Result");
  EXPECT_TRUE(result == "valid" || result == "invalid") << result;
  return result == "valid";
}

TEST(capi_vectors_aes, wycheproof_ccm) {
  size_t num_bad_tags = 0, num_bad_lengths = 0;
  const size_t num_cases = for_each_case("wycheproof/aes_ccm.txt", [&](VectorCase& c) {
    const Bytes key = c.bytes("Key"), nonce = c.bytes("Iv"), aad = c.bytes("Aad");
    const Bytes text = c.bytes("Msg"), ciphertext = c.bytes("Ct"), tag = c.bytes("Tag");
    incore_aes_key k;
    ASSERT_EQ(incore_aes_key_set(&k, key.data(), key.size()), INCORE_OK);
    Bytes out(text.size(), 0xA5), out_tag(tag.size(), 0xA5), back(ciphertext.size(), 0xA5);
    const incore_status sealed =
        incore_ccm_encrypt(&k, nonce.data(), nonce.size(), aad.data(), aad.size(), text.data(),
                           text.size(), out.data(), out_tag.data(), out_tag.size());
    const incore_status opened = incore_ccm_decrypt(
        &k, nonce.data(), nonce.size(), aad.data(), aad.size(), ciphertext.data(),
        ciphertext.size(), tag.data(), tag.size(), back.data());
    if (is_valid(c)) {
      EXPECT_EQ(sealed, INCORE_OK);
      EXPECT_EQ(to_hex(out), to_hex(ciphertext));
      EXPECT_EQ(to_hex(out_tag), to_hex(tag));
      EXPECT_EQ(opened, INCORE_OK);
      EXPECT_EQ(to_hex(back), to_hex(text));
      return;
    }
    EXPECT_EQ(back, Bytes(ciphertext.size(), 0xA5));
    if (opened == INCORE_ERROR_TAG) {  // encryption makes another tag
      ++num_bad_tags;
      EXPECT_EQ(sealed, INCORE_OK);
      EXPECT_NE(to_hex(out_tag), to_hex(tag));
    } else {
      ++num_bad_lengths;
      EXPECT_EQ(opened, INCORE_ERROR_LENGTH);
      EXPECT_EQ(sealed, INCORE_ERROR_LENGTH);
      EXPECT_EQ(out, Bytes(text.size(), 0xA5));
    }
  });
  EXPECT_EQ(num_cases, 552u);
  EXPECT_EQ(num_bad_tags, 81u);
  EXPECT_EQ(num_bad_lengths, 66u);
  gave("aes", "Wycheproof CCM", num_cases);
}

// GMAC is GCM without a text: its message is associated data.
void check_gcm(VectorCase& c, const Bytes& aad, const Bytes& text, const Bytes& ciphertext,
               size_t& num_bad_tags) {
  const Bytes key = c.bytes("Key"), tag = c.bytes("Tag");
  Bytes iv = c.bytes("Iv");
  iv.reserve(1);  // no null pointer where it is empty
  incore_gcm_key k;
  ASSERT_EQ(incore_gcm_key_set(&k, key.data(), key.size()), INCORE_OK);
  Bytes out(text.size(), 0xA5), out_tag(tag.size(), 0xA5), back(ciphertext.size(), 0xA5);
  const incore_status sealed =
      incore_gcm_encrypt(&k, iv.data(), iv.size(), aad.data(), aad.size(), text.data(), text.size(),
                         out.data(), out_tag.data(), out_tag.size());
  const incore_status opened =
      incore_gcm_decrypt(&k, iv.data(), iv.size(), aad.data(), aad.size(), ciphertext.data(),
                         ciphertext.size(), tag.data(), tag.size(), back.data());
  if (is_valid(c)) {
    EXPECT_EQ(sealed, INCORE_OK);
    EXPECT_EQ(to_hex(out), to_hex(ciphertext));
    EXPECT_EQ(to_hex(out_tag), to_hex(tag));
    EXPECT_EQ(opened, INCORE_OK);
    EXPECT_EQ(to_hex(back), to_hex(text));
    return;
  }
  EXPECT_EQ(opened, iv.empty() ? INCORE_ERROR_LENGTH : INCORE_ERROR_TAG);
  EXPECT_EQ(sealed, iv.empty() ? INCORE_ERROR_LENGTH : INCORE_OK);
  // GCM leaves zeros where it had decrypted.
  EXPECT_EQ(back, Bytes(ciphertext.size(), opened == INCORE_ERROR_TAG ? 0 : 0xA5));
  num_bad_tags += opened == INCORE_ERROR_TAG;
}

TEST(capi_vectors_gcm, wycheproof_gcm) {
  size_t num_bad_tags = 0;
  const size_t num_cases = for_each_case("wycheproof/aes_gcm.txt", [&](VectorCase& c) {
    check_gcm(c, c.bytes("Aad"), c.bytes("Msg"), c.bytes("Ct"), num_bad_tags);
  });
  EXPECT_EQ(num_cases, 316u);
  EXPECT_EQ(num_bad_tags, 81u);  // the other 6 have an empty iv
  gave("aes", "Wycheproof GCM", num_cases);
  gave("ghash", "Wycheproof GCM", num_cases);
}

TEST(capi_vectors_gcm, wycheproof_gmac) {
  size_t num_bad_tags = 0;
  const size_t num_cases = for_each_case("wycheproof/aes_gmac.txt", [&](VectorCase& c) {
    check_gcm(c, c.bytes("Msg"), {}, {}, num_bad_tags);
  });
  EXPECT_EQ(num_cases, 414u);
  EXPECT_EQ(num_bad_tags, 324u);
  gave("aes", "Wycheproof GMAC", num_cases);
  gave("ghash", "Wycheproof GMAC", num_cases);
}

TEST(capi_vectors_aes, wycheproof_cmac) {
  size_t num_bad_tags = 0, num_bad_keys = 0;
  const size_t num_cases = for_each_case("wycheproof/aes_cmac.txt", [&](VectorCase& c) {
    const Bytes key = c.bytes("Key"), message = c.bytes("Msg"), tag = c.bytes("Tag");
    const bool valid = is_valid(c);
    incore_aes_key k;
    const incore_status status = incore_aes_key_set(&k, key.data(), key.size());
    if (status != INCORE_OK) {
      EXPECT_TRUE(status == INCORE_ERROR_KEY_LENGTH || key.empty());
      EXPECT_FALSE(valid);
      ++num_bad_keys;
      return;
    }
    const incore_status verdict =
        incore_cmac_verify_tag(&k, message.data(), message.size(), tag.data(), tag.size());
    EXPECT_EQ(verdict, valid ? INCORE_OK : INCORE_ERROR_TAG);
    num_bad_tags += verdict == INCORE_ERROR_TAG;
  });
  EXPECT_EQ(num_cases, 311u);
  EXPECT_EQ(num_bad_tags, 243u);
  EXPECT_EQ(num_bad_keys, 5u);
  gave("aes", "Wycheproof CMAC", num_cases);
}

// The tweaks shorter than 16 bytes are numbers of data units, little-endian.
TEST(capi_vectors_aes, wycheproof_xts) {
  size_t num_three_quarter_keys = 0;
  const size_t num_cases = for_each_case("wycheproof/aes_xts.txt", [&](VectorCase& c) {
    const Bytes key = c.bytes("Key"), text = c.bytes("Msg"), ciphertext = c.bytes("Ct");
    Bytes tweak = c.bytes("Iv");
    EXPECT_TRUE(is_valid(c));
    incore_xts_key k;
    const incore_status status = incore_xts_key_set(&k, key.data(), key.size());
    if (key.size() == 48) {  // AES-192, which neither standard has
      EXPECT_EQ(status, INCORE_ERROR_KEY_LENGTH);
      ++num_three_quarter_keys;
      return;
    }
    ASSERT_EQ(status, INCORE_OK);
    tweak.resize(16);
    Bytes out(text.size()), back(text.size());
    ASSERT_EQ(incore_xts_encrypt(&k, tweak.data(), text.data(), text.size(), out.data()),
              INCORE_OK);
    EXPECT_EQ(to_hex(out), to_hex(ciphertext));
    ASSERT_EQ(
        incore_xts_decrypt(&k, tweak.data(), ciphertext.data(), ciphertext.size(), back.data()),
        INCORE_OK);
    EXPECT_EQ(to_hex(back), to_hex(text));
  });
  EXPECT_EQ(num_cases, 123u);
  EXPECT_EQ(num_three_quarter_keys, 41u);
  gave("aes", "Wycheproof XTS", num_cases);
}

// The message without its padding (PKCS#7), if it has one.
std::optional<Bytes> unpadded(Bytes padded) {
  if (padded.empty() || padded.back() == 0 || padded.back() > 16) return {};
  const size_t pad_len = padded.back();
  for (size_t i = padded.size() - pad_len; i < padded.size(); ++i)
    if (padded[i] != pad_len) return {};
  padded.resize(padded.size() - pad_len);
  return padded;
}

// The library leaves padding to its caller, which is this test.
TEST(capi_vectors_aes, wycheproof_cbc_pkcs5) {
  size_t num_invalid = 0;
  const size_t num_cases = for_each_case("wycheproof/aes_cbc_pkcs5.txt", [&](VectorCase& c) {
    const Bytes key = c.bytes("Key"), text = c.bytes("Msg"), ciphertext = c.bytes("Ct");
    Bytes iv = c.bytes("Iv"), chain = iv;
    incore_aes_key k;
    ASSERT_EQ(incore_aes_key_set(&k, key.data(), key.size()), INCORE_OK);
    Bytes back(ciphertext.size());
    ASSERT_EQ(
        incore_aes_cbc_decrypt(&k, chain.data(), ciphertext.data(), ciphertext.size(), back.data()),
        INCORE_OK);
    const std::optional<Bytes> result = unpadded(back);
    if (!is_valid(c)) {
      EXPECT_FALSE(result.has_value());
      ++num_invalid;
      return;
    }
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(to_hex(*result), to_hex(text));
    Bytes padded = text;
    padded.resize(text.size() / 16 * 16 + 16, static_cast<uint8_t>(16 - text.size() % 16));
    Bytes out(padded.size());
    ASSERT_EQ(incore_aes_cbc_encrypt(&k, iv.data(), padded.data(), padded.size(), out.data()),
              INCORE_OK);
    EXPECT_EQ(to_hex(out), to_hex(ciphertext));
  });
  EXPECT_EQ(num_cases, 216u);
  EXPECT_EQ(num_invalid, 144u);
  gave("aes", "Wycheproof CBC-PKCS5", num_cases);
}

// The text that PKCS #1 v1.5 (RFC 8017 section 7.2.2) wraps in |encoded|, if it does.
std::optional<Bytes> unwrapped(const Bytes& encoded) {
  if (encoded.size() < 11 || encoded[0] != 0 || encoded[1] != 2) return {};
  const auto zero = std::find(encoded.begin() + 2, encoded.end(), 0);
  if (zero == encoded.end() || zero - encoded.begin() < 10) return {};
  return Bytes(zero + 1, encoded.end());
}

// The library gives the numbers; the padding is this test's.
TEST(capi_vectors_rsa, wycheproof_pkcs1_decryption) {
  size_t num_bad_padding = 0, num_refused = 0;
  Bytes workspace(incore_rsa_private_workspace_len(4096));
  const size_t num_cases = for_each_case("wycheproof/rsa_pkcs1.txt", [&](VectorCase& c) {
    const Bytes parts[] = {c.bytes("Modulus"),    c.bytes("PublicExponent"), c.bytes("Prime1"),
                           c.bytes("Prime2"),     c.bytes("Exponent1"),      c.bytes("Exponent2"),
                           c.bytes("Coefficient")};
    const auto number = [&](size_t i) {
      return incore_rsa_number{parts[i].data(), parts[i].size()};
    };
    const incore_rsa_parts all = {number(0), number(1), number(2), number(3),
                                  number(4), number(5), number(6)};
    const Bytes text = c.bytes("Msg"), ciphertext = c.bytes("Ct");
    const bool valid = is_valid(c);
    incore_rsa_key key;
    ASSERT_EQ(incore_rsa_key_set_private(&key, &all, workspace.data(), workspace.size()),
              INCORE_OK);
    Bytes encoded(incore_rsa_modulus_len(&key), 0xA5);
    Bytes in = ciphertext;
    in.reserve(1);  // no null pointer where it is empty
    const incore_status status =
        incore_rsa_private(&key, in.data(), in.size(), encoded.data(), encoded.size());
    incore_rsa_key_wipe(&key);
    if (status != INCORE_OK) {
      EXPECT_FALSE(valid);
      EXPECT_TRUE(status == INCORE_ERROR_LENGTH || status == INCORE_ERROR_RANGE) << status;
      EXPECT_EQ(encoded, Bytes(encoded.size(), 0xA5));
      ++num_refused;
      return;
    }
    const std::optional<Bytes> result = unwrapped(encoded);
    EXPECT_EQ(result.has_value(), valid);
    if (valid && result.has_value()) {
      EXPECT_EQ(to_hex(*result), to_hex(text));
    }
    num_bad_padding += !valid;
  });
  EXPECT_EQ(num_cases, 201u);
  EXPECT_EQ(num_bad_padding, 59u);
  EXPECT_EQ(num_refused, 18u);
  gave("mont", "Wycheproof RSA PKCS1", num_cases);
}

TEST(capi_vectors_sha, wycheproof_hmac) {
  const struct {
    incore_sha_algorithm algorithm;
    const char* file;
    size_t num_cases, num_invalid;
    const char *hash, *vectors;
  } files[] = {
      {INCORE_SHA1, "wycheproof/hmac_sha1.txt", 170, 104, "sha1", "Wycheproof HMAC-SHA1"},
      {INCORE_SHA224, "wycheproof/hmac_sha224.txt", 172, 106, "sha256", "Wycheproof HMAC-SHA224"},
      {INCORE_SHA256, "wycheproof/hmac_sha256.txt", 174, 108, "sha256", "Wycheproof HMAC-SHA256"},
      {INCORE_SHA384, "wycheproof/hmac_sha384.txt", 174, 108, "sha512", "Wycheproof HMAC-SHA384"},
      {INCORE_SHA512, "wycheproof/hmac_sha512.txt", 174, 108, "sha512", "Wycheproof HMAC-SHA512"},
  };
  for (const auto& file : files) {
    size_t num_invalid = 0;
    const size_t num_cases = for_each_case(file.file, [&](VectorCase& c) {
      const Bytes key = c.bytes("Key"), message = c.bytes("Msg"), tag = c.bytes("Tag");
      const bool valid = is_valid(c);
      num_invalid += !valid;
      EXPECT_EQ(incore_hmac_verify_tag(file.algorithm, key.data(), key.size(), message.data(),
                                       message.size(), tag.data(), tag.size()),
                valid ? INCORE_OK : INCORE_ERROR_TAG);
    });
    EXPECT_EQ(num_cases, file.num_cases);
    EXPECT_EQ(num_invalid, file.num_invalid);
    gave(file.hash, file.vectors, num_cases);
  }
}

}  // namespace
}  // namespace incore::test
