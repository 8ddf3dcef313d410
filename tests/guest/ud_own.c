// The program's own undefined opcode: its SIGILL handler sees the right address and code and steps
// over it, or leaves by siglongjmp; before any PadLock instruction ran and after.
#define _GNU_SOURCE
#include <setjmp.h>

#include "site.h"

PADLOCK_SITE(undefined, "0x0f, 0x0b");
PADLOCK_SITE(other_group,
             "0x0f, 0xa7, 0x00");  // the bytes of XSTORE's group with a memory operand: no PadLock

static const uint8_t *instruction, *next;
static sigjmp_buf escape;
static int num_signals, jump_out;

static void on_sigill(int number, siginfo_t* info, void* context) {
  CHECK(number == SIGILL, "signal %d", number);
  CHECK(info->si_addr == instruction, "si_addr %p", info->si_addr);
  CHECK(info->si_code == ILL_ILLOPN, "si_code %d", info->si_code);
  CHECK(rip_at(context) == (uintptr_t)instruction, "RIP is not at the instruction");
  ++num_signals;
  if (jump_out) siglongjmp(escape, 1);
  resume_at(context, next);
}

static void check_undefined(void (*run)(struct registers*), const uint8_t* at,
                            const uint8_t* behind) {
  instruction = at;
  next = behind;
  for (int i = 0; i < 100; ++i) {
    struct registers r = {1, 2, 3, 4, 5, 6, 7};
    const struct registers before = r;
    num_signals = 0;
    jump_out = 0;
    run(&r);
    CHECK(num_signals == 1, "%d signals", num_signals);
    CHECK(memcmp(&r, &before, sizeof r) == 0, "registers changed");
    jump_out = 1;
    if (sigsetjmp(escape, 1) == 0) {
      run(&r);
      CHECK(0, "the undefined instruction was passed over");
    }
    CHECK(num_signals == 2, "%d signals", num_signals);
  }
}

int main(void) {
  catch_signal(SIGILL, on_sigill, 0);
  check_undefined(undefined, undefined_instruction, undefined_next);
  check_undefined(other_group, other_group_instruction, other_group_next);
  check_xcrypt();
  check_undefined(undefined, undefined_instruction, undefined_next);
  check_xcrypt();
  check_undefined(other_group, other_group_instruction, other_group_next);
  return 0;
}
