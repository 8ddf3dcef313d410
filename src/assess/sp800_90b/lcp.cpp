#include "assess/sp800_90b/lcp.h"

#include <divsufsort.h>

#include <algorithm>
#include <new>

namespace incore::assess::sp800_90b {

// Karkkainen, Manzini, Puglisi, "Permuted longest-common-prefix array", 2009: in the order of the
// text, a suffix shares at most one symbol less with its neighbour than the suffix before it did.
std::vector<int32_t> sorted_lcp(std::span<const uint8_t> text) {
  const auto n = static_cast<int32_t>(text.size());
  if (n == 0) return {};
  std::vector<int32_t> sorted(text.size());
  if (divsufsort(text.data(), sorted.data(), n) != 0) throw std::bad_alloc();

  // The suffix sorted before this one; then the length that both have in common.
  std::vector<int32_t> before(text.size());
  before[static_cast<size_t>(sorted[0])] = -1;
  for (size_t rank = 1; rank < sorted.size(); ++rank)
    before[static_cast<size_t>(sorted[rank])] = sorted[rank - 1];
  int32_t common = 0;
  for (int32_t i = 0; i < n; ++i) {
    const int32_t j = before[static_cast<size_t>(i)];
    if (j < 0) {
      common = 0;
    } else {
      const uint8_t* const a = text.data() + i;
      const uint8_t* const b = text.data() + j;
      const int32_t most = n - std::max(i, j);
      while (common < most && a[common] == b[common]) ++common;
    }
    before[static_cast<size_t>(i)] = common;
    common = std::max(common - 1, 0);
  }
  for (int32_t& suffix : sorted) suffix = before[static_cast<size_t>(suffix)];
  return sorted;
}

int32_t longest_repeated_substring(std::span<const uint8_t> text) {
  const std::vector<int32_t> lcp = sorted_lcp(text);
  return lcp.empty() ? 0 : *std::max_element(lcp.begin(), lcp.end());
}

}  // namespace incore::assess::sp800_90b
