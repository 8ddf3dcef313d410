// Suffixes of a text in sorted order, and what neighbours have in common: how often tuples occur.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace incore::assess::sp800_90b {

// sorted_lcp sorts the suffixes of |text| and returns, for each but the first, the length of the
// longest prefix that it has in common with the one before it; for the first 0. 8 bytes of memory
// for each of |text|, which has less than 2^31.
std::vector<int32_t> sorted_lcp(std::span<const uint8_t> text);

// The length of the longest substring that occurs twice, overlaps included; 0: none.
int32_t longest_repeated_substring(std::span<const uint8_t> text);

}  // namespace incore::assess::sp800_90b
