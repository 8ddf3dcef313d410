// Many chained messages at once: each kernel against the steps, which take one message after the
// other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "crypto/aes/aes_testing.h"

namespace incore::test {
namespace {

// A message with a key of its own, as the kernel and as the oracle see it.
struct Message {
  AesKeys keys, oracle_keys;
  Bytes iv, data, expected_iv, expected;

  AesChain chain() {
    return {&keys.forward, iv.data(), data.data(), data.data(), data.size() / kAesBlockLen};
  }
  AesChain oracle_chain() {
    return {&oracle_keys.forward, expected_iv.data(), expected.data(), expected.data(),
            expected.size() / kAesBlockLen};
  }
};

Message make_message(const AesKernel& kernel, size_t key_len, unsigned rounds, size_t blocks,
                     size_t seed) {
  const Bytes key = random_bytes(key_len, 3 * seed);
  Message m = {make_keys(kernel, key, rounds),
               make_keys(aes_steps_oracle, key, rounds),
               random_bytes(16, 3 * seed + 1),
               random_bytes(16 * blocks, 3 * seed + 2),
               {},
               {}};
  m.expected_iv = m.iv;
  m.expected = m.data;
  return m;
}

class aes_many : public AesKernelTest {
 protected:
  // Both modes, in place.
  void check(const std::vector<Message>& messages) {
    using EncryptMany = decltype(AesKernel::cbc_encrypt_many);
    for (EncryptMany AesKernel::*mode :
         {&AesKernel::cbc_encrypt_many, &AesKernel::cfb_encrypt_many}) {
      std::vector<Message> ms = messages;
      std::vector<AesChain> chains, oracle_chains;
      for (Message& m : ms) {
        chains.push_back(m.chain());
        oracle_chains.push_back(m.oracle_chain());
      }
      (GetParam()->*mode)(chains.data(), chains.size());
      (aes_steps_oracle.*mode)(oracle_chains.data(), oracle_chains.size());
      for (size_t i = 0; i < ms.size(); ++i) {
        ASSERT_EQ(to_hex(ms[i].data), to_hex(ms[i].expected)) << i << " of " << ms.size();
        ASSERT_EQ(to_hex(ms[i].iv), to_hex(ms[i].expected_iv)) << i << " of " << ms.size();
      }
    }
  }
};

TEST_P(aes_many, messages_of_one_length_in_any_number) {
  for (size_t num = 0; num <= 70; ++num) {
    std::vector<Message> messages;
    for (size_t i = 0; i < num; ++i)
      messages.push_back(make_message(*GetParam(), 16, 10, 3, 100 * num + i));
    check(messages);
  }
}

TEST_P(aes_many, messages_of_all_lengths_and_key_lengths_mixed) {
  const Bytes choice = random_bytes(20000, 1);
  size_t next = 0;
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<Message> messages;
    const size_t num = choice[next++] % 80;
    for (size_t i = 0; i < num; ++i) {
      const size_t key_len = 16 + choice[next++] % 3 * 8;
      const size_t blocks = choice[next++] % (trial % 2 == 0 ? 4 : 60);  // none, too
      messages.push_back(
          make_message(*GetParam(), key_len, static_cast<unsigned>(key_len / 4 + 6), blocks, next));
    }
    check(messages);
  }
}

TEST_P(aes_many, keys_of_1_to_16_rounds_mixed) {
  std::vector<Message> messages;
  for (unsigned i = 0; i < 64; ++i)
    messages.push_back(make_message(*GetParam(), 16, 1 + i % kAesMaxRounds, 1 + i % 7, i));
  check(messages);
}

TEST_P(aes_many, one_key_and_one_source_for_all) {
  constexpr size_t kMessages = 40, kBlocks = 9;
  const Bytes key = random_bytes(24, 1), in = random_bytes(16 * kBlocks, 2);
  const AesKeys keys = make_keys(*GetParam(), key, 12);
  const AesKeys oracle_keys = make_keys(aes_steps_oracle, key, 12);
  Bytes ivs = random_bytes(16 * kMessages, 3), out(kMessages * in.size());
  std::vector<AesChain> chains;
  for (size_t i = 0; i < kMessages; ++i)
    chains.push_back({&keys.forward, &ivs[16 * i], in.data(), &out[i * in.size()], kBlocks});
  const Bytes first_ivs = ivs;
  GetParam()->cbc_encrypt_many(chains.data(), kMessages);
  for (size_t i = 0; i < kMessages; ++i) {
    const Bytes iv(first_ivs.begin() + static_cast<ptrdiff_t>(16 * i),
                   first_ivs.begin() + static_cast<ptrdiff_t>(16 * i + 16));
    EXPECT_EQ(to_hex(&out[i * in.size()], in.size()),
              to_hex(run_mode(aes_mode("cbc_encrypt"), aes_steps_oracle, oracle_keys, iv, in)));
  }
}

INSTANTIATE_TEST_SUITE_P(all, aes_many, testing::ValuesIn(aes_kernels()), kernel_name);

}  // namespace
}  // namespace incore::test
