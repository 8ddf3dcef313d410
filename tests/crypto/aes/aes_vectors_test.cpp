// Third parties' known answers on every kernel and on the steps: NIST CAVP, RFC 3686, SP 800-38A,
// FIPS 197.
#include <gtest/gtest.h>

#include "crypto/aes/aes_testing.h"
#include "support/known_answers.h"
#include "support/nist_vectors.h"

namespace incore::test {
namespace {

class aes_vectors : public AesKernelTest {
 protected:
  // Both directions of a case, whatever direction its file asks for.
  void check(const std::string& encrypt, const std::string& decrypt, const Bytes& key,
             const Bytes& iv, const Bytes& plaintext, const Bytes& ciphertext) {
    const AesKernel& kernel = *GetParam();
    const AesKeys keys = make_keys(kernel, key, standard_rounds(key));
    EXPECT_EQ(to_hex(run_mode(aes_mode(encrypt), kernel, keys, iv, plaintext)), to_hex(ciphertext));
    EXPECT_EQ(to_hex(run_mode(aes_mode(decrypt), kernel, keys, iv, ciphertext)), to_hex(plaintext));
  }

  // All files of |folder| whose names begin with |prefix|; there are 15 for each mode.
  void check_cavp(const std::string& folder, const std::string& prefix, const std::string& encrypt,
                  const std::string& decrypt) {
    const std::vector<std::string> files = nist_files(folder);
    if (files.empty()) GTEST_SKIP() << nist_missing();
    size_t num_files = 0, num_cases = 0;
    for (const std::string& file : files) {
      if (file.compare(folder.size() + 1, prefix.size(), prefix) != 0) continue;
      ++num_files;
      for (const NistCase& c : load_nist(file)) {
        SCOPED_TRACE(file + ":" + std::to_string(c.line));
        const bool has_iv = c.fields.count("IV") != 0;
        ASSERT_EQ(c.fields.size(), has_iv ? 5u : 4u);  // COUNT, KEY, PLAINTEXT, CIPHERTEXT
        ASSERT_EQ(has_iv, prefix != "ECB");
        check(encrypt, decrypt, from_hex(c.fields.at("KEY")),
              has_iv ? from_hex(c.fields.at("IV")) : Bytes(16), from_hex(c.fields.at("PLAINTEXT")),
              from_hex(c.fields.at("CIPHERTEXT")));
        if (HasFailure()) return;
        ++num_cases;
      }
    }
    EXPECT_EQ(num_files, 15u);
    EXPECT_GE(num_cases, 2000u);
    gave("NIST CAVP AES-" + prefix, num_cases);
  }

  static void gave(const std::string& vectors, size_t num) {
    gave_answers("aes", GetParam()->info.name, vectors, num);
  }
};

TEST_P(aes_vectors, cavp_ecb) {
  check_cavp("ciphers/AES/ECB", "ECB", "ecb_encrypt", "ecb_decrypt");
}
TEST_P(aes_vectors, cavp_cbc) {
  check_cavp("ciphers/AES/CBC", "CBC", "cbc_encrypt", "cbc_decrypt");
}
TEST_P(aes_vectors, cavp_cfb128) {
  check_cavp("ciphers/AES/CFB", "CFB128", "cfb_encrypt", "cfb_decrypt");
}
TEST_P(aes_vectors, cavp_ofb) {
  check_cavp("ciphers/AES/OFB", "OFB", "ofb", "ofb");
}

TEST_P(aes_vectors, rfc_3686_ctr) {
  if (nist_files("ciphers/AES/ECB").empty()) GTEST_SKIP() << nist_missing();
  for (const char* bits : {"128", "192", "256"}) {
    const std::vector<NistCase> cases =
        load_nist(std::string("ciphers/AES/CTR/aes-") + bits + "-ctr.txt");
    EXPECT_EQ(cases.size(), 3u);
    for (const NistCase& c : cases) {
      SCOPED_TRACE(c.line);
      const Bytes key = from_hex(c.fields.at("KEY"));
      Bytes plaintext = from_hex(c.fields.at("PLAINTEXT"));
      const Bytes ciphertext = from_hex(c.fields.at("CIPHERTEXT"));
      plaintext.resize((plaintext.size() + 15) / 16 * 16);
      const AesKernel& kernel = *GetParam();
      const AesKeys keys = make_keys(kernel, key, standard_rounds(key));
      for (const char* mode : {"ctr32", "ctr128"}) {
        Bytes result =
            run_mode(aes_mode(mode), kernel, keys, from_hex(c.fields.at("IV")), plaintext);
        result.resize(ciphertext.size());
        EXPECT_EQ(to_hex(result), to_hex(ciphertext));
      }
    }
  }
  gave("RFC 3686 AES-CTR", 9);
}

// SP 800-38A appendix F: one plaintext and one iv for all; the counter modes start at f0f1...
struct Sp80038aCase {
  const char* key;
  const char *ecb, *cbc, *cfb128, *ofb, *ctr;
};
constexpr Sp80038aCase kSp80038a[] = {
    {"2b7e151628aed2a6abf7158809cf4f3c",
     "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"
     "43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4",
     "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
     "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7",
     "3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b"
     "26751f67a3cbb140b1808cf187a4f4dfc04b05357c5d1c0eeac4c66f9ff7f2e6",
     "3b3fd92eb72dad20333449f8e83cfb4a7789508d16918f03f53c52dac54ed825"
     "9740051e9c5fecf64344f7a82260edcc304c6528f659c77866a510d9c1d6ae5e",
     "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
     "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee"},
    {"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
     "bd334f1d6e45f25ff712a214571fa5cc974104846d0ad3ad7734ecb3ecee4eef"
     "ef7afd2270e2e60adce0ba2face6444e9a4b41ba738d6c72fb16691603c18e0e",
     "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a"
     "571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd",
     "cdc80d6fddf18cab34c25909c99a417467ce7f7f81173621961a2b70171d3d7a"
     "2e1e8a1dd59b88b1c8e60fed1efac4c9c05f9f9ca9834fa042ae8fba584b09ff",
     "cdc80d6fddf18cab34c25909c99a4174fcc28b8d4c63837c09e81700c1100401"
     "8d9a9aeac0f6596f559c6d4daf59a5f26d9f200857ca6c3e9cac524bd9acc92a",
     "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94"
     "1e36b26bd1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050"},
    {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
     "f3eed1bdb5d2a03c064b5a7e3db181f8591ccb10d410ed26dc5ba74a31362870"
     "b6ed21b99ca6f4f9f153e7b1beafed1d23304b7a39f9f3ff067d8d8f9e24ecc7",
     "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
     "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b",
     "dc7e84bfda79164b7ecd8486985d386039ffed143b28b1c832113c6331e5407b"
     "df10132415e54b92a13ed0a8267ae2f975a385741ab9cef82031623d55b1e471",
     "dc7e84bfda79164b7ecd8486985d38604febdc6740d20b3ac88f6ad82a4fb08d"
     "71ab47a086e86eedf39d1c5bba97c4080126141d67f37be8538f5a8be740e484",
     "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
     "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6"},
};

// clause: P8-AES-031
TEST_P(aes_vectors, sp_800_38a) {
  const Bytes plaintext = from_hex(
      "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
      "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710");
  const Bytes iv = from_hex("000102030405060708090a0b0c0d0e0f");
  const Bytes counter = from_hex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
  for (const Sp80038aCase& c : kSp80038a) {
    const Bytes key = from_hex(c.key);
    check("ecb_encrypt", "ecb_decrypt", key, iv, plaintext, from_hex(c.ecb));
    check("cbc_encrypt", "cbc_decrypt", key, iv, plaintext, from_hex(c.cbc));
    check("cfb_encrypt", "cfb_decrypt", key, iv, plaintext, from_hex(c.cfb128));
    check("ofb", "ofb", key, iv, plaintext, from_hex(c.ofb));
    for (const char* ctr : {"ctr16", "ctr32", "ctr64", "ctr128"})
      check(ctr, ctr, key, counter, plaintext, from_hex(c.ctr));
  }
  gave("SP 800-38A", std::size(kSp80038a) * 5);
}

// clause: P8-AES-024
// clause: P8-AES-025
// clause: P8-AES-026
TEST_P(aes_vectors, fips_197_key_expansions) {
  const struct {
    const char* key;
    const char* last_round_key;
  } cases[] = {
      {"2b7e151628aed2a6abf7158809cf4f3c", "d014f9a8c9ee2589e13f0cc8b6630ca6"},
      {"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", "e98ba06f448c773c8ecc720401002202"},
      {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
       "fe4890d1e6188d0b046df344706c631e"},
  };
  for (const auto& c : cases) {
    const Bytes key = from_hex(c.key);
    AesRoundKeys r;
    GetParam()->expand_key(key.data(), key.size(), standard_rounds(key), &r);
    EXPECT_EQ(r.rounds, standard_rounds(key));
    EXPECT_EQ(to_hex(r.bytes, key.size()), c.key);
    EXPECT_EQ(to_hex(r.bytes + 16 * r.rounds, 16), c.last_round_key);
  }
  gave("FIPS 197 key expansions", std::size(cases));
}

INSTANTIATE_TEST_SUITE_P(all, aes_vectors, testing::ValuesIn(aes_kernels_and_oracle()),
                         kernel_name);

}  // namespace
}  // namespace incore::test
