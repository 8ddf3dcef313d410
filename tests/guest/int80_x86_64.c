// 64-bit code that calls the kernel by int 80h, which takes the i386 table and 32-bit arguments:
// memory for code, and a signal mask.
#define _GNU_SOURCE
#include <signal.h>
#include <sys/mman.h>

#include "padlock.h"

static int32_t int80(uint32_t number, uint32_t b, uint32_t c, uint32_t d, uint32_t si,
                     uint32_t di) {
  int32_t result;
  __asm__ volatile("mov %%rbp, %%r12; xor %%ebp, %%ebp; int $0x80; mov %%r12, %%rbp"
                   : "=a"(result)
                   : "a"(number), "b"(b), "c"(c), "d"(d), "S"(si), "D"(di)
                   : "r8", "r9", "r10", "r11", "r12", "memory", "cc");
  return result;
}

int main(void) {
  enum { kGetpid = 20, kMmap2 = 192, kMprotect = 125, kRtSigprocmask = 175 };
  CHECK(int80(kGetpid, 0, 0, 0, 0, 0) == getpid(), "getpid");
  const uint32_t page = (uint32_t)int80(kMmap2, 0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                                        MAP_PRIVATE | MAP_ANONYMOUS, (uint32_t)-1);
  CHECK(page < 0xFFFFF000 && page != 0, "mmap2: %x", page);
  uint64_t* set = (uint64_t*)(uintptr_t)page;
  set[0] = 1u << (SIGUSR1 - 1);
  CHECK(int80(kRtSigprocmask, SIG_BLOCK, page, 0, 8, 0) == 0, "rt_sigprocmask");
  sigset_t now;
  CHECK(sigprocmask(SIG_BLOCK, NULL, &now) == 0 && sigismember(&now, SIGUSR1), "not blocked");
  static const uint8_t kReturn7[] = {0xb8, 7, 0, 0, 0, 0xc3};  // mov $7, %eax; ret
  memcpy(set, kReturn7, sizeof kReturn7);
  CHECK(int80(kMprotect, page, 4096, PROT_READ | PROT_EXEC, 0, 0) == 0, "mprotect");
  CHECK(((int (*)(void))(uintptr_t)page)() == 7, "the code does not run");
  check_xcrypt();
  return 0;
}
