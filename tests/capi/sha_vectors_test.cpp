// Third parties' known answers for SHA and HMAC through the C interface: NIST CAVP with its Monte
// Carlo tests, RFC 2202, RFC 4231. every_kernel_test.cpp runs them on each kernel.
#include <gtest/gtest.h>

#include <algorithm>

#include "incore/hmac.h"
#include "incore/sha.h"
#include "support/hex.h"
#include "support/known_answers.h"
#include "support/nist_vectors.h"

namespace incore::test {
namespace {

constexpr struct {
  incore_sha_algorithm algorithm;
  const char* folder;
  const char* name;
  const char* hmac_file;
  const char* list;  // of the kernels that serve it
} kAlgorithms[] = {
    {INCORE_SHA1, "SHA1", "SHA1", "HMAC/rfc-2202-sha1.txt", "sha1"},
    {INCORE_SHA224, "SHA2", "SHA224", "HMAC/rfc-4231-sha224.txt", "sha256"},
    {INCORE_SHA256, "SHA2", "SHA256", "HMAC/rfc-4231-sha256.txt", "sha256"},
    {INCORE_SHA384, "SHA2", "SHA384", "HMAC/rfc-4231-sha384.txt", "sha512"},
    {INCORE_SHA512, "SHA2", "SHA512", "HMAC/rfc-4231-sha512.txt", "sha512"},
};

Bytes digest_of(incore_sha_algorithm algorithm, const Bytes& message) {
  Bytes digest(incore_sha_digest_len(algorithm));
  EXPECT_EQ(
      incore_sha_digest(algorithm, message.data(), message.size(), digest.data(), digest.size()),
      INCORE_OK);
  return digest;
}

TEST(capi_vectors_sha, cavp_messages) {
  if (nist_files("hashes/SHA1").empty()) GTEST_SKIP() << nist_missing();
  for (const auto& a : kAlgorithms) {
    for (const char* kind : {"ShortMsg", "LongMsg"}) {
      const std::string file = std::string("hashes/") + a.folder + "/" + a.name + kind + ".rsp";
      size_t num_cases = 0;
      for (const NistCase& c : load_nist(file)) {
        if (c.fields.count("Len") == 0) continue;  // the file's head
        SCOPED_TRACE(file + ":" + std::to_string(c.line));
        Bytes message = from_hex(c.fields.at("Msg"));
        message.resize(std::stoul(c.fields.at("Len")) / 8);
        EXPECT_EQ(to_hex(digest_of(a.algorithm, message)), c.fields.at("MD"));
        ++num_cases;
      }
      EXPECT_GE(num_cases, 64u) << file;
    }
  }
}

TEST(capi_vectors_sha, cavp_monte_carlo) {
  if (nist_files("hashes/SHA1").empty()) GTEST_SKIP() << nist_missing();
  for (const auto& a : kAlgorithms) {
    const std::string file = std::string("hashes/") + a.folder + "/" + a.name + "Monte.rsp";
    Bytes seed;
    size_t num_cases = 0;
    for (const NistCase& c : load_nist(file)) {
      if (c.fields.count("Seed") != 0) seed = from_hex(c.fields.at("Seed"));
      if (c.fields.count("MD") == 0) continue;
      Bytes window;  // the last three digests
      for (int i = 0; i < 3; ++i) window.insert(window.end(), seed.begin(), seed.end());
      for (int i = 0; i < 1000; ++i) {
        seed = digest_of(a.algorithm, window);
        std::rotate(window.begin(), window.begin() + static_cast<long>(seed.size()), window.end());
        std::copy(seed.begin(), seed.end(), window.end() - static_cast<long>(seed.size()));
      }
      ASSERT_EQ(to_hex(seed), c.fields.at("MD")) << file << ":" << c.line;
      ++num_cases;
    }
    EXPECT_EQ(num_cases, 100u);
  }
}

TEST(capi_vectors_sha, rfc_2202_and_rfc_4231_hmac) {
  if (nist_files("hashes/SHA1").empty()) GTEST_SKIP() << nist_missing();
  size_t num_cases = 0;
  for (const auto& a : kAlgorithms) {
    size_t num_of_hash = 0;
    for (const NistCase& c : load_nist(a.hmac_file)) {
      SCOPED_TRACE(std::string(a.hmac_file) + ":" + std::to_string(c.line));
      ASSERT_EQ(c.fields.size(), 4u);  // Len, Key, Msg, MD
      const Bytes key = from_hex(c.fields.at("Key")), message = from_hex(c.fields.at("Msg"));
      ASSERT_EQ(message.size(), std::stoul(c.fields.at("Len")) / 8);
      Bytes tag(incore_sha_digest_len(a.algorithm));
      ASSERT_EQ(incore_hmac_tag(a.algorithm, key.data(), key.size(), message.data(), message.size(),
                                tag.data(), tag.size()),
                INCORE_OK);
      EXPECT_EQ(to_hex(tag), c.fields.at("MD"));
      ++num_cases;
      ++num_of_hash;
    }
    gave_answers(a.list, serving_kernel(a.list), std::string("RFC 2202 and 4231 HMAC-") + a.name,
                 num_of_hash);
  }
  EXPECT_EQ(num_cases, 7u + 4 * 6);
}

// RFC 4231 section 4.6: the tag cut to 128 bits.
TEST(capi_vectors_sha, rfc_4231_truncated_hmac) {
  const Bytes key(20, 0x0c);
  const std::string message = "Test With Truncation";
  const char* const expected[] = {
      "0e2aea68a90c8d37c988bcdb9fca6fa8", "a3b6167473100ee06e0c796c2955552b",
      "3abf34c3503b2a23a46efc619baef897", "415fad6271580a531d4179bc891d87a6"};
  for (int i = 0; i < 4; ++i) {
    const auto algorithm = static_cast<incore_sha_algorithm>(INCORE_SHA224 + i);
    Bytes tag(16);
    ASSERT_EQ(incore_hmac_tag(algorithm, key.data(), key.size(), message.data(), message.size(),
                              tag.data(), tag.size()),
              INCORE_OK);
    EXPECT_EQ(to_hex(tag), expected[i]);
  }
}

}  // namespace
}  // namespace incore::test
