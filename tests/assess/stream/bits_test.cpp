// The counting loops against plain ones.
#include "assess/stream/bits.h"

#include <gtest/gtest.h>

#include "assess/generators.h"
#include "support/choices.h"
#include "support/property.h"

namespace incore::assess {
namespace {

bool bit(const uint8_t* data, size_t index) {
  return data[index / 8] >> (7 - index % 8) & 1;
}

TEST(assess_stream_bits, differences_and_ones_are_what_a_plain_loop_counts) {
  test::for_each_seed(300, [](uint64_t seed) {
    test::SeededChoices choices(seed);
    const size_t len = choices.below(choices.chance(10) ? 9000 : 200);
    const auto a = choices.bytes(len + 31), b = choices.bytes(len + 31);
    const uint8_t* const x = a.data() + choices.below(31);
    const uint8_t* const y = b.data() + choices.below(31);
    uint64_t differences = 0, ones = 0;
    for (size_t i = 0; i < 8 * len; ++i) {
      differences += bit(x, i) != bit(y, i);
      ones += bit(x, i);
    }
    EXPECT_EQ(count_differences(x, y, len), differences);
    for (CountDifferences* count : usable_counts_of_differences())
      EXPECT_EQ(count(x, y, len), differences);
    EXPECT_EQ(count_ones(x, len), ones);
  });
}

TEST(assess_stream_bits, bytes_are_counted_whatever_the_length) {
  for (size_t len = 0; len < 40; ++len) {
    const test::Bytes data = test::good_bytes(len, len);
    uint32_t tables[4][256] = {}, expected[256] = {};
    count_bytes(data.data(), len, tables);
    for (const uint8_t byte : data) ++expected[byte];
    for (unsigned byte = 0; byte < 256; ++byte)
      EXPECT_EQ(tables[0][byte] + tables[1][byte] + tables[2][byte] + tables[3][byte],
                expected[byte]);
  }
}

}  // namespace
}  // namespace incore::assess
