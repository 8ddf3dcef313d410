// Check of writes to MSR 0x110B, the configuration of the RNG. PadLock guide 1.66, section 2.2.
// Only code at privilege level 0 can come here.
#include "padlock/checks/check.h"

namespace incore::padlock {
namespace {

constexpr uint32_t kReserved = 0xFFC000A0;  // bits 31:22, 7 and 5
constexpr uint32_t kMinFilterCount = 8;

void look_at_value(const MsrLook& look) {
  enum { kReservedBits, kNoFilter, kNoSource, kShortFilter };
  if (look.msr != kMsrRng) return;
  const Model& model = look.cpu.model();
  const uint32_t filter_fields = kRngFilter | kRngFail | kRngFilterCountMask;
  const uint32_t count = (look.value & kRngFilterCountMask) >> kRngFilterCountShift;
  if ((look.value & kReserved) != 0) look.report(kReservedBits);
  if (!model.rng_string_filter && (look.value & filter_fields) != 0) look.report(kNoFilter);
  if (model.rng_num_sources < 2 && (look.value & kRngSourceMask) != 0) look.report(kNoSource);
  if (model.rng_string_filter && (look.value & kRngFilter) != 0 && count < kMinFilterCount)
    look.report(kShortFilter);
}

}  // namespace

const Check check_rng_msr_bits = {
    .name = "rng-msr-bits",
    .remedy = "change the defined fields of the MSR only, and write 0 to all other bits",
    .rules = {{"PLK-MSR-026", "reserved bits (31:22, 7 or 5) of MSR 0x110B are written as 1"},
              {"PLK-MSR-025", "FCNT, FAIL and FLTR (bits 21:14) are reserved on this processor"},
              {"PLK-MSR-014", "SRC (bits 9:8) is reserved on this processor"},
              {"PLK-MSR-024", "the string filter with FCNT below 8 gives unexpected results"}},
    .before_wrmsr = look_at_value};

}  // namespace incore::padlock
