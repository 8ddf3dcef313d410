/* What plugin.c in the emulator and `incore run` share, for C and C++: memory of a file, all zero
 * at first, into which every process of a run counts. */
#ifndef INCORE_RUN_QEMU_COUNTERS_H
#define INCORE_RUN_QEMU_COUNTERS_H

#include "scan/power_insns.h"

struct incore_power_counters {
  uint64_t programs; /* that began with the plugin in place */
  uint64_t executed[INCORE_POWER_NUM_INSNS];
};

#endif /* INCORE_RUN_QEMU_COUNTERS_H */
