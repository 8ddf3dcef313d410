// What suites find: results, one for each test, and series to draw. They become the C interface's
// incore_assess_result and incore_assess_series.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "incore/assess.h"

namespace incore::assess {

inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Thresholds of all tests that give a p-value. An assessment has a few hundred of them, so a good
// source fails one in a few thousand assessments.
inline constexpr double kWeakBelow = 1e-3;
inline constexpr double kFailBelow = 1e-6;
incore_verdict verdict_of(double p_value);

struct Figure {
  std::string name;
  double value;
};

// What a result answers, and so what an assessment may say of the bits.
enum class Question : uint8_t {
  randomness,  // are these bits those of a good source?
  entropy,     // is there as much min-entropy as was demanded?
  iid,         // are symbols independent and identically distributed?
};
inline constexpr size_t kNumQuestions = 3;

struct Result {
  std::string test, variant = {};
  incore_verdict verdict = INCORE_VERDICT_INFO;
  double statistic = kNone, p_value = kNone, min_entropy = kNone;
  std::string text = {};
  std::vector<Figure> figures = {};
  Question question = Question::randomness;
};

struct Series {
  std::string name, title, x_title, y_title;
  incore_series_kind kind = INCORE_SERIES_LINE;
  std::vector<double> x = {}, y = {};
  size_t rows = 0, columns = 0;
  double low = kNone, high = kNone;
};

struct Report {
  std::vector<Result> results;
  std::vector<Series> series;
  // What the suite would need to say that nothing is wrong, such as "1000 bits", where it has
  // judged less. Empty: it has had enough.
  std::string wants;
  // Of so many bits the balance of ones and zeros was judged; 0: of none.
  uint64_t balanced_bits = 0;

  // |test| was not done.
  void skip(std::string test, std::string why);
};

}  // namespace incore::assess
