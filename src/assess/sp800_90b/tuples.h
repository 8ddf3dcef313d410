// How often the tuples of a sequence occur: what the t-Tuple and the LRS Estimate are made from.
#pragma once

#include <cstdint>
#include <vector>

#include "assess/sp800_90b/estimator.h"

namespace incore::assess::sp800_90b {

// For each length W, from 1 to that of the longest tuple that occurs twice (the standard's v).
struct TupleCounts {
  std::vector<uint32_t> most;   // [W]: how often the most common W-tuple occurs; [0] is not used
  std::vector<uint64_t> pairs;  // [W]: how many pairs of places have equal W-tuples
};

TupleCounts count_tuples(const Symbols& symbols, const Stop& stop);

// Sections 6.3.5 and 6.3.6. |n|: symbols in the sequence.
Estimate t_tuple(const TupleCounts& counts, size_t n);
Estimate longest_repeated(const TupleCounts& counts, size_t n);

}  // namespace incore::assess::sp800_90b
