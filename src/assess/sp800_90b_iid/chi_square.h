// The chi-square tests of the IID track (SP 800-90B, sections 5.2.1 to 5.2.4) and the length of the
// longest repeated substring (5.2.5).
#pragma once

#include "assess/sp800_90b/sample.h"

namespace incore::assess::sp800_90b {

struct ChiSquare {
  double score = 0;    // the standard's T
  double degrees = 0;  // 0: too few symbols for two bins
  double p_value() const;
};

// Whether two successive symbols know of each other: 5.2.1, or 5.2.3 for a binary alphabet.
ChiSquare chi_square_independence(const Symbols& symbols);
// Whether all tenths of the sample are alike: 5.2.2, or 5.2.4.
ChiSquare chi_square_goodness_of_fit(const Symbols& symbols);

struct LongestRepeat {
  double len;          // W
  double p_collision;  // that two symbols are equal, P_col
  double p_value;      // of a repeat so long or longer
};
LongestRepeat longest_repeat(const Symbols& symbols);

}  // namespace incore::assess::sp800_90b
