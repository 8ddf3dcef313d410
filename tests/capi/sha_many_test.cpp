#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "incore/sha.h"
#include "support/hex.h"

namespace incore {
namespace {

using test::Bytes;
using test::to_hex;

constexpr incore_sha_algorithm kAll[] = {INCORE_SHA1, INCORE_SHA224, INCORE_SHA256, INCORE_SHA384,
                                         INCORE_SHA512};

// |num| messages of |len| bytes each and their digests, one behind the other.
struct Batch {
  Batch(incore_sha_algorithm algorithm, size_t num, size_t len)
      : digest_len(incore_sha_digest_len(algorithm)),
        data(test::random_bytes(num * len, 1)),
        digests(num * digest_len, 0xA5),
        messages(num) {
    for (size_t i = 0; i < num; ++i)
      messages[i] = {data.data() + i * len, len, digests.data() + i * digest_len};
  }
  bool untouched() const { return digests == Bytes(digests.size(), 0xA5); }

  size_t digest_len;
  Bytes data, digests;
  std::vector<incore_sha_message> messages;
};

incore_status hash(incore_sha_algorithm algorithm, const Batch& batch) {
  return incore_sha_digest_many(algorithm, batch.messages.data(), batch.messages.size());
}

TEST(capi_sha_many, digests_are_those_of_one_message_at_a_time) {
  for (incore_sha_algorithm algorithm : kAll) {
    for (size_t num : {1, 2, 5, 16, 33}) {
      Batch batch(algorithm, num, 150);
      ASSERT_EQ(hash(algorithm, batch), INCORE_OK);
      for (const incore_sha_message& m : batch.messages) {
        Bytes digest(batch.digest_len);
        ASSERT_EQ(incore_sha_digest(algorithm, m.data, m.data_len, digest.data(), digest.size()),
                  INCORE_OK);
        EXPECT_EQ(to_hex(m.out_digest, batch.digest_len), to_hex(digest));
      }
    }
  }
}

TEST(capi_sha_many, no_messages_and_no_data_are_allowed) {
  EXPECT_EQ(incore_sha_digest_many(INCORE_SHA1, nullptr, 0), INCORE_OK);
  uint8_t digest[20];
  const incore_sha_message empty = {nullptr, 0, digest};
  ASSERT_EQ(incore_sha_digest_many(INCORE_SHA1, &empty, 1), INCORE_OK);
  EXPECT_EQ(to_hex(digest, 20), "da39a3ee5e6b4b0d3255bfef95601890afd80709");  // FIPS 180-4 examples
}

TEST(capi_sha_many, one_wrong_message_stops_all_before_anything_is_written) {
  for (size_t wrong : {0, 17, 39}) {
    Batch batch(INCORE_SHA256, 40, 100);
    const incore_sha_message right = batch.messages[wrong];
    batch.messages[wrong].data = nullptr;
    EXPECT_EQ(hash(INCORE_SHA256, batch), INCORE_ERROR_NULL);
    batch.messages[wrong] = right;
    batch.messages[wrong].out_digest = nullptr;
    EXPECT_EQ(hash(INCORE_SHA256, batch), INCORE_ERROR_NULL);
    batch.messages[wrong] = right;
    batch.messages[wrong].data_len = SIZE_MAX;  // longer than the address space has room
    EXPECT_EQ(hash(INCORE_SHA256, batch), INCORE_ERROR_LENGTH);
    EXPECT_EQ(hash(INCORE_SHA512, batch), INCORE_ERROR_LENGTH);
#if SIZE_MAX > 0xFFFFFFFF
    batch.messages[wrong].data_len = size_t{1} << 61;
    EXPECT_EQ(hash(INCORE_SHA256, batch), INCORE_ERROR_LENGTH);
#endif
    EXPECT_TRUE(batch.untouched());
    batch.messages[wrong] = right;
    EXPECT_EQ(hash(INCORE_SHA256, batch), INCORE_OK);
  }
  Batch batch(INCORE_SHA1, 3, 10);
  for (const int number : {-1, 0, 6, 1000})
    EXPECT_EQ(hash(static_cast<incore_sha_algorithm>(number), batch), INCORE_ERROR_ALGORITHM);
  EXPECT_EQ(incore_sha_digest_many(INCORE_SHA1, nullptr, 1), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_sha_digest_many(INCORE_SHA1, batch.messages.data(), SIZE_MAX / 2),
            INCORE_ERROR_LENGTH);
  EXPECT_TRUE(batch.untouched());
}

TEST(capi_sha_many, a_digest_on_what_another_message_needs_is_refused) {
  // More than are compared at a time, and the pairs at either end.
  const struct {
    size_t writer, other;
  } pairs[] = {{0, 1}, {1, 0}, {0, 599}, {599, 0}, {255, 256}, {300, 10}};
  for (const auto& pair : pairs) {
    Batch batch(INCORE_SHA1, 600, 64);
    const incore_sha_message right = batch.messages[pair.writer];
    const incore_sha_message& other = batch.messages[pair.other];
    uint8_t* const data = batch.data.data() + 64 * pair.other;
    const Bytes data_before = batch.data;

    for (int offset : {-19, 0, 30, 63}) {  // one byte in common at either end
      if (pair.other == 0 && offset < 0) continue;
      if (pair.other == 599 && offset > 44) continue;
      batch.messages[pair.writer].out_digest = data + offset;
      EXPECT_EQ(hash(INCORE_SHA1, batch), INCORE_ERROR_OVERLAP) << pair.writer << " " << offset;
    }
    for (int offset : {-19, 0, 19}) {
      if (pair.other == 0 && offset < 0) continue;
      if (pair.other == 599 && offset > 0) continue;
      batch.messages[pair.writer].out_digest = other.out_digest + offset;
      EXPECT_EQ(hash(INCORE_SHA1, batch), INCORE_ERROR_OVERLAP) << pair.writer << " " << offset;
    }
    batch.messages[pair.writer].out_digest =
        reinterpret_cast<uint8_t*>(&batch.messages[pair.other].data_len);
    EXPECT_EQ(hash(INCORE_SHA1, batch), INCORE_ERROR_OVERLAP);
    EXPECT_TRUE(batch.untouched());
    EXPECT_EQ(batch.data, data_before);

    batch.messages[pair.writer] = right;
    EXPECT_EQ(hash(INCORE_SHA1, batch), INCORE_OK);
  }
}

TEST(capi_sha_many, digests_may_lie_between_and_in_any_order) {
  // Each message with its digest behind it, and the messages from the last to the first.
  constexpr size_t kNum = 600, kLen = 50, kStep = kLen + 32;
  Bytes memory = test::random_bytes(kNum * kStep, 3);
  std::vector<incore_sha_message> messages;
  for (size_t i = kNum; i-- != 0;)
    messages.push_back({&memory[i * kStep], kLen, &memory[i * kStep + kLen]});
  ASSERT_EQ(incore_sha_digest_many(INCORE_SHA256, messages.data(), kNum), INCORE_OK);
  for (const incore_sha_message& m : messages) {
    uint8_t digest[32];
    ASSERT_EQ(incore_sha_digest(INCORE_SHA256, m.data, kLen, digest, 32), INCORE_OK);
    EXPECT_EQ(to_hex(m.out_digest, 32), to_hex(digest, 32));
  }
}

TEST(capi_sha_many, a_digest_may_overwrite_its_own_message) {
  Batch batch(INCORE_SHA1, 20, 30);
  std::vector<std::string> expected;
  for (incore_sha_message& m : batch.messages) {
    uint8_t digest[20];
    ASSERT_EQ(incore_sha_digest(INCORE_SHA1, m.data, m.data_len, digest, 20), INCORE_OK);
    expected.push_back(to_hex(digest, 20));
    m.out_digest = batch.data.data() + (&m - batch.messages.data()) * 30 + 10;
  }
  ASSERT_EQ(hash(INCORE_SHA1, batch), INCORE_OK);
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(to_hex(batch.messages[i].out_digest, 20), expected[i]);
}

}  // namespace
}  // namespace incore
