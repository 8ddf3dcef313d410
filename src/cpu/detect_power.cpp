// Feature detection on 64-bit POWER: the auxiliary vector of Linux (POWER8 guide, chapter 3). Where
// it has no word for the features that matter, as before Linux 3.10 and on other systems, the
// instructions are tried.
#if defined(__powerpc64__) && !defined(_AIX)

#include "cpu/power.h"
#include "cpu/probe_power.h"

#if defined(__linux__)
#include <sys/auxv.h>

#include <cerrno>
#endif

namespace incore {

#if defined(__linux__)

// quote: auxiliary-vector
FeatureSet detect_features() {
  const int saved_errno = errno;
  errno = 0;
  const unsigned long hwcap2 = getauxval(kAtHwcap2);
  const bool known = errno == 0;  // ENOENT: there is no such entry
  errno = saved_errno;
  if (!known) return features_of_units(probed_power_units());
  return power_features(static_cast<uint32_t>(getauxval(AT_HWCAP)), static_cast<uint32_t>(hwcap2));
}
// end of quote

#else

FeatureSet detect_features() {
  return features_of_units(probed_power_units());
}

#endif

}  // namespace incore

#endif
