/* What RESET does: PadLock guide 1.66, chapter 1. */
#include "calls.h"

/* Memory keeps it; nobody but this kernel is that high. */
static volatile uint32_t* const mark = (uint32_t*)0x300000;
enum { kMark = 0x52455345 };

void check_reset(uint32_t cr4) {
  uint32_t fcr, rng;
  if (*mark != kMark) {
    *mark = kMark;
    read_msr(kFcrMsr, &fcr);
    write_msr(kFcrMsr, fcr & ~(uint32_t)kFcrEnable);
    write_msr(kRngMsr, 0);
    tell("PLK-MSR-033", xcrypt(kEcb, result, 1).vector == 6);
    tell("PLK-MSR-008", xstore().vector == 6);
    restart();
  }
  *mark = 0;
  tell("PLK-START-007", (cr4 & kOsfxsr) == 0);
  tell("PLK-START-006", read_msr(kFcrMsr, &fcr) == kNoVector && (fcr & kFcrEnable) != 0);
  tell("PLK-START-009", read_msr(kRngMsr, &rng) == kNoVector && (rng & kRngEnable) != 0);
  tell("PLK-MSR-010", xstore().vector == kNoVector);
  tell("PLK-START-002", all_units_end_with(kNoVector));
}
