// `incore bench gcm`: AES-GCM, one message a call with an iv of 12 bytes, 16 bytes of aad and a tag
// of 16.
#include "incore/gcm.h"
#include "tools/bench/bench_aead.h"

namespace incore::tools {
namespace {

using Gcm = Aead<incore_gcm_key, incore_gcm_key_set, incore_gcm_encrypt, incore_gcm_decrypt>;

std::vector<Row> rows(const BenchOptions& options) {
  std::vector<Row> list;
  for (const size_t size : sizes_or(options, {16, 256, 1024, 8192, 65536}))
    for (const size_t key_bits : {128, 256}) {
      if (options.brief && key_bits == 256) continue;
      list.push_back(Gcm::row("gcm", 12, key_bits, true, size));
      list.push_back(Gcm::row("gcm", 12, key_bits, false, size));
    }
  return list;
}

std::string kernel(const Task&) {
  return kernel_of("aes") + "+" + kernel_of("ghash");
}

// McGrew and Viega's test cases 4 and 16.
const std::vector<KnownAnswer>& known_answers() {
  static const std::string plaintext =
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
      "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39";
  static const std::string ciphertext_128 =
      "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
      "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"
      "5bc94fbc3221a5db94fae95ae7121a47";
  static const std::string ciphertext_256 =
      "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
      "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
      "76fc6ece0f4e1768cddf8853bb2d551b";
  static const std::string key = "feffe9928665731c6d6a8f9467308308";
  static const std::string iv = "cafebabefacedbaddecaf888";
  static const std::string aad = "feedfacedeadbeeffeedfacedeadbeefabaddad2";
  static const char* const source = "the GCM specification of McGrew and Viega";
  static const std::vector<KnownAnswer> answers = {
      {"aes-128-gcm-encrypt", source, key, iv, aad, plaintext, ciphertext_128},
      {"aes-128-gcm-decrypt", source, key, iv, aad, ciphertext_128, plaintext},
      {"aes-256-gcm-encrypt", source, key + key, iv, aad, plaintext, ciphertext_256},
      {"aes-256-gcm-decrypt", source, key + key, iv, aad, ciphertext_256, plaintext},
  };
  return answers;
}

constexpr Family kFamily = {rows, Gcm::prepare, kernel, known_answers};

}  // namespace

extern const Bench bench_gcm = {"gcm", "AES-GCM", nullptr, &kFamily};

}  // namespace incore::tools
