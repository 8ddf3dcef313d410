// The estimates that reach lowest by chance are those of rare events: a long repeat, a long run of
// right guesses, a common value; and of bits, those of a mean near its maximum, where little is
// lost by much. For each the value is found that chance exceeds with a small probability, and the
// estimate made from that. The probabilities are summed up, as if no two came together.
#include "assess/sp800_90b/good_source.h"

#include <algorithm>
#include <cmath>

#include "assess/sp800_90b/estimator.h"
#include "assess/special.h"

namespace incore::assess::sp800_90b {
namespace {

constexpr double kNumEstimates = 12;  // two sequences, six estimates or fewer each
constexpr double kNumPredictors = 4;

// The least count that is reached with |probability| at most, among |trials| of probability |p|.
double rare_count(double trials, double p, double probability) {
  double low = std::floor(trials * p), high = trials + 1;
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (binomial_at_least(middle, trials, p) > probability ? low : high) = middle;
  }
  return low;
}

double most_common(double k, double n, double probability) {
  return entropy_of(upper_bound(rare_count(n, 1 / k, probability / k) / n, n));
}

// For each length W, so many of all pairs of places repeat; from length to length it is rarer.
double repeats(double k, double n, double probability) {
  double p_max = 0, p_pair = 1 / k;
  for (double w = 1; w < n; ++w, p_pair /= k) {
    const double pairs = (n - w + 1) * (n - w) / 2;
    if (pairs * p_pair > 100) continue;  // W-tuples that are this common say what symbols say
    if (pairs * p_pair < probability) break;
    p_max = std::max(p_max, std::pow(rare_count(pairs, p_pair, probability) / pairs, 1 / w));
  }
  return p_max > 0 ? entropy_of(upper_bound(p_max, n)) : HUGE_VAL;
}

double predictors(unsigned k, double n, double probability) {
  probability /= kNumPredictors;
  const double longest = std::floor(std::log(n / probability) / std::log(k));
  const double right = rare_count(n, 1.0 / k, probability);
  return entropy_of(prediction_p(right, longest + 1, n, k));
}

// |n| bits: means that deviate as far from what is expected as a normal variable does.
double collision(double n, double probability) {
  const double v = n / 2.5;
  return collision_entropy(2.5 - (kZAlpha - normal_quantile(probability)) * 0.5 / std::sqrt(v));
}

double compression(size_t n, double probability) {
  constexpr size_t kLeast = 6012;
  if (n < kLeast) return HUGE_VAL;
  // Mean and standard deviation of log2 of the distance between equal blocks of six bits, with the
  // standard's correction (Coron and Naccache).
  constexpr double kMean = 5.2177052, kSigma = 1.0148;
  const double v = std::floor(static_cast<double>(n) / 6) - 1000;
  return compression_entropy(
      kMean - (kZAlpha - normal_quantile(probability)) * kSigma / std::sqrt(v), n);
}

}  // namespace

double least_of_good_source(unsigned width, size_t num, double probability) {
  const double each = probability / kNumEstimates;
  const unsigned k = 1u << width;
  const size_t num_bits = num * width;
  const auto symbols = static_cast<double>(num), bits = static_cast<double>(num_bits);
  const double bitstring =
      std::min({most_common(2, bits, each), collision(bits, each), compression(num_bits, each),
                repeats(2, bits, each), predictors(2, bits, each)});
  const double literal = std::min(
      {most_common(k, symbols, each), repeats(k, symbols, each), predictors(k, symbols, each)});
  return std::max(0.0, std::min(literal, width * bitstring));
}

}  // namespace incore::assess::sp800_90b
