#include "tools/probe/probe_noise.h"

#include <array>
#include <cmath>
#include <string>

#include "tools/probe/probe_document.h"

namespace incore::tools {

NoiseFigures noise_figures(const Json& document) {
  const std::string bytes = hex_bytes(document["noise"]["bytes"].text());
  NoiseFigures figures;
  if (bytes.size() < 256) return figures;  // too few for any of them
  std::array<double, 256> counts = {};
  size_t ones = 0, pairs_of_ones = 0;
  unsigned last = 0;
  for (const char c : bytes) {
    const unsigned byte = static_cast<unsigned char>(c);
    counts[byte] += 1;
    for (unsigned i = 0; i < 8; ++i) {  // bit 0 was made first
      const unsigned bit = byte >> i & 1;
      ones += bit;
      pairs_of_ones += bit & last;
      last = bit;
    }
  }
  figures.bits = bytes.size() * 8;
  const double n = static_cast<double>(figures.bits);
  const double p = static_cast<double>(ones) / n, variance = p * (1 - p);
  figures.ones = p;
  figures.ones_error = std::sqrt(variance / n);
  if (variance > 0)
    figures.correlation = (static_cast<double>(pairs_of_ones) / (n - 1) - p * p) / variance;
  figures.correlation_error = 1 / std::sqrt(n);
  const double expected = static_cast<double>(bytes.size()) / 256;
  for (const double count : counts)
    figures.chi_square += (count - expected) * (count - expected) / expected;
  return figures;
}

bool noise_fits(double a, double error_a, double b, double error_b) {
  return std::abs(a - b) <= kNoiseTolerance * std::hypot(error_a, error_b);
}

}  // namespace incore::tools
