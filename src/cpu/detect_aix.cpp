// Feature detection on AIX, from its documentation: the system configuration names the processor's
// class but not its crypto unit, so that the class decides whether to try the instructions. The
// decision is tested everywhere on POWER; asking AIX for its words has never run on one.
#if defined(__powerpc64__) || defined(_AIX)

#include "cpu/power.h"
#include "cpu/probe_power.h"

#if defined(_AIX)
#include <sys/systemcfg.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#endif

namespace incore {

FeatureSet aix_features(const AixSystem& system, unsigned (*num_probed_units)()) {
  constexpr uint32_t kPower8 = 1 << 16;
  // Vector registers are saved for such a process only by AIX 6 and later, on a 64-bit kernel.
  const bool has_vector_state =
      system.process_is_64_bit || (system.kernel_is_64_bit && system.version >= 6);
  if (!has_vector_state || system.implementation < kPower8) return FeatureSet();
  return features_of_units(num_probed_units());
}

#if defined(_AIX)
FeatureSet detect_features() {
  utsname name = {};
  uname(&name);
  const AixSystem system = {static_cast<uint32_t>(_system_configuration.implementation),
                            static_cast<unsigned>(std::atoi(name.version)), sizeof(void*) == 8,
                            sysconf(_SC_AIX_KERNEL_BITMODE) == 64};
  return aix_features(system, probed_power_units);
}
#endif

}  // namespace incore

#endif
