#include "tools/probe/program/cpuid.h"

#include "tools/probe/program/json.h"

// Where leaves begin, and the most that are asked for: what stands in EAX of the first may be
// nonsense.
static const uint32_t kGroups[] = {0, 0x80000000, 0xC0000000};
enum { kMaxLeaves = 0x40, kMaxSubleaves = 64 };

struct CpuidRegisters ask_cpuid(uint32_t leaf, uint32_t subleaf) {
  struct CpuidRegisters r;
  __asm__ volatile("cpuid"
                   : "=a"(r.eax), "=b"(r.ebx), "=c"(r.ecx), "=d"(r.edx)
                   : "a"(leaf), "c"(subleaf));
  return r;
}

static void write_register(const char* name, uint32_t value, uint32_t mask) {
  if (mask != 0) json_hex_member(name, value & mask);
}

void write_cpuid_registers(struct CpuidRegisters r, struct CpuidRegisters mask) {
  write_register("eax", r.eax, mask.eax);
  write_register("ebx", r.ebx, mask.ebx);
  write_register("ecx", r.ecx, mask.ecx);
  write_register("edx", r.edx, mask.edx);
}

static void write_row(uint32_t leaf, uint32_t subleaf, const struct CpuidRegisters* r) {
  json_open_object();
  json_hex_member("leaf", leaf);
  json_number_member("subleaf", subleaf);
  write_cpuid_registers(*r, (struct CpuidRegisters){~0u, ~0u, ~0u, ~0u});
  json_close();
}

// ECX is cleared of an echo of the subleaf, as leaf 0xB gives it.
static int same(struct CpuidRegisters a, struct CpuidRegisters b) {
  return a.eax == b.eax && a.ebx == b.ebx && (a.ecx & ~0xFFu) == (b.ecx & ~0xFFu) && a.edx == b.edx;
}

static void write_leaf(uint32_t leaf) {
  const struct CpuidRegisters first = ask_cpuid(leaf, 0);
  write_row(leaf, 0, &first);
  struct CpuidRegisters before = first;
  for (uint32_t subleaf = 1; subleaf < kMaxSubleaves; ++subleaf) {
    const struct CpuidRegisters r = ask_cpuid(leaf, subleaf);
    const struct CpuidRegisters nothing = {0, 0, 0, 0};
    if (!same(r, before) && !same(r, first) && !same(r, nothing)) write_row(leaf, subleaf, &r);
    before = r;
  }
}

void write_cpuid(void) {
  json_name("cpuid");
  json_open_array();
  for (unsigned i = 0; i < sizeof kGroups / sizeof kGroups[0]; ++i) {
    const uint32_t first = kGroups[i], last = ask_cpuid(first, 0).eax;
    write_leaf(first);
    for (uint32_t leaf = first + 1; leaf <= last && leaf < first + kMaxLeaves; ++leaf)
      write_leaf(leaf);
  }
  json_close();
}
