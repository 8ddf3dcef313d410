// A SIGSEGV handler on an alternate stack: called there for a bad pointer of the program's own code
// and for a bad operand of XCRYPT alike; sigaltstack tells the program what it set, and PadLock
// instructions run inside the handler.
#define _GNU_SOURCE
#include "site.h"

PADLOCK_SITE(load, "0x8b, 0x06");  // mov (%rsi), %eax
PADLOCK_SITE(cbc, XCRYPT_CBC);

static uint8_t stack[65536] ALIGNED16;
static const uint8_t *instruction, *next;
static uint8_t* const kBadPointer = (uint8_t*)0x10;
static int num_faults;

static void on_fault(int number, siginfo_t* info, void* context) {
  const uint8_t local = 0;
  CHECK(number == SIGSEGV && info->si_addr == kBadPointer, "signal %d at %p", number,
        info->si_addr);
  CHECK(&local >= stack && &local < stack + sizeof stack,
        "the handler is not on the alternate stack");
  CHECK(rip_at(context) == (uintptr_t)instruction, "RIP is not at the instruction");
  CHECK(registers_at(context).rsi == (uintptr_t)kBadPointer, "RSI");
  check_xcrypt();
  ++num_faults;
  resume_at(context, next);
}

static void check_stack(void) {
  stack_t now;
  CHECK(sigaltstack(NULL, &now) == 0, "sigaltstack");
  CHECK(now.ss_sp == stack && now.ss_size == sizeof stack && now.ss_flags == 0,
        "sigaltstack returns another stack");
}

int main(void) {
  static uint8_t key[16] ALIGNED16, iv[16] ALIGNED16, out[64] ALIGNED16;
  static struct control_word control = {.bits = kRounds10};
  const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  stack_t old;
  check_xcrypt();
  CHECK(sigaltstack(&alternate, &old) == 0, "sigaltstack");
  CHECK(old.ss_flags == SS_DISABLE, "an alternate stack was there before");
  catch_signal(SIGSEGV, on_fault, SA_ONSTACK);
  for (int i = 1; i <= 100; ++i) {
    struct registers r = {(uintptr_t)iv,          (uintptr_t)key, 4, (uintptr_t)&control,
                          (uintptr_t)kBadPointer, (uintptr_t)out, 0};
    instruction = load_instruction;
    next = load_next;
    load(&r);
    CHECK(num_faults == 2 * i - 1, "%d faults", num_faults);
    instruction = cbc_instruction;
    next = cbc_next;
    cbc(&r);
    CHECK(num_faults == 2 * i, "%d faults", num_faults);
    check_stack();
    check_xcrypt();
  }
  return 0;
}
