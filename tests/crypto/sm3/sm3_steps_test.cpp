#include "crypto/sm3/sm3_steps.h"

#include <gtest/gtest.h>

#include <cstring>

#include "crypto/sha/sha_steps.h"
#include "support/hex.h"

namespace incore {
namespace {

std::string sm3_of(const std::string& message) {
  uint32_t V[sm3::kNumWords];
  std::memcpy(V, sm3::kIv, sizeof V);
  const auto* bytes = reinterpret_cast<const uint8_t*>(message.data());
  size_t done = 0;
  for (; message.size() - done >= sm3::kBlockLen; done += sm3::kBlockLen)
    sm3::compress_block(V, bytes + done);
  uint8_t tail[2 * sm3::kBlockLen];  // section 5.2: padded as for SHA-256
  const size_t num_blocks =
      sha::pad<sm3::kBlockLen>(bytes + done, message.size() - done, message.size(), tail);
  for (size_t i = 0; i < num_blocks; ++i) sm3::compress_block(V, tail + i * sm3::kBlockLen);
  test::Bytes digest(32);
  for (size_t i = 0; i < sm3::kNumWords; ++i) store_be32(&digest[4 * i], V[i]);
  return test::to_hex(digest);
}

// GB/T 32905-2016, appendix A.
TEST(sm3_steps, examples_of_the_standard) {
  EXPECT_EQ(sm3_of("abc"), "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0");
  std::string abcd;
  for (int i = 0; i < 16; ++i) abcd += "abcd";
  EXPECT_EQ(sm3_of(abcd), "debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732");
}

}  // namespace
}  // namespace incore
