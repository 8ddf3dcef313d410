// Runs counted word by word against runs counted bit by bit.
#include "assess/stream/run_lengths.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "assess/generators.h"
#include "support/choices.h"
#include "support/property.h"

namespace incore::assess {
namespace {

RunLengths plainly(const test::Bytes& data) {
  RunLengths runs;
  uint64_t length = 0, last = 0;
  const auto end = [&] {
    if (length == 0) return;
    ++runs.counts[last][std::min<uint64_t>(length, RunLengths::kMost)];
    runs.longest = std::max(runs.longest, length);
  };
  for (size_t i = 0; i < 8 * data.size(); ++i) {
    const uint64_t bit = data[i / 8] >> (7 - i % 8) & 1u;
    if (bit != last) end(), length = 0;
    last = bit;
    ++length;
  }
  end();
  return runs;
}

// Bits whose runs are long or short: whole stretches of zeros and ones among random bytes.
test::Bytes made_of_runs(test::SeededChoices& choices) {
  test::Bytes data;
  const size_t pieces = choices.below(12);
  for (size_t i = 0; i < pieces; ++i) {
    const size_t len = choices.below(40);
    switch (choices.below(4)) {
      case 0:
        data.insert(data.end(), len, 0);
        break;
      case 1:
        data.insert(data.end(), len, 0xFF);
        break;
      case 2:
        data.insert(data.end(), len, 0xAA);
        break;
      default:
        for (const uint8_t byte : choices.bytes(len)) data.push_back(byte);
    }
  }
  return data;
}

TEST(assess_run_lengths, are_those_of_a_plain_loop_in_any_pieces) {
  test::for_each_seed(2000, [](uint64_t seed) {
    test::SeededChoices choices(seed);
    const test::Bytes data = made_of_runs(choices);
    RunLengths runs;
    for (size_t i = 0; i < data.size();) {
      const size_t len = std::min<size_t>(data.size() - i, choices.below(60));
      runs.update(data.data() + i, len);
      i += len;
    }
    runs.finish();
    const RunLengths expected = plainly(data);
    EXPECT_EQ(runs.longest, expected.longest);
    for (unsigned bit = 0; bit < 2; ++bit)
      for (unsigned length = 0; length <= RunLengths::kMost; ++length)
        EXPECT_EQ(runs.counts[bit][length], expected.counts[bit][length])
            << "runs of " << length << " bits " << bit;
  });
}

TEST(assess_run_lengths, tell_which_bit_had_the_longest) {
  RunLengths runs;
  const uint8_t data[] = {0x0F, 0xFF, 0xF0, 0x00};  // 4 zeros, 16 ones, 12 zeros
  runs.update(data, sizeof data);
  runs.finish();
  EXPECT_EQ(runs.longest, 16u);
  EXPECT_EQ(runs.longest_bit, 1u);
  EXPECT_EQ(runs.counts[0][4], 1u);
  EXPECT_EQ(runs.counts[0][12], 1u);
  EXPECT_EQ(runs.counts[1][16], 1u);
}

}  // namespace
}  // namespace incore::assess
