// Compression Estimate (SP 800-90B, section 6.3.4), after Maurer's universal statistic: how long
// ago each block of six bits occurred before.
//   d  blocks that only fill the dictionary     L  blocks in all (NIST's tool: num_blocks)
//   v  blocks that are looked up, L - d         b  bits a block
#include <array>
#include <cmath>

#include "assess/sp800_90b/estimator.h"
#include "assess/sp800_90b/search.h"

namespace incore::assess::sp800_90b {
namespace {

constexpr const char* kName = "Compression Estimate";
constexpr size_t kBlockBits = 6;  // b
constexpr size_t kNumBlocks = size_t{1} << kBlockBits;
constexpr size_t kDictionary = 1000;  // d

// How many of the blocks that are looked up occurred this many blocks before; [0] is not used.
std::vector<uint32_t> distances(std::span<const uint8_t> s, size_t num_blocks) {
  std::vector<uint32_t> counts(num_blocks + 1);
  std::array<size_t, kNumBlocks> last{};  // its place counted from 1; 0: did not occur
  for (size_t i = 0; i < num_blocks; ++i) {
    size_t block = 0;
    for (size_t bit = 0; bit < kBlockBits; ++bit) block = block << 1 | s[i * kBlockBits + bit];
    if (i >= kDictionary) ++counts[i + 1 - last[block]];
    last[block] = i + 1;
  }
  return counts;
}

// The expected mean of log2 of the distance, if one block has probability p and all others equal
// ones.
class Expected {
 public:
  explicit Expected(size_t num_blocks) : log2_(num_blocks + 1) {
    for (size_t u = 1; u <= num_blocks; ++u) log2_[u] = std::log2(static_cast<double>(u));
  }

  double operator()(double p) const {
    constexpr double kOthers = kNumBlocks - 1;
    return g(p) + kOthers * g((1 - p) / kOthers);
  }

 private:
  // The standard's G(z). Its double sum, over t from d + 1 to L and u to t, is taken by u: a
  // distance u < t stands in it as often as there are t greater than u.
  double g(double z) const {
    const size_t num_blocks = log2_.size() - 1;
    const long double step = 1 - static_cast<long double>(z);
    long double power = 1;  // step^(u - 1); in doubles, rounding would add up
    long double earlier = 0, first = 0;
    for (size_t u = 1; u <= num_blocks; ++u) {
      const long double term = log2_[u] * power;
      earlier += term * static_cast<long double>(num_blocks - std::max(u, kDictionary));
      if (u > kDictionary) first += term;
      power *= step;
      if (u > kDictionary && power < 1e-28L) break;  // all that follows is below any rounding
    }
    return static_cast<double>((z * z * earlier + z * first) /
                               static_cast<long double>(num_blocks - kDictionary));
  }

  std::vector<double> log2_;
};

// The probability of the likeliest block.
double likeliest(double lower_mean, size_t num_blocks) {
  constexpr double kLeast = 1.0 / kNumBlocks;
  const Expected expected(num_blocks);
  return expected(kLeast) > lower_mean ? last_above(kLeast, 1, lower_mean, expected) : kLeast;
}

std::vector<Estimate> run(const Symbols& symbols, const Stop&) {
  const size_t num_blocks = symbols.s.size() / kBlockBits;
  if (num_blocks < kDictionary + 2) return {{.test = kName, .skipped = "needs 6012 bits"}};
  const std::vector<uint32_t> counts = distances(symbols.s, num_blocks);
  long double sum = 0, sum_squares = 0;
  for (size_t distance = 2; distance < counts.size(); ++distance) {
    if (counts[distance] == 0) continue;
    const double log2 = std::log2(static_cast<double>(distance));
    sum += static_cast<long double>(log2) * counts[distance];
    sum_squares += static_cast<long double>(log2 * log2) * counts[distance];
  }
  const auto v = static_cast<double>(num_blocks - kDictionary);
  const auto mean = static_cast<double>(sum / v);
  const double sigma =
      0.5907 * std::sqrt(std::max(0.0, static_cast<double>(sum_squares / (v - 1)) - mean * mean));
  const double lower = mean - kZAlpha * sigma / std::sqrt(v);

  const double p = likeliest(lower, num_blocks);
  return {
      {.test = kName,
       .min_entropy = entropy_of(p) / kBlockBits,
       .figures = {{"v", v}, {"X-bar", mean}, {"sigma-hat", sigma}, {"X-bar'", lower}, {"p", p}}}};
}

}  // namespace

double compression_entropy(double lower_mean, size_t num_bits) {
  return entropy_of(likeliest(lower_mean, num_bits / kBlockBits)) / kBlockBits;
}

extern const Estimator estimator_compression = {kName, "how long ago the same six bits occurred",
                                                true, run};

}  // namespace incore::assess::sp800_90b
