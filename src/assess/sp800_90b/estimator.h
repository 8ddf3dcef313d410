// An estimator of min-entropy (SP 800-90B, section 6.3): <name>.cpp holds each, estimators.def
// lists them. The names of figures are the standard's.
#pragma once

#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "assess/report.h"
#include "assess/sp800_90b/sample.h"

namespace incore::assess::sp800_90b {

// Z for a 99 % confidence interval: the normal distribution's quantile at 0.995.
inline constexpr double kZAlpha = 2.5758293035489008;

struct Estimate {
  const char* test;
  double min_entropy = kNone;  // bits for each of the symbols that were looked at
  std::vector<Figure> figures = {};
  std::string skipped = {};       // why it was not done; empty: it was
  const char* meaning = nullptr;  // if not the estimator's
};

// Long work asks it now and then, and gives up when it is set; what it then returns is thrown away.
using Stop = std::atomic<bool>;

struct Estimator {
  const char* name;
  const char* meaning;
  bool binary_only;  // defined for k = 2 only
  // |symbols| has two or more symbols, of two values or more.
  std::vector<Estimate> (*run)(const Symbols& symbols, const Stop& stop);
};

#define X(name) extern const Estimator estimator_##name;
#include "assess/sp800_90b/estimators.def"
#undef X

std::span<const Estimator* const> estimators();

// Section 6.3.1, also for one value only; the IID track uses it too.
Estimate most_common_value(const Symbols& symbols);

// The last steps of three others: min-entropy for each bit from X-bar', and the probability of
// the likeliest symbol from |c| right ones of |n| predictions of one of |k| symbols.
double collision_entropy(double lower_mean);
double compression_entropy(double lower_mean, size_t num_bits);
double prediction_p(double c, double r, double n, unsigned k);

// The upper end p_u of the 99 % confidence interval of a proportion |p| of |n| observations.
double upper_bound(double p, double n);

// -log2 p, without a negative zero.
double entropy_of(double p);

}  // namespace incore::assess::sp800_90b
