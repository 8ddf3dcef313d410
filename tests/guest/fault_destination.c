// The destination runs into a read-only page: SIGSEGV (SEGV_ACCERR) with the address inside that
// page, RIP at the instruction, registers showing the eight blocks that are stored (guide, 1). The
// handler makes the page writable and returns; the result is that of an undisturbed run. The same
// for XSHA with a state that may not be written.
#define _GNU_SOURCE
#include <sys/mman.h>

#include "site.h"

PADLOCK_SITE(cbc, XCRYPT_CBC);
PADLOCK_SITE(sha1, "0xf3, 0x0f, 0xa6, 0xc8");

enum { kPage = 4096, kBlocks = 16, kDone = 8, kRounds = 100, kLen = 16 * kBlocks };

static uint8_t* pages;
static const uint8_t* instruction;
static struct registers at_fault;
static int num_faults;

static void on_fault(int number, siginfo_t* info, void* context) {
  uint8_t* const closed = pages + kPage;
  const uint8_t* address = info->si_addr;
  CHECK(number == SIGSEGV && info->si_code == SEGV_ACCERR, "signal %d, code %d", number,
        info->si_code);
  CHECK(address >= closed && address < closed + kPage, "si_addr %p", info->si_addr);
  CHECK(rip_at(context) == (uintptr_t)instruction, "RIP is not at the instruction");
  at_fault = registers_at(context);
  CHECK(mprotect(closed, kPage, PROT_READ | PROT_WRITE) == 0, "mprotect");
  ++num_faults;
}

static void close_page(void) {
  CHECK(mprotect(pages + kPage, kPage, PROT_READ | PROT_WRITE) == 0, "mprotect");
  memset(pages, 0, 2 * kPage);
  CHECK(mprotect(pages + kPage, kPage, PROT_READ) == 0, "mprotect");
  num_faults = 0;
}

static void check_cbc(void) {
  static uint8_t key[16] ALIGNED16, iv[16] ALIGNED16, message[kLen] ALIGNED16,
      expected[kLen] ALIGNED16;
  static const struct control_word control = {.bits = kRounds10};
  uint8_t* const out = pages + kPage - 16 * kDone;
  from_hex(key, kSpKey, 16);
  from_hex(iv, kSpIv, 16);
  for (int i = 0; i < kLen; ++i) message[i] = (uint8_t)(11 * i);
  instruction = cbc_instruction;
  for (int round = 0; round <= kRounds; ++round) {
    uint8_t* const target = round ? out : expected;
    struct registers r = {(uintptr_t)iv,      (uintptr_t)key,    kBlocks, (uintptr_t)&control,
                          (uintptr_t)message, (uintptr_t)target, 0};
    close_page();
    reload_key();
    cbc(&r);
    CHECK(num_faults == (round > 0), "%d faults in round %d", num_faults, round);
    if (round == 0) continue;
    // clause: PLK-EXC-005
    CHECK(at_fault.rcx == kBlocks - kDone && at_fault.rsi == (uintptr_t)(message + 16 * kDone) &&
              at_fault.rdi == (uintptr_t)(pages + kPage),
          "registers at the fault do not show %d blocks done", kDone);
    CHECK(memcmp(out, expected, kLen) == 0, "the fault changed the result");
  }
}

static void check_sha1(void) {
  uint32_t* const state = (uint32_t*)(pages + kPage);
  instruction = sha1_instruction;
  for (int round = 0; round < kRounds; ++round) {
    struct registers r = {0, 0, 3, 0, (uintptr_t) "abc", (uintptr_t)state, 0};
    close_page();
    CHECK(mprotect(state, kPage, PROT_READ | PROT_WRITE) == 0, "mprotect");
    memcpy(state, kSha1Start, sizeof kSha1Start);
    CHECK(mprotect(state, kPage, PROT_READ) == 0, "mprotect");
    sha1(&r);
    CHECK(num_faults == 1, "%d faults", num_faults);
    CHECK(at_fault.rax == 0 && at_fault.rcx == 3 && at_fault.rdi == (uintptr_t)state,
          "registers at the fault");
    check_hex("SHA-1 state", state, "363e99a96a81064771253eba6cc250789dd8d09c", 20);
  }
}

int main(void) {
  pages = mmap(NULL, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(pages != MAP_FAILED, "mmap");
  catch_signal(SIGSEGV, on_fault, 0);
  check_cbc();
  check_sha1();
  return 0;
}
