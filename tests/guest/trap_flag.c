// A program never sees the trap flag (EFLAGS bit 8) that it has not set: not in a pushed image, not
// in R11 after SYSCALL, not in the context of a signal handler, whatever follows REP XCRYPT. A flag
// that it sets itself works as ever.
#define _GNU_SOURCE
#include <sys/syscall.h>

#include "site.h"

enum { kTraceCode = 2 };

// REP XCRYPTECB, then the text; the flags that it gets hold of are left in R8.
#ifdef __x86_64__
#define TAKE_FLAGS_OF_SYSTEM_CALL "mov $39, %eax\nsyscall\nmov %r11, %r8"  // getpid
#define LOAD_FROM_NULL "xor %eax, %eax\nmov (%rax), %r8"
enum { kLoadLen = 3 };
#define RBX "%rbx"
#else
#define TAKE_FLAGS_OF_SYSTEM_CALL "mov $20, %eax\nint $0x80\n" TAKE_FLAGS
#define LOAD_FROM_NULL "xor %eax, %eax\nmov (%eax), %esi"
enum { kLoadLen = 2 };
#define RBX "%ebx"
#endif
PADLOCK_CODE(pushed_at_once, XCRYPT_ECB, TAKE_FLAGS);
PADLOCK_CODE(pushed_later, XCRYPT_ECB, "nop\nnop\nmov $1, %eax\n" TAKE_FLAGS);
PADLOCK_CODE(pushed_behind_cpuid, XCRYPT_ECB,
             "push " RBX "\nxor %eax, %eax\ncpuid\n" TAKE_FLAGS "\npop " RBX);
PADLOCK_CODE(pushed_behind_xcrypt, XCRYPT_ECB,
             "mov $1, %ecx\n.byte 0xf3, 0x0f, 0xa7, 0xc8\n" TAKE_FLAGS);
PADLOCK_CODE(system_call, XCRYPT_ECB, TAKE_FLAGS_OF_SYSTEM_CALL);
PADLOCK_CODE(fault, XCRYPT_ECB, LOAD_FROM_NULL);
PADLOCK_CODE(breakpoint, XCRYPT_ECB, "int3");
PADLOCK_CODE(own_step, XCRYPT_ECB, "pushf\norl $0x100, (%" SP ")\npopf\nnop\nnop\n" TAKE_FLAGS);

static volatile int num_signals, expected_code;
static volatile unsigned long flags_in_handler;

static void on_signal(int number, siginfo_t* info, void* context) {
  ucontext_t* uc = context;
  CHECK(info->si_code == expected_code, "signal %d, code %d", number, info->si_code);
  flags_in_handler = (unsigned long)uc->uc_mcontext.gregs[REG_EFL];
  ++num_signals;
  if (number == SIGSEGV) uc->uc_mcontext.gregs[REG_RIP] += kLoadLen;
  if (number == SIGTRAP && num_signals == 2) uc->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)kEflagsTf;
}

static unsigned long run_on_one_block(void (*code)(struct registers*)) {
  static struct control_word control = {.bits = kRounds10};
  static uint8_t key[16] ALIGNED16, in[32] ALIGNED16, out[32] ALIGNED16;
  struct registers r = {0, (uintptr_t)key, 1, (uintptr_t)&control, (uintptr_t)in, (uintptr_t)out,
                        0};
  num_signals = 0;
  code(&r);
  return (unsigned long)r.r8;
}

int main(void) {
  catch_signal(SIGSEGV, on_signal, 0);
  catch_signal(SIGTRAP, on_signal, 0);
  void (*const codes[])(struct registers*) = {pushed_at_once, pushed_later, pushed_behind_cpuid,
                                              pushed_behind_xcrypt, system_call};
  for (int round = 0; round < 20; ++round) {
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; ++i) {
      const unsigned long flags = run_on_one_block(codes[i]);
      CHECK((flags & kEflagsTf) == 0 && flags != 0, "flags %#lx after code %zu", flags, i);
      CHECK(num_signals == 0, "%d signals after code %zu", num_signals, i);
    }
    expected_code = SEGV_MAPERR;
    run_on_one_block(fault);
    CHECK(num_signals == 1 && (flags_in_handler & kEflagsTf) == 0, "flags %#lx in the handler",
          flags_in_handler);
    expected_code = SI_KERNEL;
    run_on_one_block(breakpoint);
    CHECK(num_signals == 1 && (flags_in_handler & kEflagsTf) == 0, "flags %#lx in the handler",
          flags_in_handler);
    expected_code = kTraceCode;
    CHECK((run_on_one_block(own_step) & kEflagsTf) == 0, "the flag was taken back");
    CHECK(num_signals == 2 && (flags_in_handler & kEflagsTf) != 0, "%d own steps", num_signals);
  }
  return 0;
}
