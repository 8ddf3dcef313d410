// Bits as pictures, and what one would see in them: the first bits as they come, pairs of bytes,
// and the ones of each bit position over time. A bias that comes and goes, a bit that sticks, words
// that follow each other too often.
#include <algorithm>
#include <cmath>

#include "assess/p_values.h"
#include "assess/special.h"
#include "assess/stream/blocks.h"
#include "assess/stream/stretches.h"
#include "assess/suite.h"
#include "assess/text.h"

namespace incore::assess {
namespace {

constexpr size_t kSide = 256;                    // of a picture
constexpr size_t kFirstLen = kSide * kSide / 8;  // bytes
constexpr size_t kBlockLen = 16384;
constexpr size_t kNumPairs = 65536;

// From a number of standard deviations: 0.5 is what is expected, 0 and 1 four and more away from
// it.
double shade(double z) {
  return std::clamp(0.5 + z / 8, 0.0, 1.0);
}

class Bitmap final : public Suite {
 public:
  Bitmap() : pairs_(kNumPairs) {}

  void update(std::span<const uint8_t> data) override {
    const auto wanted = std::min(kFirstLen - first_.size(), data.size());
    first_.insert(first_.end(), data.begin(), data.begin() + static_cast<ptrdiff_t>(wanted));
    stretches_.update(data);
    blocks_.feed(data, [&](auto block) { add_pairs(block); });
  }

  uint64_t bytes_read() const override { return blocks_.num_bytes(); }

  void finish(Report& out, Progress&) override {
    blocks_.finish([&](auto block) { add_pairs(block); });
    first_bits(out);
    byte_pairs(out);
    if (blocks_.num_bytes() < 1024) return out.skip("Drift", "needs 1024 bytes");
    sum_ = stretches_.sum();
    bit_positions(out);
    drift(out);
    draw_positions(out);
  }

 private:
  // Pairs do not overlap, so that they are independent.
  void add_pairs(std::span<const uint8_t> block) {
    for (size_t i = 0; i + 2 <= block.size(); i += 2) ++pairs_[block[i] << 8 | block[i + 1]];
  }

  void first_bits(Report& out) const {
    const size_t rows = first_.size() * 8 / kSide;
    if (rows == 0) return;
    Series series = {.name = "first-bits",
                     .title = "The first bits, row by row",
                     .x_title = "bit",
                     .y_title = "row",
                     .kind = INCORE_SERIES_BITMAP,
                     .rows = rows,
                     .columns = kSide};
    for (size_t bit = 0; bit < rows * kSide; ++bit)
      series.y.push_back(first_[bit / 8] >> (7 - bit % 8) & 1);
    out.series.push_back(std::move(series));
  }

  void byte_pairs(Report& out) const {
    const double n = static_cast<double>(blocks_.num_bytes() / 2), expected = n / kNumPairs;
    if (expected < 5) return out.skip("Byte pairs", print("needs %zu bytes", 10 * kNumPairs));
    Series series = {.name = "byte-pairs",
                     .title = "How often one byte follows another",
                     .x_title = "second byte",
                     .y_title = "first byte",
                     .kind = INCORE_SERIES_BITMAP,
                     .rows = kSide,
                     .columns = kSide};
    double statistic = 0;
    for (const uint64_t count : pairs_) {
      const double z = (static_cast<double>(count) - expected) / std::sqrt(expected);
      statistic += z * z;
      series.y.push_back(shade(z));
    }
    const double p = chi_square_both_tails_p(statistic, kNumPairs - 1);
    out.results.push_back(
        {.test = "Byte pairs",
         .verdict = verdict_of(p),
         .statistic = statistic,
         .p_value = p,
         .text =
             print("chi-square %.1f of the 65536 pairs of bytes, where 65535 is usual", statistic),
         .figures = {{"pairs", n}}});
    out.series.push_back(std::move(series));
  }

  void bit_positions(Report& out) const {
    const auto n = static_cast<double>(sum_.len);
    double statistic = 0;
    Result result = {.test = "Bit positions"};
    double worst = 0;
    unsigned worst_bit = 0;
    for (unsigned bit = 0; bit < 8; ++bit) {
      const auto ones = static_cast<double>(sum_.ones[bit]);
      const double z = (2 * ones - n) / std::sqrt(n);
      statistic += z * z;
      if (std::fabs(z) > std::fabs(worst)) worst = z, worst_bit = bit;
      result.figures.push_back({print("share of ones in bit %u", bit), ones / n});
    }
    result.statistic = statistic;
    result.p_value = chi_square_both_tails_p(statistic, 8);
    result.verdict = verdict_of(result.p_value);
    result.text = print(
        "the share of ones in each of a byte's eight bits: bit %u is the farthest "
        "from a half, by %.2f standard deviations",
        worst_bit, worst);
    out.results.push_back(std::move(result));
  }

  // Whether all stretches have the same share of ones, whatever it is.
  void drift(Report& out) const {
    const double bits = 8 * static_cast<double>(sum_.len);
    const double share = static_cast<double>(sum_.all_ones()) / bits;
    Series series = {
        .name = "drift", .title = "Ones over time", .x_title = "byte", .y_title = "share of ones"};
    double statistic = 0, worst = 0, used = 0;
    uint64_t begin = 0, worst_begin = 0, worst_len = 0;
    for (const Stretch& stretch : stretches_.all()) {
      const double n = 8 * static_cast<double>(stretch.len);
      const auto ones = static_cast<double>(stretch.all_ones());
      series.x.push_back(static_cast<double>(begin) + n / 16);
      series.y.push_back(ones / n);
      // The mean of all comes from the stretch too.
      const double variance = n * share * (1 - share);
      const double z =
          variance == 0 ? 0 : (ones - n * share) / std::sqrt(variance * (1 - n / bits));
      statistic += z * z * (1 - n / bits);
      if (std::fabs(z) > std::fabs(worst)) worst = z, worst_begin = begin, worst_len = stretch.len;
      ++used;
      begin += stretch.len;
    }
    const double p = chi_square_both_tails_p(statistic, used - 1);
    out.results.push_back(
        {.test = "Drift",
         .variant = "all stretches",
         .verdict = verdict_of(p),
         .statistic = statistic,
         .p_value = p,
         .text =
             print("the share of ones in %.0f stretches scatters with a chi-square of %.1f, where "
                   "%.0f is usual",
                   used, statistic, used - 1),
         .figures = {{"stretches", used}, {"share of ones", share}}});
    const double worst_p = least_of_p(normal_two_sided_p(worst), used);
    out.results.push_back(
        {.test = "Drift",
         .variant = "worst stretch",
         .verdict = verdict_of(worst_p),
         .statistic = worst,
         .p_value = worst_p,
         .text =
             print("the %llu bytes from byte %llu on have the share of ones that is farthest from "
                   "the mean: %.2f standard deviations, the worst of %.0f stretches",
                   static_cast<unsigned long long>(worst_len),
                   static_cast<unsigned long long>(worst_begin), worst, used)});
    const double first_bits = 8 * static_cast<double>(stretches_.all().front().len);
    const double margin = normal_quantile(0.995) / 2 / std::sqrt(first_bits);
    series.low = 0.5 - margin;
    series.high = 0.5 + margin;
    out.series.push_back(std::move(series));
  }

  void draw_positions(Report& out) const {
    const std::vector<Stretch>& stretches = stretches_.all();
    Series series = {.name = "bit-positions",
                     .title = "Ones in each bit of a byte, over time",
                     .x_title = "time",
                     .y_title = "bit",
                     .kind = INCORE_SERIES_BITMAP,
                     .rows = 8,
                     .columns = stretches.size()};
    for (unsigned bit = 8; bit-- > 0;)
      for (const Stretch& stretch : stretches) {
        const auto n = static_cast<double>(stretch.len);
        series.y.push_back(shade((2 * static_cast<double>(stretch.ones[bit]) - n) / std::sqrt(n)));
      }
    out.series.push_back(std::move(series));
  }

  Blocks blocks_{kBlockLen};
  std::vector<uint8_t> first_;
  std::vector<uint64_t> pairs_;
  Stretches stretches_;
  Stretch sum_;
};

}  // namespace

extern const SuiteInfo suite_bitmap = {
    "bitmap",
    "pictures of bits and byte pairs; drift of the share of ones",
    "chi-square tests of homogeneity",
    true,
    Input::packed,
    [](const Options&) -> std::unique_ptr<Suite> { return std::make_unique<Bitmap>(); }};

}  // namespace incore::assess
