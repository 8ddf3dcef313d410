#include "assess/real_transform.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

namespace incore::assess {
namespace {

using Numbers = std::vector<double>;
using Spectrum = std::vector<std::complex<double>>;

// Of the root of the mean of |X|^2, as the header says.
constexpr double kLargestError = 5e-15;

Numbers normal_numbers(size_t n) {
  std::mt19937_64 bits(n);
  std::normal_distribution<double> normal;
  Numbers x(n);
  for (double& number : x) number = normal(bits);
  return x;
}

Spectrum transform(Numbers x) {
  Spectrum X(x.size() / 2 + 1);
  RealTransform(x.size())(x, X);
  return X;
}

// The largest error of every |step|th number, beginning with the last, by the definition; relative
// to what they are on average.
double largest_error(const Numbers& x, size_t step = 1) {
  using Complex = std::complex<long double>;
  const size_t n = x.size();
  std::vector<Complex> roots;  // e^(-2 pi i j / n)
  const auto angle = -2 * std::numbers::pi_v<long double> / static_cast<long double>(n);
  for (size_t j = 0; j < n; ++j)
    roots.push_back(std::polar(1.0L, angle * static_cast<long double>(j)));
  const Spectrum X = transform(x);
  long double largest = 0;
  for (size_t i = 0; i < X.size(); i += step) {
    const size_t k = X.size() - 1 - i;
    Complex sum = 0;
    for (size_t j = 0, jk = 0; j < n; ++j, jk = (jk + k) % n)
      sum += roots[jk] * static_cast<long double>(x[j]);
    largest = std::max(largest, std::abs(Complex(X[k]) - sum));
  }
  const double squares = std::inner_product(x.begin(), x.end(), x.begin(), 0.0);
  return static_cast<double>(largest) / std::sqrt(squares);
}

TEST(assess_real_transform, every_short_length_is_as_defined) {
  for (size_t n = 1; n <= 400; ++n) EXPECT_LT(largest_error(normal_numbers(n)), kLargestError) << n;
}

// Products of 2, 3 and 5, other factors, primes and their doubles; odd and even.
TEST(assess_real_transform, long_lengths_are_as_defined) {
  for (const size_t n : {1000, 1024, 1009, 1458, 2018, 2187, 3125, 6250, 7776, 10'007, 65'536,
                         65'537, 99'990, 99'991, 100'000, 131'074, 999'983, 1'000'000, 1'048'576})
    EXPECT_LT(largest_error(normal_numbers(n), n / 10), kLargestError) << n;
}

// The sum of all |X|^2 is n times that of all x^2 (Parseval): so no number of a long one is wrong
// unseen.
TEST(assess_real_transform, no_power_is_lost) {
  for (const size_t n : {65'536, 99'999, 99'991, 1'000'000}) {
    const Numbers x = normal_numbers(n);
    const Spectrum X = transform(x);
    double sum = 0;
    for (size_t k = 0; k < n; ++k) sum += std::norm(X[std::min(k, n - k)]);
    const double squares = std::inner_product(x.begin(), x.end(), x.begin(), 0.0);
    EXPECT_NEAR(sum / static_cast<double>(n) / squares, 1, 1e-13) << n;
  }
}

TEST(assess_real_transform, threads_share_one) {
  for (const size_t n : {10'000, 10'007}) {
    const RealTransform shared(n);
    const Numbers x = normal_numbers(n);
    const Spectrum expected = transform(x);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (int round = 0; round < 20; ++round) {
          Numbers mine = x;
          Spectrum X(n / 2 + 1);
          shared(mine, X);
          EXPECT_EQ(X, expected);
        }
      });
    for (std::thread& thread : threads) thread.join();
  }
}

}  // namespace
}  // namespace incore::assess
