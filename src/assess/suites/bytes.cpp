// The measures of Walker's program ENT, of bytes and of bits: chi-square, entropy, mean, Monte
// Carlo value of pi, serial correlation. Each but the entropy with the p-value that it has for
// random bytes. A byte is eight bits of the stream, however wide its symbols are.
#include <algorithm>
#include <array>
#include <cmath>

#include "assess/p_values.h"
#include "assess/special.h"
#include "assess/stream/bits.h"
#include "assess/stream/blocks.h"
#include "assess/suite.h"
#include "assess/text.h"

namespace incore::assess {
namespace {

constexpr size_t kPointLen = 6;                 // two coordinates of 24 bits
constexpr size_t kBlockLen = 8192 * kPointLen;  // below 66,000: sums of products fit in 32 bits
// The share of points with x^2 + y^2 <= radius^2, counted: 221069920168561 of 2^48.
constexpr double kInside = 0.78539812935418141;

struct Serial {
  uint32_t products;  // of each byte and the one before
  uint32_t changes;   // from the last bit of a byte to the first of the next
};

INCORE_ALSO_AVX2 Serial serial_of(const uint8_t* data, size_t len) {
  Serial sum = {};
  for (size_t i = 0; i < len; ++i) {
    const uint32_t before = data[static_cast<ptrdiff_t>(i) - 1], byte = data[i];
    sum.products += before * byte;
    sum.changes += (before & 1) ^ byte >> 7;
  }
  return sum;
}

// Reads two bytes before |data|.
uint64_t points_inside(const uint8_t* data, size_t num_points) {
  constexpr uint64_t kLimit = 0xFFFFFFull * 0xFFFFFF;
  uint64_t inside = 0;
  for (size_t i = 0; i < num_points; ++i) {
    const uint64_t both = load_be64(data + i * kPointLen - 2);
    const uint64_t x = both >> 24 & 0xFFFFFF, y = both & 0xFFFFFF;
    inside += x * x + y * y <= kLimit;
  }
  return inside;
}

// As ENT has it: the last value is followed by the first. NaN where all are equal.
double serial_correlation(double n, double sum, double sum_squares, double sum_products) {
  const double variance = n * sum_squares - sum * sum;
  return variance == 0 ? kNone : (n * sum_products - sum * sum) / variance;
}

double entropy_of(std::span<const uint64_t> counts, double n) {
  double entropy = 0;
  for (const uint64_t count : counts)
    if (count != 0) {
      const double share = static_cast<double>(count) / n;
      entropy -= share * std::log2(share);
    }
  return entropy;
}

class Bytes final : public Suite {
 public:
  void update(std::span<const uint8_t> data) override {
    blocks_.feed(data, [&](auto block) { add(block); });
  }

  uint64_t bytes_read() const override { return blocks_.num_bytes(); }

  void finish(Report& out, Progress&) override {
    const uint64_t num_bytes = blocks_.num_bytes();
    blocks_.finish([&](auto block) { add(block); });
    constexpr uint64_t kLeast = 5 * 256;  // five of each value expected
    if (num_bytes < kLeast) return out.skip("Chi-square of bytes", "needs 1280 bytes");
    n_ = static_cast<double>(num_bytes);
    sum_ = sum_squares_ = ones_ = 0;
    double changes = static_cast<double>(changes_ + ((last_ ^ first_ >> 7) & 1u));
    for (unsigned byte = 0; byte < 256; ++byte) {
      const auto count = static_cast<double>(counts_[byte]);
      sum_ += count * byte;
      sum_squares_ += count * byte * byte;
      ones_ += count * __builtin_popcount(byte);
      changes += count * __builtin_popcount((byte ^ byte >> 1) & 0x7F);
    }
    out.balanced_bits = 8 * num_bytes;
    chi_square(out);
    entropy(out);
    mean(out);
    pi(out);
    serial(out);
    bits(out, changes);
    histogram(out);
  }

 private:
  void add(std::span<const uint8_t> block) {
    if (total_ == 0) first_ = block[0];
    uint32_t tables[4][256] = {};
    count_bytes(block.data(), block.size(), tables);
    for (unsigned byte = 0; byte < 256; ++byte)
      counts_[byte] += tables[0][byte] + tables[1][byte] + tables[2][byte] + tables[3][byte];
    const size_t num_points = block.size() / kPointLen;
    points_ += num_points;
    inside_ += points_inside(block.data(), num_points);
    // Before the stream is a zero: no product, and no change to a first bit that is one.
    const Serial serial = serial_of(block.data(), block.size());
    products_ += serial.products;
    changes_ += serial.changes;
    if (total_ == 0) changes_ -= first_ >> 7;
    total_ += block.size();
    last_ = block.back();
  }

  void chi_square(Report& out) const {
    const double expected = n_ / 256;
    double statistic = 0;
    for (const uint64_t count : counts_)
      statistic += std::pow(static_cast<double>(count) - expected, 2) / expected;
    const double upper = chi_square_p(statistic, 255), p = both_tails(upper);
    out.results.push_back(
        {.test = "Chi-square of bytes",
         .verdict = verdict_of(p),
         .statistic = statistic,
         .p_value = p,
         .text = print("the 256 byte values are %s: chi-square %.2f, where 255 is usual",
                       p >= kWeakBelow ? "used evenly"
                       : upper < 0.5   ? "used unevenly"
                                       : "used more evenly than chance does",
                       statistic),
         .figures = {{"chi-square", statistic}, {"upper tail", upper}}});
  }

  void entropy(Report& out) const {
    const double entropy = entropy_of(counts_, n_);
    const double most = static_cast<double>(*std::max_element(counts_.begin(), counts_.end()));
    out.results.push_back(
        {.test = "Entropy of bytes",
         .statistic = entropy,
         .text = print("%.6f bits a byte by the counts of its values; the commonest value alone "
                       "leaves %.4f",
                       entropy, -std::log2(most / n_)),
         .figures = {{"entropy", entropy}, {"min-entropy of the counts", -std::log2(most / n_)}}});
  }

  void mean(Report& out) const {
    const double mean = sum_ / n_;
    const double z = (mean - 127.5) / std::sqrt((256.0 * 256 - 1) / 12 / n_);
    const double p = normal_two_sided_p(z);
    out.results.push_back(
        {.test = "Mean of bytes",
         .verdict = verdict_of(p),
         .statistic = z,
         .p_value = p,
         .text = print("%.4f, where 127.5 is expected: %.2f standard deviations off", mean, z),
         .figures = {{"mean", mean}}});
  }

  void pi(Report& out) const {
    // With fewer, the number inside has too few likely values.
    constexpr uint64_t kLeastPoints = 1000;
    if (points_ < kLeastPoints) return out.skip("Monte Carlo pi", "needs 6000 bytes");
    const auto points = static_cast<double>(points_), inside = static_cast<double>(inside_);
    const double pi = 4 * inside / points;
    const double z = (inside - points * kInside) / std::sqrt(points * kInside * (1 - kInside));
    const double p = normal_two_sided_p(z);
    out.results.push_back(
        {.test = "Monte Carlo pi",
         .verdict = verdict_of(p),
         .statistic = z,
         .p_value = p,
         .text = print("%.6f by the share of points inside the circle, 6 bytes a point: %.2f "
                       "standard deviations off",
                       pi, z),
         .figures = {{"pi", pi}, {"points", points}, {"inside", inside}}});
  }

  // Over all orders of the same bytes its mean is -1 / (n - 1), its variance about 1 / (n - 1).
  void serial(Report& out) const {
    const double products = static_cast<double>(products_) + 1.0 * last_ * first_;
    const double correlation = serial_correlation(n_, sum_, sum_squares_, products);
    const double z = (correlation + 1 / (n_ - 1)) * std::sqrt(n_ - 1);
    const double p = std::isnan(z) ? 0 : normal_two_sided_p(z);
    out.results.push_back(
        {.test = "Serial correlation",
         .verdict = verdict_of(p),
         .statistic = correlation,
         .p_value = p,
         .text = std::isnan(z)
                     ? "all bytes are equal"
                     : print("%+.6f between a byte and the next: %.2f standard deviations",
                             correlation, z),
         .figures = {{"correlation", correlation}, {"z", z}}});
  }

  void bits(Report& out, double changes) const {
    const double n = 8 * n_, z = (2 * ones_ - n) / std::sqrt(n), p = normal_two_sided_p(z);
    out.results.push_back(
        {.test = "Monobit",
         .verdict = verdict_of(p),
         .statistic = z,
         .p_value = p,
         .text = print("%.4f %% of the bits are ones: %.2f standard deviations off",
                       100 * ones_ / n, z),
         .figures = {{"ones", ones_}, {"share", ones_ / n}, {"chi-square", z * z}}});
    const uint64_t counts[2] = {static_cast<uint64_t>(n - ones_), static_cast<uint64_t>(ones_)};
    const double entropy = entropy_of(counts, n);
    const double correlation = serial_correlation(n, ones_, ones_, ones_ - changes / 2);
    out.results.push_back(
        {.test = "Entropy of bits",
         .statistic = entropy,
         .text = print("%.6f bits a bit by the share of ones; correlation of a bit and the next "
                       "%+.6f",
                       entropy, correlation),
         .figures = {{"entropy", entropy}, {"serial correlation", correlation}}});
  }

  void histogram(Report& out) const {
    const double expected = n_ / 256, margin = normal_quantile(0.995) / std::sqrt(expected);
    Series series = {.name = "byte-histogram",
                     .title = "How often each byte value occurs",
                     .x_title = "byte value",
                     .y_title = "count / expected count",
                     .kind = INCORE_SERIES_BARS,
                     .low = 1 - margin,
                     .high = 1 + margin};
    for (unsigned byte = 0; byte < 256; ++byte) {
      series.x.push_back(byte);
      series.y.push_back(static_cast<double>(counts_[byte]) / expected);
    }
    out.series.push_back(std::move(series));
  }

  Blocks blocks_{kBlockLen, 2};
  std::array<uint64_t, 256> counts_ = {};
  uint64_t total_ = 0, products_ = 0, changes_ = 0, points_ = 0, inside_ = 0;
  uint8_t first_ = 0, last_ = 0;
  double n_ = 0, sum_ = 0, sum_squares_ = 0, ones_ = 0;
};

}  // namespace

extern const SuiteInfo suite_bytes = {
    "bytes",
    "byte values: chi-square, entropy, mean, pi, serial correlation",
    "Walker's ENT",
    true,
    Input::packed,
    [](const Options&) -> std::unique_ptr<Suite> { return std::make_unique<Bytes>(); }};

}  // namespace incore::assess
