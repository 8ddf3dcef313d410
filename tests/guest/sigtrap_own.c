// The program's own int3: its SIGTRAP handler is called with RIP behind the instruction, mixed with
// XCRYPT and CPUID; and SIGTRAP that the program raises itself arrives as well. Linux looks at the
// low half of a signal's number alone.
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>

#include "site.h"

PADLOCK_SITE(breakpoint, "0xcc");

static volatile int num_breakpoints, num_raised;

static void on_sigtrap(int number, siginfo_t* info, void* context) {
  CHECK(number == SIGTRAP, "signal %d", number);
  if (info->si_code == SI_TKILL) {
    ++num_raised;
    return;
  }
  CHECK(info->si_code == SI_KERNEL, "si_code %d", info->si_code);
  CHECK(rip_at(context) == (uintptr_t)breakpoint_next, "RIP is not behind the int3");
  ++num_breakpoints;
}

static void check_wide_number(void) {
#ifdef __x86_64__
  struct {
    void (*handler)(int, siginfo_t*, void*);
    unsigned long flags;
    void* restorer;
    unsigned long mask;
  } action = {0};
  const long number = (1L << 32) | SIGTRAP;
  CHECK(syscall(SYS_rt_sigaction, number, NULL, &action, sizeof action.mask) == 0, "error %d",
        errno);
  CHECK(action.handler == on_sigtrap, "the handler is not the program's");
#endif
}

int main(void) {
  catch_signal(SIGTRAP, on_sigtrap, 0);
  check_wide_number();
  for (int i = 1; i <= 100; ++i) {
    struct registers r = {1, 2, 3, 4, 5, 6, 7};
    const struct registers before = r;
    breakpoint(&r);
    CHECK(num_breakpoints == i, "%d breakpoints, expected %d", num_breakpoints, i);
    CHECK(memcmp(&r, &before, sizeof r) == 0, "registers changed");
    check_xcrypt();
    cpuid(0, 0);
    raise(SIGTRAP);
    CHECK(num_raised == i, "%d raised, expected %d", num_raised, i);
  }
  return 0;
}
