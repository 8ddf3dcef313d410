#include "assess/suite.h"

namespace incore::assess {
namespace {

constexpr const SuiteInfo* kSuites[] = {
#define X(name) &suite_##name,
#include "assess/suites.def"
#undef X
};

}  // namespace

std::span<const SuiteInfo* const> suites() {
  return kSuites;
}

incore_verdict verdict_of(double p_value) {
  if (!(p_value >= kFailBelow)) return INCORE_VERDICT_FAIL;
  return p_value < kWeakBelow ? INCORE_VERDICT_WEAK : INCORE_VERDICT_PASS;
}

void Report::skip(std::string test, std::string why) {
  results.push_back(
      {.test = std::move(test), .verdict = INCORE_VERDICT_SKIPPED, .text = std::move(why)});
}

}  // namespace incore::assess
