// What needs model specific registers. Those that write are done with --write-msrs only, and set
// back what they changed.
#include "tools/probe/program/experiment.h"

enum { kFcr = 0x1107, kRng = 0x110B, kZhaoxin = 0x1257 };
enum { kUnits = 1 << 28, kSource = 3 << 8, kFilter = 1 << 14, kFail = 1 << 15, kCount = 63 << 16 };

#define UNITS ASK_CPUID(0xC0000001, .edx = ALL_BITS)

const struct Experiment kMsrExperiments[] = {
    EXPERIMENT("PLK-MSR-002", "the upper half of MSR 110B", kRandom, READ_MSR(kRng)),
    EXPERIMENT("PLK-MSR-007", "BCNT of full buffers", kRandom, READ_MSR(kRng)),
    EXPERIMENT("PLK-MSR-027", "reserved bits", kRandom, READ_MSR(kRng)),
    EXPERIMENT("PLK-MSR-032", "the FCR exists", kRandom, READ_MSR(kFcr)),
    EXPERIMENT("PLK-MSR-037", "FCR, written as read", kNeedsMsrWrites, WRITE_MSR(kFcr, 0, 0),
               READ_MSR(kFcr)),
    EXPERIMENT("PLK-MSR-014", "both sources", kNeedsMsrWrites | kRandom,
               WRITE_MSR(kRng, kSource, 2 << 8), READ_MSR(kRng), RUN(XSTORE, .edi = kOut)),
    EXPERIMENT("PLK-MSR-022", "FAIL, written 1", kNeedsMsrWrites | kRandom,
               WRITE_MSR(kRng, kCount, kFail | kFilter | 8 << 16), READ_MSR(kRng)),
    EXPERIMENT("PLK-MSR-024", "a filter of 2 bits", kNeedsMsrWrites | kRandom,
               WRITE_MSR(kRng, kCount, kFilter | 2 << 16), READ_MSR(kRng),
               RUN(XSTORE, .edi = kOut)),
    EXPERIMENT("PLK-CPUID-007", "the generator is off", kNeedsMsrWrites | kRandom,
               WRITE_MSR(kRng, 1 << 6, 0), UNITS, RUN(XSTORE, .edi = kOut)),
    EXPERIMENT("PLK-MSR-033", "the units are off", kNeedsMsrWrites, WRITE_MSR(kFcr, kUnits, 0),
               UNITS, RUN(XCRYPT_ECB, XCRYPT_REGISTERS(2)), RUN(XSHA1, XSHA_REGISTERS(64)),
               RUN(MONTMUL, MONTMUL_REGISTERS(256))),
    EXPERIMENT("PLK-ZX-007", "bit 7 of MSR 1257 is off", kNeedsMsrWrites,
               WRITE_MSR(kZhaoxin, 1 << 7, 0), UNITS, RUN(XCRYPT_ECB, XCRYPT_REGISTERS(2)),
               RUN(XSHA1, XSHA_REGISTERS(64)), RUN(MONTMUL, MONTMUL_REGISTERS(256))),
    EXPERIMENT("PLK-ZX-007", "MSRs of VIA parts", 0, READ_MSR(kZhaoxin), READ_MSR(kFcr),
               READ_MSR(kRng)),
    {.clause = NULL},
};
