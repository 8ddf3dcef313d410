// Many messages at once: every kernel alone and all of them together, against NIST's vectors and
// against the portable kernel for one message.
#include "crypto/sha/sha_many.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "support/hex.h"
#include "support/known_answers.h"
#include "support/nist_vectors.h"

namespace incore {
namespace {

using test::Bytes;
using test::from_hex;
using test::to_hex;

struct Algorithm {
  const char* folder;
  const char* name;
  ShaAlgorithm algorithm;
  const KernelList* list;
  const KernelInfo* portable;  // for one message
};

const Algorithm kAlgorithms[] = {
    {"SHA1", "SHA1", ShaAlgorithm::sha1, &sha1_many_kernel_list, &sha1_portable.info},
    {"SHA2", "SHA224", ShaAlgorithm::sha224, &sha256_many_kernel_list, &sha256_portable.info},
    {"SHA2", "SHA256", ShaAlgorithm::sha256, &sha256_many_kernel_list, &sha256_portable.info},
    {"SHA2", "SHA384", ShaAlgorithm::sha384, &sha512_many_kernel_list, &sha512_portable.info},
    {"SHA2", "SHA512", ShaAlgorithm::sha512, &sha512_many_kernel_list, &sha512_portable.info},
};

struct Subject {
  Algorithm algorithm;
  const KernelInfo* kernel;  // null: all that this CPU can run
};

void PrintTo(const Subject& subject, std::ostream* out) {
  *out << subject.algorithm.name;
}

std::vector<Subject> subjects() {
  std::vector<Subject> all;
  for (const Algorithm& algorithm : kAlgorithms) {
    all.push_back({algorithm, nullptr});
    for (size_t i = 0; i < algorithm.list->num_kernels; ++i)
      all.push_back({algorithm, algorithm.list->kernels[i]});
  }
  return all;
}

class sha_many : public testing::TestWithParam<Subject> {
 protected:
  static const Algorithm& algorithm() { return GetParam().algorithm; }
  static size_t digest_len() { return sha_digest_len(algorithm().algorithm); }
  static size_t block_len() { return sha_block_len(algorithm().algorithm); }
  static size_t num_lanes() { return 1024 / block_len(); }

  void SetUp() override {
    if (GetParam().kernel != nullptr && !detect_features().has_all(GetParam().kernel->needs))
      GTEST_SKIP() << "this CPU cannot run the kernel " << GetParam().kernel->name;
  }

  static ShaManyKernels kernels() {
    if (GetParam().kernel == nullptr) return sha_many_kernels(algorithm().algorithm);
    const KernelList& list = *algorithm().list;
    const auto place = std::find(list.kernels, list.kernels + list.num_kernels, GetParam().kernel);
    return {&list, uint32_t{1} << (place - list.kernels)};
  }

  template <class Word>
  static void hash(const std::vector<ShaMessage>& messages) {
    ShaManyHasher<Word> hasher(algorithm().algorithm, kernels());
    for (const ShaMessage& m : messages) hasher.add(m);
    hasher.finish();
  }
  static void hash(const std::vector<ShaMessage>& messages) {
    if (block_len() == 128)
      hash<uint64_t>(messages);
    else
      hash<uint32_t>(messages);
  }
  static std::vector<Bytes> digests_of(const std::vector<Bytes>& messages) {
    std::vector<Bytes> digests(messages.size(), Bytes(digest_len()));
    std::vector<ShaMessage> all;
    for (size_t i = 0; i < messages.size(); ++i)
      all.push_back({messages[i].data(), messages[i].size(), digests[i].data()});
    hash(all);
    return digests;
  }
  static Bytes digest_of_one(const uint8_t* data, size_t len) {
    ShaStream stream(algorithm().algorithm, algorithm().portable);
    EXPECT_TRUE(stream.update(data, len));
    Bytes digest(digest_len());
    stream.final(digest.data());
    return digest;
  }
  static std::vector<test::NistCase> nist(const char* kind) {
    return test::load_nist(std::string("hashes/") + algorithm().folder + "/" + algorithm().name +
                           kind + ".rsp");
  }
  static void gave(const char* kind, size_t num) {
    if (GetParam().kernel != nullptr)
      test::gave_answers(algorithm().list->algorithm, GetParam().kernel->name,
                         std::string("NIST CAVP ") + algorithm().name + " " + kind, num);
  }

  // |lengths| of messages at odd addresses, each in memory of its own, so that a sanitizer sees
  // what is read behind it.
  static void expect_right(const std::vector<size_t>& lengths, unsigned seed) {
    std::vector<std::unique_ptr<uint8_t[]>> memory;
    std::vector<ShaMessage> messages;
    const Bytes margin(16, 0xA5);
    Bytes digests((digest_len() + margin.size()) * lengths.size(), 0xA5);
    for (size_t i = 0; i < lengths.size(); ++i) {
      const size_t offset = (i * 7 + seed) % 32;
      const Bytes content = test::random_bytes(lengths[i], seed + i);
      memory.push_back(std::make_unique<uint8_t[]>(offset + lengths[i]));
      std::copy(content.begin(), content.end(), memory.back().get() + offset);
      messages.push_back({memory.back().get() + offset, lengths[i],
                          digests.data() + (digest_len() + margin.size()) * i});
    }
    hash(messages);
    for (size_t i = 0; i < lengths.size(); ++i) {
      const uint8_t* const digest = messages[i].out_digest;
      ASSERT_EQ(to_hex(digest, digest_len()), to_hex(digest_of_one(messages[i].data, lengths[i])))
          << "message " << i << " of " << lengths.size() << ", " << lengths[i] << " bytes";
      ASSERT_EQ(Bytes(digest + digest_len(), digest + digest_len() + margin.size()), margin) << i;
    }
  }
};

TEST_P(sha_many, nist_messages_all_at_once) {
  if (test::nist_files("hashes/SHA1").empty()) GTEST_SKIP() << test::nist_missing();
  std::vector<Bytes> messages;
  std::vector<std::string> expected;
  for (const char* kind : {"ShortMsg", "LongMsg"}) {
    for (const test::NistCase& c : nist(kind)) {
      if (c.fields.count("Len") == 0) continue;  // the file's head
      messages.push_back(from_hex(c.fields.at("Msg")));
      messages.back().resize(std::stoul(c.fields.at("Len")) / 8);
      expected.push_back(c.fields.at("MD"));
    }
  }
  EXPECT_GE(messages.size(), 128u);
  const std::vector<Bytes> digests = digests_of(messages);
  for (size_t i = 0; i < messages.size(); ++i)
    EXPECT_EQ(to_hex(digests[i]), expected[i]) << messages[i].size() << " bytes";
  gave("ShortMsg and LongMsg", messages.size());
}

TEST_P(sha_many, nist_monte_carlo_in_all_lanes) {
  if (test::nist_files("hashes/SHA1").empty()) GTEST_SKIP() << test::nist_missing();
  const size_t len = digest_len();
  Bytes seed;
  size_t num_cases = 0;
  for (const test::NistCase& c : nist("Monte")) {
    if (c.fields.count("Seed") != 0) seed = from_hex(c.fields.at("Seed"));
    if (c.fields.count("MD") == 0) continue;
    Bytes window;  // the last three digests
    for (int i = 0; i < 3; ++i) window.insert(window.end(), seed.begin(), seed.end());
    Bytes digests(num_lanes() * len);
    std::vector<ShaMessage> messages;
    for (size_t lane = 0; lane < num_lanes(); ++lane)
      messages.push_back({window.data(), window.size(), digests.data() + len * lane});
    for (int i = 0; i < 1000; ++i) {
      hash(messages);
      const uint8_t* const last = messages.back().out_digest;
      std::copy(window.begin() + static_cast<long>(len), window.end(), window.begin());
      std::copy(last, last + len, window.end() - static_cast<long>(len));
    }
    for (const ShaMessage& m : messages)
      ASSERT_EQ(to_hex(m.out_digest, len), c.fields.at("MD")) << "line " << c.line;
    seed.assign(digests.begin(), digests.begin() + static_cast<long>(len));
    ++num_cases;
  }
  EXPECT_EQ(num_cases, 100u);
  gave("Monte", num_cases);
}

TEST_P(sha_many, every_length_up_to_300) {
  std::vector<size_t> lengths;
  for (size_t len = 0; len <= 300; ++len) lengths.push_back(len * 131 % 301);
  expect_right(lengths, 1);
}

TEST_P(sha_many, any_number_of_messages_of_mixed_lengths) {
  const Bytes choices = test::random_bytes(71 * 71, 7);
  for (size_t num = 0; num <= 70; ++num) {
    std::vector<size_t> lengths;
    for (size_t i = 0; i < num; ++i) {
      const uint8_t choice = choices[num * 70 + i];
      // Some around multiples of a block, some of any length, some long.
      const size_t around = choice / 8 % 6 * block_len() + choice % 4 - 2;
      lengths.push_back(choice % 3 == 0   ? choice
                        : choice % 3 == 1 ? std::min<size_t>(around, 6 * block_len())
                                          : choice * 17u);
    }
    expect_right(lengths, static_cast<unsigned>(num));
  }
}

TEST_P(sha_many, equal_lengths_in_any_number_of_lanes) {
  for (size_t num = 1; num <= 2 * num_lanes() + 1; ++num)
    expect_right(std::vector<size_t>(num, 3 * block_len() + num), static_cast<unsigned>(num));
}

TEST_P(sha_many, a_long_message_among_short_ones) {
  for (size_t place : {0, 100, 299}) {
    std::vector<size_t> lengths(300, 20);
    lengths[place] = 20000;
    expect_right(lengths, 9);
  }
}

TEST_P(sha_many, more_messages_than_are_sorted_at_a_time) {
  std::vector<size_t> lengths;
  for (size_t i = 0; i < 1000; ++i) lengths.push_back(i * 7919 % 640);
  expect_right(lengths, 10);
}

TEST_P(sha_many, a_digest_may_lie_in_its_own_message) {
  std::vector<Bytes> memory, expected;
  std::vector<ShaMessage> messages;
  for (size_t i = 0; i < 40; ++i) {
    memory.push_back(test::random_bytes(digest_len() + 30 * i, static_cast<unsigned>(i)));
    expected.push_back(digest_of_one(memory.back().data(), memory.back().size()));
  }
  for (size_t i = 0; i < 40; ++i)
    messages.push_back({memory[i].data(), memory[i].size(), memory[i].data() + i * 30});
  hash(messages);
  for (size_t i = 0; i < 40; ++i)
    EXPECT_EQ(to_hex(messages[i].out_digest, digest_len()), to_hex(expected[i])) << i;
}

// The kernels by themselves: the other lanes of a call are untouched but for those behind the last.
template <class Word>
void expect_lanes_right(const ShaManyKernel<Word>& kernel, const KernelInfo* one, size_t num_words,
                        void (*compress)(const KernelInfo*, Word*, const uint8_t*, size_t)) {
  const Bytes data = test::random_bytes(4096, 11);
  for (size_t first = 0; first < ShaLanes<Word>::kNum; first += kernel.max_lanes) {
    for (size_t num_lanes = 1; num_lanes <= kernel.max_lanes; ++num_lanes) {
      for (size_t num_blocks = 0; num_blocks <= 3; ++num_blocks) {
        ShaLanes<Word> lanes;
        const Bytes words = test::random_bytes(sizeof lanes.state, 12);
        std::memcpy(lanes.state, words.data(), words.size());
        for (size_t i = 0; i < ShaLanes<Word>::kNum; ++i) lanes.data[i] = data.data() + i * 101;
        const ShaLanes<Word> before = lanes;
        kernel.compress(&lanes, first, num_lanes, num_blocks);
        for (size_t lane = 0; lane < first + num_lanes; ++lane) {
          Word state[8];
          for (size_t i = 0; i < 8; ++i) state[i] = before.state[i][lane];
          if (lane >= first) compress(one, state, before.data[lane], num_blocks);
          for (size_t i = 0; i < num_words; ++i)
            ASSERT_EQ(lanes.state[i][lane], state[i])
                << "lane " << lane << " of " << first << " and " << num_lanes << " more, "
                << num_blocks << " blocks, word " << i;
          ASSERT_EQ(lanes.data[lane], before.data[lane]);
        }
      }
    }
  }
}

TEST_P(sha_many, a_kernel_compresses_the_lanes_that_it_is_given) {
  if (GetParam().kernel == nullptr) return;  // of one kernel, each of which has its turn
  const KernelInfo* const kernel = GetParam().kernel;
  if (algorithm().algorithm == ShaAlgorithm::sha1)
    expect_lanes_right<uint32_t>(
        *reinterpret_cast<const Sha1ManyKernel*>(kernel), algorithm().portable, 5,
        [](const KernelInfo* one, uint32_t* state, const uint8_t* blocks, size_t num_blocks) {
          reinterpret_cast<const Sha1Kernel*>(one)->compress(state, blocks, num_blocks);
        });
  else if (block_len() == 64)
    expect_lanes_right<uint32_t>(
        *reinterpret_cast<const Sha256ManyKernel*>(kernel), algorithm().portable, 8,
        [](const KernelInfo* one, uint32_t* state, const uint8_t* blocks, size_t num_blocks) {
          reinterpret_cast<const Sha256Kernel*>(one)->compress(state, blocks, num_blocks);
        });
  else
    expect_lanes_right<uint64_t>(
        *reinterpret_cast<const Sha512ManyKernel*>(kernel), algorithm().portable, 8,
        [](const KernelInfo* one, uint64_t* state, const uint8_t* blocks, size_t num_blocks) {
          reinterpret_cast<const Sha512Kernel*>(one)->compress(state, blocks, num_blocks);
        });
}

TEST_P(sha_many, all_kernels_of_this_cpu_serve_together) {
  if (std::getenv("INCORE_KERNEL") != nullptr) GTEST_SKIP() << "INCORE_KERNEL chooses kernels";
  const KernelList& list = *algorithm().list;
  const ShaManyKernels together = sha_many_kernels(algorithm().algorithm);
  ASSERT_EQ(together.list, &list);
  for (size_t i = 0; i < list.num_kernels; ++i)
    EXPECT_EQ((together.usable >> i & 1) != 0, detect_features().has_all(list.kernels[i]->needs))
        << list.kernels[i]->name;
}

INSTANTIATE_TEST_SUITE_P(, sha_many, testing::ValuesIn(subjects()), [](const auto& param_info) {
  const KernelInfo* const kernel = param_info.param.kernel;
  return std::string(param_info.param.algorithm.name) + "_" +
         (kernel == nullptr ? "together" : kernel->name);
});

}  // namespace
}  // namespace incore
