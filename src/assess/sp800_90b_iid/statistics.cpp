#include "assess/sp800_90b_iid/statistics.h"

#include <algorithm>
#include <numeric>

namespace incore::assess::sp800_90b {
namespace {

constexpr StatisticSet bit(unsigned statistic) {
  return StatisticSet{1} << statistic;
}
constexpr StatisticSet kDirectionalSet =
    bit(kNumDirectionalRuns) | bit(kLenDirectionalRuns) | bit(kNumIncreasesDecreases);
constexpr StatisticSet kMedianSet = bit(kNumRunsMedian) | bit(kLenRunsMedian);
constexpr StatisticSet kCollisionSet = bit(kAverageCollision) | bit(kMaximumCollision);
constexpr StatisticSet kPeriodicitySet = bit(kCovariance) - bit(kPeriodicity);
constexpr StatisticSet kCovarianceSet = bit(kCompression) - bit(kCovariance);

// The runs of equal values of |of|(i), 0 <= i < n. No branch depends on the data.
template <class Of>
Runs runs_of(size_t n, Of of) {
  if (n == 0) return {};
  Runs runs{.num = 1, .longest = 1};
  uint64_t len = 1;
  bool last = of(0);
  for (size_t i = 1; i < n; ++i) {
    const bool now = of(i);
    const bool same = now == last;
    last = now;
    runs.num += !same;
    len = same ? len + 1 : 1;
    runs.longest = std::max(runs.longest, len);
  }
  return runs;
}

}  // namespace

double excursion(std::span<const uint8_t> values) {
  const auto n = static_cast<int64_t>(values.size());
  const auto total = std::accumulate(values.begin(), values.end(), int64_t{0});
  int64_t most = 0, deviation = 0;  // n times the deviation of the sum from i times the mean
  for (const uint8_t value : values) {
    deviation += n * value - total;
    most = std::max(most, deviation < 0 ? -deviation : deviation);
  }
  return static_cast<double>(most) / static_cast<double>(n);
}

Directional directional_runs(std::span<const uint8_t> values) {
  if (values.size() < 2) return {};
  const size_t n = values.size() - 1;
  const auto rises = [&](size_t i) { return values[i] <= values[i + 1]; };
  uint64_t num_rises = 0;
  for (size_t i = 0; i < n; ++i) num_rises += rises(i);
  return {runs_of(n, rises), std::max(num_rises, n - num_rises)};
}

Runs median_runs(std::span<const uint8_t> values, unsigned twice_median) {
  return runs_of(values.size(), [&](size_t i) { return 2u * values[i] >= twice_median; });
}

Collisions collisions(std::span<const uint8_t> values) {
  Collisions found;
  std::array<uint32_t, 256> seen_in{};  // the number of the last stretch that had this value
  uint32_t stretch = 1;
  size_t begin = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (seen_in[values[i]] != stretch) {
      seen_in[values[i]] = stretch;
      continue;
    }
    const uint64_t len = i + 1 - begin;
    ++found.num;
    found.sum += len;
    found.longest = std::max(found.longest, len);
    ++stretch;
    begin = i + 1;
  }
  return found;
}

uint64_t periodicity(std::span<const uint8_t> values, unsigned lag) {
  uint64_t count = 0;
  for (size_t i = lag; i < values.size(); ++i) count += values[i - lag] == values[i];
  return count;
}

uint64_t covariance(std::span<const uint8_t> values, unsigned lag) {
  constexpr size_t kPiece = 65536;  // 255 * 255 of them fit in 32 bits
  uint64_t sum = 0;
  for (size_t begin = lag; begin < values.size(); begin += kPiece) {
    const size_t end = std::min(begin + kPiece, values.size());
    uint32_t piece = 0;
    for (size_t i = begin; i < end; ++i) piece += uint32_t{values[i - lag]} * values[i];
    sum += piece;
  }
  return sum;
}

void convert_1(std::span<const uint8_t> bits, std::vector<uint8_t>& out) {
  out.assign((bits.size() + 7) / 8, 0);
  for (size_t i = 0; i < bits.size(); ++i) out[i / 8] = static_cast<uint8_t>(out[i / 8] + bits[i]);
}

void convert_2(std::span<const uint8_t> bits, std::vector<uint8_t>& out) {
  out.assign((bits.size() + 7) / 8, 0);
  for (size_t i = 0; i < bits.size(); ++i)
    out[i / 8] = static_cast<uint8_t>(out[i / 8] | bits[i] << (7 - i % 8));
}

StatisticsOf::StatisticsOf(std::span<const uint8_t> symbols, std::span<const uint8_t> alphabet)
    : alphabet_(alphabet.begin(), alphabet.end()),
      binary_(alphabet.size() == 2),
      translated_(alphabet.back() != alphabet.size() - 1),
      compression_(alphabet) {
  std::array<uint64_t, 256> counts{};
  for (const uint8_t symbol : symbols) ++counts[symbol];
  const auto at = [&](size_t rank) {  // of the sorted sample
    unsigned symbol = 0;
    for (uint64_t up_to = counts[0]; up_to <= rank; up_to += counts[symbol]) ++symbol;
    return symbol;
  };
  const size_t n = symbols.size();
  twice_median_ = binary_ ? 1 : at((n - 1) / 2) + at(n / 2);
}

void StatisticsOf::compute(std::span<const uint8_t> symbols, StatisticSet wanted,
                           StatisticValues& out) {
  std::span<const uint8_t> raw = symbols;
  if (translated_ && (wanted & (bit(kExcursion) | kCovarianceSet)) != 0) {
    raw_.resize(symbols.size());
    std::transform(symbols.begin(), symbols.end(), raw_.begin(),
                   [&](uint8_t symbol) { return alphabet_[symbol]; });
    raw = raw_;
  }
  std::span<const uint8_t> values = symbols;
  if (binary_ && (wanted & (kDirectionalSet | kPeriodicitySet | kCovarianceSet)) != 0) {
    convert_1(symbols, ones_);
    values = ones_;
  }
  if (wanted & bit(kExcursion)) out[kExcursion] = excursion(raw);
  if (wanted & kDirectionalSet) {
    const Directional found = directional_runs(values);
    out[kNumDirectionalRuns] = static_cast<double>(found.runs.num);
    out[kLenDirectionalRuns] = static_cast<double>(found.runs.longest);
    out[kNumIncreasesDecreases] = static_cast<double>(found.most);
  }
  if (wanted & kMedianSet) {
    const Runs found = median_runs(symbols, twice_median_);
    out[kNumRunsMedian] = static_cast<double>(found.num);
    out[kLenRunsMedian] = static_cast<double>(found.longest);
  }
  if (wanted & kCollisionSet) {
    if (binary_) convert_2(symbols, bytes_);
    const Collisions found = collisions(binary_ ? bytes_ : symbols);
    out[kAverageCollision] = static_cast<double>(found.sum) / static_cast<double>(found.num);
    out[kMaximumCollision] = static_cast<double>(found.longest);
  }
  for (unsigned i = 0; i < kLags.size(); ++i) {
    if (wanted & bit(kPeriodicity + i))
      out[kPeriodicity + i] = static_cast<double>(periodicity(values, kLags[i]));
    if (wanted & bit(kCovariance + i))
      out[kCovariance + i] = static_cast<double>(covariance(binary_ ? values : raw, kLags[i]));
  }
  if (wanted & bit(kCompression))
    out[kCompression] = static_cast<double>(compression_.compressed_len(symbols));
}

}  // namespace incore::assess::sp800_90b
