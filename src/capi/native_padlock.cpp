// The PadLock instructions themselves, with the registers given. PadLock guide 1.66.
#include "capi/native_padlock.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <array>
#include <utility>

#if defined(__x86_64__) || defined(__i386__)
#include "cpu/cpuid_x86.h"
#endif

namespace incore::native_padlock {

using padlock::Unit;

#if defined(__x86_64__) || defined(__i386__)
namespace {

// A processor without Centaur leaves answers with something that is no leaf number of theirs.
constexpr uint32_t kLastCentaurLeaf = 0xC000FFFF;

// The bit that says "exists"; the one above it says "enabled".
unsigned exists_bit(Unit unit) {
  switch (unit) {
    case Unit::rng:
      return 2;
    case Unit::ccs:
      return 4;
    case Unit::ace:
    case Unit::ace_ctr:
      return 6;
    case Unit::phe:
      return 10;
    case Unit::pmm:
      return 12;
    case Unit::phe2:
      return 25;
  }
  return 31;
}
constexpr uint32_t kFlagAce2 = 1u << 8;  // CTR came with it; its enabled bit is not set everywhere

// A machine word each way. MONTMUL takes 32-bit pointers: in 64-bit code it needs the address-size
// prefix.
template <uint8_t kSecond, uint8_t kThird, bool kRep>
void run(incore_padlock_registers* r) {
  uintptr_t a = static_cast<uintptr_t>(r->rax), b = static_cast<uintptr_t>(r->rbx),
            c = static_cast<uintptr_t>(r->rcx), d = static_cast<uintptr_t>(r->rdx),
            source = static_cast<uintptr_t>(r->rsi), destination = static_cast<uintptr_t>(r->rdi);
#define INCORE_PADLOCK_INSN(prefixes)                                                    \
  __asm__ volatile(".byte " prefixes "0x0F, %c[second], %c[third]"                       \
                   : "+a"(a), "+b"(b), "+c"(c), "+d"(d), "+S"(source), "+D"(destination) \
                   : [second] "i"(kSecond), [third] "i"(kThird)                          \
                   : "memory", "cc")
  if constexpr (!kRep)
    INCORE_PADLOCK_INSN("");
  else if constexpr (sizeof(void*) == 8 && kSecond == 0xA6 && kThird == 0xC0)
    INCORE_PADLOCK_INSN("0x67, 0xF3, ");
  else
    INCORE_PADLOCK_INSN("0xF3, ");
#undef INCORE_PADLOCK_INSN
  *r = {a, b, c, d, source, destination};
}

// All codes that there can be: 0F A6 or A7, C0 to F8 in steps of 8, without REP and with it.
using Run = void(incore_padlock_registers* registers);
template <size_t... index>
constexpr std::array<Run*, sizeof...(index)> all_runs(std::index_sequence<index...>) {
  return {run<0xA6 + (index >> 1 & 1), 0xC0 + (index >> 2) * 8, (index & 1) != 0>...};
}
constexpr auto kRuns = all_runs(std::make_index_sequence<32>());

}  // namespace

uint32_t flags() {
  const uint32_t last = native_cpuid(0xC0000000).eax;
  if (last < padlock::kPadlockLeaf || last > kLastCentaurLeaf) return 0;
  return native_cpuid(padlock::kPadlockLeaf).edx;
}

bool has(uint32_t flags, Unit unit) {
  const bool enabled = (flags >> exists_bit(unit) & 3) == 3;
  return enabled && (unit != Unit::ace_ctr || (flags & kFlagAce2) != 0);
}

void execute(const padlock::Insn& insn, incore_padlock_registers* registers) {
  const size_t group = insn.opcode[1] & 1, line = insn.opcode[2] >> 3 & 7;
  kRuns[line << 2 | group << 1 | (insn.rep ? 1 : 0)](registers);
}

// As every program must: by storing EFLAGS. Keeps off the red zone.
void reload_key() {
#ifdef __x86_64__
  __asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushf\n\tpopf\n\tlea 128(%%rsp), %%rsp" ::
                       : "memory", "cc");
#else
  __asm__ volatile("pushf\n\tpopf" ::: "memory", "cc");
#endif
}

bool cpuid(uint32_t leaf, uint32_t subleaf, uint32_t out_registers[4]) {
  const CpuidResult r = native_cpuid(leaf, subleaf);
  out_registers[0] = r.eax, out_registers[1] = r.ebx;
  out_registers[2] = r.ecx, out_registers[3] = r.edx;
  return true;
}

#else

uint32_t flags() {
  return 0;
}
bool has(uint32_t, Unit) {
  return false;
}
void execute(const padlock::Insn&, incore_padlock_registers*) {}
void reload_key() {}
bool cpuid(uint32_t, uint32_t, uint32_t[4]) {
  return false;
}

#endif

namespace {

constexpr unsigned kMostCpus = 4096;

int open_msr(unsigned cpu, int how) {
  char path[40];
  snprintf(path, sizeof path, "/dev/cpu/%u/msr", cpu);
  return open(path, how | O_CLOEXEC);
}

}  // namespace

bool read_msr(uint32_t msr, uint64_t* out_value) {
  const int fd = open_msr(0, O_RDONLY);
  if (fd < 0) return false;
  const bool whole = pread(fd, out_value, sizeof *out_value, msr) == sizeof *out_value;
  close(fd);
  return whole;
}

bool write_msr(uint32_t msr, uint64_t value) {
  for (unsigned cpu = 0; cpu < kMostCpus; ++cpu) {
    const int fd = open_msr(cpu, O_WRONLY);
    if (fd < 0) return cpu != 0;
    const bool whole = pwrite(fd, &value, sizeof value, msr) == sizeof value;
    close(fd);
    if (!whole) return false;
  }
  return true;
}

}  // namespace incore::native_padlock
