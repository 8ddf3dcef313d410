// Calls that only i386 has: sigaction, signal, sigprocmask and mmap in their first forms, and
// handlers without SA_SIGINFO, which find the registers behind the signal's number and may change
// them (Linux arch/x86/include/uapi/asm/sigcontext.h). The kernel by itself passes this too, given
// an argument, which leaves PadLock out.
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "site.h"

PADLOCK_SITE(undefined, "0x0f, 0x0b");

struct old_sigaction {
  void (*handler)(int);
  uint32_t mask, flags;
  void (*restorer)(void);
};

enum { kIll = 1 << (SIGILL - 1), kUsr1 = 1 << (SIGUSR1 - 1) };

static volatile int num_calls;
static int with_padlock;

static uint32_t blocked(void) {
  uint32_t mask = 0;
  CHECK(syscall(SYS_sigprocmask, SIG_BLOCK, NULL, &mask) == 0, "sigprocmask");
  return mask;
}

static void on_signal(int number) {
  // [EBP] the caller's, the return address, the number, the registers
  struct sigcontext* registers = (struct sigcontext*)((uint32_t*)__builtin_frame_address(0) + 3);
  CHECK(number == SIGILL, "signal %d", number);
  CHECK(registers->eip == (uintptr_t)undefined_instruction, "EIP %lx", registers->eip);
  CHECK(registers->esi == 5 && registers->trapno == 6, "ESI %lx, trap %lx", registers->esi,
        registers->trapno);
  CHECK((blocked() & ~(uint32_t)kIll) == kUsr1, "the mask in the handler is %x", blocked());
  if (with_padlock) check_xcrypt();
  registers->eip = (uintptr_t)undefined_next;
  registers->edi = 0x1234;
  __asm__ volatile("" : : "r"(registers) : "memory");
  num_calls = num_calls + 1;
}

static void run_undefined(void) {
  struct registers r = {1, 2, 3, 4, 5, 6, 7};
  const int before = num_calls;
  undefined(&r);
  CHECK(num_calls == before + 1, "%d calls of the handler", num_calls - before);
  CHECK(r.rsi == 5 && r.rdi == 0x1234, "ESI or EDI");
  CHECK(blocked() == 0, "the mask after the handler is %x", blocked());
}

static void check_sigaction(void) {
  const struct old_sigaction action = {on_signal, kUsr1, SA_RESTART, NULL};
  struct old_sigaction old = {0};
  CHECK(syscall(SYS_sigaction, SIGILL, &action, NULL) == 0, "sigaction");
  CHECK(syscall(SYS_sigaction, SIGILL, NULL, &old) == 0, "sigaction");
  CHECK(old.handler == on_signal && old.mask == kUsr1 && old.flags == SA_RESTART,
        "sigaction returns handler %p, mask %x, flags %x", (void*)old.handler, old.mask, old.flags);
  CHECK(syscall(SYS_sigaction, SIGILL, (void*)16, NULL) == -1 && errno == EFAULT, "no EFAULT");
  for (int i = 0; i < 100; ++i) run_undefined();
}

// The handler is gone after one call, and its signal not blocked inside it.
static void on_signal_once(int number) {
  CHECK(number == SIGILL && blocked() == 0, "signal %d, mask %x", number, blocked());
  num_calls = num_calls + 1;
}

static void check_signal(void) {
  struct sigaction now;
  CHECK(syscall(SYS_signal, SIGILL, on_signal_once) == (long)on_signal, "signal");
  num_calls = 0;
  raise(SIGILL);
  CHECK(num_calls == 1, "%d calls of the handler", num_calls);
  CHECK(sigaction(SIGILL, NULL, &now) == 0 && now.sa_handler == SIG_DFL, "the handler is there");
}

static void check_sigprocmask(void) {
  const uint32_t mask = kIll | kUsr1 | 1 << (SIGTRAP - 1);
  uint32_t old = 1;
  CHECK(syscall(SYS_sigprocmask, SIG_BLOCK, &mask, &old) == 0 && old == 0, "old mask %x", old);
  CHECK(blocked() == mask, "mask %x", blocked());
  cpuid(0, 0);  // which must not depend on a signal that is blocked
  if (with_padlock) check_xcrypt();
  CHECK(syscall(SYS_sigprocmask, SIG_UNBLOCK, (uint32_t[]){mask & ~(uint32_t)kUsr1}, &old) == 0 &&
            old == mask,
        "old mask %x", old);
  CHECK(blocked() == kUsr1, "mask %x", blocked());
  CHECK(syscall(SYS_sigprocmask, SIG_SETMASK, (uint32_t[]){0}, NULL) == 0 && blocked() == 0,
        "mask %x", blocked());
  CHECK(syscall(SYS_sigprocmask, 3, (uint32_t[]){0}, NULL) == -1 && errno == EINVAL, "no EINVAL");
}

static void check_mmap(void) {
  uint32_t arguments[6] = {
      0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, (uint32_t)-1, 0};
  uint8_t* code = (uint8_t*)syscall(SYS_mmap, arguments);
  CHECK(code != MAP_FAILED, "mmap");
  static const uint8_t kReturn7[] = {0xb8, 7, 0, 0, 0, 0xc3};  // mov $7, %eax; ret
  memcpy(code, kReturn7, sizeof kReturn7);
  CHECK(((int (*)(void))(uintptr_t)code)() == 7, "the code does not run");
  arguments[5] = 1;
  CHECK(syscall(SYS_mmap, arguments) == -1 && errno == EINVAL, "no EINVAL");
}

int main(int argc, char** argv) {
  (void)argv;
  with_padlock = argc == 1;
  check_sigaction();
  check_signal();
  check_sigprocmask();
  check_mmap();
  return 0;
}
