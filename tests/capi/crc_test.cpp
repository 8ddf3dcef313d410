#include "incore/crc.h"

#include <gtest/gtest.h>

#include "support/hex.h"

namespace incore {
namespace {

using test::Bytes;

uint32_t crc32(const Bytes& data) {
  uint32_t crc = 0;
  EXPECT_EQ(incore_crc32(&crc, data.data(), data.size()), INCORE_OK);
  return crc;
}

uint32_t crc32c(const Bytes& data) {
  uint32_t crc = 0;
  EXPECT_EQ(incore_crc32c(&crc, data.data(), data.size()), INCORE_OK);
  return crc;
}

Bytes text(const std::string& s) {
  return Bytes(s.begin(), s.end());
}

// The check values that catalogues of CRCs give: the CRC of the nine digits.
// clause: P8-POLY-011
TEST(capi_crc, check_values) {
  EXPECT_EQ(crc32(text("123456789")), 0xCBF43926u);
  EXPECT_EQ(crc32c(text("123456789")), 0xE3069283u);
  EXPECT_EQ(crc32({}), 0u);
  EXPECT_EQ(crc32c({}), 0u);
}

// RFC 3720, appendix B.4; the RFC prints the CRC's bytes in the order in which they are sent.
TEST(capi_crc, examples_of_rfc_3720) {
  Bytes up(32), down(32);
  for (size_t i = 0; i < 32; ++i) {
    up[i] = static_cast<uint8_t>(i);
    down[i] = static_cast<uint8_t>(31 - i);
  }
  EXPECT_EQ(crc32c(Bytes(32, 0x00)), 0x8A9136AAu);
  EXPECT_EQ(crc32c(Bytes(32, 0xFF)), 0x62A8AB43u);
  EXPECT_EQ(crc32c(up), 0x46DD794Eu);
  EXPECT_EQ(crc32c(down), 0x113FDB5Cu);
  const Bytes read_command = test::from_hex(
      "01c00000 00000000 00000000 00000000 14000000 00000400 00000014 00000018"
      "28000000 00000000 02000000 00000000");
  EXPECT_EQ(crc32c(read_command), 0xD9963A56u);
}

TEST(capi_crc, pieces_give_the_crc_of_the_whole) {
  const Bytes data = test::random_bytes(200, 1);
  for (size_t split = 0; split <= data.size(); ++split) {
    uint32_t crc = 0;
    ASSERT_EQ(incore_crc32(&crc, data.data(), split), INCORE_OK);
    ASSERT_EQ(incore_crc32(&crc, data.data() + split, data.size() - split), INCORE_OK);
    EXPECT_EQ(crc, crc32(data)) << split;
  }
}

TEST(capi_crc, wrong_arguments_have_their_statuses) {
  uint32_t crc = 7;
  EXPECT_EQ(incore_crc32(nullptr, "a", 1), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_crc32c(&crc, nullptr, 1), INCORE_ERROR_NULL);
  EXPECT_EQ(crc, 7u);
  EXPECT_EQ(incore_crc32(&crc, nullptr, 0), INCORE_OK);
  EXPECT_EQ(crc, 7u);
}

}  // namespace
}  // namespace incore
