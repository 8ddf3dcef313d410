// Third parties' known answers for CCM, GCM and CMAC through the C interface: NIST CAVP, examples
// of SP 800-38B and SP 800-38C. every_kernel_test.cpp runs them on each kernel.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "incore/ccm.h"
#include "incore/cmac.h"
#include "incore/gcm.h"
#include "support/hex.h"
#include "support/known_answers.h"
#include "support/nist_vectors.h"

namespace incore::test {
namespace {

incore_aes_key key_of(const Bytes& key) {
  incore_aes_key k;
  EXPECT_EQ(incore_aes_key_set(&k, key.data(), key.size()), INCORE_OK);
  return k;
}

void gave(const std::string& vectors, size_t num) {
  gave_answers("aes", serving_kernel("aes"), vectors, num);
}

// Both directions; |sealed| is the ciphertext with the tag behind it.
void check_ccm(const Bytes& key, const Bytes& nonce, const Bytes& aad, const Bytes& text,
               const Bytes& sealed) {
  const incore_aes_key k = key_of(key);
  const size_t tag_len = sealed.size() - text.size();
  Bytes out(sealed.size()), back(text.size());
  ASSERT_EQ(incore_ccm_encrypt(&k, nonce.data(), nonce.size(), aad.data(), aad.size(), text.data(),
                               text.size(), out.data(), out.data() + text.size(), tag_len),
            INCORE_OK);
  EXPECT_EQ(to_hex(out), to_hex(sealed));
  ASSERT_EQ(
      incore_ccm_decrypt(&k, nonce.data(), nonce.size(), aad.data(), aad.size(), sealed.data(),
                         text.size(), sealed.data() + text.size(), tag_len, back.data()),
      INCORE_OK);
  EXPECT_EQ(to_hex(back), to_hex(text));
}

Bytes count_from(size_t first, size_t len) {
  Bytes bytes(len);
  for (size_t i = 0; i < len; ++i) bytes[i] = static_cast<uint8_t>(first + i);
  return bytes;
}

TEST(capi_vectors_aes, sp_800_38c_ccm) {
  const struct {
    size_t nonce_len, aad_len, text_len;
    const char* sealed;
  } cases[] = {
      {7, 8, 4, "7162015b4dac255d"},
      {8, 16, 16, "d2a1f0e051ea5f62081a7792073d593d1fc64fbfaccd"},
      {12, 20, 24, "e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5484392fbc1b09951"},
      // More associated data than two bytes can count.
      {13, 65536, 32,
       "69915dad1e84c6376a68c2967e4dab615ae0fd1faec44cc484828529463ccf72b4ac6bec93e8598e7f0dadbcea5"
       "b"},
  };
  for (const auto& c : cases)
    check_ccm(count_from(0x40, 16), count_from(0x10, c.nonce_len), count_from(0, c.aad_len),
              count_from(0x20, c.text_len), from_hex(c.sealed));
  gave("SP 800-38C CCM", std::size(cases));
}

// The cases of a CCM file: what stands before them, in blocks and in brackets, belongs to each.
std::vector<NistCase> load_ccm(const std::string& file) {
  std::vector<NistCase> cases;
  std::map<std::string, std::string> standing;
  for (NistCase& c : load_nist(file)) {
    std::string section = c.section + ",";  // "Alen = 0, Plen = 24"
    for (size_t end; (end = section.find(',')) != std::string::npos; section.erase(0, end + 1)) {
      const std::string item = section.substr(section.find_first_not_of(' '), end);
      const size_t equals = item.find(" = ");
      if (equals != std::string::npos)
        standing[item.substr(0, equals)] = item.substr(equals + 3, item.find(',') - equals - 3);
    }
    if (c.fields.count("Count") == 0) {
      for (const auto& field : c.fields) standing[field.first] = field.second;
    } else {
      c.fields.insert(standing.begin(), standing.end());
      cases.push_back(c);
    }
  }
  return cases;
}

// A field that stands as "00" where its length is 0.
Bytes bytes_of(const NistCase& c, const std::string& name, const std::string& len_name) {
  Bytes bytes = from_hex(c.fields.at(name));
  bytes.resize(std::stoul(c.fields.at(len_name)));
  return bytes;
}

TEST(capi_vectors_aes, cavp_ccm) {
  if (nist_files("ciphers/AES/CCM").empty()) GTEST_SKIP() << nist_missing();
  size_t num_cases = 0, num_refused = 0;
  for (const std::string& file : nist_files("ciphers/AES/CCM")) {
    for (const NistCase& c : load_ccm(file)) {
      SCOPED_TRACE(file + ":" + std::to_string(c.line));
      const Bytes key = from_hex(c.fields.at("Key")), nonce = from_hex(c.fields.at("Nonce"));
      const Bytes aad = bytes_of(c, "Adata", "Alen"), sealed = from_hex(c.fields.at("CT"));
      const size_t text_len = std::stoul(c.fields.at("Plen"));
      ASSERT_EQ(nonce.size(), std::stoul(c.fields.at("Nlen")));
      ASSERT_EQ(sealed.size(), text_len + std::stoul(c.fields.at("Tlen")));
      if (c.fields.count("Result") == 0 || c.fields.at("Result") == "Pass") {
        check_ccm(key, nonce, aad, bytes_of(c, "Payload", "Plen"), sealed);
      } else {
        ASSERT_EQ(c.fields.at("Result"), "Fail");
        const incore_aes_key k = key_of(key);
        Bytes out(text_len, 0xA5);
        EXPECT_EQ(incore_ccm_decrypt(&k, nonce.data(), nonce.size(), aad.data(), aad.size(),
                                     sealed.data(), text_len, sealed.data() + text_len,
                                     sealed.size() - text_len, out.data()),
                  INCORE_ERROR_TAG);
        EXPECT_EQ(out, Bytes(text_len, 0xA5));
        ++num_refused;
      }
      if (HasFailure()) return;
      ++num_cases;
    }
  }
  EXPECT_EQ(num_cases, 2880u);
  EXPECT_GT(num_refused, 400u);
  gave("NIST CAVP CCM", num_cases);
}

TEST(capi_vectors_gcm, cavp_gcm) {
  const std::vector<std::string> files = nist_files("ciphers/AES/GCM");
  if (files.empty()) GTEST_SKIP() << nist_missing();
  size_t num_cases = 0, num_refused = 0;
  for (const std::string& file : files) {
    const size_t num_before = num_cases;
    for (const NistCase& c : load_nist(file)) {
      if (c.fields.count("Count") == 0) continue;  // a head
      SCOPED_TRACE(file + ":" + std::to_string(c.line));
      const Bytes key = from_hex(c.fields.at("Key")), iv = from_hex(c.fields.at("IV"));
      const Bytes aad = from_hex(c.fields.at("AAD")), ciphertext = from_hex(c.fields.at("CT"));
      const Bytes tag = from_hex(c.fields.at("Tag"));
      incore_gcm_key k;
      ASSERT_EQ(incore_gcm_key_set(&k, key.data(), key.size()), INCORE_OK);
      Bytes out(ciphertext.size(), 0xA5), out_tag(tag.size());
      const incore_status status =
          incore_gcm_decrypt(&k, iv.data(), iv.size(), aad.data(), aad.size(), ciphertext.data(),
                             ciphertext.size(), tag.data(), tag.size(), out.data());
      ++num_cases;
      if (c.fields.count("FAIL") != 0) {
        ASSERT_EQ(status, INCORE_ERROR_TAG);
        ASSERT_EQ(out, Bytes(ciphertext.size()));  // zeros where it had decrypted
        ++num_refused;
        continue;
      }
      ASSERT_EQ(status, INCORE_OK);
      ASSERT_EQ(to_hex(out), to_hex(from_hex(c.fields.at("PT"))));
      ASSERT_EQ(incore_gcm_encrypt(&k, iv.data(), iv.size(), aad.data(), aad.size(), out.data(),
                                   out.size(), out.data(), out_tag.data(), out_tag.size()),
                INCORE_OK);
      ASSERT_EQ(to_hex(out), to_hex(ciphertext));
      ASSERT_EQ(to_hex(out_tag), to_hex(tag));
    }
    const std::string vectors = "NIST CAVP " + std::filesystem::path(file).stem().string();
    for (const char* algorithm : {"aes", "ghash"})
      gave_answers(algorithm, serving_kernel(algorithm), vectors, num_cases - num_before);
  }
  EXPECT_EQ(num_cases, 6u * 7875);
  EXPECT_GT(num_refused, 3000u);
}

// The same examples as in RFC 4493.
TEST(capi_vectors_aes, sp_800_38b_cmac) {
  if (nist_files("ciphers/AES/ECB").empty()) GTEST_SKIP() << nist_missing();
  size_t num_cases = 0;
  for (const char* bits : {"128", "192", "256"}) {
    for (const NistCase& c : load_nist(std::string("CMAC/nist-800-38b-aes") + bits + ".txt")) {
      ASSERT_EQ(c.fields.size(), 4u);  // COUNT, KEY, MESSAGE, OUTPUT
      const incore_aes_key key = key_of(from_hex(c.fields.at("KEY")));
      const Bytes message = from_hex(c.fields.at("MESSAGE"));
      Bytes tag(16);
      ASSERT_EQ(incore_cmac_tag(&key, message.data(), message.size(), tag.data(), 16), INCORE_OK);
      EXPECT_EQ(to_hex(tag), c.fields.at("OUTPUT"));
      EXPECT_EQ(incore_cmac_verify_tag(&key, message.data(), message.size(), tag.data(), 16),
                INCORE_OK);
      ++num_cases;
    }
  }
  EXPECT_EQ(num_cases, 12u);
  gave("SP 800-38B CMAC", num_cases);
}

}  // namespace
}  // namespace incore::test
