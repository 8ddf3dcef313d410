// Machines that this is not, for tests of choices.
#pragma once

#include "crypto/kernel_choice.h"

namespace incore::test {

// Has |available|, and all kernels would give right answers.
inline Machine machine_with(FeatureSet available) {
  return {available, [](const KernelList&, const KernelInfo&) { return true; }};
}

}  // namespace incore::test
