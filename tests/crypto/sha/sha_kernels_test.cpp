// Every SHA kernel against NIST's vectors (Monte Carlo included) and against the steps of FIPS
// 180-4.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "crypto/sha/sha_kernel.h"
#include "crypto/sha/sha_steps.h"
#include "crypto/sha/sha_stream.h"
#include "support/hex.h"
#include "support/known_answers.h"
#include "support/nist_vectors.h"

namespace incore {
namespace {

using test::Bytes;
using test::from_hex;
using test::to_hex;

template <class Word, size_t kBlockLen, void (*block_steps)(Word*, const uint8_t*)>
void compress_by_steps(Word* state, const uint8_t* blocks, size_t num_blocks) {
  for (size_t i = 0; i < num_blocks; ++i) block_steps(state, blocks + i * kBlockLen);
}

// The steps as kernels, so that they meet the same vectors.
const Sha1Kernel kSha1Steps = {{"steps", {}}, compress_by_steps<uint32_t, 64, sha::sha1_block>};
const Sha256Kernel kSha256Steps = {{"steps", {}},
                                   compress_by_steps<uint32_t, 64, sha::sha256_block>};
const Sha512Kernel kSha512Steps = {{"steps", {}},
                                   compress_by_steps<uint64_t, 128, sha::sha512_block>};

struct Subject {
  const char* folder;
  const char* name;
  ShaAlgorithm algorithm;
  const KernelInfo* kernel;
  const char* list;
};

void PrintTo(const Subject& subject, std::ostream* out) {
  *out << subject.name;
}

std::vector<Subject> subjects() {
  std::vector<Subject> all;
  const auto add = [&all](const KernelList& list, const KernelInfo& steps, const char* folder,
                          const char* name, ShaAlgorithm algorithm) {
    all.push_back({folder, name, algorithm, &steps, list.algorithm});
    for (size_t i = 0; i < list.num_kernels; ++i)
      all.push_back({folder, name, algorithm, list.kernels[i], list.algorithm});
  };
  add(sha1_kernel_list, kSha1Steps.info, "SHA1", "SHA1", ShaAlgorithm::sha1);
  add(sha256_kernel_list, kSha256Steps.info, "SHA2", "SHA224", ShaAlgorithm::sha224);
  add(sha256_kernel_list, kSha256Steps.info, "SHA2", "SHA256", ShaAlgorithm::sha256);
  add(sha512_kernel_list, kSha512Steps.info, "SHA2", "SHA384", ShaAlgorithm::sha384);
  add(sha512_kernel_list, kSha512Steps.info, "SHA2", "SHA512", ShaAlgorithm::sha512);
  return all;
}

class sha_kernels : public testing::TestWithParam<Subject> {
 protected:
  void SetUp() override {
    if (!detect_features().has_all(GetParam().kernel->needs))
      GTEST_SKIP() << "this CPU cannot run the kernel " << GetParam().kernel->name;
  }
  static Bytes hash(const uint8_t* data, size_t len, const KernelInfo* kernel = GetParam().kernel) {
    ShaStream stream(GetParam().algorithm, kernel);
    EXPECT_TRUE(stream.update(data, len));
    Bytes digest(sha_digest_len(GetParam().algorithm));
    stream.final(digest.data());
    return digest;
  }
  static Bytes hash(const Bytes& message) { return hash(message.data(), message.size()); }
  static const KernelInfo* steps() {
    switch (GetParam().algorithm) {
      case ShaAlgorithm::sha1:
        return &kSha1Steps.info;
      case ShaAlgorithm::sha224:
      case ShaAlgorithm::sha256:
        return &kSha256Steps.info;
      default:
        return &kSha512Steps.info;
    }
  }
  static std::vector<test::NistCase> nist(const char* kind) {
    return test::load_nist(std::string("hashes/") + GetParam().folder + "/" + GetParam().name +
                           kind + ".rsp");
  }
  static void gave(const char* kind, size_t num) {
    test::gave_answers(GetParam().list, GetParam().kernel->name,
                       std::string("NIST CAVP ") + GetParam().name + kind, num);
  }
};

TEST_P(sha_kernels, nist_messages) {
  if (test::nist_files("hashes/SHA1").empty()) GTEST_SKIP() << test::nist_missing();
  for (const char* kind : {"ShortMsg", "LongMsg"}) {
    size_t num_cases = 0;
    for (const test::NistCase& c : nist(kind)) {
      if (c.fields.count("Len") == 0) continue;  // the file's head
      Bytes message = from_hex(c.fields.at("Msg"));
      message.resize(std::stoul(c.fields.at("Len")) / 8);
      EXPECT_EQ(to_hex(hash(message)), c.fields.at("MD")) << kind << ", line " << c.line;
      ++num_cases;
    }
    EXPECT_GE(num_cases, 64u) << kind;
    gave(kind, num_cases);
  }
}

TEST_P(sha_kernels, nist_monte_carlo) {
  if (test::nist_files("hashes/SHA1").empty()) GTEST_SKIP() << test::nist_missing();
  const size_t len = sha_digest_len(GetParam().algorithm);
  Bytes seed;
  size_t num_cases = 0;
  for (const test::NistCase& c : nist("Monte")) {
    if (c.fields.count("Seed") != 0) seed = from_hex(c.fields.at("Seed"));
    if (c.fields.count("MD") == 0) continue;
    Bytes window;  // the last three digests
    for (int i = 0; i < 3; ++i) window.insert(window.end(), seed.begin(), seed.end());
    for (int i = 0; i < 1000; ++i) {
      const Bytes digest = hash(window);
      std::copy(window.begin() + static_cast<long>(len), window.end(), window.begin());
      std::copy(digest.begin(), digest.end(), window.end() - static_cast<long>(len));
      seed = digest;
    }
    ASSERT_EQ(to_hex(seed), c.fields.at("MD")) << "line " << c.line;
    ++num_cases;
  }
  EXPECT_EQ(num_cases, 100u);
  gave("Monte", num_cases);
}

TEST_P(sha_kernels, every_length_and_alignment_equals_the_steps) {
  const Bytes data = test::random_bytes(1024, 1);
  for (size_t len = 0; len <= 300; ++len) {
    const uint8_t* begin = data.data() + len % 32;
    EXPECT_EQ(hash(begin, len), hash(begin, len, steps())) << len;
  }
  for (size_t alignment = 0; alignment < 32; ++alignment)
    EXPECT_EQ(hash(data.data() + alignment, 900), hash(data.data() + alignment, 900, steps()));
}

TEST_P(sha_kernels, no_blocks_change_nothing_and_any_state_equals_the_steps) {
  const Bytes data = test::random_bytes(8 * 128, 2);
  for (size_t num_blocks = 0; num_blocks <= 8; ++num_blocks) {
    // 64 bytes of state, and a margin that may not be touched.
    Bytes state = test::random_bytes(80, num_blocks), expected = state;
    const auto run = [&](const KernelInfo* kernel, uint8_t* words) {
      alignas(8) uint8_t aligned[80];
      std::memcpy(aligned, words, 80);
      uint32_t* words32 = reinterpret_cast<uint32_t*>(aligned);
      uint64_t* words64 = reinterpret_cast<uint64_t*>(aligned);
      if (steps() == &kSha1Steps.info)
        reinterpret_cast<const Sha1Kernel*>(kernel)->compress(words32, data.data(), num_blocks);
      else if (steps() == &kSha256Steps.info)
        reinterpret_cast<const Sha256Kernel*>(kernel)->compress(words32, data.data(), num_blocks);
      else
        reinterpret_cast<const Sha512Kernel*>(kernel)->compress(words64, data.data(), num_blocks);
      std::memcpy(words, aligned, 80);
    };
    const Bytes before = state;
    run(GetParam().kernel, state.data());
    run(steps(), expected.data());
    EXPECT_EQ(state, expected) << num_blocks;
    EXPECT_EQ(state == before, num_blocks == 0);
  }
}

INSTANTIATE_TEST_SUITE_P(, sha_kernels, testing::ValuesIn(subjects()), [](const auto& param_info) {
  return std::string(param_info.param.name) + "_" + param_info.param.kernel->name;
});

}  // namespace
}  // namespace incore
