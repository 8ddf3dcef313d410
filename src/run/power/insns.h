/* The crypto instructions of POWER8 that `incore scan` finds and `incore run` counts, for C and
 * C++: insns.def has them. */
#ifndef INCORE_RUN_POWER_INSNS_H
#define INCORE_RUN_POWER_INSNS_H

#include <stdint.h>

enum {
#define X(mnemonic, mask, bits) INCORE_POWER_##mnemonic,
#include "run/power/insns.def"
#undef X
  INCORE_POWER_NUM_INSNS
};

#ifdef __cplusplus
namespace incore::run::power {
inline constexpr const char* kMnemonics[] = {
#define X(mnemonic, mask, bits) #mnemonic,
#include "run/power/insns.def"
#undef X
};
}  // namespace incore::run::power
#endif

/* The number of the crypto instruction that the word holds, -1 if it is none. */
static inline int incore_power_insn(uint32_t word) {
#define X(mnemonic, mask, bits) \
  if ((word & (mask)) == (bits)) return INCORE_POWER_##mnemonic;
#include "run/power/insns.def"
#undef X
  return -1;
}

/* What the plugin in the emulator and `incore run` share: memory of a file, all zero at first, into
 * which every process of a run counts. */
struct incore_power_counters {
  uint64_t programs; /* that began with the plugin in place */
  uint64_t executed[INCORE_POWER_NUM_INSNS];
};

#endif /* INCORE_RUN_POWER_INSNS_H */
