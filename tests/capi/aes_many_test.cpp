// incore_aes_cbc_encrypt_many and incore_aes_cfb_encrypt_many: results, and every fault of a
// caller.
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "crypto/aes/aes_testing.h"
#include "incore/aes.h"

namespace incore::test {
namespace {

using EncryptMany = incore_status (*)(const incore_aes_message*, size_t);
constexpr EncryptMany kModes[] = {incore_aes_cbc_encrypt_many, incore_aes_cfb_encrypt_many};
constexpr const char* kModeNames[] = {"cbc_encrypt", "cfb_encrypt"};

incore_aes_key key_of(const Bytes& key) {
  incore_aes_key k;
  EXPECT_EQ(incore_aes_key_set(&k, key.data(), key.size()), INCORE_OK);
  return k;
}

struct Message {
  Bytes key_bytes, first_iv, in, iv, out;
  incore_aes_key key;

  Message(size_t key_len, size_t len, size_t seed)
      : key_bytes(random_bytes(key_len, 3 * seed)),
        first_iv(random_bytes(16, 3 * seed + 1)),
        in(random_bytes(len, 3 * seed + 2)),
        iv(first_iv),
        out(len + 16, 0xA5),
        key(key_of(key_bytes)) {}

  incore_aes_message arguments() { return {&key, iv.data(), in.data(), in.size(), out.data()}; }

  void expect_result(const char* mode) const {
    Bytes padded = in;
    padded.resize((in.size() + 15) / 16 * 16);
    Bytes expected = run_mode(aes_mode(mode), aes_steps_oracle,
                              make_keys(aes_steps_oracle, key_bytes, standard_rounds(key_bytes)),
                              first_iv, padded);
    expected.resize(in.size());
    EXPECT_EQ(to_hex(out.data(), in.size()), to_hex(expected)) << mode << ' ' << in.size();
    EXPECT_EQ(to_hex(out.data() + in.size(), 16), to_hex(Bytes(16, 0xA5)));
    const size_t whole = in.size() / 16 * 16;
    EXPECT_EQ(to_hex(iv), whole == 0 ? to_hex(first_iv) : to_hex(expected.data() + whole - 16, 16));
  }
};

TEST(capi_aes_many, sp_800_38a_examples_side_by_side) {
  const Bytes p = from_hex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51");
  const struct {
    const char *key, *cbc, *cfb;
  } cases[] = {{"2b7e151628aed2a6abf7158809cf4f3c",
                "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2",
                "3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b"},
               {"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
                "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a",
                "cdc80d6fddf18cab34c25909c99a417467ce7f7f81173621961a2b70171d3d7a"},
               {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
                "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d",
                "dc7e84bfda79164b7ecd8486985d386039ffed143b28b1c832113c6331e5407b"}};
  for (size_t mode = 0; mode < 2; ++mode) {
    incore_aes_key keys[3];
    Bytes ivs, out(3 * 32);
    std::vector<incore_aes_message> messages;
    for (size_t i = 0; i < 3; ++i) {
      const Bytes iv = from_hex("000102030405060708090a0b0c0d0e0f");
      ivs.insert(ivs.end(), iv.begin(), iv.end());
    }
    for (size_t i = 0; i < 3; ++i) {
      keys[i] = key_of(from_hex(cases[i].key));
      messages.push_back({&keys[i], &ivs[16 * i], p.data(), 32, &out[32 * i]});
    }
    ASSERT_EQ(kModes[mode](messages.data(), 3), INCORE_OK);
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(to_hex(&out[32 * i], 32), mode == 0 ? cases[i].cbc : cases[i].cfb);
      EXPECT_EQ(to_hex(&ivs[16 * i], 16), to_hex(&out[32 * i + 16], 16));
    }
  }
}

TEST(capi_aes_many, messages_of_any_number_length_and_key_agree_with_the_steps) {
  for (size_t mode = 0; mode < 2; ++mode) {
    for (size_t num : {0, 1, 2, 15, 33, 127, 128, 129, 300}) {
      std::vector<Message> ms;
      for (size_t i = 0; i < num; ++i) {
        const size_t blocks = (7 * i + num) % 23;
        ms.emplace_back(16 + 8 * (i % 3), 16 * blocks + (mode == 0 ? 0 : i % 16), 1000 * num + i);
      }
      std::vector<incore_aes_message> messages;
      for (Message& m : ms) messages.push_back(m.arguments());
      ASSERT_EQ(kModes[mode](messages.data(), num), INCORE_OK);
      for (const Message& m : ms) m.expect_result(kModeNames[mode]);
    }
  }
}

// One key for all, as many messages that lie in a row have: single blocks, equal and mixed lengths.
TEST(capi_aes_many, messages_with_one_key_agree_with_the_steps) {
  for (size_t mode = 0; mode < 2; ++mode)
    for (const size_t key_len : {16, 24, 32})
      for (const size_t num : {2, 3, 4, 7, 8, 9, 33, 70})
        for (const size_t blocks : {1, 2, 6, 20, 0}) {  // 0: mixed
          std::vector<Message> ms;
          for (size_t i = 0; i < num; ++i) {
            const size_t len =
                16 * (blocks != 0 ? blocks : 1 + i / 9 % 3) + (mode == 0 ? 0 : i % 3);
            ms.emplace_back(key_len, len, num + i);
            ms[i].key_bytes = ms[0].key_bytes;
          }
          std::vector<incore_aes_message> messages;
          for (Message& m : ms) {
            messages.push_back(m.arguments());
            messages.back().key = &ms[0].key;
          }
          ASSERT_EQ(kModes[mode](messages.data(), num), INCORE_OK);
          for (const Message& m : ms) m.expect_result(kModeNames[mode]);
        }
}

TEST(capi_aes_many, messages_go_on_with_the_iv_that_a_call_left) {
  for (size_t mode = 0; mode < 2; ++mode) {
    Message a(16, 96, 1), b(32, 160, 2);
    incore_aes_message messages[] = {a.arguments(), b.arguments()};
    messages[0].len = 48, messages[1].len = 16;
    ASSERT_EQ(kModes[mode](messages, 2), INCORE_OK);
    messages[0] = {&a.key, a.iv.data(), a.in.data() + 48, 48, a.out.data() + 48};
    messages[1] = {&b.key, b.iv.data(), b.in.data() + 16, 144, b.out.data() + 16};
    ASSERT_EQ(kModes[mode](messages, 2), INCORE_OK);
    a.expect_result(kModeNames[mode]);
    b.expect_result(kModeNames[mode]);
  }
}

// Faults. Message 1 of three has it, and nothing of any message may be written.
class capi_aes_many_faults : public testing::Test {
 protected:
  void SetUp() override {
    key = key_of(random_bytes(16, 1));
    std::memset(memory, 0xA5, sizeof memory);
    for (size_t i = 0; i < 3; ++i) messages[i] = {&key, ivs(i), in(i), 64, out(i)};
  }
  uint8_t* ivs(size_t i) { return memory + 16 * i; }
  uint8_t* in(size_t i) { return memory + 64 + 64 * i; }
  uint8_t* out(size_t i) { return memory + 256 + 64 * i; }

  void expect(incore_status status) {
    for (EncryptMany mode : kModes) {
      EXPECT_EQ(mode(messages, 3), status);
      for (uint8_t b : memory) ASSERT_EQ(b, 0xA5);
    }
    messages[1] = {&key, ivs(1), in(1), 64, out(1)};
  }

  incore_aes_key key;
  incore_aes_message messages[3];
  uint8_t memory[512];
};

TEST_F(capi_aes_many_faults, null_pointers) {
  for (EncryptMany mode : kModes) {
    EXPECT_EQ(mode(nullptr, 1), INCORE_ERROR_NULL);
    EXPECT_EQ(mode(nullptr, 0), INCORE_OK);
  }
  messages[1].key = nullptr;
  expect(INCORE_ERROR_NULL);
  messages[1].iv = nullptr;
  expect(INCORE_ERROR_NULL);
  messages[1].in = nullptr;
  expect(INCORE_ERROR_NULL);
  messages[1].out = nullptr;
  expect(INCORE_ERROR_NULL);
  messages[1] = {&key, ivs(1), nullptr, 0, nullptr};
  messages[0].len = messages[2].len = 0;
  expect(INCORE_OK);
}

TEST_F(capi_aes_many_faults, keys_that_are_not_set) {
  incore_aes_key wiped = key;
  incore_aes_key_wipe(&wiped);
  messages[1].key = &wiped;
  expect(INCORE_ERROR_STATE);
}

TEST_F(capi_aes_many_faults, lengths_of_cbc_that_are_not_whole_blocks) {
  for (size_t len : {1, 15, 17, 63}) {
    messages[1].len = len;
    EXPECT_EQ(incore_aes_cbc_encrypt_many(messages, 3), INCORE_ERROR_LENGTH);
  }
  for (uint8_t b : memory) ASSERT_EQ(b, 0xA5);
}

TEST_F(capi_aes_many_faults, overlap_within_a_message) {
  for (ptrdiff_t shift : {-63, -1, 1, 63}) {
    messages[1].out = in(1) + shift;
    expect(INCORE_ERROR_OVERLAP);
  }
  messages[1].iv = in(1) + 63;
  expect(INCORE_ERROR_OVERLAP);
  messages[1].iv = out(1) - 15;
  expect(INCORE_ERROR_OVERLAP);
}

TEST_F(capi_aes_many_faults, overlap_with_another_message) {
  for (size_t other : {0, 2}) {
    messages[1].out = out(other) + (other == 0 ? 63 : -63);
    expect(INCORE_ERROR_OVERLAP);
    messages[1].out = out(other);
    expect(INCORE_ERROR_OVERLAP);
    messages[1].out = in(other);
    expect(INCORE_ERROR_OVERLAP);
    messages[1].in = out(other);
    expect(INCORE_ERROR_OVERLAP);
    messages[1].iv = ivs(other);
    expect(INCORE_ERROR_OVERLAP);
    messages[1].iv = in(other) + 8;
    expect(INCORE_ERROR_OVERLAP);
    messages[1].iv = out(other) + 8;
    expect(INCORE_ERROR_OVERLAP);
    messages[1].out = ivs(other);
    expect(INCORE_ERROR_OVERLAP);
    messages[1].in = ivs(other);
    expect(INCORE_ERROR_OVERLAP);
  }
  messages[1].out = messages;
  expect(INCORE_ERROR_OVERLAP);
}

TEST_F(capi_aes_many_faults, writing_over_an_earlier_input_that_nothing_else_is_near) {
  messages[0] = {&key, memory + 128, memory, 64, memory + 192};
  messages[2].len = 0;
  messages[2].iv = memory + 160;
  messages[1] = {&key, memory + 144, memory + 64, 64, memory};
  expect(INCORE_ERROR_OVERLAP);
  messages[1] = {&key, memory + 8, memory + 64, 64, memory + 256};
  expect(INCORE_ERROR_OVERLAP);
}

TEST_F(capi_aes_many_faults, one_input_for_all_and_any_order_of_buffers_are_no_fault) {
  uint8_t results[3][64], vectors[3][16] = {};
  for (const auto& order : {std::array<size_t, 3>{0, 1, 2}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0}}) {
    for (size_t i = 0; i < 3; ++i)
      messages[i] = {&key, vectors[order[i]], in(0), 64, results[order[i]]};
    for (EncryptMany mode : kModes) EXPECT_EQ(mode(messages, 3), INCORE_OK);
    for (size_t i = 0; i < 3; ++i) messages[i].in = messages[i].out;  // in place
    for (EncryptMany mode : kModes) EXPECT_EQ(mode(messages, 3), INCORE_OK);
  }
}

}  // namespace
}  // namespace incore::test
