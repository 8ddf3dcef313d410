// A program that runs itself in single steps (EFLAGS.TF) sees PadLock instructions and CPUID as one
// step each: a trap behind each instruction, and none in code that is not its own.
#include "site.h"

enum { kTraceCode = 2, kMaxSteps = 64 };

#define START_STEPS "pushf\norl $0x100, (%" SP ")\npopf\nnop"
#define END_STEPS "nop\nnop\npushf\nandl $~0x100, (%" SP ")\npopf"
#define STEPPED_SITE(name, bytes) PADLOCK_CODE_AFTER(name, START_STEPS, bytes, END_STEPS)
STEPPED_SITE(ask_cpuid, "0x0f, 0xa2");
STEPPED_SITE(ecb, XCRYPT_ECB);
STEPPED_SITE(xstore_one, "0x0f, 0xa7, 0xc0");
PADLOCK_SITE(no_step, XCRYPT_ECB);

static uint64_t steps[kMaxSteps];
static volatile int num_steps;

static void on_step(int number, siginfo_t* info, void* context) {
  const uint64_t rip = rip_at(context);
  CHECK(number == SIGTRAP && info->si_code == kTraceCode, "signal %d, code %d", number,
        info->si_code);
  CHECK((uintptr_t)info->si_addr == rip, "si_addr %p", info->si_addr);
  CHECK(num_steps < kMaxSteps, "too many steps, the last at %#llx", (unsigned long long)rip);
  steps[num_steps++] = rip;
}

static void expect_steps(const char* what, void (*code)(struct registers*), struct registers r,
                         const uint8_t* instruction, const uint8_t* next) {
  const uint64_t expected[5] = {(uintptr_t)instruction, (uintptr_t)next, (uintptr_t)next + 1,
                                (uintptr_t)next + 2, (uintptr_t)next + 3};
  num_steps = 0;
  code(&r);
  CHECK(num_steps >= 6 && num_steps <= 7, "%s: %d steps", what, num_steps);
  for (int i = 0; i < 5; ++i)
    CHECK(steps[i] == expected[i], "%s: step %d at %#llx, not %#llx", what, i,
          (unsigned long long)steps[i], (unsigned long long)expected[i]);
}

int main(void) {
  static struct control_word control = {.bits = kRounds10};
  static uint8_t key[16] ALIGNED16, in[64] ALIGNED16, out[64] ALIGNED16;
  from_hex(key, kSpKey, 16);
  from_hex(in, kSpPlain, 64);
  catch_signal(SIGTRAP, on_step, 0);
  for (int round = 0; round < 20; ++round) {
    const struct registers r = {
        0, (uintptr_t)key, 4, (uintptr_t)&control, (uintptr_t)in, (uintptr_t)out, 0};
    expect_steps("CPUID", ask_cpuid, r, ask_cpuid_instruction, ask_cpuid_next);
    memset(out, 0, sizeof out);
    // clause: PLK-EXC-001
    expect_steps("XCRYPTECB", ecb, r, ecb_instruction, ecb_next);
    check_hex("ECB", out, kSpEcb, 64);
    struct registers xstore_registers = r;
    xstore_registers.rdx = 0;
    expect_steps("XSTORE", xstore_one, xstore_registers, xstore_one_instruction, xstore_one_next);
    struct registers plain = r;
    no_step(&plain);
    CHECK(num_steps <= 7, "a step without TF");
  }
  return 0;
}
