// Third parties' known answers for AES through the C interface: NIST CAVP with its Monte Carlo
// tests, RFC 3686, IEEE 1619. every_kernel_test.cpp runs them on each kernel.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "incore/aes.h"
#include "incore/xts.h"
#include "support/known_answers.h"
#include "support/nist_vectors.h"
#include "support/vector_file.h"

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

// A mode in one direction. It takes the iv of a message at its beginning and keeps what it needs to
// go on.
class Direction {
 public:
  Direction(const std::string& mode, bool encrypts, const Bytes& key, const Bytes& iv)
      : mode_(mode), encrypts_(encrypts), key_(key_of(key)), iv_(iv) {
    if (mode_ == "ecb" || mode_ == "cbc") return;
    const incore_aes_stream_mode stream_mode =
        mode_ != "cfb128" ? (mode_ == "ofb" ? INCORE_AES_OFB : INCORE_AES_CTR128)
                          : (encrypts ? INCORE_AES_CFB128_ENCRYPT : INCORE_AES_CFB128_DECRYPT);
    EXPECT_EQ(incore_aes_stream_start(&stream_, stream_mode, iv_.data()), INCORE_OK);
  }
  Bytes operator()(const Bytes& in) {
    Bytes out(in.size());
    EXPECT_EQ(process(in.data(), in.size(), out.data()), INCORE_OK);
    return out;
  }

 private:
  incore_status process(const uint8_t* in, size_t len, uint8_t* out) {
    if (mode_ == "ecb")
      return (encrypts_ ? incore_aes_ecb_encrypt : incore_aes_ecb_decrypt)(&key_, in, len, out);
    if (mode_ == "cbc")
      return (encrypts_ ? incore_aes_cbc_encrypt : incore_aes_cbc_decrypt)(&key_, iv_.data(), in,
                                                                           len, out);
    return incore_aes_stream_update(&stream_, &key_, in, len, out);
  }

  const std::string mode_;
  const bool encrypts_;
  incore_aes_key key_;
  incore_aes_stream stream_;
  Bytes iv_;
};

// All files of |folder| whose names begin with |prefix|, in both directions.
void check_cavp(const std::string& folder, const std::string& prefix, const std::string& mode) {
  const std::vector<std::string> files = nist_files(folder);
  if (files.empty()) GTEST_SKIP() << nist_missing();
  size_t num_files = 0, num_cases = 0;
  for (const std::string& file : files) {
    if (file.compare(folder.size() + 1, prefix.size(), prefix) != 0) continue;
    ++num_files;
    for (const NistCase& c : load_nist(file)) {
      SCOPED_TRACE(file + ":" + std::to_string(c.line));
      const Bytes key = from_hex(c.fields.at("KEY"));
      const Bytes iv = mode == "ecb" ? Bytes() : from_hex(c.fields.at("IV"));
      const Bytes plaintext = from_hex(c.fields.at("PLAINTEXT"));
      const Bytes ciphertext = from_hex(c.fields.at("CIPHERTEXT"));
      EXPECT_EQ(to_hex(Direction(mode, true, key, iv)(plaintext)), to_hex(ciphertext));
      EXPECT_EQ(to_hex(Direction(mode, false, key, iv)(ciphertext)), to_hex(plaintext));
      if (testing::Test::HasFailure()) return;
      ++num_cases;
    }
  }
  EXPECT_EQ(num_files, 15u);
  EXPECT_GE(num_cases, 2000u);
  gave("NIST CAVP AES-" + prefix, num_cases);
}

TEST(capi_vectors_aes, cavp_ecb) {
  check_cavp("ciphers/AES/ECB", "ECB", "ecb");
}
TEST(capi_vectors_aes, cavp_cbc) {
  check_cavp("ciphers/AES/CBC", "CBC", "cbc");
}
TEST(capi_vectors_aes, cavp_cfb128) {
  check_cavp("ciphers/AES/CFB", "CFB128", "cfb128");
}
TEST(capi_vectors_aes, cavp_ofb) {
  check_cavp("ciphers/AES/OFB", "OFB", "ofb");
}

TEST(capi_vectors_aes, rfc_3686_ctr) {
  if (nist_files("ciphers/AES/ECB").empty()) GTEST_SKIP() << nist_missing();
  size_t num_cases = 0;
  for (const char* bits : {"128", "192", "256"}) {
    for (const NistCase& c : load_nist(std::string("ciphers/AES/CTR/aes-") + bits + "-ctr.txt")) {
      const Bytes key = from_hex(c.fields.at("KEY")), iv = from_hex(c.fields.at("IV"));
      const Bytes plaintext = from_hex(c.fields.at("PLAINTEXT"));
      EXPECT_EQ(to_hex(Direction("ctr", true, key, iv)(plaintext)),
                to_hex(from_hex(c.fields.at("CIPHERTEXT"))));
      ++num_cases;
    }
  }
  EXPECT_EQ(num_cases, 9u);
  gave("RFC 3686 AES-CTR", num_cases);
}

// AESAVS section 6.4: each block follows from the results before it, each key from the last ones.
TEST(capi_vectors_aes, cavp_monte_carlo) {
  const size_t num_cases = for_each_case("aes/monte_carlo.txt", [](VectorCase& c) {
    const std::string mode = c.text("Mode");
    const bool encrypts = c.text("Direction") == "encrypt";
    Bytes key = c.bytes("Key"), iv = c.bytes("Iv"), text = c.bytes("Text"), result, before;
    for (int outer = 0; outer < 100; ++outer) {
      Direction direction(mode, encrypts, key, iv);
      for (int inner = 0; inner < 1000; ++inner) {
        before = result;
        result = direction(text);
        if (mode == "ecb")
          text = result;
        else
          text = inner == 0 ? iv : before;
      }
      Bytes last_two = before;
      last_two.insert(last_two.end(), result.begin(), result.end());
      for (size_t i = 0; i < key.size(); ++i) key[i] ^= last_two[32 - key.size() + i];
      iv = result;
      text = mode == "ecb" ? result : before;
    }
    EXPECT_EQ(to_hex(result), c.text("Result"));
  });
  EXPECT_EQ(num_cases, 24u);
  gave("NIST CAVP AES Monte Carlo", num_cases);
}

// Both directions of one data unit, out of place and in place.
void check_xts(const Bytes& key, const Bytes& tweak, const Bytes& plaintext,
               const Bytes& ciphertext) {
  incore_xts_key k;
  ASSERT_EQ(incore_xts_key_set(&k, key.data(), key.size()), INCORE_OK);
  Bytes out(plaintext.size()), in_place = ciphertext;
  ASSERT_EQ(incore_xts_encrypt(&k, tweak.data(), plaintext.data(), plaintext.size(), out.data()),
            INCORE_OK);
  EXPECT_EQ(to_hex(out), to_hex(ciphertext));
  ASSERT_EQ(incore_xts_decrypt(&k, tweak.data(), in_place.data(), in_place.size(), in_place.data()),
            INCORE_OK);
  EXPECT_EQ(to_hex(in_place), to_hex(plaintext));
}

Bytes tweak_of_unit(uint64_t unit) {
  Bytes tweak(16);
  for (size_t i = 0; i < 8; ++i) tweak[i] = static_cast<uint8_t>(unit >> 8 * i);
  return tweak;
}

TEST(capi_vectors_aes, ieee_1619_xts) {
  size_t num_refused = 0;
  const size_t num_cases = for_each_case("aes/ieee1619.txt", [&](VectorCase& c) {
    const Bytes key = c.bytes("Key"), tweak = c.bytes("Iv");
    const Bytes plaintext = c.bytes("Msg"), ciphertext = c.bytes("Ct");
    if (std::memcmp(key.data(), key.data() + key.size() / 2, key.size() / 2) != 0)
      return check_xts(key, tweak, plaintext, ciphertext);
    incore_xts_key k;
    EXPECT_EQ(incore_xts_key_set(&k, key.data(), key.size()), INCORE_ERROR_RANGE);
    ++num_refused;
  });
  EXPECT_EQ(num_cases, 19u);
  EXPECT_EQ(num_refused, 1u);
  gave("IEEE 1619 XTS", num_cases);
}

TEST(capi_vectors_aes, cavp_xts) {
  const std::string folder = "ciphers/AES/XTS/";
  if (nist_files(folder + "tweak-128hexstr").empty()) GTEST_SKIP() << nist_missing();
  size_t num_cases = 0, num_parts_of_bytes = 0;
  for (const char* form : {"tweak-128hexstr", "tweak-dataunitseqno"}) {
    for (const char* bits : {"128", "256"}) {
      const std::string file = folder + form + "/XTSGenAES" + bits + ".rsp";
      for (const NistCase& c : load_nist(file)) {
        SCOPED_TRACE(file + ":" + std::to_string(c.line));
        ASSERT_EQ(c.fields.size(), 6u);
        const size_t num_bits = std::stoul(c.fields.at("DataUnitLen"));
        if (num_bits % 8 != 0) {  // bits are not offered
          ++num_parts_of_bytes;
          continue;
        }
        const Bytes plaintext = from_hex(c.fields.at("PT"));
        ASSERT_EQ(plaintext.size(), num_bits / 8);
        const bool by_number = c.fields.count("DataUnitSeqNumber") != 0;
        check_xts(from_hex(c.fields.at("Key")),
                  by_number ? tweak_of_unit(std::stoull(c.fields.at("DataUnitSeqNumber")))
                            : from_hex(c.fields.at("i")),
                  plaintext, from_hex(c.fields.at("CT")));
        if (HasFailure()) return;
        ++num_cases;
      }
    }
  }
  EXPECT_EQ(num_cases, 2800u);
  EXPECT_EQ(num_parts_of_bytes, 1200u);
  gave("NIST CAVP XTS", num_cases);
}

}  // namespace
}  // namespace incore::test
