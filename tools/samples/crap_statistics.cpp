#include "tools/samples/crap_statistics.h"

#include <numeric>

#include "incore/assess.h"

namespace incore::tools {

double crap_p_value(double chi_square) {
  constexpr double kMost = 410;
  return chi_square > kMost ? 0 : incore_assess_chi_square_p(chi_square, 255);
}

void CrapStatistics::update(std::span<const uint8_t> bytes) {
  size_t i = 0;
  for (; i + kNumTables <= bytes.size(); i += kNumTables)
    for (unsigned table = 0; table < kNumTables; ++table) ++sample_[table][bytes[i + table]];
  for (; i < bytes.size(); ++i) ++sample_[0][bytes[i]];
}

double CrapStatistics::chi_square(const Counts& counts) {
  const auto num = static_cast<double>(std::accumulate(counts.begin(), counts.end(), uint64_t{0}));
  const double expected = num / 256;
  double sum = 0;
  for (const uint64_t count : counts) {
    const double difference = static_cast<double>(count) - expected;
    sum += difference * difference / expected;
  }
  return sum;
}

CrapResult CrapStatistics::end_sample() {
  Counts counts = {};
  for (const Counts& table : sample_)
    for (size_t value = 0; value < counts.size(); ++value) counts[value] += table[value];
  for (size_t value = 0; value < counts.size(); ++value) total_[value] += counts[value];
  sample_ = {};

  CrapResult result = {};
  result.chi_square = chi_square(counts);
  result.p_value = crap_p_value(result.chi_square);
  result.total_chi_square = chi_square(total_);
  result.total_p_value = crap_p_value(result.total_chi_square);
  p_values_.push_back(result.p_value);
  if (incore_assess_evenness(p_values_.data(), p_values_.size(), &result.evenness) != INCORE_OK)
    result.evenness = 0;
  return result;
}

}  // namespace incore::tools
