// A test of SP 800-22 Rev. 1a: a function from a bit sequence to P-values. <name>.cpp holds one
// each, tests.def lists them. Names of variables are the standard's.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "assess/report.h"
#include "assess/sp800_22/sequence.h"

namespace incore::assess::sp800_22 {

// What a user of NIST's program may choose; these are its values for 1,000,000 bits.
struct Parameters {
  unsigned block_frequency_M = 128;
  unsigned non_overlapping_m = 9;
  unsigned overlapping_m = 9;
  unsigned approximate_entropy_m = 10;
  unsigned serial_m = 16;
  unsigned linear_complexity_M = 500;
};

// The same, but smaller where n bits are too few for them by section 2.
Parameters parameters_for(uint64_t n);

struct Outcome {
  std::string variant = {};  // where a test gives several P-values
  double p_value = 0;
  double statistic = kNone;
  std::vector<Figure> figures = {};
};
using Outcomes = std::vector<Outcome>;

struct Test {
  const char* name;
  const char* section;
  const char* looks_at;  // for people
  uint64_t least_n;      // the input size that the section recommends
  // Adds nothing where the test is not applicable to the sequence.
  void (*run)(const Sequence& epsilon, const Parameters& parameters, Outcomes& out);
  const char* not_applicable = "";  // why that may be
  // Whether very small P-values are as rare as they say. Where they are not, none of them makes a
  // fail alone.
  bool exact_tail = true;
  // How often a fair sequence of n bits, fewer than kExactBelow, has a P-value of |p| or less. The
  // standard's P-values are those of long sequences; of short ones few values are possible, and
  // many sequences show by how much that is off. NaN: not known for this n; null: for no n.
  double (*share)(uint64_t n, const Parameters& parameters, const std::string& variant,
                  double p) = nullptr;
  // The bits that each of several sequences needs, where that is more than least_n.
  uint64_t least_n_of_several = 0;
};

// From here on the standard's P-values are taken as they are.
inline constexpr uint64_t kExactBelow = 10'000;

#define X(name) extern const Test test_##name;
#include "assess/sp800_22/tests.def"
#undef X

std::span<const Test* const> tests();

}  // namespace incore::assess::sp800_22
