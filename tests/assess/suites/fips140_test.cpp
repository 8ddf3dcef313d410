// The block tests of FIPS 140-2 against plain loops, the chances of failure computed anew, and
// rngtest, block for block.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <sstream>

#include "assess/special.h"
#include "assess/suite_runs.h"
#include "support/process.h"

namespace incore::assess {
namespace {

using test::Bytes;

constexpr int kBits = 20000;
constexpr size_t kBlockLen = 2500;
constexpr const char* kNames[] = {"FIPS 140-2", "Monobit",  "Poker",
                                  "Runs",       "Long run", "Continuous run"};
using Failures = std::array<double, 6>;  // in this order

// FIPS 140-2 with change notice 1, section 4.9.1: what passes lies strictly between.
constexpr int kLow[7] = {0, 2315, 1114, 527, 240, 103, 103};
constexpr int kHigh[7] = {0, 2685, 1386, 723, 384, 209, 209};

// What rngtest 5 does beyond the standard: where a block begins with another bit than the last one
// ended with, it counts a run of no bits, in a place that belongs to the poker test's last nibble
// or to the long runs; and it counts the last run of a block as one of the other bit.
enum class Manner { of_the_standard, of_rngtest };

Failures failures_of(const Bytes& data, Manner manner) {
  Failures failures = {};
  int last_of_all = 0;  // the bit that the last block ended with
  for (size_t begin = 4; begin + kBlockLen <= data.size(); begin += kBlockLen) {
    const uint8_t* const block = &data[begin];
    int ones = 0, nibbles[16] = {}, runs[2][7] = {}, longest = 0, length = 0, last = -1;
    const auto end = [&](int bit) {
      if (length == 0) return;
      ++runs[bit][std::min(length, 6)];
      longest = std::max(longest, length);
    };
    for (int i = 0; i < kBits; ++i) {
      const int bit = block[i / 8] >> (7 - i % 8) & 1;
      ones += bit;
      if (bit != last) end(last), length = 0;
      last = bit;
      ++length;
    }
    const bool odd = manner == Manner::of_rngtest;
    end(odd ? 1 - last : last);
    for (size_t i = 0; i < kBlockLen; ++i) ++nibbles[block[i] >> 4], ++nibbles[block[i] & 15];
    const int first = block[0] >> 7;
    if (odd && first != last_of_all) ++(first != 0 ? runs[0][6] : nibbles[15]);
    last_of_all = last;
    double squares = 0;
    for (const int count : nibbles) squares += 1.0 * count * count;
    const double poker = 16.0 / 5000 * squares - 5000;
    bool bad[6] = {};
    bad[1] = !(9725 < ones && ones < 10275);
    bad[2] = !(2.16 < poker && poker < 46.17);
    for (int k = 1; k <= 6; ++k)
      for (const auto& counts : runs) bad[3] |= counts[k] < kLow[k] || counts[k] > kHigh[k];
    bad[4] = longest >= 26;
    for (size_t i = 0; i < kBlockLen; i += 4)
      bad[5] |= std::memcmp(block + i, block + i - 4, 4) == 0;
    for (int k = 1; k < 6; ++k) bad[0] |= bad[k];
    for (int k = 0; k < 6; ++k) failures[static_cast<size_t>(k)] += bad[k];
  }
  return failures;
}

Failures failures_found(const Bytes& data, uint64_t pieces_seed = 0) {
  const Report report = test::judge(suite_fips140, data, pieces_seed);
  Failures failures = {};
  for (size_t i = 0; i < 6; ++i) failures[i] = test::result_of(report, kNames[i]).statistic;
  return failures;
}

// Bytes that fail each of the tests in some of their blocks.
Bytes mixed(uint64_t seed) {
  test::SeededChoices choices(seed);
  Bytes data = test::good_bytes(seed, 200 * kBlockLen + choices.below(3000));
  for (int i = 0; i < 60; ++i) {
    const size_t at = choices.below(data.size() - 400), len = choices.below(400);
    const uint8_t byte = std::array<uint8_t, 4>{0, 0xFF, 0x11, 0xEE}[choices.below(4)];
    for (size_t k = 0; k < len; ++k) {
      uint8_t& old = data[at + k];
      old = static_cast<uint8_t>(i % 3 == 0 ? byte : i % 3 == 1 ? old | byte : old & byte);
    }
  }
  return data;
}

TEST(assess_fips140, finds_the_failures_that_plain_loops_find) {
  Failures all = {};
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    const Bytes data = mixed(seed);
    const Failures expected = failures_of(data, Manner::of_the_standard);
    EXPECT_EQ(failures_found(data), expected);
    EXPECT_EQ(failures_found(data, seed), expected);
    for (size_t i = 0; i < 6; ++i) all[i] += expected[i];
  }
  for (size_t i = 0; i < 6; ++i) EXPECT_GT(all[i], 5) << kNames[i] << " was not put to the test";
}

TEST(assess_fips140, agrees_with_rngtest_block_for_block) {
  if (test::run({"sh", "-c", "command -v rngtest"}).exit_code != 0)
    GTEST_SKIP() << "rngtest is not installed";
  std::vector<Bytes> files = {test::good_bytes(1, 3 << 20), Bytes(100000), Bytes(100000, 0x5A)};
  for (uint64_t seed = 1; seed <= 6; ++seed) files.push_back(mixed(seed));
  for (const Bytes& data : files) {
    const test::ProcessResult result =
        test::run({"rngtest"}, std::string(data.begin(), data.end()));
    // Below the standard's limits in each test, and the program's own in two of them.
    const Failures found = failures_found(data), theirs = failures_of(data, Manner::of_rngtest);
    const char* const kTheirs[] = {"failures", "Monobit",  "Poker",
                                   "Runs",     "Long run", "Continuous run"};
    for (size_t i = 0; i < 6; ++i) {
      const size_t at = result.err.find(std::string(kTheirs[i]) + ": ");
      ASSERT_NE(at, std::string::npos) << result.err;
      const double printed = std::stod(result.err.substr(at + std::strlen(kTheirs[i]) + 2));
      EXPECT_EQ(printed, theirs[i]) << kNames[i];
      if (i == 1 || i == 4 || i == 5) {
        EXPECT_EQ(printed, found[i]) << kNames[i];
      }
    }
    EXPECT_EQ(found, failures_of(data, Manner::of_the_standard));
  }
}

void set_bit(Bytes& data, size_t index, bool value) {
  const auto mask = static_cast<uint8_t>(128 >> index % 8);
  data[index / 8] = static_cast<uint8_t>(value ? data[index / 8] | mask : data[index / 8] & ~mask);
}

TEST(assess_fips140, ones_and_the_longest_run_have_the_limits_of_the_standard) {
  const Bytes good = test::good_bytes(12, 4 + kBlockLen);
  for (const auto& [wanted, fails] : {std::pair(9725, 1), {9726, 0}, {10274, 0}, {10275, 1}}) {
    Bytes data = good;
    int ones = 0;
    for (size_t i = 4; i < data.size(); ++i) ones += __builtin_popcount(data[i]);
    for (size_t i = 32; ones != wanted; ++i) {
      const bool bit = data[i / 8] >> (7 - i % 8) & 1;
      if (bit == (ones < wanted)) continue;
      set_bit(data, i, !bit);
      ones += bit ? -1 : 1;
    }
    EXPECT_EQ(failures_found(data)[1], fails) << wanted;
  }
  for (const auto& [length, fails] : {std::pair(25, 0), {26, 1}})
    for (const bool bit : {false, true}) {
      Bytes data = good;
      constexpr size_t kBegin = 10003;
      set_bit(data, kBegin, !bit);
      for (int i = 1; i <= length; ++i) set_bit(data, kBegin + static_cast<size_t>(i), bit);
      set_bit(data, kBegin + static_cast<size_t>(length) + 1, !bit);
      EXPECT_EQ(failures_found(data)[4], fails) << length << " bits " << bit;
    }
}

double chance_of(const char* name) {
  static const Report report = test::judge(suite_fips140, test::good_bytes(1, 5004));
  return test::figure_of(test::result_of(report, name), "chance");
}

TEST(assess_fips140, chance_of_monobit_is_binomial) {
  double pass = 0;
  for (int ones = 9726; ones <= 10274; ++ones)
    pass += std::exp(std::lgamma(kBits + 1.0) - std::lgamma(ones + 1.0) -
                     std::lgamma(kBits - ones + 1.0) - kBits * std::log(2.0));
  EXPECT_NEAR(chance_of("Monobit"), 1 - pass, 1e-9);
}

// Sixteen Poisson numbers given their sum: the distribution of the sum of their squares, cell by
// cell, over the sums that can still become 5000.
TEST(assess_fips140, chance_of_poker_is_multinomial) {
  if (std::getenv("INCORE_LONG_TESTS") == nullptr)
    GTEST_SKIP() << "takes half a minute: set INCORE_LONG_TESTS";
  constexpr int kMean = 312, kMost = 121, kReach = 600;
  constexpr int kLeastSquares = 680, kMostSquares = 14432;  // of the distances from 312
  constexpr auto kWidth = static_cast<size_t>(kMostSquares + 1);
  std::vector<double> weights(2 * kMost + 1);
  for (int d = -kMost; d <= kMost; ++d)
    weights[static_cast<size_t>(d + kMost)] =
        std::exp(-312.5 + (kMean + d) * std::log(312.5) - std::lgamma(kMean + d + 1.0));
  std::vector<double> now((2 * kReach + 1) * kWidth), next;
  const auto row = [](std::vector<double>& table, int sum) {
    return table.data() + static_cast<size_t>(sum + kReach) * kWidth;
  };
  row(now, 0)[0] = 1;
  for (int cell = 0; cell < 16; ++cell) {
    next.assign(now.size(), 0);
    for (int d = -120; d <= 120; ++d)
      for (int sum = -kReach; sum <= kReach; ++sum) {
        if (sum + d < -kReach || sum + d > kReach) continue;
        const double* const from = row(now, sum);
        double* const to = row(next, sum + d) + d * d;
        const double weight = weights[static_cast<size_t>(d + kMost)];
        for (int squares = 0; squares + d * d <= kMostSquares; ++squares)
          to[squares] += from[squares] * weight;
      }
    now.swap(next);
  }
  const double total = std::exp(-5000 + 5000 * std::log(5000.0) - std::lgamma(5001.0));
  double pass = 0;
  for (int squares = kLeastSquares; squares <= kMostSquares; ++squares)
    pass += row(now, 5000 - 16 * kMean)[squares] / total;
  EXPECT_NEAR(chance_of("Poker"), 1 - pass, 1e-9);
}

// The exact distribution of the number of runs of ones of |length| (or more, for 6): by the length
// of the run of ones that the bits so far end with, and the runs counted.
double runs_outside(int length) {
  const int least = kLow[length], most = kHigh[length];
  const auto counts = static_cast<size_t>(most + 2);  // the last one: too many
  using Table = std::array<std::vector<double>, 7>;
  Table now, next;
  for (auto& row : now) row.assign(counts, 0);
  now[0][0] = now[1][0] = 0.5;
  const auto ended = [=](size_t run, size_t count) {
    return run == static_cast<size_t>(length) ? std::min(count + 1, counts - 1) : count;
  };
  for (int i = 1; i < kBits; ++i) {
    for (auto& row : next) row.assign(counts, 0);
    for (size_t run = 0; run < 7; ++run)
      for (size_t count = 0; count < counts; ++count) {
        next[0][ended(run, count)] += now[run][count] / 2;
        next[std::min<size_t>(run + 1, 6)][count] += now[run][count] / 2;
      }
    now.swap(next);
  }
  double pass = 0;
  for (size_t run = 0; run < 7; ++run)
    for (size_t count = 0; count < counts; ++count)
      if (const int all = static_cast<int>(ended(run, count)); least <= all && all <= most)
        pass += now[run][count];
  return 1 - pass;
}

TEST(assess_fips140, chance_of_runs_is_the_sum_over_both_bits_and_six_lengths) {
  double sum = 0;
  for (int length = 1; length <= 6; ++length) sum += 2 * runs_outside(length);
  EXPECT_NEAR(chance_of("Runs"), sum, 1e-9);
}

TEST(assess_fips140, chance_of_a_long_run_follows_from_the_length_of_the_last) {
  std::array<double, 26> now = {};  // by the length of the run that the bits end with
  now[1] = 1;
  for (int i = 1; i < kBits; ++i) {
    std::array<double, 26> next = {};
    for (size_t length = 1; length < 26; ++length) {
      next[1] += now[length] / 2;
      if (length < 25) next[length + 1] = now[length] / 2;
    }
    now = next;
  }
  double pass = 0;
  for (const double share : now) pass += share;
  EXPECT_NEAR(chance_of("Long run"), 1 - pass, 1e-9);
}

TEST(assess_fips140, chance_of_equal_words_is_that_of_625_pairs) {
  EXPECT_NEAR(chance_of("Continuous run"), 625 * 0x1p-32, 1e-12);
}

// A block fails any of the tests about as often as they add up to, for they seldom fail together;
// checked on a gigabit. rngtest's manual says 0.8 in 1000.
TEST(assess_fips140, blocks_of_a_good_source_fail_at_the_stated_rate) {
  const Bytes data = test::good_bytes(7, 32 << 20);
  const Report report = test::judge(suite_fips140, data);
  for (const char* const name : kNames)
    EXPECT_EQ(test::result_of(report, name).verdict, INCORE_VERDICT_PASS) << name;
  EXPECT_NEAR(chance_of("FIPS 140-2"), 8e-4, 0.2e-4);
}

TEST(assess_fips140, too_many_and_too_few_failures_are_found) {
  Bytes data = test::good_bytes(3, 4 + 20000 * kBlockLen);
  const double usual = test::result_of(test::judge(suite_fips140, data), "FIPS 140-2").statistic;
  EXPECT_GT(usual, 5);
  // A source that throws away what fails.
  Bytes passing(data.begin(), data.begin() + 4);
  for (size_t begin = 4; begin < data.size(); begin += kBlockLen) {
    Bytes block(data.begin() + static_cast<ptrdiff_t>(begin - 4),
                data.begin() + static_cast<ptrdiff_t>(begin + kBlockLen));
    if (failures_found(block)[0] == 0)
      passing.insert(passing.end(), block.begin() + 4, block.end());
  }
  const Result none = test::result_of(test::judge(suite_fips140, passing), "FIPS 140-2");
  EXPECT_EQ(none.statistic, 0);
  EXPECT_EQ(none.verdict, INCORE_VERDICT_FAIL) << none.p_value;
  for (size_t i = 0; i + 5 <= data.size(); i += 20 * kBlockLen)
    std::fill_n(&data[i], 5, uint8_t{0});
  EXPECT_EQ(test::result_of(test::judge(suite_fips140, data), "Long run").verdict,
            INCORE_VERDICT_FAIL);
}

TEST(assess_fips140, needs_a_block_and_the_word_before_it) {
  EXPECT_EQ(
      test::num_of(test::judge(suite_fips140, test::good_bytes(1, 2503)), INCORE_VERDICT_SKIPPED),
      1u);
  EXPECT_EQ(
      test::num_of(test::judge(suite_fips140, test::good_bytes(1, 2504)), INCORE_VERDICT_PASS), 6u);
}

}  // namespace
}  // namespace incore::assess
