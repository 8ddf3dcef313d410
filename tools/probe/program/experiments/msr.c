// What needs model specific registers. Those that write are done with --write-msrs only, and set
// back what they changed.
#include "tools/probe/program/experiment.h"

enum { kFcr = 0x1107, kRng = 0x110B, kZhaoxin = 0x1257 };
enum {
  kFilled = 0x1F,  // BCNT
  kEnabled = 1 << 6,
  kSources = 3 << 8,
  kFilter = 1 << 14,
  kFail = 1 << 15,
  kFilterCount = 63 << 16,
  kUnits = 1 << 28,  // in the FCR
  kZhaoxinAce = 1 << 7,
};

#define FLAGS ASK_CPUID(0xC0000001, .edx = 0x3FCC)
#define TRY_XSTORE TRY(XSTORE, .edi = kOut)
#define TRY_ALL_UNITS                                                   \
  TRY(XCRYPT_ECB, XCRYPT_REGISTERS(2)), TRY(XSHA1, XSHA_REGISTERS(64)), \
      TRY(MONTMUL, MONTMUL_REGISTERS(256)), TRY_XSTORE

const struct Experiment kMsrExperiments[] = {
    EXPERIMENT("PLK-MSR-002", "MSR 110B exists; its upper half is among the registers", 0,
               READ_MSR(kRng, kEnabled)),
    EXPERIMENT("PLK-MSR-007", "BCNT of full buffers", 0, READ_MSR(kRng, kFilled)),
    EXPERIMENT("PLK-MSR-027", "reserved bits", 0, READ_MSR(kRng, 0xFFC000A0)),
    EXPERIMENT("PLK-MSR-032", "the FCR exists", 0, READ_MSR(kFcr, kUnits)),
    EXPERIMENT("PLK-MSR-037", "the FCR, written as read", kNeedsMsrWrites, WRITE_MSR(kFcr, 0, 0),
               READ_MSR(kFcr, kUnits)),
    EXPERIMENT("PLK-MSR-014", "both sources", kNeedsMsrWrites, WRITE_MSR(kRng, kSources, 2 << 8),
               READ_MSR(kRng, kSources), TRY_XSTORE),
    EXPERIMENT("PLK-MSR-022", "FAIL, written 1", kNeedsMsrWrites,
               WRITE_MSR(kRng, kFilterCount, kFail | kFilter | 32 << 16),
               READ_MSR(kRng, kFail | kFilter | kFilterCount)),
    EXPERIMENT("PLK-MSR-024", "a filter of 2 bits", kNeedsMsrWrites,
               WRITE_MSR(kRng, kFilterCount, kFilter | 2 << 16),
               READ_MSR(kRng, kFilter | kFilterCount), TRY_XSTORE),
    EXPERIMENT("PLK-CPUID-007", "the generator is off", kNeedsMsrWrites,
               WRITE_MSR(kRng, kEnabled, 0), FLAGS, TRY_XSTORE),
    EXPERIMENT("PLK-MSR-033", "the units are off", kNeedsMsrWrites, WRITE_MSR(kFcr, kUnits, 0),
               FLAGS, TRY_ALL_UNITS),
    EXPERIMENT("PLK-ZX-007", "bit 7 of MSR 1257 is off", kNeedsMsrWrites,
               WRITE_MSR(kZhaoxin, kZhaoxinAce, 0), FLAGS, TRY_ALL_UNITS),
    EXPERIMENT("PLK-ZX-007", "which MSRs exist", 0, READ_MSR(kZhaoxin, kZhaoxinAce),
               READ_MSR(kFcr, kUnits), READ_MSR(kRng, kEnabled)),
    {.clause = NULL},
};
