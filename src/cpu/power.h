// What the operating systems of POWER tell of the processor, and what follows from it (POWER8
// guide, chapter 3). The functions here only compute; detect_power.cpp and detect_aix.cpp ask.
#pragma once

#include <cstdint>

#include "cpu/cpu.h"

namespace incore {

// The entry of the auxiliary vector that older headers do not name.
inline constexpr unsigned long kAtHwcap2 = 26;

// Bits of AT_HWCAP and AT_HWCAP2 by their names in Linux
// (arch/powerpc/include/uapi/asm/cputable.h), without the prefix PPC_.
inline constexpr uint32_t kFeatureAltivec = 0x10000000;
inline constexpr uint32_t kFeatureVsx = 0x00000080;
inline constexpr uint32_t kFeature2Arch207 = 0x80000000;
inline constexpr uint32_t kFeature2VecCrypto = 0x02000000;
inline constexpr uint32_t kFeature2Arch300 = 0x00800000;
inline constexpr uint32_t kFeature2Darn = 0x00200000;

// The features that the two words announce. Crypto has a bit of its own, since instruction set 2.07
// does not demand it; it counts only with the registers that it works on and the rest of 2.07,
// which the compiler uses in a kernel for POWER8.
FeatureSet power_features(uint32_t hwcap, uint32_t hwcap2);

// The names that LD_SHOW_AUXV=1 prints for the bits of AT_HWCAP and AT_HWCAP2, from bit 0; null
// where a bit has none.
extern const char* const kHwcapNames[32];
extern const char* const kHwcap2Names[32];

// What AIX knows of itself.
struct AixSystem {
  uint32_t implementation;  // _system_configuration.implementation: one bit, higher is newer
  unsigned version;         // of AIX
  bool process_is_64_bit, kernel_is_64_bit;
};

// AIX has no word for crypto. A processor of the class of POWER8 or later may have it, and
// |num_probed_units| (probe_power.h), which is called for those only, must confirm it.
FeatureSet aix_features(const AixSystem& system, unsigned (*num_probed_units)());

}  // namespace incore
