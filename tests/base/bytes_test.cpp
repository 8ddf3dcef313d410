#include "base/bytes.h"

#include <gtest/gtest.h>

namespace incore {
namespace {

TEST(base_bytes, loads_and_stores_agree_with_the_written_order) {
  const uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(load_be16(bytes), 0x0102);
  EXPECT_EQ(load_be32(bytes), 0x01020304u);
  EXPECT_EQ(load_be64(bytes), 0x0102030405060708u);
  EXPECT_EQ(load_le32(bytes), 0x04030201u);
  EXPECT_EQ(load_le64(bytes), 0x0807060504030201u);
  uint8_t out[8];
  store_be32(out, 0x01020304u);
  EXPECT_EQ(out[0], 1);
  store_le64(out, 0x0807060504030201u);
  EXPECT_EQ(std::memcmp(out, bytes, 8), 0);
}

TEST(base_bytes, ranges_overlap_only_when_they_share_a_byte) {
  const uint8_t a[8] = {};
  EXPECT_TRUE(ranges_overlap(a, 4, a + 3, 4));
  EXPECT_TRUE(ranges_overlap(a + 3, 4, a, 4));
  EXPECT_FALSE(ranges_overlap(a, 4, a + 4, 4));
  EXPECT_FALSE(ranges_overlap(a, 0, a, 4));
}

}  // namespace
}  // namespace incore
