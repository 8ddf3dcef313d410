// Feature detection on 64-bit POWER: the auxiliary vector of Linux (POWER8 guide, chapter 3).
#if defined(__powerpc64__)

#include <sys/auxv.h>

#include "cpu/cpu.h"

namespace incore {

FeatureSet detect_features() {
  const unsigned long hwcap2 = getauxval(AT_HWCAP2);
  FeatureSet found;
  if ((hwcap2 & 0x80000000) != 0) found.add(Feature::arch_2_07);
  if ((hwcap2 & 0x02000000) != 0) found.add(Feature::vcrypto);
  return found;
}

}  // namespace incore

#endif
