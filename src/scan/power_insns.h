/* The crypto instructions of POWER8 that `incore scan` finds and `incore run` counts, for C and
 * C++: power_insns.def has them. */
#ifndef INCORE_SCAN_POWER_INSNS_H
#define INCORE_SCAN_POWER_INSNS_H

#include <stdint.h>

enum {
#define X(mnemonic, mask, bits) INCORE_POWER_##mnemonic,
#include "scan/power_insns.def"
#undef X
  INCORE_POWER_NUM_INSNS
};

#ifdef __cplusplus
namespace incore::scan {
inline constexpr const char* kPowerMnemonics[] = {
#define X(mnemonic, mask, bits) #mnemonic,
#include "scan/power_insns.def"
#undef X
};
}  // namespace incore::scan
#endif

/* The number of the crypto instruction that the word holds, -1 if it is none. */
static inline int incore_power_insn(uint32_t word) {
#define X(mnemonic, mask, bits) \
  if ((word & (mask)) == (bits)) return INCORE_POWER_##mnemonic;
#include "scan/power_insns.def"
#undef X
  return -1;
}

#endif /* INCORE_SCAN_POWER_INSNS_H */
