#include "incore/sha.h"

#include <gtest/gtest.h>

#include <cstring>

#include "support/hex.h"

namespace incore {
namespace {

using test::Bytes;
using test::to_hex;

// FIPS 180-2, appendices A to C, and its change notice for SHA-224: the message "abc".
const struct {
  incore_sha_algorithm algorithm;
  const char* digest_of_abc;
} kExamples[] = {
    {INCORE_SHA1, "a9993e364706816aba3e25717850c26c9cd0d89d"},
    {INCORE_SHA224, "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"},
    {INCORE_SHA256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {INCORE_SHA384,
     "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c82"
     "5"
     "a7"},
    {INCORE_SHA512,
     "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3fee"
     "b"
     "bd454d4423643ce80e2a9ac94fa54ca49f"},
};

TEST(capi_sha, examples_of_the_standard_in_one_call_and_in_pieces) {
  for (const auto& example : kExamples) {
    const size_t len = incore_sha_digest_len(example.algorithm);
    Bytes digest(len);
    ASSERT_EQ(incore_sha_digest(example.algorithm, "abc", 3, digest.data(), len), INCORE_OK);
    EXPECT_EQ(to_hex(digest), example.digest_of_abc);

    incore_sha ctx;
    std::memset(&ctx, 0xA5, sizeof ctx);
    Bytes pieces(len);
    ASSERT_EQ(incore_sha_init(&ctx, example.algorithm), INCORE_OK);
    ASSERT_EQ(incore_sha_update(&ctx, "a", 1), INCORE_OK);
    ASSERT_EQ(incore_sha_update(&ctx, nullptr, 0), INCORE_OK);
    ASSERT_EQ(incore_sha_update(&ctx, "bc", 2), INCORE_OK);
    ASSERT_EQ(incore_sha_final(&ctx, pieces.data(), len), INCORE_OK);
    EXPECT_EQ(pieces, digest);
  }
}

TEST(capi_sha, the_digest_may_overwrite_the_data) {
  uint8_t buffer[64] = {'a', 'b', 'c'};
  ASSERT_EQ(incore_sha_digest(INCORE_SHA1, buffer, 3, buffer, 20), INCORE_OK);
  EXPECT_EQ(to_hex(buffer, 20), kExamples[0].digest_of_abc);
}

TEST(capi_sha, a_copied_context_goes_on_by_itself) {
  incore_sha first;
  uint8_t one[20], two[20];
  ASSERT_EQ(incore_sha_init(&first, INCORE_SHA1), INCORE_OK);
  ASSERT_EQ(incore_sha_update(&first, "ab", 2), INCORE_OK);
  incore_sha second = first;
  ASSERT_EQ(incore_sha_final(&first, one, 20), INCORE_OK);
  ASSERT_EQ(incore_sha_update(&second, "c", 1), INCORE_OK);
  ASSERT_EQ(incore_sha_final(&second, two, 20), INCORE_OK);
  EXPECT_EQ(to_hex(two, 20), kExamples[0].digest_of_abc);
}

TEST(capi_sha, wrong_arguments_have_their_statuses_and_write_nothing) {
  incore_sha ctx;
  uint8_t digest[65];
  std::memset(digest, 0xA5, sizeof digest);
  const Bytes untouched(digest, digest + sizeof digest);
  EXPECT_EQ(incore_sha_init(nullptr, INCORE_SHA1), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_sha_update(nullptr, "a", 1), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_sha_final(nullptr, digest, 20), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_sha_digest(INCORE_SHA1, nullptr, 1, digest, 20), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_sha_digest(INCORE_SHA1, "a", 1, nullptr, 20), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_sha_digest(INCORE_SHA1, "a", 1, digest, 19), INCORE_ERROR_LENGTH);
  EXPECT_EQ(incore_sha_digest(INCORE_SHA1, "a", 1, digest, 21), INCORE_ERROR_LENGTH);
  for (const int number : {-1, 0, 6, 1000}) {
    const auto unknown = static_cast<incore_sha_algorithm>(number);
    EXPECT_EQ(incore_sha_digest_len(unknown), 0u) << number;
    EXPECT_EQ(incore_sha_init(&ctx, unknown), INCORE_ERROR_ALGORITHM) << number;
    EXPECT_EQ(incore_sha_digest(unknown, "a", 1, digest, 20), INCORE_ERROR_ALGORITHM) << number;
  }

  ASSERT_EQ(incore_sha_init(&ctx, INCORE_SHA1), INCORE_OK);
  EXPECT_EQ(incore_sha_update(&ctx, nullptr, 1), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_sha_final(&ctx, nullptr, 20), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_sha_final(&ctx, digest, 32), INCORE_ERROR_LENGTH);
  EXPECT_EQ(Bytes(digest, digest + sizeof digest), untouched);

  // The failures above left the message alone.
  ASSERT_EQ(incore_sha_update(&ctx, "abc", 3), INCORE_OK);
  ASSERT_EQ(incore_sha_final(&ctx, digest, 20), INCORE_OK);
  EXPECT_EQ(to_hex(digest, 20), kExamples[0].digest_of_abc);
  EXPECT_EQ(digest[20], 0xA5);
}

#if SIZE_MAX > 0xFFFFFFFF
TEST(capi_sha, a_message_beyond_the_limit_is_an_error) {
  incore_sha ctx;
  ASSERT_EQ(incore_sha_init(&ctx, INCORE_SHA256), INCORE_OK);
  ASSERT_EQ(incore_sha_update(&ctx, "abc", 3), INCORE_OK);
  // Refused by its length, before any byte of it is read.
  EXPECT_EQ(incore_sha_update(&ctx, "d", (size_t{1} << 61) - 3), INCORE_ERROR_LENGTH);
  uint8_t digest[32];
  ASSERT_EQ(incore_sha_final(&ctx, digest, 32), INCORE_OK);
  EXPECT_EQ(to_hex(digest, 32), kExamples[2].digest_of_abc);

  ASSERT_EQ(incore_sha_init(&ctx, INCORE_SHA512), INCORE_OK);
  ASSERT_EQ(incore_sha_update(&ctx, "a", 1), INCORE_OK);
  EXPECT_EQ(incore_sha_update(&ctx, "b", SIZE_MAX), INCORE_ERROR_LENGTH);
}
#endif

TEST(capi_sha, a_finished_wiped_or_empty_context_is_refused) {
  incore_sha ctx;
  const incore_sha zero = {};
  uint8_t digest[20];
  ASSERT_EQ(incore_sha_init(&ctx, INCORE_SHA1), INCORE_OK);
  ASSERT_EQ(incore_sha_update(&ctx, "secret", 6), INCORE_OK);
  ASSERT_EQ(incore_sha_final(&ctx, digest, 20), INCORE_OK);
  EXPECT_EQ(std::memcmp(&ctx, &zero, sizeof ctx), 0);
  EXPECT_EQ(incore_sha_update(&ctx, "a", 1), INCORE_ERROR_STATE);
  EXPECT_EQ(incore_sha_final(&ctx, digest, 20), INCORE_ERROR_STATE);

  ASSERT_EQ(incore_sha_init(&ctx, INCORE_SHA1), INCORE_OK);
  incore_sha_wipe(&ctx);
  EXPECT_EQ(std::memcmp(&ctx, &zero, sizeof ctx), 0);
  incore_sha_wipe(nullptr);
}

}  // namespace
}  // namespace incore
