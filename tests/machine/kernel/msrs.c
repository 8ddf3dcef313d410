/* MSR 0x1107 (FCR) and MSR 0x110B (RNG): PadLock guide 1.66, chapters 1 and 2. */
#include "calls.h"

static void check_fcr(void) {
  enum { kExists = 1 << 2 | 1 << 6 | 1 << 8 | 1 << 10 | 1 << 12, kOther = 0x40 };
  uint32_t before, after;
  const int vector_of_read = read_msr(kFcrMsr, &before);
  if (!has_ace()) { /* C5XL has none */
    tell("PLK-MSR-032", vector_of_read == 13);
    return;
  }
  tell("PLK-MSR-032", vector_of_read == kNoVector && (before & kFcrEnable) != 0);
  const uint32_t exists = padlock_flags() & kExists;
  write_msr(kFcrMsr, before & ~(uint32_t)kFcrEnable);
  tell("PLK-MSR-033", fcr_units_end_with(6));
  tell("PLK-START-001", (padlock_flags() & kExists) == exists);
  const int rng_works = xstore().vector == kNoVector;
  write_msr(kFcrMsr, before | kOther);
  tell("PLK-MSR-034", fcr_units_end_with(kNoVector));
  tell("PLK-MSR-037", read_msr(kFcrMsr, &after) == kNoVector && after == (before | kOther));
  write_msr(kFcrMsr, before & ~(uint32_t)kFcrEnable);
  const int off_again = fcr_units_end_with(6);
  write_msr(kFcrMsr, before);
  tell("PLK-MSR-035", off_again && fcr_units_end_with(kNoVector));
  write_msr(kRngMsr, 0);
  tell("PLK-MSR-036", rng_works && fcr_units_end_with(kNoVector));
  write_msr(kRngMsr, kRngEnable);
}

static uint32_t rng_msr(void) {
  uint32_t value = 0;
  read_msr(kRngMsr, &value);
  return value;
}

/* Whether the count comes to |full|, when the generator has had time enough. */
static int fills_up_to(uint32_t full) {
  for (unsigned i = 0; i < 100000; ++i)
    if ((rng_msr() & kCount) == full) return 1;
  return 0;
}

static int stays_empty(void) {
  uint32_t all = 0;
  for (unsigned i = 0; i < 100; ++i) all |= rng_msr() & kCount;
  return all == 0;
}

static void check_rng_msr(void) {
  enum { kBias = 3 << 10, kFields = ~kCount };
  uint32_t value;
  tell("PLK-MSR-001", read_msr(kRngMsr, &value) == kNoVector && (value & kFields) == kRngEnable);
  write_msr(kRngMsr, kRngEnable | kBias);
  tell("PLK-MSR-015", (rng_msr() & kBias) == kBias);
  tell("PLK-MSR-030", (xstore().eax & kBias) == kBias);
  /* Four buffers of eight bytes: their bytes on Nehemiah, 31 at most; a bit for each on Esther. */
  const uint32_t full = is_nehemiah() ? 31 : 15;
  tell(is_nehemiah() ? "PLK-MSR-007" : "PLK-MSR-006", fills_up_to(full));
  write_msr(kRngMsr, kCount); /* which switches it off, so the buffers stay as this leaves them */
  const uint32_t count = rng_msr() & kCount;
  tell("PLK-MSR-003", count != full);
  tell("PLK-MSR-029", count == 0);
  const int is_off = (rng_msr() & kRngEnable) == 0 && xstore().vector == 6;
  tell("PLK-MSR-009", stays_empty());
  write_msr(kRngMsr, kRngEnable);
  tell("PLK-MSR-008", is_off && (rng_msr() & kRngEnable) != 0 && xstore().vector == kNoVector);
}

/* Bit 15 says that the filter, bit 14, has seen a run longer than bits 21:16. */
static void check_string_filter(void) {
  enum { kRaw = 1 << 13, kFilter = 1 << 14, kFail = 1 << 15, kLength = 8 << 16 };
  const uint32_t filter = kRngEnable | kRaw | kFilter | kLength;
  write_msr(kRngMsr, kRngEnable | kFail);
  tell("PLK-MSR-020", (rng_msr() & kFail) == 0);
  write_msr(kRngMsr, filter);
  for (unsigned i = 0; i < 100000 && (rng_msr() & kFail) == 0; ++i) xstore();
  tell("PLK-MSR-019", (rng_msr() & kFail) != 0);
  write_msr(kRngMsr, filter | kFail);
  tell("PLK-MSR-022", (rng_msr() & kFail) != 0);
  write_msr(kRngMsr, kRngEnable);
  tell("PLK-MSR-021", (rng_msr() & kFail) == 0);
}

void check_msrs(void) {
  if (!has_msrs()) return;
  check_fcr();
  if (!has_rng()) return;
  check_rng_msr();
  if (has_string_filter()) check_string_filter();
}
