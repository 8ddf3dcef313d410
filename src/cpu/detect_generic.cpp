// Architectures without a detector of their own: the portable kernels serve.
#if !defined(__x86_64__) && !defined(__i386__) && !defined(__powerpc64__) && !defined(_AIX)

#include "cpu/cpu.h"

namespace incore {

FeatureSet detect_features() {
  return FeatureSet();
}

}  // namespace incore

#endif
