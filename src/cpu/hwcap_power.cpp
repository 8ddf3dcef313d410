// The words AT_HWCAP and AT_HWCAP2 of POWER: bits, names, and the features that they announce.
#if defined(__powerpc64__) || defined(_AIX)

#include "cpu/power.h"

namespace incore {

FeatureSet power_features(uint32_t hwcap, uint32_t hwcap2) {
  const bool altivec = (hwcap & kFeatureAltivec) != 0;
  const bool vsx = altivec && (hwcap & kFeatureVsx) != 0;
  const bool arch_2_07 = (hwcap2 & kFeature2Arch207) != 0;
  FeatureSet found;
  const auto add_if = [&found](bool present, Feature f) {
    if (present) found.add(f);
  };
  add_if(altivec, Feature::altivec);
  add_if(vsx, Feature::vsx);
  add_if(arch_2_07, Feature::arch_2_07);
  add_if(vsx && arch_2_07 && (hwcap2 & kFeature2VecCrypto) != 0, Feature::vcrypto);
  add_if((hwcap2 & kFeature2Arch300) != 0, Feature::arch_3_00);
  add_if((hwcap2 & kFeature2Darn) != 0, Feature::darn);
  return found;
}

const char* const kHwcapNames[32] = {
    "ppcle",     "true_le", nullptr,  nullptr,  nullptr,     nullptr,     "archpmu",   "vsx",
    "arch_2_06", "power6x", "dfp",    "pa6t",   "arch_2_05", "ic_snoop",  "smt",       "booke",
    "cellbe",    "power5+", "power5", "power4", "notb",      "efpdouble", "efpsingle", "spe",
    "ucache",    "4xxmac",  "mmu",    "fpu",    "altivec",   "ppc601",    "ppc64",     "ppc32",
};

const char* const kHwcap2Names[32] = {
    nullptr,    nullptr,   nullptr,    nullptr,          nullptr, nullptr, nullptr,   nullptr,
    nullptr,    nullptr,   nullptr,    nullptr,          nullptr, nullptr, nullptr,   nullptr,
    nullptr,    "mma",     "arch_3_1", "htm-no-suspend", "scv",   "darn",  "ieee128", "arch_3_00",
    "htm-nosc", "vcrypto", "tar",      "isel",           "ebb",   "dscr",  "htm",     "arch_2_07",
};

}  // namespace incore

#endif
