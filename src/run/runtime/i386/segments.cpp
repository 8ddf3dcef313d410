// Segments of 32-bit programs: their selectors are in the signal frame, their descriptors with the
// kernel. LAR and LSL tell what a segment allows and where it ends. Its base is in the program's
// LDT or, if the program got it by set_thread_area, in its thread's part of the GDT; the kernel's
// other segments begin at 0.
#include "run/runtime/i386/segments.h"

#include <asm/ldt.h>

#include "run/runtime/runtime.h"

namespace incore::run {
namespace {

constexpr uint32_t kInLdt = 1u << 2;  // of a selector
constexpr unsigned kIndexShift = 3;

// Of what LAR tells, which is the upper half of a descriptor without base and limit.
constexpr uint32_t kWritableData = 1u << 9, kReadableCode = 1u << 9;
constexpr uint32_t kExpandsDown = 1u << 10;
constexpr uint32_t kCode = 1u << 11;
constexpr uint32_t kCodeOrData = 1u << 12;
constexpr uint32_t kPresent = 1u << 15;
constexpr uint32_t kLong = 1u << 21;
constexpr uint32_t kBig = 1u << 22;  // D of code: 32-bit

struct Descriptor {
  uint16_t limit_low, base_low;
  uint8_t base_middle, rights, limit_high, base_high;
};
static_assert(sizeof(Descriptor) == 8);
constinit Descriptor ldt[LDT_ENTRIES] = {};  // used with Lock held

uint32_t base_of(uint32_t selector) {
  const uint32_t index = selector >> kIndexShift;
  if ((selector & kInLdt) != 0) {
    constexpr int kRead = 0;  // all up to the one that is wanted
    const Lock lock;
    if (is_error(sys(__NR_modify_ldt, kRead, ldt, (index + 1) * sizeof(Descriptor)))) return 0;
    const Descriptor& d = ldt[index];
    return d.base_low | uint32_t{d.base_middle} << 16 | uint32_t{d.base_high} << 24;
  }
  user_desc area = {};
  area.entry_number = index;
  return is_error(sys(__NR_get_thread_area, &area)) ? 0 : area.base_addr;
}

// 0: the selector is null, or its segment out of the program's reach.
uint32_t rights_of(uint32_t selector) {
  uint32_t rights = 0;
  __asm__("larl %1, %0" : "+r"(rights) : "r"(selector) : "cc");
  constexpr uint32_t kUsable = kCodeOrData | kPresent;
  return (rights & kUsable) == kUsable ? rights : 0;
}

uint32_t limit_of(uint32_t selector) {
  uint32_t limit = 0;
  __asm__("lsll %1, %0" : "+r"(limit) : "r"(selector) : "cc");
  return limit;
}

}  // namespace

padlock::Segment program_es(const KernelUcontext& uc) {
  const uint32_t selector = uc.es & 0xFFFF;
  if (selector == kUserDs) return {};
  const uint32_t rights = rights_of(selector);
  const bool is_code = (rights & kCode) != 0;
  if (rights == 0 || (is_code && (rights & kReadableCode) == 0)) return padlock::Segment::none();
  padlock::Segment es;
  es.base = base_of(selector);
  es.limit = limit_of(selector);
  es.writable = !is_code && (rights & kWritableData) != 0;
  if (!is_code && (rights & kExpandsDown) != 0) {
    if (es.limit == 0xFFFFFFFF) return padlock::Segment::none();
    es.first = static_cast<uint32_t>(es.limit) + 1;
    es.limit = (rights & kBig) != 0 ? 0xFFFFFFFF : 0xFFFF;
  }
  return es;
}

bool runs_own_code(const KernelUcontext& uc) {
  const uint32_t selector = uc.cs & 0xFFFF;
  return (rights_of(selector) & (kBig | kLong)) == kBig && base_of(selector) == 0;
}

}  // namespace incore::run
