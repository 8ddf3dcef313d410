#include "crypto/sha/sha_stream.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "crypto/sha/sha_steps.h"
#include "support/hex.h"

namespace incore {

class ShaStreamTest {
 public:
  static void set_message_len(ShaStream& stream, uint64_t len) { stream.message_len_ = len; }
};

namespace {

using test::Bytes;
using test::to_hex;

constexpr ShaAlgorithm kAll[] = {ShaAlgorithm::sha1, ShaAlgorithm::sha224, ShaAlgorithm::sha256,
                                 ShaAlgorithm::sha384, ShaAlgorithm::sha512};

Bytes finish(ShaStream& stream) {
  Bytes digest(sha_digest_len(stream.algorithm()));
  stream.final(digest.data());
  return digest;
}

TEST(sha_stream, any_split_gives_the_digest_of_the_whole) {
  const Bytes data = test::random_bytes(5000, 3);
  const Bytes lengths = test::random_bytes(4000, 4);
  for (ShaAlgorithm algorithm : kAll) {
    ShaStream whole(algorithm, sha_kernel(algorithm));
    ASSERT_TRUE(whole.update(data.data(), data.size()));
    const Bytes expected = finish(whole);
    for (size_t round = 0; round < 20; ++round) {
      ShaStream pieces(algorithm, sha_kernel(algorithm));
      for (size_t done = 0, i = round * 200; done < data.size(); ++i) {
        const size_t len = std::min<size_t>(lengths[i] + (round % 2) * 64u, data.size() - done);
        ASSERT_TRUE(pieces.update(data.data() + done, len));
        done += len;
      }
      EXPECT_EQ(finish(pieces), expected) << round;
    }
  }
}

TEST(sha_stream, a_copy_goes_on_by_itself) {
  const Bytes data = test::random_bytes(300, 5);
  for (ShaAlgorithm algorithm : kAll) {
    ShaStream first(algorithm, sha_kernel(algorithm));
    ASSERT_TRUE(first.update(data.data(), 100));
    ShaStream second = first;
    ASSERT_TRUE(second.update(data.data() + 100, 200));
    finish(first);
    ShaStream whole(algorithm, sha_kernel(algorithm));
    ASSERT_TRUE(whole.update(data.data(), 300));
    EXPECT_EQ(finish(second), finish(whole));
  }
}

TEST(sha_stream, a_message_beyond_the_limit_is_refused) {
  const uint8_t byte[64] = {};
  for (ShaAlgorithm algorithm : kAll) {
    ShaStream stream(algorithm, sha_kernel(algorithm));
    const uint64_t limit = stream.max_message_len();
    const bool wide = sha_block_len(algorithm) == 128;
    EXPECT_EQ(limit, wide ? UINT64_MAX : (uint64_t{1} << 61) - 1);
    ShaStreamTest::set_message_len(stream, limit - 20);
    EXPECT_FALSE(stream.update(byte, 21));
    EXPECT_TRUE(stream.update(byte, 20));
    EXPECT_FALSE(stream.update(byte, 1));
    EXPECT_TRUE(stream.update(byte, 0));
  }
}

TEST(sha_stream, padding_has_the_length_in_bits_at_its_end) {
  uint8_t out[256];
  const auto padded = [&out](size_t blocks, size_t block_len) {
    return to_hex(out, blocks * block_len);
  };
  const uint8_t abc[] = {'a', 'b', 'c'};
  ASSERT_EQ(sha::pad<64>(abc, 3, 3, out), 1u);  // FIPS 180-4, section 5.1.1
  EXPECT_EQ(padded(1, 64), "61626380" + std::string(104, '0') + "0000000000000018");
  ASSERT_EQ(sha::pad<128>(abc, 3, 3, out), 1u);  // section 5.1.2
  EXPECT_EQ(padded(1, 128),
            "61626380" + std::string(216, '0') + "00000000000000000000000000000018");
  const Bytes zeros(128);
  EXPECT_EQ(sha::pad<64>(zeros.data(), 55, 55, out), 1u);
  EXPECT_EQ(sha::pad<64>(zeros.data(), 56, 56, out), 2u);
  EXPECT_EQ(sha::pad<128>(zeros.data(), 111, 111, out), 1u);
  EXPECT_EQ(sha::pad<128>(zeros.data(), 112, 112, out), 2u);
  sha::pad<64>(zeros.data(), 0, (uint64_t{1} << 61) - 64, out);
  EXPECT_EQ(to_hex(out + 56, 8), "fffffffffffffe00");
  sha::pad<128>(zeros.data(), 0, UINT64_MAX - 127, out);
  EXPECT_EQ(to_hex(out + 112, 16), "0000000000000007fffffffffffffc00");
}

}  // namespace
}  // namespace incore
