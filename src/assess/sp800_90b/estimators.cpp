#include "assess/sp800_90b/estimator.h"

namespace incore::assess::sp800_90b {
namespace {

constexpr const Estimator* kEstimators[] = {
#define X(name) &estimator_##name,
#include "assess/sp800_90b/estimators.def"
#undef X
};

}  // namespace

std::span<const Estimator* const> estimators() {
  return kEstimators;
}

}  // namespace incore::assess::sp800_90b
