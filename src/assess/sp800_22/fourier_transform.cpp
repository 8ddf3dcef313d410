// Discrete Fourier Transform (Spectral) Test, SP 800-22 section 2.6.
#include <array>
#include <cmath>
#include <complex>
#include <vector>

#include "assess/real_transform.h"
#include "assess/sp800_22/statistics.h"

namespace incore::assess::sp800_22 {
namespace {

// For each byte its bits as -1 and 1.
const std::array<std::array<double, 8>, 256>& signs_of_bytes() {
  static const auto kSigns = [] {
    std::array<std::array<double, 8>, 256> signs;
    for (unsigned byte = 0; byte < 256; ++byte)
      for (unsigned i = 0; i < 8; ++i) signs[byte][i] = byte >> (7 - i) & 1 ? 1 : -1;
    return signs;
  }();
  return kSigns;
}

}  // namespace

Outcome fourier_transform(const Sequence& epsilon) {
  const size_t n = epsilon.n();
  const auto& signs = signs_of_bytes();
  std::vector<double> X(n + 7);  // whole bytes
  for (size_t i = 0; i < n; i += 8)
    for (unsigned j = 0; j < 8; ++j) X[i + j] = signs[epsilon.bits(i, 8)][j];
  std::vector<std::complex<double>> S(n / 2 + 1);
  RealTransform{n}({X.data(), n}, S);
  const double size = static_cast<double>(n);
  const double T_squared = std::log(1 / 0.05) * size;
  uint64_t below = 0;  // peaks below T
  for (size_t i = 0; i < n / 2; ++i) below += std::norm(S[i]) < T_squared;
  const double N_1 = static_cast<double>(below), N_0 = 0.95 * size / 2;
  const double d = (N_1 - N_0) / std::sqrt(size * 0.95 * 0.05 / 4);
  return {.p_value = std::erfc(std::fabs(d) / std::sqrt(2.0)),
          .statistic = d,
          .figures = {{"N_1", N_1}, {"N_0", N_0}}};
}

extern const Test test_fourier_transform = {
    .name = "Discrete Fourier Transform",
    .section = "2.6",
    .looks_at = "periodic patterns, as peaks of the spectrum",
    .least_n = 1000,
    .run = [](const Sequence& epsilon, const Parameters&,
              Outcomes& out) { out.push_back(fourier_transform(epsilon)); },
    // A number of peaks takes few values: of 1000 bits 1.6 % of good sequences have P < 0.01.
    .least_n_of_several = 10'000};

}  // namespace incore::assess::sp800_22
