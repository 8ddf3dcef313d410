// Simple statistics of the random bytes in a document. Figures, not behaviour.
#pragma once

#include "tools/base/json.h"

namespace incore::tools {

struct NoiseFigures {
  size_t bits = 0;         // 0: there are none
  double ones = 0;         // their share
  double ones_error = 0;   // the standard error of that
  double correlation = 0;  // of a bit with the one before it in its byte or the byte before
  double correlation_error = 0;
  double chi_square = 0;  // of the 256 byte values; 255 on average, with a deviation of 22.6
};

NoiseFigures noise_figures(const Json& document);

// So many standard errors of their difference may lie between two figures. A good generator exceeds
// it once in 1.7 million comparisons; parts of one kind differ among each other by more than that
// if their bits are raw.
inline constexpr double kNoiseTolerance = 5;
bool noise_fits(double a, double error_a, double b, double error_b);

}  // namespace incore::tools
