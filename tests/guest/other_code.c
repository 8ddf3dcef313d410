// Code of the other width, or in a segment whose offsets are not addresses, has no PadLock: its
// instructions are the program's own invalid opcodes, and nothing is patched where they would be in
// code of the program's kind.
#define _GNU_SOURCE
#include <asm/ldt.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "site.h"

enum {
  kPlace = 0x20000000,
  kStub = kPlace + 0x100,
  kLen = 0x2000,
  kStackEnd = kPlace + kLen,
  kInsnLen = 4,
  kRounds = 5
};

// REP XCRYPTECB without blocks and a far return, the same bytes in code of both widths.
static const uint8_t kCodeBytes[] = {0xf3, 0x0f, 0xa7, 0xc8, 0xcb};

static volatile int num_signals;

static void on_signal(int number, siginfo_t* info, void* context) {
  (void)number, (void)info;
  ++num_signals;
  ((ucontext_t*)context)->uc_mcontext.gregs[REG_RIP] += kInsnLen;
}

// Calls |offset| in the segment |selector|. From 64-bit code by way of a place, and on a stack,
// that 32 bits can name: LCALL *(RDI) and RET.
static const uint8_t kStubBytes[] = {0xff, 0x1f, 0xc3};

static void far_call(unsigned selector, unsigned offset) {
  struct {
    uint32_t offset;
    uint16_t selector;
  } __attribute__((packed)) target = {offset, (uint16_t)selector};
#ifdef __x86_64__
  __asm__ volatile("mov %%rsp, %%r12\nmov %0, %%rsp\ncall *%1\nmov %%r12, %%rsp"
                   :
                   : "r"((uintptr_t)kStackEnd), "r"((uintptr_t)kStub), "D"(&target)
                   : "memory", "cc", "r12", "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11");
#else
  __asm__ volatile("lcall *%0" : : "m"(target) : "memory", "cc");
#endif
}

static void expect_own_signal(const char* what, unsigned selector, unsigned offset) {
  for (int round = 0; round < kRounds; ++round) {
    num_signals = 0;
    far_call(selector, offset);
    CHECK(num_signals == 1, "%s: %d signals", what, num_signals);
  }
}

int main(void) {
  enum { kOtherWidth = sizeof(void*) == 8 ? 0x23 : 0x33 };
  uint8_t* const code = mmap((void*)(uintptr_t)kPlace, kLen, PROT_READ | PROT_WRITE | PROT_EXEC,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  CHECK(code == (void*)(uintptr_t)kPlace, "mmap");
  memcpy(code, kCodeBytes, sizeof kCodeBytes);
  memcpy(code + kStub - kPlace, kStubBytes, sizeof kStubBytes);
  catch_signal(SIGILL, on_signal, 0);
  expect_own_signal("the other width", kOtherWidth, kPlace);
  struct user_desc d = {
      .base_addr = kPlace - 0x10000, .limit = 0xfffff, .seg_32bit = 1, .contents = 2, .useable = 1};
  CHECK(syscall(SYS_modify_ldt, 1, &d, sizeof d) == 0, "modify_ldt");
  expect_own_signal("a code segment with a base", 7, 0x10000);
  check_xcrypt();
  return 0;
}
