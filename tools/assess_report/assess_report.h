// An assessment with what it was made of, in the form that text, JSON, CSV and HTML are written
// from.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "incore/assess.h"

namespace incore::tools {

// What was judged, and how.
struct AssessInput {
  std::string name;     // a path, "stdin", a generator
  std::string sha256;   // of the bytes that were judged
  std::string partial;  // why that is not all that should have been judged; empty: it is
  uint64_t bytes_skipped = 0;
  incore_assess_options options = {};
};

// Its texts and arrays are those of the incore_assess that it was read from.
struct AssessReport {
  struct Suite {
    incore_assess_suite info;
    incore_assess_run run;

    double gigabytes_per_second() const;
  };
  AssessInput input;
  incore_assess_summary summary = {};
  std::vector<Suite> suites = {};
  std::vector<incore_assess_result> results = {};
  std::vector<incore_assess_series> series = {};
};

// |assess| is finished.
AssessReport read_assessment(const incore_assess* assess, AssessInput input);

// All results of one test.
struct AssessTest {
  std::vector<const incore_assess_result*> results;
  const incore_assess_result* worst;  // by verdict, then by p-value
};
std::vector<AssessTest> tests_of(const AssessReport& report, const std::string& suite);

// The worst result of one suite, null if there is none, and how many there are of each verdict.
struct SuiteCounts {
  const incore_assess_result* worst = nullptr;
  std::array<size_t, INCORE_VERDICT_FAIL + 1> num = {};
};
SuiteCounts counts_of(const AssessReport& report, const std::string& suite);

// "3 of 188 tests fail"
std::string counts_text(const incore_assess_summary& summary);
// That, with the worst result, and what it means.
std::string headline(const incore_assess_summary& summary);
// "A share of ones of 50.06 % would fail as often as not": how much so many bytes could show; empty
// if that was not judged.
std::string visible_bias_text(const incore_assess_summary& summary);
// How often a good source fails: "at most once in 5300 assessments such as this"; empty if there
// is no p-value.
std::string false_alarm_text(const incore_assess_summary& summary);
// "Serial, m = 5"
std::string label(const incore_assess_result& result);
// "0.0123", "1.2e-08", "<1e-300"; "-" for none.
std::string p_text(double p_value);
// As short as it can be and still be the same number; |none| for one that is not finite.
std::string exact_text(double value, const char* none);
// "1,048,576"
std::string with_commas(uint64_t number);

// The forms. Those of JSON and CSV end with a line feed, and HTML is one page.
std::string assess_text(const AssessReport& report, int verbosity, bool has_colours = false);
std::string assess_json(const AssessReport& report);
std::string assess_csv(const AssessReport& report);
std::string assess_html(const AssessReport& report);

}  // namespace incore::tools
