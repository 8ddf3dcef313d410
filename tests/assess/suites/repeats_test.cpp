// Blocks that come again, and words that follow a rule.
#include <gtest/gtest.h>

#include <cstdlib>

#include "assess/stream/window_sample.h"
#include "assess/stream/word_rules.h"
#include "assess/suite_runs.h"
#include "support/property.h"

namespace incore::assess {
namespace {

using test::Bytes;

Result windows_of(const Bytes& data) {
  return test::result_of(test::judge(suite_repeats, data), "Repeated windows");
}

// The second occurrence of |len| bytes begins |distance| after the first.
void repeat(Bytes& data, size_t from, size_t distance, size_t len) {
  std::copy_n(data.begin() + static_cast<ptrdiff_t>(from), len,
              data.begin() + static_cast<ptrdiff_t>(from + distance));
}

TEST(assess_repeats, sixteen_equal_bytes_are_found_in_a_short_stream_wherever_they_are) {
  test::for_each_seed(60, [](uint64_t seed) {
    test::SeededChoices choices(seed);
    Bytes data = test::good_bytes(seed, 1000 + choices.below(60000));
    const size_t distance = 16 + choices.below(data.size() - 40);
    const size_t from = choices.below(data.size() - distance - 16);
    repeat(data, from, distance, 16);
    const Report report = test::judge(suite_repeats, data, seed);
    const Result& result = test::result_of(report, "Repeated windows");
    EXPECT_EQ(result.verdict, INCORE_VERDICT_FAIL);
    EXPECT_EQ(test::figure_of(result, "first repeat"), static_cast<double>(from + distance));
    EXPECT_EQ(test::figure_of(result, "first distance"), static_cast<double>(distance));
    EXPECT_EQ(result.statistic, 1);
    // Fifteen are not enough.
    data[from + distance] ^= 1;
    EXPECT_EQ(windows_of(data).statistic, 0);
  });
}

TEST(assess_repeats, a_block_of_any_length_that_repeats_is_found_with_its_length) {
  for (const size_t len : {1u, 3u, 16u, 1024u, 4099u, 65536u, 65537u, 1u << 20, 3000001u}) {
    Bytes data = test::good_bytes(len, len);
    data.resize(std::max<size_t>(2000, 2 * len + len / 2));
    for (size_t i = len; i < data.size(); ++i) data[i] = data[i - len];
    const Result result = windows_of(data);
    EXPECT_EQ(result.verdict, INCORE_VERDICT_FAIL) << len;
    EXPECT_EQ(test::figure_of(result, "usual distance"), static_cast<double>(len));
  }
}

TEST(assess_repeats, a_block_that_comes_twice_in_64_MiB_is_found) {
  Bytes data = test::good_bytes(9, 64 << 20);
  EXPECT_EQ(windows_of(data).statistic, 0);
  repeat(data, 5000001, 40000007, 65536);
  const Result result = windows_of(data);
  EXPECT_EQ(result.verdict, INCORE_VERDICT_FAIL);
  EXPECT_EQ(test::figure_of(result, "first distance"), 40000007);
  // One window in 1024 or 2048 is remembered by then.
  EXPECT_GT(result.statistic, 10);
  EXPECT_LT(result.statistic, 130);
}

TEST(assess_repeats, good_bytes_have_no_repeats_and_say_how_many_were_compared) {
  const Result result = windows_of(test::good_bytes(4, 50000));
  EXPECT_EQ(result.verdict, INCORE_VERDICT_PASS);
  EXPECT_EQ(test::figure_of(result, "windows"), 50000 - 15);
  EXPECT_EQ(test::figure_of(result, "one window in"), 1);
}

TEST(assess_repeats, every_piece_length_gives_the_same_sample) {
  const Bytes data = test::good_bytes(5, 3 << 20);
  const auto figures = [&](uint64_t seed) {
    const Report report = test::judge(suite_repeats, data, seed);
    const Result& result = test::result_of(report, "Repeated windows");
    return std::pair(test::figure_of(result, "windows"), test::figure_of(result, "one window in"));
  };
  EXPECT_EQ(figures(1), figures(0));
  EXPECT_EQ(figures(2), figures(0));
}

struct WordCase {
  const char* name;
  unsigned len;
  bool high_first;
  uint64_t multiplier;
};

// x = multiplier x + 0x1234567 in words of |len| bytes.
Bytes words_of(const WordCase& word, size_t len) {
  Bytes data(len);
  uint64_t x = 99;
  for (size_t i = 0; i + word.len <= len; i += word.len) {
    for (unsigned k = 0; k < word.len; ++k)
      data[i + (word.high_first ? word.len - 1 - k : k)] = static_cast<uint8_t>(x >> 8 * k);
    x = word.multiplier * x + 0x1234567;
  }
  return data;
}

TEST(assess_repeats, counters_and_linear_congruences_are_found_and_named) {
  const WordCase cases[] = {
      {"bytes", 1, false, 1},
      {"16-bit words, low byte first", 2, false, 1},
      {"16-bit words, high byte first", 2, true, 1},
      {"32-bit words, low byte first", 4, false, 1},
      {"32-bit words, high byte first", 4, true, 1},
      {"64-bit words, low byte first", 8, false, 1},
      {"64-bit words, high byte first", 8, true, 1},
      {"32-bit words, low byte first", 4, false, 1664525},
      {"32-bit words, high byte first", 4, true, 69069},
      {"64-bit words, low byte first", 8, false, 6364136223846793005},
      {"64-bit words, high byte first", 8, true, 6364136223846793005},
  };
  for (const WordCase& word : cases) {
    const Report report = test::judge(suite_repeats, words_of(word, 5000), 3);
    const Result& result = test::result_of(report, "Counter");
    EXPECT_EQ(result.verdict, INCORE_VERDICT_FAIL) << word.name << " by " << word.multiplier;
    EXPECT_EQ(test::figure_of(result, word.name), 1) << "by " << word.multiplier;
  }
}

// Plain arithmetic on words, for lengths that are no multiple of a word.
TEST(assess_repeats, words_that_follow_the_rule_are_counted_as_by_a_plain_loop) {
  test::for_each_seed(40, [](uint64_t seed) {
    test::SeededChoices choices(seed);
    Bytes data = test::good_bytes(seed, 1000 + choices.below(40000));
    for (int i = 0; i < 50; ++i)  // some that follow it
      std::fill_n(&data[choices.below(data.size() - 40)], choices.below(40), uint8_t{7});
    const Report report = test::judge(suite_repeats, data, seed);
    const Result& result = test::result_of(report, "Counter");
    for (size_t kind = 0; kind < kNumWordKinds; ++kind) {
      const size_t len = kind == 0 ? 1 : size_t{2} << (kind - 1) / 2;
      const bool high_first = kind != 0 && kind % 2 == 0;
      std::vector<uint64_t> words;
      for (size_t i = 0; i + len <= data.size(); i += len) {
        uint64_t word = 0;
        for (size_t k = 0; k < len; ++k)
          word |= uint64_t{data[i + (high_first ? len - 1 - k : k)]} << 8 * k;
        words.push_back(word);
      }
      const uint64_t mask = len == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * len) - 1;
      const size_t before = len <= 2 ? 2 : 3;
      double ruled = 0;
      for (size_t i = before; i < words.size(); ++i) {
        const uint64_t step = words[i] - words[i - 1], last = words[i - 1] - words[i - 2];
        if (before == 2)
          ruled += ((step - last) & mask) == 0;
        else
          ruled += ((step * (words[i - 2] - words[i - 3]) - last * last) & mask) == 0;
      }
      EXPECT_DOUBLE_EQ(test::figure_of(result, kWordKinds[kind].name),
                       ruled / static_cast<double>(words.size() - before))
          << kWordKinds[kind].name;
    }
  });
}

// The stated chance, at a width at which all cases can be gone through: 1.5 * 2^-bits nearly.
TEST(assess_repeats, chance_of_a_geometric_progression_is_that_of_all_steps) {
  constexpr unsigned kBits = 7, kSize = 1 << kBits;
  double progressions = 0;
  for (unsigned a = 0; a < kSize; ++a)
    for (unsigned b = 0; b < kSize; ++b)
      for (unsigned c = 0; c < kSize; ++c) progressions += (a * c - b * b) % kSize == 0;
  const double chance = progressions / (1.0 * kSize * kSize * kSize);
  EXPECT_NEAR(chance * kSize, kWordKinds[3].chance * 0x1p32, 0.1);
}

TEST(assess_repeats, needs_1000_bytes) {
  EXPECT_EQ(
      test::num_of(test::judge(suite_repeats, test::good_bytes(1, 999)), INCORE_VERDICT_SKIPPED),
      1u);
  EXPECT_EQ(
      test::num_of(test::judge(suite_repeats, test::good_bytes(1, 1000)), INCORE_VERDICT_PASS), 2u);
}

}  // namespace
}  // namespace incore::assess
