// Which kernels are tested.
#include "crypto/self_test.h"

namespace incore {

bool passes_self_test(const KernelList& list, const KernelInfo& kernel) {
  if (kernel.needs.empty() || kernel.needs.has_any(kPadlockFeatures)) return true;
  size_t i = 0;
  while (list.kernels[i] != &kernel) ++i;
  return tested_once(*list.tested, i, [&] { return list.self_test(kernel); });
}

}  // namespace incore
