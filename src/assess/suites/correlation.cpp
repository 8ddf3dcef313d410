// Autocorrelation of bits: how often a bit equals the one |lag| bits before, for each lag from 1 to
// 64 and for whole bytes up to 4096. The share of ones is taken out, so that a bias alone, which
// other tests find, does not count as correlation.
#include <algorithm>
#include <cmath>

#include "assess/p_values.h"
#include "assess/special.h"
#include "assess/stream/bits.h"
#include "assess/stream/blocks.h"
#include "assess/suite.h"
#include "assess/text.h"

namespace incore::assess {
namespace {

constexpr size_t kBitLags = 64;
constexpr size_t kByteLags[] = {9,    10,   11,   12,   13,   14,   15,   16,   20,
                                24,   28,   32,   40,   48,   56,   64,   80,   96,
                                128,  160,  192,  256,  320,  384,  512,  640,  768,
                                1000, 1024, 1280, 1536, 2000, 2048, 2500, 3072, 4096};
constexpr size_t kNumLags = kBitLags + std::size(kByteLags);
constexpr size_t kMostBytes = 4096;
constexpr size_t kBlockLen = 4096;
constexpr double kLeastPairs = 4096;  // the normal distribution is close then, far out too

size_t lag_of(size_t index) {
  return index < kBitLags ? index + 1 : 8 * kByteLags[index - kBitLags];
}

// |data| delayed by |bits|, 1 to 7; reads one byte before it. |len| is a multiple of 8.
INCORE_ALSO_AVX2 void delay(const uint8_t* data, size_t len, unsigned bits, uint8_t* out) {
  // Words are shifted, and what passes from one byte to the next is masked off.
  const uint64_t own = (0xFFu >> bits) * 0x0101010101010101u;
  for (size_t i = 0; i < len; i += 8) {
    uint64_t word, before;
    std::memcpy(&word, data + i, 8);
    std::memcpy(&before, data + i - 1, 8);
    word = (word >> bits & own) | (before << (8 - bits) & ~own);
    std::memcpy(out + i, &word, 8);
  }
}

class Correlation final : public Suite {
 public:
  void update(std::span<const uint8_t> data) override {
    blocks_.feed(data, [&](auto block) { add(block.data(), block.size()); });
  }

  uint64_t bytes_read() const override { return blocks_.num_bytes(); }

  void finish(Report& out, Progress&) override {
    blocks_.finish([&](auto block) { add(block.data(), block.size()); });
    num_bits_ = 8 * static_cast<double>(blocks_.num_bytes());
    if (num_bits_ < kBitLags + kLeastPairs) return out.skip("Autocorrelation", "needs 520 bytes");
    const double mean = 1 - 2 * ones_ / num_bits_;  // of bits as +1 and -1
    if (std::fabs(mean) == 1) {
      out.results.push_back({.test = "Autocorrelation",
                             .verdict = INCORE_VERDICT_FAIL,
                             .p_value = 0,
                             .text = "all bits are equal"});
      return;
    }
    std::vector<Lag> lags;
    for (size_t i = 0; i < kNumLags; ++i)
      if (num_bits_ - static_cast<double>(lag_of(i)) >= kLeastPairs)
        lags.push_back(correlation_at(i, mean));
    worst_lag(out, lags);
    first_lags(out, lags);
    draw(out, lags);
  }

 private:
  struct Lag {
    double bits, correlation, z;
  };

  void add(const uint8_t* block, size_t len) {
    if (num_blocks_++ == 0) before_first(block, len);
    // What the last bytes before the block begin with is delayed too.
    constexpr size_t kBefore = 8;
    uint8_t delayed[kBefore + kBlockLen];
    for (unsigned bits = 0; bits < 8; ++bits) {
      const uint8_t* base = block;
      if (bits != 0) {
        delay(block - kBefore, kBefore + (len + 7) / 8 * 8, bits, delayed);
        base = delayed + kBefore;
      }
      for (size_t bytes = bits == 0; 8 * bytes + bits <= kBitLags; ++bytes)
        differences_[8 * bytes + bits - 1] += count_differences(block, base - bytes, len);
    }
    for (size_t i = 0; i < std::size(kByteLags); ++i)
      differences_[kBitLags + i] += count_differences(block, block - kByteLags[i], len);
    ones_ += static_cast<double>(count_ones(block, len));
  }

  // The first bits of the stream are compared with zeros before it: those differences, one for each
  // one among them, do not count.
  void before_first(const uint8_t* block, size_t len) {
    for (size_t i = 0; i < kNumLags; ++i)
      for (size_t bit = 0; bit < std::min(lag_of(i), 8 * len); ++bit)
        differences_[i] -= block[bit / 8] >> (7 - bit % 8) & 1u;
  }

  // A good source's correlations have a mean of -1 / n, for the mean of the same bits is taken out.
  Lag correlation_at(size_t index, double mean) const {
    const auto bits = static_cast<double>(lag_of(index));
    const double pairs = num_bits_ - bits;
    const double product = 1 - 2 * static_cast<double>(differences_[index]) / pairs;
    const double correlation = (product - mean * mean) / (1 - mean * mean);
    return {bits, correlation, (correlation + 1 / num_bits_) * std::sqrt(pairs)};
  }

  static void worst_lag(Report& out, const std::vector<Lag>& lags) {
    const Lag& worst = *std::max_element(lags.begin(), lags.end(), [](const Lag& a, const Lag& b) {
      return std::fabs(a.z) < std::fabs(b.z);
    });
    const auto tried = static_cast<double>(lags.size());
    const double p = least_of_p(normal_two_sided_p(worst.z), tried);
    out.results.push_back(
        {.test = "Autocorrelation",
         .variant = "worst lag",
         .verdict = verdict_of(p),
         .statistic = worst.z,
         .p_value = p,
         .text =
             print("at most %+.6f, between bits %.0f apart: %.2f standard deviations, the worst "
                   "of %zu lags",
                   worst.correlation, worst.bits, worst.z, lags.size()),
         .figures = {{"lag", worst.bits}, {"correlation", worst.correlation}, {"lags", tried}}});
  }

  // The sum of the squares of the first 64 (Box and Pierce): many weak correlations add up there.
  static void first_lags(Report& out, const std::vector<Lag>& lags) {
    double sum = 0;
    for (size_t i = 0; i < kBitLags; ++i) sum += lags[i].z * lags[i].z;
    const double p = chi_square_both_tails_p(sum, kBitLags);
    out.results.push_back({.test = "Autocorrelation",
                           .variant = "lags 1 to 64 together",
                           .verdict = verdict_of(p),
                           .statistic = sum,
                           .p_value = p,
                           .text = print("squares of the correlations of neighbouring bits add up "
                                         "to %.1f, where 64 is usual",
                                         sum),
                           .figures = {{"chi-square", sum}}});
  }

  void draw(Report& out, const std::vector<Lag>& lags) const {
    const double margin = normal_quantile(0.995) / std::sqrt(num_bits_);
    Series series = {.name = "autocorrelation",
                     .title = "Correlation of bits by their distance",
                     .x_title = "distance in bits",
                     .y_title = "correlation",
                     .kind = INCORE_SERIES_BARS,
                     .low = -margin,
                     .high = margin};
    for (size_t i = 0; i < kBitLags; ++i) {
      series.x.push_back(lags[i].bits);
      series.y.push_back(lags[i].correlation);
    }
    out.series.push_back(std::move(series));
  }

  Blocks blocks_{kBlockLen, kMostBytes};
  uint64_t num_blocks_ = 0;
  uint64_t differences_[kNumLags] = {};
  double ones_ = 0, num_bits_ = 0;
};

}  // namespace

extern const SuiteInfo suite_correlation = {
    "correlation",
    "autocorrelation of bits, near and up to 4096 bytes apart",
    "Box and Pierce 1970",
    true,
    Input::packed,
    [](const Options&) -> std::unique_ptr<Suite> { return std::make_unique<Correlation>(); }};

}  // namespace incore::assess
