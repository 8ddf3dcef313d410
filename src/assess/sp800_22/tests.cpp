#include <algorithm>
#include <bit>

#include "assess/sp800_22/statistics.h"

namespace incore::assess::sp800_22 {
namespace {

constexpr const Test* kTests[] = {
#define X(name) &test_##name,
#include "assess/sp800_22/tests.def"
#undef X
};

}  // namespace

std::span<const Test* const> tests() {
  return kTests;
}

Parameters parameters_for(uint64_t n) {
  Parameters made;
  const unsigned log2_n = n == 0 ? 0 : static_cast<unsigned>(std::bit_width(n)) - 1;
  const auto below = [&](unsigned value, unsigned less) {
    return std::min(value, log2_n > less ? log2_n - less - 1 : 0);
  };
  if (n < 100 * made.block_frequency_M) made.block_frequency_M = 20;  // 2.2.7: M >= 20, M > 0.01 n
  made.approximate_entropy_m = below(made.approximate_entropy_m, 5);  // 2.12.7: m < log2 n - 5
  // 2.11.7: m < log2 n - 2. With few patterns and few of each, P-values come out too small; and
  // with m = 1 there is no second difference, whose P-value would be far too small.
  made.serial_m = n < 1000 ? 2 : below(made.serial_m, n < 10'000 ? 4 : 2);
  return made;
}

double chi_square(std::span<const uint64_t> nu, std::span<const double> pi) {
  uint64_t N = 0;
  for (const uint64_t count : nu) N += count;
  double sum = 0;
  for (size_t i = 0; i < nu.size(); ++i) {
    const double expected = static_cast<double>(N) * pi[i];
    const double difference = static_cast<double>(nu[i]) - expected;
    sum += difference * difference / expected;
  }
  return sum;
}

std::vector<uint32_t> ring_counts(const Sequence& epsilon, unsigned width) {
  std::vector<uint32_t> counts(size_t{1} << width);
  const size_t n = epsilon.n();
  const size_t whole = n >= width ? n - width + 1 : 0;
  for_each_window(epsilon, 0, whole, width, [&](uint64_t value) { ++counts[value]; });
  for (size_t i = whole; i < n; ++i) {
    size_t value = 0;
    for (unsigned j = 0; j < width; ++j) value = value << 1 | epsilon.bit((i + j) % n);
    ++counts[value];
  }
  return counts;
}

}  // namespace incore::assess::sp800_22
