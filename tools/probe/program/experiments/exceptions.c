// Which exception comes, and which of two.
#include "tools/probe/program/experiment.h"

enum { kNowhere = 0x30000000 };  // never mapped

#define MANY_PREFIXES "26262626262626262626"

const struct Experiment kExceptionExperiments[] = {
    EXPERIMENT(
        "PLK-EXC-013", "misaligned source that is not there", 0,
        RUN(XCRYPT_ECB, .ebx = kKey, .ecx = 2, .edx = kControl, .esi = kNowhere + 1, .edi = kOut)),
    EXPERIMENT(
        "PLK-EXC-013", "no source, misaligned destination", 0,
        RUN(XCRYPT_ECB, .ebx = kKey, .ecx = 2, .edx = kControl, .esi = kNowhere, .edi = kOut + 1)),
    EXPERIMENT("PLK-EXC-013", "nothing is there", 0,
               RUN(XCRYPT_ECB, .ebx = kNowhere, .ecx = 2, .edx = kNowhere + 0x1000,
                   .esi = kNowhere + 0x2000, .edi = kNowhere + 0x3000)),
    EXPERIMENT(
        "PLK-EXC-013", "no key", 0,
        RUN(XCRYPT_ECB, .ebx = kNowhere, .ecx = 2, .edx = kControl, .esi = kIn, .edi = kOut)),
    EXPERIMENT("PLK-EXC-013", "no control word", 0,
               RUN(XCRYPT_ECB, .ebx = kKey, .ecx = 2, .edx = kNowhere, .esi = kIn, .edi = kOut)),
    EXPERIMENT("PLK-EXC-013", "no vector", 0,
               RUN(XCRYPT_CBC, .eax = kNowhere, .ebx = kKey, .ecx = 2, .edx = kControl, .esi = kIn,
                   .edi = kOut)),
    EXPERIMENT("PLK-EXC-014", "XCRYPTECB without REP", 0, RUN("0fa7c8", XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-EXC-014", "XCRYPTCBC without REP", 0, RUN("0fa7d0", XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-EXC-014", "XCRYPTCTR without REP", 0, RUN("0fa7d8", XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-EXC-014", "XCRYPTCFB without REP", 0, RUN("0fa7e0", XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-EXC-014", "XCRYPTOFB without REP", 0, RUN("0fa7e8", XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-EXC-015", "XSHA1 without REP", 0, RUN("0fa6c8", XSHA_REGISTERS(64))),
    EXPERIMENT("PLK-EXC-015", "XSHA256 without REP", 0, RUN("0fa6d0", XSHA_REGISTERS(64))),
    EXPERIMENT("PLK-EXC-015", "MONTMUL without REP", 0, RUN("0fa6c0", MONTMUL_REGISTERS(256))),
    EXPERIMENT("PLK-EXC-011", "ECX = 0", 0, RUN(XCRYPT_CBC, XCRYPT_REGISTERS(0))),
    EXPERIMENT(
        "PLK-EXC-020", "ECX = 0, ECB, 1 block before the end of memory", 0,
        RUN(XCRYPT_ECB, .ebx = kKey, .edx = kControl, .esi = AREA_END(kIn) - 16, .edi = kOut)),
    EXPERIMENT("PLK-EXC-020", "ECX = 0, CBC, 1 block before the end of memory", 0,
               RUN(XCRYPT_CBC, .eax = kVector, .ebx = kKey, .edx = kControl,
                   .esi = AREA_END(kIn) - 16, .edi = kOut)),
    EXPERIMENT("PLK-EXC-020", "ECX = 0, CBC, no block before the end of memory", 0,
               RUN(XCRYPT_CBC, .eax = kVector, .ebx = kKey, .edx = kControl, .esi = AREA_END(kIn),
                   .edi = kOut)),
    EXPERIMENT("PLK-EXC-016", "DF = 1", 0, RUN("fd" XCRYPT_ECB "fc", XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-EXC-022", "14 bytes", 0, RUN(MANY_PREFIXES XCRYPT_ECB, XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-EXC-022", "16 bytes", 0,
               RUN(MANY_PREFIXES "2626" XCRYPT_ECB, XCRYPT_REGISTERS(2))),
    // Reported of Zhaoxin parts: the low three bits of ModRM do not count.
    EXPERIMENT("PLK-ACE-001", "ModRM C9", 0, RUN("f30fa7c9", XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-PHE-001", "ModRM CF", 0, RUN("f30fa6cf", XSHA_REGISTERS(64))),
    EXPERIMENT("PLK-RNG-001", "ModRM C1", kRandom, RUN("0fa7c1", .edi = kOut)),
    {.clause = NULL},
};
