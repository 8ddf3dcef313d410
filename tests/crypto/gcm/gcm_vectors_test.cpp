// Published answers on every pair of kernels and on the steps: the test cases of McGrew and Viega's
// submission (the appendix that SP 800-38D refers to), and NIST CAVP.
#include <gtest/gtest.h>

#include "crypto/gcm/gcm_testing.h"
#include "support/nist_vectors.h"

namespace incore::test {
namespace {

const char* const kText =
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
    "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39";
const char* const kAad = "feedfacedeadbeeffeedfacedeadbeefabaddad2";
const char* const kLongIv =
    "9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728c3c0c95156809539fcf0e2429a6b"
    "525416aedbf5a0de6a57a637b39b";

struct Case {
  int number;
  const char *key, *iv, *aad, *plaintext, *ciphertext, *tag;
};
const Case kCases[] = {
    {1, "00000000000000000000000000000000", "000000000000000000000000", "", "", "",
     "58e2fccefa7e3061367f1d57a4e7455a"},
    {2, "00000000000000000000000000000000", "000000000000000000000000", "",
     "00000000000000000000000000000000", "0388dace60b6a392f328c2b971b2fe78",
     "ab6e47d42cec13bdf53a67b21257bddf"},
    {3, "feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888", "",
     "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
     "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
     "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
     "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985",
     "4d5c2af327cd64a62cf35abd2ba6fab4"},
    {4, "feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888", kAad, kText,
     "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
     "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091",
     "5bc94fbc3221a5db94fae95ae7121a47"},
    {5, "feffe9928665731c6d6a8f9467308308", "cafebabefacedbad", kAad, kText,
     "61353b4c2806934a777ff51fa22a4755699b2a714fcdc6f83766e5f97b6c7423"
     "73806900e49f24b22b097544d4896b424989b5e1ebac0f07c23f4598",
     "3612d2e79e3b0785561be14aaca2fccb"},
    {6, "feffe9928665731c6d6a8f9467308308", kLongIv, kAad, kText,
     "8ce24998625615b603a033aca13fb894be9112a5c3a211a8ba262a3cca7e2ca7"
     "01e4a9a4fba43c90ccdcb281d48c7c6fd62875d2aca417034c34aee5",
     "619cc5aefffe0bfa462af43c1699d050"},
    {7, "000000000000000000000000000000000000000000000000", "000000000000000000000000", "", "", "",
     "cd33b28ac773f74ba00ed1f312572435"},
    {8, "000000000000000000000000000000000000000000000000", "000000000000000000000000", "",
     "00000000000000000000000000000000", "98e7247c07f0fe411c267e4384b0f600",
     "2ff58d80033927ab8ef4d4587514f0fb"},
    {10, "feffe9928665731c6d6a8f9467308308feffe9928665731c", "cafebabefacedbaddecaf888", kAad,
     kText,
     "3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c"
     "7d773d00c144c525ac619d18c84a3f4718e2448b2fe324d9ccda2710",
     "2519498e80f1478f37ba55bd6d27618c"},
    {13, "0000000000000000000000000000000000000000000000000000000000000000",
     "000000000000000000000000", "", "", "", "530f8afbc74536b9a963b4f1c4cb738b"},
    {14, "0000000000000000000000000000000000000000000000000000000000000000",
     "000000000000000000000000", "", "00000000000000000000000000000000",
     "cea7403d4d606b6e074ec5d3baf39d18", "d0d1c8a799996bf0265b98b5d48ab919"},
    {16, "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
     "cafebabefacedbaddecaf888", kAad, kText,
     "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
     "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
     "76fc6ece0f4e1768cddf8853bb2d551b"},
};

// clause: P8-POLY-018
// clause: P8-POLY-020
// clause: P8-POLY-021
// clause: P8-POLY-024
// clause: P8-POLY-025
TEST(gcm_vectors, mcgrew_and_viega) {
  for (const Case& c : kCases) {
    SCOPED_TRACE("test case " + std::to_string(c.number));
    const Bytes key = from_hex(c.key), iv = from_hex(c.iv), aad = from_hex(c.aad);
    const Bytes plaintext = from_hex(c.plaintext);
    const Sealed expected = {from_hex(c.ciphertext), from_hex(c.tag)};
    EXPECT_TRUE(gcm_by_steps(key, iv, aad, plaintext) == expected);
    for (const GcmPair& pair : gcm_pairs()) {
      const GcmKey k = make_gcm_key(pair, key);
      EXPECT_TRUE(seal(k, iv, aad, plaintext) == expected) << pair.name();
      Bytes text;
      EXPECT_TRUE(open(k, iv, aad, expected.ciphertext, expected.tag, &text)) << pair.name();
      EXPECT_EQ(text, plaintext) << pair.name();
    }
  }
  gcm_pairs_gave_answers("McGrew and Viega, GCM", std::size(kCases));
}

class gcm_cavp : public testing::TestWithParam<const char*> {};

TEST_P(gcm_cavp, on_every_pair_of_kernels) {
  const std::string folder = "ciphers/AES/GCM";
  if (nist_files(folder).empty()) GTEST_SKIP() << nist_missing();
  const std::string file = folder + "/" + GetParam() + ".rsp";
  const std::vector<GcmPair> pairs = gcm_pairs();
  size_t num_right = 0, num_wrong = 0;
  for (const NistCase& c : load_nist(file)) {
    SCOPED_TRACE(file + ":" + std::to_string(c.line));
    const bool wrong = c.fields.count("FAIL") != 0;  // instead of PT
    ASSERT_EQ(c.fields.size(), 7u);                  // Count, Key, IV, AAD, CT, Tag
    const Bytes key = from_hex(c.fields.at("Key")), iv = from_hex(c.fields.at("IV"));
    const Bytes aad = from_hex(c.fields.at("AAD")), tag = from_hex(c.fields.at("Tag"));
    const Bytes ciphertext = from_hex(c.fields.at("CT"));
    const Bytes plaintext = wrong ? Bytes() : from_hex(c.fields.at("PT"));
    for (const GcmPair& pair : pairs) {
      const GcmKey k = make_gcm_key(pair, key);
      Bytes text;
      ASSERT_EQ(open(k, iv, aad, ciphertext, tag, &text), !wrong) << pair.name();
      if (wrong) {
        ASSERT_EQ(text, Bytes(text.size())) << pair.name();
        continue;
      }
      ASSERT_EQ(to_hex(text), to_hex(plaintext)) << pair.name();
      const Sealed sealed = seal(k, iv, aad, plaintext);
      ASSERT_EQ(to_hex(sealed.ciphertext), to_hex(ciphertext)) << pair.name();
      ASSERT_EQ(to_hex(sealed.tag.data(), tag.size()), to_hex(tag)) << pair.name();
    }
    ++(wrong ? num_wrong : num_right);
  }
  EXPECT_EQ(num_right + num_wrong, 7875u);
  EXPECT_EQ(num_wrong != 0, file.find("Decrypt") != std::string::npos);
  gcm_pairs_gave_answers(std::string("NIST CAVP ") + GetParam(), num_right + num_wrong);
}

INSTANTIATE_TEST_SUITE_P(all, gcm_cavp,
                         testing::Values("gcmDecrypt128", "gcmDecrypt192", "gcmDecrypt256",
                                         "gcmEncryptExtIV128", "gcmEncryptExtIV192",
                                         "gcmEncryptExtIV256"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace incore::test
