// Which kernels are tested.
#include "crypto/self_test.h"

namespace incore {
namespace {

constexpr FeatureSet kPadlock(Feature::padlock_ace, Feature::padlock_phe, Feature::padlock_xsha,
                              Feature::padlock_phe2, Feature::padlock_pmm);

}  // namespace

bool passes_self_test(const KernelList& list, const KernelInfo& kernel) {
  if (kernel.needs.empty() || kernel.needs.has_any(kPadlock)) return true;
  size_t i = 0;
  while (list.kernels[i] != &kernel) ++i;
  return tested_once(*list.tested, i, [&] { return list.self_test(kernel); });
}

}  // namespace incore
