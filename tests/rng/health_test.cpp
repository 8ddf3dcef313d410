// The health tests of SP 800-90B, section 4.4, against the standard's own figures and against its
// steps, taken one sample at a time.
#include "rng/health.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/property.h"

namespace incore {
namespace {

using Samples = std::vector<uint8_t>;

// Table 2 of section 4.4.2; alpha is 2^-20 there.
TEST(rng_health, proportion_cutoffs_are_those_of_the_standards_table) {
  const struct {
    double min_entropy;
    uint32_t window, cutoff;
  } kTable[] = {{0.2, 1024, 941}, {0.4, 1024, 840}, {0.6, 1024, 748}, {0.8, 1024, 664},
                {1, 1024, 589},   {0.5, 512, 410},  {1, 512, 311},    {2, 512, 177},
                {4, 512, 62},     {8, 512, 13}};
  for (const auto& row : kTable)
    EXPECT_EQ(proportion_cutoff(row.min_entropy, row.window, 20), row.cutoff) << row.min_entropy;
}

// Computed with 400 decimal digits from the binomial distribution.
TEST(rng_health, proportion_cutoffs_are_exact_quantiles) {
  const struct {
    double min_entropy;
    uint32_t window, cutoff;
  } kExact[] = {{0.01, 512, 513}, {0.0585, 512, 513},  {0.0586, 512, 512}, {0.06, 512, 512},
                {0.1, 512, 507},  {0.3, 512, 466},     {0.5, 512, 422},    {1, 512, 325},
                {1.5, 512, 248},  {2, 512, 190},       {3, 512, 114},      {4, 512, 71},
                {5, 512, 46},     {6, 512, 31},        {7, 512, 22},       {7.9, 512, 17},
                {8, 512, 16},     {0.029, 1024, 1025}, {0.03, 1024, 1024}, {0.1, 1024, 999},
                {0.2, 1024, 952}, {0.4, 1024, 856},    {0.5, 1024, 810},   {0.6, 1024, 766},
                {0.8, 1024, 683}, {0.9, 1024, 645},    {0.999, 1024, 609}, {1, 1024, 609}};
  for (const auto& row : kExact)
    EXPECT_EQ(proportion_cutoff(row.min_entropy, row.window), row.cutoff) << row.min_entropy;
}

// The share of windows that reach |cutoff|, by another way: logarithms of factorials.
double share_that_reaches(uint32_t cutoff, uint32_t window, double min_entropy) {
  const double p = std::exp2(-min_entropy);
  const double log_p = std::log(p), log_q = std::log1p(-p);
  double sum = 0;
  for (uint32_t k = window; k >= cutoff; --k)
    sum += std::exp(std::lgamma(window + 1.0) - std::lgamma(k + 1.0) -
                    std::lgamma(window - k + 1.0) + k * log_p + (window - k) * log_q);
  return sum;
}

TEST(rng_health, proportion_cutoff_is_the_least_that_few_enough_windows_reach) {
  const double alpha = std::exp2(-30.0);
  for (double h = 0.06; h <= 8; h += 0.0137) {
    const uint32_t cutoff = proportion_cutoff(h, 512);
    EXPECT_LE(share_that_reaches(cutoff, 512, h), alpha * 1.0000001) << h;
    EXPECT_GT(share_that_reaches(cutoff - 1, 512, h), alpha * 0.9999999) << h;
  }
}

// The example of section 4.4.1 has alpha = 2^-20 and H = 2.
TEST(rng_health, repetition_cutoffs_follow_the_formula) {
  EXPECT_EQ(repetition_cutoff(2, 20), 11u);
  EXPECT_EQ(repetition_cutoff(8), 5u);
  EXPECT_EQ(repetition_cutoff(1), 31u);
  EXPECT_EQ(repetition_cutoff(7.5), 5u);
  EXPECT_EQ(repetition_cutoff(7.49), 6u);
  EXPECT_EQ(repetition_cutoff(0.5), 61u);
  EXPECT_EQ(repetition_cutoff(0.01), 3001u);
}

TEST(rng_health, run_one_short_of_the_cutoff_passes_and_the_cutoff_fails) {
  RepetitionCount test(31);
  test.update(Samples(30, 7).data(), 30);
  EXPECT_EQ(test.failures(), 0u);
  EXPECT_EQ(test.longest(), 30u);
  const uint8_t other = 8;
  test.update(&other, 1);
  test.update(Samples(30, 7).data(), 30);
  EXPECT_EQ(test.failures(), 0u);
  const uint8_t same = 7;
  test.update(&same, 1);
  EXPECT_EQ(test.failures(), 1u);
  EXPECT_EQ(test.first_failure(), 30u + 1 + 31);
  test.update(Samples(1000, 7).data(), 1000);
  EXPECT_EQ(test.failures(), 1u) << "the same run";
  EXPECT_EQ(test.longest(), 1031u);
}

TEST(rng_health, proportion_counts_the_windows_first_sample) {
  AdaptiveProportion test(16, 512);
  Samples window(512);
  for (size_t i = 0; i < window.size(); ++i) window[i] = static_cast<uint8_t>(i % 251);
  for (const size_t at : {100, 150, 200, 300, 301, 302, 303, 400, 401, 500, 501, 509, 511})
    window[at] = 0;  // with 0, 251 and 502: sixteen
  AdaptiveProportion passes(17, 512);
  passes.update(window.data(), window.size());
  EXPECT_EQ(passes.failures(), 0u);
  EXPECT_EQ(passes.largest(), 16u);
  test.update(window.data(), window.size());
  EXPECT_EQ(test.failures(), 1u);
  EXPECT_EQ(test.first_failure(), 512u);
  window[0] = 1;  // what is counted now is 1, which is there four times
  AdaptiveProportion other(16, 512);
  other.update(window.data(), window.size());
  EXPECT_EQ(other.failures(), 0u);
  EXPECT_EQ(other.largest(), 4u);
}

TEST(rng_health, a_window_begins_where_the_last_one_ended) {
  AdaptiveProportion test(300, 512);
  // Each half of 300 equal samples lies in a window of its own.
  Samples samples(512 - 150, 1);
  for (size_t i = 1; i < samples.size(); ++i) samples[i] = static_cast<uint8_t>(2 + i % 200);
  samples.insert(samples.end(), 300, 255);
  test.update(samples.data(), samples.size());
  EXPECT_EQ(test.failures(), 0u);
  EXPECT_EQ(test.largest(), 150u);
}

// The steps of sections 4.4.1 and 4.4.2 as the standard lists them.
struct StandardsSteps {
  uint64_t repetition_failure = 0, proportion_failure = 0;  // the first, from 1
  uint32_t longest = 0, largest = 0;

  StandardsSteps(const Samples& s, uint32_t c_repetition, uint32_t c_proportion, uint32_t w) {
    for (size_t i = 0; i < s.size();) {
      const uint8_t a = s[i];
      uint32_t b = 1;
      for (++i;; ++i, ++b) {
        longest = std::max(longest, b);
        if (b == c_repetition && repetition_failure == 0) repetition_failure = i;
        if (i == s.size() || s[i] != a) break;
      }
    }
    for (size_t start = 0; start < s.size(); start += w) {
      const uint8_t a = s[start];
      uint32_t b = 1;
      largest = std::max(largest, b);
      for (size_t i = start + 1; i < std::min<size_t>(start + w, s.size()); ++i) {
        if (s[i] != a) continue;
        ++b;
        largest = std::max(largest, b);
        if (b == c_proportion && proportion_failure == 0) proportion_failure = i + 1;
      }
    }
  }
};

TEST(rng_health, pieces_of_any_size_give_what_the_standards_steps_give) {
  test::for_each_seed(300, [](uint64_t seed) {
    uint64_t state = seed * 0x9E3779B97F4A7C15 + 1;
    const auto random = [&state](uint64_t below) {
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      return (state >> 11) % below;
    };
    const uint64_t alphabet = 1 + random(random(2) == 0 ? 4 : 256);
    const uint32_t window = random(2) == 0 ? kHealthWindow : kHealthWindowBinary;
    const auto c_repetition = static_cast<uint32_t>(3 + random(8));
    const auto c_proportion = static_cast<uint32_t>(10 + random(window - 9));
    Samples samples(random(6000));
    for (uint8_t& sample : samples) sample = static_cast<uint8_t>(random(alphabet));
    if (samples.size() > 200)  // a run somewhere
      std::fill_n(samples.begin() + static_cast<std::ptrdiff_t>(random(samples.size() - 100)),
                  random(100), static_cast<uint8_t>(random(256)));
    RepetitionCount repetition(c_repetition), single_repetition(c_repetition);
    AdaptiveProportion proportion(c_proportion, window), single_proportion(c_proportion, window);
    for (const uint8_t sample : samples) {
      single_repetition.add(sample);
      single_proportion.add(sample);
    }
    for (size_t done = 0; done < samples.size();) {
      const size_t n =
          std::min<size_t>(samples.size() - done, 1 + random(random(2) == 0 ? 5 : 3000));
      repetition.update(samples.data() + done, n);
      proportion.update(samples.data() + done, n);
      done += n;
    }
    const StandardsSteps expected(samples, c_repetition, c_proportion, window);
    EXPECT_EQ(repetition.first_failure(), expected.repetition_failure);
    EXPECT_EQ(proportion.first_failure(), expected.proportion_failure);
    EXPECT_EQ(repetition.longest(), expected.longest);
    EXPECT_EQ(proportion.largest(), expected.largest);
    EXPECT_EQ(single_repetition.first_failure(), expected.repetition_failure);
    EXPECT_EQ(single_proportion.first_failure(), expected.proportion_failure);
    EXPECT_EQ(single_repetition.longest(), expected.longest);
    EXPECT_EQ(single_proportion.largest(), expected.largest);
    EXPECT_EQ(single_repetition.failures(), repetition.failures());
    EXPECT_EQ(single_proportion.failures(), proportion.failures());
  });
}

}  // namespace
}  // namespace incore
