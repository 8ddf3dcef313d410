// The C interface to CMAC and CBC-MAC: every length and any pieces against the formulas of SP
// 800-38B over CBC, and every fault of a caller.
#include "incore/cmac.h"

#include <gtest/gtest.h>

#include <cstring>

#include "support/hex.h"

namespace incore::test {
namespace {

incore_aes_key key_of(const Bytes& key) {
  incore_aes_key k;
  EXPECT_EQ(incore_aes_key_set(&k, key.data(), key.size()), INCORE_OK);
  return k;
}

// CBC encryption with a zero vector: the last block.
Bytes last_of_cbc(const incore_aes_key& key, Bytes in) {
  Bytes chain(16);
  EXPECT_EQ(incore_aes_cbc_encrypt(&key, chain.data(), in.data(), in.size(), in.data()), INCORE_OK);
  return chain;
}

Bytes doubled(Bytes block) {
  const bool carries = block[0] >> 7 != 0;
  for (size_t i = 0; i < 16; ++i)
    block[i] = static_cast<uint8_t>(block[i] << 1 | (i < 15 ? block[i + 1] >> 7 : 0));
  if (carries) block[15] ^= 0x87;
  return block;
}

// SP 800-38B section 6.2.
Bytes expected_tag(const incore_aes_key& key, Bytes message) {
  Bytes subkey = doubled(last_of_cbc(key, Bytes(16)));
  if (message.empty() || message.size() % 16 != 0) {
    subkey = doubled(subkey);
    message.push_back(0x80);
    message.resize((message.size() + 15) / 16 * 16);
  }
  for (size_t i = 0; i < 16; ++i) message[message.size() - 16 + i] ^= subkey[i];
  return last_of_cbc(key, message);
}

TEST(capi_cmac, every_length_equals_the_standards_formulas) {
  for (size_t key_len : {16, 24, 32}) {
    const incore_aes_key key = key_of(random_bytes(key_len, key_len));
    const Bytes data = random_bytes(1100, 1);
    for (size_t len = 0; len <= 1060; len += len < 300 ? 1 : 19) {
      const uint8_t* const message = data.data() + len % 32;
      const Bytes expected = expected_tag(key, Bytes(message, message + len));
      Bytes tag(16);
      ASSERT_EQ(incore_cmac_tag(&key, message, len, tag.data(), 16), INCORE_OK);
      ASSERT_EQ(to_hex(tag), to_hex(expected)) << len;
    }
  }
}

TEST(capi_cmac, any_pieces_give_the_message_in_one) {
  const incore_aes_key key = key_of(random_bytes(16, 1));
  const Bytes pieces = random_bytes(5000, 5);
  size_t next_piece = 0;
  for (size_t len : {0, 1, 15, 16, 17, 32, 33, 64, 300}) {
    const Bytes message = random_bytes(len, 2), expected = expected_tag(key, message);
    for (size_t largest : {1, 3, 16, 17, 40, 200}) {
      for (int trial = 0; trial < 10; ++trial) {
        incore_cmac ctx;
        ASSERT_EQ(incore_cmac_start(&ctx), INCORE_OK);
        for (size_t done = 0; done < len;) {
          const size_t n = std::min(pieces[next_piece++ % 5000] % (largest + 1), len - done);
          ASSERT_EQ(incore_cmac_update(&ctx, &key, message.data() + done, n), INCORE_OK);
          done += n;
        }
        incore_cmac copy = ctx;
        Bytes tag(16);
        ASSERT_EQ(incore_cmac_final(&ctx, &key, tag.data(), 16), INCORE_OK);
        ASSERT_EQ(to_hex(tag), to_hex(expected)) << len << ' ' << largest;
        EXPECT_EQ(incore_cmac_verify(&copy, &key, tag.data(), 16), INCORE_OK);
      }
    }
  }
}

TEST(capi_cmac, tags_of_every_length_and_with_any_bit_changed) {
  const incore_aes_key key = key_of(random_bytes(16, 1));
  const Bytes message = random_bytes(40, 2), expected = expected_tag(key, message);
  for (size_t len = 4; len <= 16; ++len) {
    Bytes tag(17, 0xA5);
    ASSERT_EQ(incore_cmac_tag(&key, message.data(), 40, tag.data(), len), INCORE_OK);
    EXPECT_EQ(to_hex(tag.data(), len), to_hex(expected.data(), len));
    for (size_t i = len; i < tag.size(); ++i) EXPECT_EQ(tag[i], 0xA5);
    EXPECT_EQ(incore_cmac_verify_tag(&key, message.data(), 40, tag.data(), len), INCORE_OK);
    for (size_t bit = 0; bit < 8 * len; ++bit) {
      tag[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
      EXPECT_EQ(incore_cmac_verify_tag(&key, message.data(), 40, tag.data(), len),
                INCORE_ERROR_TAG);
      tag[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    }
  }
}

TEST(capi_cmac, a_context_is_used_up_and_empty_after_its_end) {
  const incore_aes_key key = key_of(random_bytes(16, 1));
  const incore_cmac zero = {};
  Bytes tag(16);
  incore_cmac ctx;
  for (int end = 0; end < 4; ++end) {
    ASSERT_EQ(incore_cmac_start(&ctx), INCORE_OK);
    ASSERT_EQ(incore_cmac_update(&ctx, &key, "secret", 6), INCORE_OK);
    if (end == 0) {
      EXPECT_EQ(incore_cmac_final(&ctx, &key, tag.data(), 16), INCORE_OK);
    }
    if (end == 1) {
      EXPECT_EQ(incore_cmac_verify(&ctx, &key, tag.data(), 16), INCORE_OK);
    }
    if (end == 2) {
      EXPECT_EQ(incore_cmac_verify(&ctx, &key, Bytes(16).data(), 16), INCORE_ERROR_TAG);
    }
    if (end == 3) incore_cmac_wipe(&ctx);
    EXPECT_EQ(std::memcmp(&ctx, &zero, sizeof ctx), 0);
    EXPECT_EQ(incore_cmac_update(&ctx, &key, "a", 1), INCORE_ERROR_STATE);
    EXPECT_EQ(incore_cmac_final(&ctx, &key, tag.data(), 16), INCORE_ERROR_STATE);
    EXPECT_EQ(incore_cmac_verify(&ctx, &key, tag.data(), 16), INCORE_ERROR_STATE);
  }
  incore_cmac_wipe(nullptr);
}

TEST(capi_cmac, wrong_arguments_have_their_statuses_and_write_nothing) {
  const incore_aes_key key = key_of(random_bytes(16, 1));
  incore_aes_key wiped = key, garbage;
  incore_aes_key_wipe(&wiped);
  std::memset(&garbage, 0xA5, sizeof garbage);
  incore_cmac ctx, unstarted;
  std::memset(&unstarted, 0xA5, sizeof unstarted);
  ASSERT_EQ(incore_cmac_start(&ctx), INCORE_OK);
  ASSERT_EQ(incore_cmac_update(&ctx, &key, "0123456789abcdefg", 17), INCORE_OK);
  const incore_cmac before = ctx;
  Bytes out(32, 0xA5);

  EXPECT_EQ(incore_cmac_start(nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_cmac_update(nullptr, &key, "a", 1), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_cmac_update(&ctx, nullptr, "a", 1), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_cmac_update(&ctx, &key, nullptr, 1), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_cmac_update(&ctx, &key, nullptr, 0), INCORE_OK);
  EXPECT_EQ(incore_cmac_update(&unstarted, &key, "a", 1), INCORE_ERROR_STATE);
  EXPECT_EQ(incore_cmac_update(&ctx, &key, reinterpret_cast<uint8_t*>(&ctx) + 8, 1),
            INCORE_ERROR_OVERLAP);
  const auto ends = {+[](incore_cmac* c, const incore_aes_key* k, void* t, size_t len) {
                       return incore_cmac_final(c, k, t, len);
                     },
                     +[](incore_cmac* c, const incore_aes_key* k, void* t, size_t len) {
                       return incore_cmac_verify(c, k, t, len);
                     }};
  for (auto end : ends) {
    EXPECT_EQ(end(nullptr, &key, out.data(), 16), INCORE_ERROR_NULL);
    EXPECT_EQ(end(&ctx, nullptr, out.data(), 16), INCORE_ERROR_NULL);
    EXPECT_EQ(end(&ctx, &key, nullptr, 16), INCORE_ERROR_NULL);
    EXPECT_EQ(end(&unstarted, &key, out.data(), 16), INCORE_ERROR_STATE);
    for (size_t len : {size_t{0}, size_t{1}, size_t{3}, size_t{17}, size_t{32}, SIZE_MAX})
      EXPECT_EQ(end(&ctx, &key, out.data(), len), INCORE_ERROR_LENGTH);
    EXPECT_EQ(end(&ctx, &key, reinterpret_cast<uint8_t*>(&ctx) + 8, 16), INCORE_ERROR_OVERLAP);
  }
  const auto whole = {
      +[](const incore_aes_key* k, const void* data, size_t data_len, void* t, size_t len) {
        return incore_cmac_tag(k, data, data_len, t, len);
      },
      +[](const incore_aes_key* k, const void* data, size_t data_len, void* t, size_t len) {
        return incore_cmac_verify_tag(k, data, data_len, t, len);
      }};
  for (auto call : whole) {
    EXPECT_EQ(call(nullptr, "a", 1, out.data(), 16), INCORE_ERROR_NULL);
    EXPECT_EQ(call(&key, nullptr, 1, out.data(), 16), INCORE_ERROR_NULL);
    EXPECT_EQ(call(&key, "a", 1, nullptr, 16), INCORE_ERROR_NULL);
    for (size_t len : {size_t{0}, size_t{3}, size_t{17}, SIZE_MAX})
      EXPECT_EQ(call(&key, "a", 1, out.data(), len), INCORE_ERROR_LENGTH);
  }
  for (const incore_aes_key* bad : {&wiped, &garbage}) {
    EXPECT_EQ(incore_cmac_update(&ctx, bad, "a", 1), INCORE_ERROR_STATE);
    EXPECT_EQ(incore_cbc_mac(bad, out.data(), "0123456789abcdef", 16), INCORE_ERROR_STATE);
    for (auto end : ends) EXPECT_EQ(end(&ctx, bad, out.data(), 16), INCORE_ERROR_STATE);
    for (auto call : whole) EXPECT_EQ(call(bad, "a", 1, out.data(), 16), INCORE_ERROR_STATE);
  }
  EXPECT_EQ(out, Bytes(32, 0xA5));
  EXPECT_EQ(std::memcmp(&ctx, &before, sizeof ctx), 0);
}

TEST(capi_cmac, the_tag_may_overwrite_the_data) {
  const incore_aes_key key = key_of(random_bytes(16, 1));
  Bytes message = random_bytes(40, 2);
  const Bytes expected = expected_tag(key, message);
  ASSERT_EQ(incore_cmac_tag(&key, message.data(), 40, message.data() + 10, 16), INCORE_OK);
  EXPECT_EQ(to_hex(message.data() + 10, 16), to_hex(expected));
}

TEST(capi_cbc_mac, is_the_last_block_of_cbc_in_any_whole_blocks) {
  const incore_aes_key key = key_of(random_bytes(32, 1));
  const Bytes message = random_bytes(16 * 70, 2);
  for (size_t blocks = 0; blocks <= 70; ++blocks) {
    const Bytes expected =
        last_of_cbc(key, Bytes(message.begin(), message.begin() + 16 * static_cast<long>(blocks)));
    for (size_t first = 0; first <= blocks; first += 7) {
      Bytes mac(16);
      ASSERT_EQ(incore_cbc_mac(&key, mac.data(), message.data(), 16 * first), INCORE_OK);
      ASSERT_EQ(
          incore_cbc_mac(&key, mac.data(), message.data() + 16 * first, 16 * (blocks - first)),
          INCORE_OK);
      ASSERT_EQ(to_hex(mac), to_hex(expected)) << blocks;
    }
  }
}

TEST(capi_cbc_mac, wrong_arguments_have_their_statuses_and_write_nothing) {
  const incore_aes_key key = key_of(random_bytes(16, 1));
  Bytes mac(48, 0xA5);
  const Bytes data(32);
  EXPECT_EQ(incore_cbc_mac(nullptr, mac.data(), data.data(), 32), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_cbc_mac(&key, nullptr, data.data(), 32), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_cbc_mac(&key, mac.data(), nullptr, 32), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_cbc_mac(&key, mac.data(), nullptr, 0), INCORE_OK);
  for (size_t len : {size_t{1}, size_t{15}, size_t{17}, size_t{31}, SIZE_MAX})
    EXPECT_EQ(incore_cbc_mac(&key, mac.data(), data.data(), len), INCORE_ERROR_LENGTH);
  EXPECT_EQ(incore_cbc_mac(&key, mac.data() + 31, mac.data(), 32), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(mac, Bytes(48, 0xA5));
}

}  // namespace
}  // namespace incore::test
