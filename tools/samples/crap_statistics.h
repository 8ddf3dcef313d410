// CRAP's statistics: chi-square of the 256 byte values in a sample and in all samples so far, and
// the evenness of the samples' p-values.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace incore::tools {

struct CrapResult {
  double chi_square, p_value;
  double total_chi_square, total_p_value;
  double evenness;  // "KSTEST": near 1 if the p-values are not evenly distributed
};

// The probability of |chi_square| or more with 255 degrees of freedom; 0 above 410.
double crap_p_value(double chi_square);

class CrapStatistics {
 public:
  void update(std::span<const uint8_t> bytes);
  // The end of a sample, which has at least one byte.
  CrapResult end_sample();
  // Forgets all samples.
  void reset() { *this = CrapStatistics(); }

 private:
  // Tables in turn, so that equal bytes that follow each other do not wait for one counter.
  static constexpr unsigned kNumTables = 4;
  using Counts = std::array<uint64_t, 256>;

  static double chi_square(const Counts& counts);

  std::array<std::array<uint64_t, 256>, kNumTables> sample_ = {};
  Counts total_ = {};
  std::vector<double> p_values_;
};

}  // namespace incore::tools
