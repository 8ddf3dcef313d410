// The C interface to HMAC: keys and messages of every length against the formula of FIPS 198-1 over
// SHA, and every fault of a caller.
#include "incore/hmac.h"

#include <gtest/gtest.h>

#include <cstring>

#include "support/hex.h"

namespace incore::test {
namespace {

constexpr incore_sha_algorithm kAlgorithms[] = {INCORE_SHA1, INCORE_SHA224, INCORE_SHA256,
                                                INCORE_SHA384, INCORE_SHA512};

Bytes digest_of(incore_sha_algorithm algorithm, const Bytes& message) {
  Bytes digest(incore_sha_digest_len(algorithm));
  EXPECT_EQ(
      incore_sha_digest(algorithm, message.data(), message.size(), digest.data(), digest.size()),
      INCORE_OK);
  return digest;
}

// FIPS 198-1 section 4.
Bytes expected_tag(incore_sha_algorithm algorithm, Bytes key, const Bytes& message) {
  const size_t block_len = algorithm < INCORE_SHA384 ? 64 : 128;
  if (key.size() > block_len) key = digest_of(algorithm, key);
  key.resize(block_len);
  Bytes inner = key, outer = key;
  for (uint8_t& b : inner) b ^= 0x36;
  for (uint8_t& b : outer) b ^= 0x5C;
  inner.insert(inner.end(), message.begin(), message.end());
  const Bytes digest = digest_of(algorithm, inner);
  outer.insert(outer.end(), digest.begin(), digest.end());
  return digest_of(algorithm, outer);
}

Bytes tag_of(incore_sha_algorithm algorithm, const Bytes& key, const Bytes& message) {
  Bytes tag(incore_sha_digest_len(algorithm));
  EXPECT_EQ(incore_hmac_tag(algorithm, key.data(), key.size(), message.data(), message.size(),
                            tag.data(), tag.size()),
            INCORE_OK);
  return tag;
}

TEST(capi_hmac, keys_and_messages_of_every_length_equal_the_standards_formula) {
  for (incore_sha_algorithm algorithm : kAlgorithms) {
    for (size_t len = 0; len <= 300; ++len) {
      const Bytes all = random_bytes(len, len), some = random_bytes(40, 1);
      ASSERT_EQ(tag_of(algorithm, all, some), expected_tag(algorithm, all, some)) << len;
      ASSERT_EQ(tag_of(algorithm, some, all), expected_tag(algorithm, some, all)) << len;
    }
  }
}

TEST(capi_hmac, any_pieces_give_the_message_in_one_and_a_copy_goes_on_by_itself) {
  const Bytes key = random_bytes(33, 1), message = random_bytes(500, 2);
  for (incore_sha_algorithm algorithm : kAlgorithms) {
    const Bytes expected = expected_tag(algorithm, key, message);
    incore_hmac started;
    ASSERT_EQ(incore_hmac_start(&started, algorithm, key.data(), key.size()), INCORE_OK);
    for (size_t piece : {1, 7, 64, 129, 500}) {
      incore_hmac ctx = started;
      for (size_t done = 0; done < 500; done += piece)
        ASSERT_EQ(
            incore_hmac_update(&ctx, message.data() + done, std::min(piece, size_t{500} - done)),
            INCORE_OK);
      incore_hmac copy = ctx;
      Bytes tag(expected.size());
      ASSERT_EQ(incore_hmac_final(&ctx, tag.data(), tag.size()), INCORE_OK);
      EXPECT_EQ(to_hex(tag), to_hex(expected));
      EXPECT_EQ(incore_hmac_verify(&copy, tag.data(), tag.size()), INCORE_OK);
    }
  }
}

TEST(capi_hmac, tags_of_every_length_and_with_any_bit_changed) {
  const Bytes key = random_bytes(20, 1), message = random_bytes(10, 2);
  const Bytes expected = expected_tag(INCORE_SHA256, key, message);
  const auto verify = [&](const Bytes& tag, size_t len) {
    return incore_hmac_verify_tag(INCORE_SHA256, key.data(), 20, message.data(), 10, tag.data(),
                                  len);
  };
  for (size_t len = 4; len <= 32; ++len) {
    Bytes tag(33, 0xA5);
    ASSERT_EQ(incore_hmac_tag(INCORE_SHA256, key.data(), 20, message.data(), 10, tag.data(), len),
              INCORE_OK);
    EXPECT_EQ(to_hex(tag.data(), len), to_hex(expected.data(), len));
    for (size_t i = len; i < tag.size(); ++i) EXPECT_EQ(tag[i], 0xA5);
    EXPECT_EQ(verify(tag, len), INCORE_OK);
    for (size_t bit = 0; bit < 8 * len; ++bit) {
      tag[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
      EXPECT_EQ(verify(tag, len), INCORE_ERROR_TAG);
      tag[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    }
  }
}

TEST(capi_hmac, a_context_is_used_up_and_empty_after_its_end) {
  const incore_hmac zero = {};
  Bytes tag(20);
  incore_hmac ctx;
  for (int end = 0; end < 4; ++end) {
    ASSERT_EQ(incore_hmac_start(&ctx, INCORE_SHA1, "key", 3), INCORE_OK);
    ASSERT_EQ(incore_hmac_update(&ctx, "secret", 6), INCORE_OK);
    if (end == 0) {
      EXPECT_EQ(incore_hmac_final(&ctx, tag.data(), 20), INCORE_OK);
    }
    if (end == 1) {
      EXPECT_EQ(incore_hmac_verify(&ctx, tag.data(), 20), INCORE_OK);
    }
    if (end == 2) {
      EXPECT_EQ(incore_hmac_verify(&ctx, Bytes(20).data(), 20), INCORE_ERROR_TAG);
    }
    if (end == 3) incore_hmac_wipe(&ctx);
    EXPECT_EQ(std::memcmp(&ctx, &zero, sizeof ctx), 0);
    EXPECT_EQ(incore_hmac_update(&ctx, "a", 1), INCORE_ERROR_STATE);
    EXPECT_EQ(incore_hmac_final(&ctx, tag.data(), 20), INCORE_ERROR_STATE);
    EXPECT_EQ(incore_hmac_verify(&ctx, tag.data(), 20), INCORE_ERROR_STATE);
  }
  incore_hmac_wipe(nullptr);
}

TEST(capi_hmac, wrong_arguments_have_their_statuses_and_write_nothing) {
  incore_hmac ctx, unstarted;
  std::memset(&unstarted, 0xA5, sizeof unstarted);
  ASSERT_EQ(incore_hmac_start(&ctx, INCORE_SHA224, nullptr, 0), INCORE_OK);
  ASSERT_EQ(incore_hmac_update(&ctx, "abc", 3), INCORE_OK);
  const incore_hmac before = ctx;
  Bytes out(65, 0xA5);

  EXPECT_EQ(incore_hmac_start(nullptr, INCORE_SHA1, "k", 1), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_hmac_start(&ctx, INCORE_SHA1, nullptr, 1), INCORE_ERROR_NULL);
  for (const int number : {-1, 0, 6, 1000}) {
    const auto unknown = static_cast<incore_sha_algorithm>(number);
    EXPECT_EQ(incore_hmac_start(&ctx, unknown, "k", 1), INCORE_ERROR_ALGORITHM) << number;
  }
  uint8_t* const inside = reinterpret_cast<uint8_t*>(&ctx) + 8;
  EXPECT_EQ(incore_hmac_start(&ctx, INCORE_SHA1, inside, 8), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_hmac_update(nullptr, "a", 1), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_hmac_update(&ctx, nullptr, 1), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_hmac_update(&ctx, nullptr, 0), INCORE_OK);
  EXPECT_EQ(incore_hmac_update(&ctx, inside, 1), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_hmac_update(&unstarted, "a", 1), INCORE_ERROR_STATE);
#if SIZE_MAX > 0xFFFFFFFF
  // Refused by their lengths, before a byte is read. They lie behind the contexts in memory.
  const void* const far = &ctx + 1;
  EXPECT_EQ(incore_hmac_start(&ctx, INCORE_SHA1, "k", size_t{1} << 61), INCORE_ERROR_LENGTH);
  EXPECT_EQ(incore_hmac_update(&ctx, far, size_t{1} << 61), INCORE_ERROR_LENGTH);
  EXPECT_EQ(incore_hmac_tag(INCORE_SHA1, "k", 1, far, size_t{1} << 61, out.data(), 20),
            INCORE_ERROR_LENGTH);
#endif
  const auto ends = {
      +[](incore_hmac* c, void* t, size_t len) { return incore_hmac_final(c, t, len); },
      +[](incore_hmac* c, void* t, size_t len) { return incore_hmac_verify(c, t, len); }};
  for (auto end : ends) {
    EXPECT_EQ(end(nullptr, out.data(), 28), INCORE_ERROR_NULL);
    EXPECT_EQ(end(&ctx, nullptr, 28), INCORE_ERROR_NULL);
    EXPECT_EQ(end(&unstarted, out.data(), 28), INCORE_ERROR_STATE);
    for (size_t len : {size_t{0}, size_t{3}, size_t{29}, size_t{64}, SIZE_MAX})
      EXPECT_EQ(end(&ctx, out.data(), len), INCORE_ERROR_LENGTH);
    EXPECT_EQ(end(&ctx, inside, 28), INCORE_ERROR_OVERLAP);
  }
  const auto whole = {
      +[](incore_sha_algorithm a, const void* key, const void* data, void* t, size_t len) {
        return incore_hmac_tag(a, key, 1, data, 1, t, len);
      },
      +[](incore_sha_algorithm a, const void* key, const void* data, void* t, size_t len) {
        return incore_hmac_verify_tag(a, key, 1, data, 1, t, len);
      }};
  for (auto call : whole) {
    EXPECT_EQ(call(INCORE_SHA1, nullptr, "a", out.data(), 20), INCORE_ERROR_NULL);
    EXPECT_EQ(call(INCORE_SHA1, "k", nullptr, out.data(), 20), INCORE_ERROR_NULL);
    EXPECT_EQ(call(INCORE_SHA1, "k", "a", nullptr, 20), INCORE_ERROR_NULL);
    for (const int number : {-1, 0, 6, 1000})
      EXPECT_EQ(call(static_cast<incore_sha_algorithm>(number), "k", "a", out.data(), 20),
                INCORE_ERROR_ALGORITHM);
    for (size_t len : {size_t{0}, size_t{3}, size_t{21}, SIZE_MAX})
      EXPECT_EQ(call(INCORE_SHA1, "k", "a", out.data(), len), INCORE_ERROR_LENGTH);
  }
  EXPECT_EQ(out, Bytes(65, 0xA5));
  EXPECT_EQ(std::memcmp(&ctx, &before, sizeof ctx), 0);
}

}  // namespace
}  // namespace incore::test
