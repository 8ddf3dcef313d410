/* The clauses that this kernel tries. */
#include "kernel.h"

static uint8_t control_word[16] __attribute__((aligned(16))) = {10};
static uint8_t key[16] __attribute__((aligned(16)));
static uint8_t vector[16] __attribute__((aligned(16)));
static uint8_t source[2 * kPageLen] __attribute__((aligned(4096)));
static uint8_t result[2 * kPageLen] __attribute__((aligned(4096)));
static uint8_t expected[2 * kPageLen] __attribute__((aligned(4096)));

enum { kBlocks = 2 * kPageLen / 16, kBlocksInPage = kPageLen / 16 };

/* AES-128 of a block of zeros under a key of zeros (FIPS 197). */
static const uint8_t kZeros[16] = {0x66, 0xE9, 0x4B, 0xD4, 0xEF, 0x8A, 0x2C, 0x3B,
                                   0x88, 0x4C, 0xFA, 0x59, 0xCA, 0x34, 0x2B, 0x2E};

static int equal(const uint8_t* a, const uint8_t* b, unsigned len) {
  for (unsigned i = 0; i < len; ++i)
    if (a[i] != b[i]) return 0;
  return 1;
}

static struct run xcrypt(uint8_t opcode, uint8_t* to, uint32_t blocks) {
  const char code[] = {'\xF3', '\x0F', '\xA7', (char)opcode};
  for (unsigned i = 0; i < sizeof vector; ++i) vector[i] = 0;
  struct run run = {.eax = (uint32_t)vector,
                    .ebx = (uint32_t)key,
                    .ecx = blocks,
                    .edx = (uint32_t)control_word,
                    .esi = (uint32_t)source,
                    .edi = (uint32_t)to};
  execute(&run, code, sizeof code);
  return run;
}

enum { kEcb = 0xC8, kCbc = 0xD0 };

static struct run xstore(void) {
  struct run run = {.edi = (uint32_t)result, .edx = 0};
  execute(&run, "\x0F\xA7\xC0", 3);
  return run;
}

static uint32_t padlock_flags(void) {
  uint32_t registers[4];
  cpuid(0xC0000001, registers);
  return registers[3];
}
static int has_rng(void) {
  return (padlock_flags() & 1u << 2) != 0;
}
static int has_ace(void) {
  return (padlock_flags() & 1u << 6) != 0;
}

static void check_control_registers(void) {
  const uint32_t cr0 = read_cr0(), cr4 = read_cr4();
  const uint32_t kTs = 8, kEm = 4;
  write_cr4(cr4 & ~(1u << 9));
  const int off = has_ace() ? xcrypt(kEcb, result, 1).vector : xstore().vector;
  write_cr4(cr4);
  const int on = has_ace() ? xcrypt(kEcb, result, 1).vector : xstore().vector;
  tell("PLK-START-003", off == 6 && on == kNoVector);
  if (!has_ace()) return;
  write_cr0(cr0 | kTs);
  const int with_ts = xcrypt(kEcb, result, 1).vector;
  write_cr0(cr0 | kEm);
  const int with_em = xcrypt(kEcb, result, 1).vector;
  write_cr0(cr0);
  tell("PLK-EXC-019", with_ts == 7 && with_em == 6);
}

static void check_page_faults(void) {
  const struct run whole = xcrypt(kCbc, expected, kBlocks);
  tell("PLK-ACE-001", whole.vector == kNoVector && equal(expected, kZeros, 16));
  struct {
    const char* name;
    uint8_t* missing;
    uint32_t error;
  } pages[] = {{"PLK-EXC-003", source + kPageLen, 0}, {"PLK-EXC-005", result + kPageLen, 2}};
  for (unsigned i = 0; i < 2; ++i) {
    map_page(pages[i].missing, 0);
    num_page_faults = 0;
    maps_missing_pages = 1;
    const struct run run = xcrypt(kCbc, result, kBlocks);
    maps_missing_pages = 0;
    const int blocks = at_fault.ecx == kBlocks - kBlocksInPage &&
                       at_fault.esi == (uint32_t)source + kPageLen &&
                       at_fault.edi == (uint32_t)result + kPageLen;
    tell(pages[i].name, num_page_faults == 1 && at_fault.cr2 == (uint32_t)pages[i].missing &&
                            at_fault.error == pages[i].error && blocks);
    tell("PLK-EXC-004", run.vector == kNoVector && equal(result, expected, sizeof result));
  }
  /* The address of the first prefix. */
  map_page(result, 0);
  const struct run run = xcrypt(kEcb, result, 1);
  map_page(result, 1);
  uint8_t* const at = (uint8_t*)run.eip;
  tell("PLK-EXC-006", run.vector == 14 && at[0] == 0xF3 && at[1] == 0x0F && at[2] == 0xA7);
  map_page(source, 0);
  tell("PLK-EXC-009", xcrypt(kEcb, result, 0).vector == 14);
  map_page(source, 1);
  struct run misaligned = {.eax = (uint32_t)vector,
                           .ebx = (uint32_t)key,
                           .ecx = 1,
                           .edx = (uint32_t)control_word,
                           .esi = (uint32_t)source + 1,
                           .edi = (uint32_t)result};
  execute(&misaligned, "\xF3\x0F\xA7\xC8", 4);
  tell("PLK-EXC-022", misaligned.vector == 13 && misaligned.error == 0);
}

static void check_fcr(void) {
  enum { kFcr = 0x1107, kEnable = 1 << 28 };
  uint32_t before, after;
  const int vector_of_read = read_msr(kFcr, &before);
  if (!has_ace()) { /* C5XL has none */
    tell("PLK-MSR-032", vector_of_read == 13);
    return;
  }
  tell("PLK-MSR-032", vector_of_read == kNoVector && (before & kEnable) != 0);
  write_msr(kFcr, before & ~(uint32_t)kEnable);
  tell("PLK-MSR-033", xcrypt(kEcb, result, 1).vector == 6);
  tell("PLK-MSR-036", xstore().vector == kNoVector);
  write_msr(kFcr, before | 0x40);
  tell("PLK-MSR-034", xcrypt(kEcb, result, 1).vector == kNoVector);
  tell("PLK-MSR-037", read_msr(kFcr, &after) == kNoVector && after == (before | 0x40));
  write_msr(kFcr, before);
}

static void check_rng_msr(void) {
  enum { kRng = 0x110B, kEnable = 1 << 6, kBias = 3 << 10, kFields = 0xFFFFFFE0u };
  uint32_t value;
  tell("PLK-MSR-001", read_msr(kRng, &value) == kNoVector && (value & kFields) == kEnable);
  write_msr(kRng, kEnable | kBias);
  tell("PLK-MSR-015", read_msr(kRng, &value) == kNoVector && (value & kBias) == kBias);
  tell("PLK-MSR-030", (xstore().eax & kBias) == kBias);
  write_msr(kRng, 0);
  tell("PLK-MSR-008",
       read_msr(kRng, &value) == kNoVector && (value & kEnable) == 0 && xstore().vector == 6);
  write_msr(kRng, kEnable);
  tell("PLK-MSR-029", xstore().vector == kNoVector);
}

/* ---- At CPL 3 ---- */

extern void run_as_user(void (*function)(void));
static struct run of_user;

static void user_encrypts(void) {
  of_user = xcrypt(kEcb, result, 1);
  __asm__ volatile("int $0x20");
}
static void user_writes_msr(void) {
  of_user.vector = write_msr(0x110B, 0);
  __asm__ volatile("int $0x20");
}

static void check_users(void) {
  for (unsigned i = 0; i < 16; ++i) result[i] = 0;
  run_as_user(user_encrypts);
  tell("PLK-MULTI-001", of_user.vector == kNoVector && equal(result, kZeros, 16));
  run_as_user(user_writes_msr);
  tell("PLK-MSR-031", of_user.vector == 13);
}

void check_all(void) {
  uint32_t registers[4];
  cpuid(0xC0000000, registers);
  if (registers[0] < 0xC0000001) {
    print("this CPU has no PadLock\n");
    tell("PLK-START-001", 0);
    return;
  }
  check_control_registers();
  if (has_ace()) {
    check_page_faults();
    check_users();
  }
  uint32_t version[4];
  cpuid(1, version);
  const unsigned model = (version[0] >> 4 & 15) | (version[0] >> 12 & 0xF0);
  if (model < 15) { /* Nano and Zhaoxin have neither register */
    check_fcr();
    if (has_rng()) check_rng_msr();
  }
}

void encrypt_many(void) {
  int right = 1;
  for (unsigned i = 0; i < 2000; ++i) right &= xcrypt(kEcb, result, 1).vector == kNoVector;
  tell("PLK-ACE-001", right && equal(result, kZeros, 16));
}
