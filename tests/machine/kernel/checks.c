/* The clauses that this kernel tries. */
#include "calls.h"

enum { kBlocks = 2 * kPageLen / 16, kBlocksInPage = kPageLen / 16 };

static uint8_t expected[2 * kPageLen] __attribute__((aligned(4096)));

static void check_control_registers(void) {
  const uint32_t cr0 = read_cr0(), cr4 = read_cr4();
  const uint32_t kTs = 8, kEm = 4;
  tell("PLK-START-002", all_units_end_with(kNoVector));
  write_cr4(cr4 & ~kOsfxsr);
  const int off = all_units_end_with(6);
  write_cr4(cr4);
  tell("PLK-START-003", off && all_units_end_with(kNoVector));
  write_cr0(cr0 | kTs);
  const int with_ts = all_units_end_with(7);
  write_cr0(cr0 | kTs | kEm);
  const int with_em = all_units_end_with(6);
  write_cr0(cr0);
  tell("PLK-EXC-019", with_ts && with_em);
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
  struct run misaligned = one_block();
  misaligned.esi += 1;
  execute(&misaligned, "\xF3\x0F\xA7\xC8", 4);
  const uint32_t cr4 = read_cr4();
  write_cr4(cr4 & ~kOsfxsr);
  const int off = xcrypt(kEcb, result, 1).vector;
  write_cr4(cr4);
  tell("PLK-EXC-013", misaligned.vector == 13 && misaligned.error == 0 && off == 6);
  map_page(source, 1);
  /* Fifteen bytes are an instruction, sixteen are none. */
  static const char kLong[] = "\x3E\x3E\x3E\x3E\x3E\x3E\x3E\x3E\x3E\x3E\x3E\x3E\xF3\x0F\xA7\xC8";
  struct run longest = one_block(), too_long = one_block();
  execute(&longest, kLong + 1, 15);
  execute(&too_long, kLong, 16);
  tell("PLK-EXC-022", longest.vector == kNoVector && too_long.vector == 13 && too_long.error == 0);
}

/* A page fault is an interruption, and what comes then is a start: with the key that is there. */
static void change_key(void) {
  key[0] = 1;
}
static void check_key_after_page_fault(void) {
  key[0] = 1;
  xcrypt(kEcb, expected, 1);
  key[0] = 0;
  reload_key();
  map_page(result + kPageLen, 0);
  maps_missing_pages = 1;
  on_page_fault = change_key;
  const struct run run = xcrypt(kEcb, result, kBlocks);
  on_page_fault = 0;
  maps_missing_pages = 0;
  key[0] = 0;
  reload_key();
  tell("PLK-MULTI-019", run.vector == kNoVector && equal(result, kZeros, 16) &&
                            equal(result + kPageLen - 16, kZeros, 16) &&
                            equal(result + kPageLen, expected, 16));
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
    check_key_after_page_fault();
    check_users();
  }
  check_msrs();
}

void encrypt_many(void) {
  int right = 1;
  for (unsigned i = 0; i < 2000; ++i) right &= xcrypt(kEcb, result, 1).vector == kNoVector;
  tell("PLK-ACE-001", right && equal(result, kZeros, 16));
}
