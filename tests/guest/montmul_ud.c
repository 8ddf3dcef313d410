// REP MONTMUL without the address-size prefix does not exist in 64-bit code: the program gets
// SIGILL at the instruction, with its registers as they were. The handler steps over it.
#define _GNU_SOURCE
#include "site.h"

PADLOCK_SITE(montmul, "0xf3, 0x0f, 0xa6, 0xc0");

static struct registers seen;
static int num_signals;

static void on_sigill(int number, siginfo_t* info, void* context_pointer) {
  ucontext_t* context = context_pointer;
  CHECK(number == SIGILL && info->si_addr == montmul_instruction, "signal %d at %p", number,
        info->si_addr);
  CHECK(rip_at(context) == (uintptr_t)montmul_instruction, "RIP %lx",
        (unsigned long)rip_at(context));
  seen = registers_at(context);
  resume_at(context, montmul_next);
  ++num_signals;
}

int main(void) {
  static uint32_t context[6] ALIGNED16;
  catch_signal(SIGILL, on_sigill, 0);
  for (int i = 1; i <= 3; ++i) {
    struct registers r = {0, 2, 256, 4, (uintptr_t)context, 6, 7};
    const struct registers before = r;
    montmul(&r);
    CHECK(num_signals == i, "%d signals after %d instructions", num_signals, i);
    CHECK(memcmp(&seen, &before, sizeof seen) == 0 && memcmp(&r, &before, sizeof r) == 0,
          "registers changed");
  }
  return 0;
}
