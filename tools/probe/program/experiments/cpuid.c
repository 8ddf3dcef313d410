// What CPUID says of PadLock; the document has all leaves beside.
#include "tools/probe/program/experiment.h"

#define UNITS ASK_CPUID(0xC0000001, .edx = 0x3FCC)  // of RNG, ACE, ACE2, PHE, PMM

const struct Experiment kCpuidExperiments[] = {
    EXPERIMENT("PLK-CPUID-001", "the highest Centaur leaf", 0,
               ASK_CPUID(0xC0000000, .eax = ALL_BITS)),
    EXPERIMENT("PLK-CPUID-002", "the flags", 0, ASK_CPUID(0xC0000001, .edx = ALL_BITS)),
    EXPERIMENT("PLK-CPUID-028", "the vendor", 0,
               ASK_CPUID(0, .ebx = ALL_BITS, .ecx = ALL_BITS, .edx = ALL_BITS)),
    // Which units a stepping has.
    EXPERIMENT("PLK-CPUID-034", "signature and units", 0, ASK_CPUID(1, .eax = ALL_BITS), UNITS),
    EXPERIMENT("LJ-003", "stepping", 0, ASK_CPUID(1, .eax = 15)),
    EXPERIMENT("PLK-CPUID-038", "RNG2 and RSA", 0, ASK_CPUID(0xC0000001, .edx = 3 << 22 | 3 << 27)),
    {.clause = NULL},
};
