// Whatever EFLAGS hold does not change what PadLock instructions, CPUID and system calls do, and
// comes back as it was: alignment check, direction flag, nested task, ID and the arithmetic flags,
// in all combinations. A signal handler finds what the kernel gives it. Alignment checks are on in
// here only where nothing but the code of this file runs: libc's own accesses may be misaligned.
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>

#include "site.h"

enum {
  kArithmetic = 0x8d5,  // OF SF ZF AF PF CF
  kId = 1 << 21,
  kAll = kArithmetic | kEflagsDf | kEflagsNt | kEflagsAc | kId,
};

// The code with the flags in R8, which gets those after it.
#define FLAGS_BACK TAKE_FLAGS "\npush $2\npopf"
#define FLAG_SITE(name, bytes) PADLOCK_CODE_AFTER(name, SET_FLAGS, bytes, FLAGS_BACK)
FLAG_SITE(ecb, XCRYPT_ECB);
FLAG_SITE(cbc, XCRYPT_CBC);
FLAG_SITE(faulting_ecb, XCRYPT_ECB);
FLAG_SITE(sha1, "0xf3, 0x0f, 0xa6, 0xc8");
FLAG_SITE(xstore_one, "0x0f, 0xa7, 0xc0");
FLAG_SITE(xstore_some, "0xf3, 0x0f, 0xa7, 0xc0");
FLAG_SITE(ask_cpuid, "0x0f, 0xa2");
FLAG_SITE(invalid, "0x0f, 0x0b");
FLAG_SITE(breakpoint, "0xcc");
#ifdef __x86_64__
#define MONTMUL "0xf3, 0x67, 0x0f, 0xa6, 0xc0"  // takes 32-bit pointers
#define SYSTEM_CALL "0x0f, 0x05"
#define BEFORE_CHANGE "mov $8, %r10d\n" SET_FLAGS
#define BEFORE_POLL "push %r8\nmov %rcx, %r10\nmov $8, %r8d\npopf"
#define BEFORE_SELECT "push %r8\nmov %rcx, %r9\nmov %rbx, %r8\nmov $0, %r10d\npopf"
#define BEHIND_SELECT FLAGS_BACK
#else
#define MONTMUL "0xf3, 0x0f, 0xa6, 0xc0"
#define SYSTEM_CALL "0xcd, 0x80"
#define BEFORE_CHANGE SET_FLAGS
#define BEFORE_POLL SET_FLAGS
#define BEFORE_SELECT "push %ebp\npush " R8 "\nmov %ecx, %ebp\nmov $0, %ecx\npopf"
#define BEHIND_SELECT "pop %ebp\n" FLAGS_BACK
#endif
FLAG_SITE(montmul, MONTMUL);
PADLOCK_CODE_AFTER(change_mask, BEFORE_CHANGE, SYSTEM_CALL, FLAGS_BACK);
PADLOCK_CODE_AFTER(poll_under_mask, BEFORE_POLL, SYSTEM_CALL, FLAGS_BACK);
PADLOCK_CODE_AFTER(select_under_mask, BEFORE_SELECT, SYSTEM_CALL, BEHIND_SELECT);

static unsigned long at_entry, interrupted;
static const void* go_on_at;
static int num_signals;

// First of all takes its flags and ends the checks of alignment.
static void on_signal(int number, siginfo_t* info, void* context) {
  const unsigned long flags = end_alignment_checks();
  (void)number, (void)info;
  ucontext_t* uc = context;
  at_entry = flags;
  interrupted = (unsigned long)uc->uc_mcontext.gregs[REG_EFL];
  ++num_signals;
  resume_at(uc, go_on_at);
}

static uint8_t key[16] ALIGNED16, iv[16] ALIGNED16, in[128] ALIGNED16, out[128] ALIGNED16;
static struct control_word control = {.bits = kRounds10};

static void expect_flags(const char* what, unsigned long after, unsigned long before) {
  CHECK((after & kAll) == before, "%s: flags %#lx became %#lx", what, before, after & kAll);
}

static void expect_signal(const char* what, void (*code)(struct registers*), const void* next,
                          struct registers r, unsigned flags) {
  go_on_at = next;
  num_signals = 0;
  r.r8 = flags;
  code(&r);
  CHECK(num_signals == 1, "%s: %d signals", what, num_signals);
  expect_flags(what, interrupted, flags);
  expect_flags(what, (unsigned long)r.r8, flags);
  // The kernel clears DF for a handler. The arithmetic flags have no meaning there.
  const unsigned kept = kEflagsNt | kEflagsAc | kId;
  CHECK((at_entry & (kept | kEflagsDf)) == (flags & kept), "%s: flags %#x, in the handler %#lx",
        what, flags, at_entry);
}

static void check_ciphers(unsigned flags) {
  from_hex(iv, kSpIv, 16);
  struct registers r = {(uintptr_t)iv, (uintptr_t)key, 4,    (uintptr_t)&control,
                        (uintptr_t)in, (uintptr_t)out, flags};
  struct registers again = r;
  ecb(&r);
  check_hex("ECB", out, kSpEcb, 64);
  expect_flags("ECB", (unsigned long)r.r8, flags);
  cbc(&again);
  check_hex("CBC", out, kSpCbc, 64);
  expect_flags("CBC", (unsigned long)again.r8, flags);
}

static void check_hash(unsigned flags) {
  static uint32_t state[32] ALIGNED16;
  static uint8_t message[16] = "?abc";  // need not be aligned
  memcpy(state, kSha1Start, sizeof kSha1Start);
  struct registers r = {0, 0, 3, 0, (uintptr_t)(message + 1), (uintptr_t)state, flags};
  sha1(&r);
  CHECK(memcmp(state, kSha1Abc, sizeof kSha1Abc) == 0, "SHA-1 with flags %#x", flags);
  expect_flags("SHA-1", (unsigned long)r.r8, flags);
}

// 2 * 3 modulo 2^256 - 1, where R = 1. The context need not be aligned; 32-bit pointers.
static void check_product(unsigned flags) {
  static uint32_t numbers[5][12] ALIGNED16;
  static uint8_t context[28] ALIGNED16;
  if ((uintptr_t)numbers >> 31 > 1) return;  // of a program at a high address
  memset(numbers, 0, sizeof numbers);
  numbers[0][0] = 2, numbers[1][0] = 3;
  memset(numbers[3], 0xff, 32);
  const uint32_t zero_prime = 1;
  memcpy(context + 1, &zero_prime, 4);
  for (int i = 0; i < 5; ++i) {
    const uint32_t pointer = (uint32_t)(uintptr_t)numbers[i];
    memcpy(context + 5 + 4 * i, &pointer, 4);
  }
  struct registers r = {0, 0, 256, 0, (uintptr_t)(context + 1), 0, flags};
  montmul(&r);
  CHECK(numbers[2][0] == 6 && numbers[2][1] == 0, "MONTMUL with flags %#x", flags);
  expect_flags("MONTMUL", (unsigned long)r.r8, flags);
}

static void check_random(unsigned flags) {
  memset(out, 0, sizeof out);
  // clause: PLK-RNG-021
  struct registers one = {0, 0, 0, 0, 0, (uintptr_t)out, flags};
  xstore_one(&one);
  CHECK((one.rax & 31) == 8 && one.rdi == (uintptr_t)out + 8, "XSTORE with flags %#x", flags);
  expect_flags("XSTORE", (unsigned long)one.r8, flags);
  struct registers some = {0, 0, 64, 0, 0, (uintptr_t)out, flags};
  xstore_some(&some);
  CHECK(some.rcx == 0 && some.rdi == (uintptr_t)out + 64, "REP XSTORE with flags %#x", flags);
  expect_flags("REP XSTORE", (unsigned long)some.r8, flags);
}

static void check_cpuid(unsigned flags) {
  struct registers r = {0, 0, 0, 0, 0, 0, flags};
  ask_cpuid(&r);
  const uint32_t text[3] = {(uint32_t)r.rbx, (uint32_t)r.rdx, (uint32_t)r.rcx};
  CHECK(memcmp(text, "CentaurHauls", 12) == 0, "CPUID with flags %#x", flags);
  expect_flags("CPUID", (unsigned long)r.r8, flags);
}

// Calls that the filter brings to the run-time, with pointers that need not be aligned. The waits
// return at once.
static void check_system_calls(unsigned flags) {
  static const struct timespec kNoTime;
  static uint8_t mask[16] ALIGNED16, old_mask[16] ALIGNED16, pair[24] ALIGNED16;
  mask[1 + (SIGUSR1 - 1) / 8] = 1 << (SIGUSR1 - 1) % 8;
  const size_t mask_and_len[2] = {(uintptr_t)(mask + 1), 8};
  memcpy(pair + 1, mask_and_len, sizeof mask_and_len);
  const uintptr_t set = (uintptr_t)(mask + 1), old_set = (uintptr_t)(old_mask + 1);
#ifdef __x86_64__
  struct registers change = {SYS_rt_sigprocmask, 0, 0, old_set, set, SIG_BLOCK, flags};
  struct registers poll = {SYS_ppoll, 0, set, (uintptr_t)&kNoTime, 0, 0, flags};
  struct registers select = {SYS_pselect6, (uintptr_t)&kNoTime, (uintptr_t)(pair + 1), 0, 0, 0,
                             flags};
#else
  struct registers change = {SYS_rt_sigprocmask, SIG_BLOCK, set, old_set, 8, 0, flags};
  struct registers poll = {SYS_ppoll, 0, 0, (uintptr_t)&kNoTime, set, 8, flags};
  struct registers select = {SYS_pselect6,        0,    (uintptr_t)(pair + 1), 0, 0,
                             (uintptr_t)&kNoTime, flags};
#endif
  change_mask(&change);
  CHECK(change.rax == 0, "rt_sigprocmask with flags %#x", flags);
  expect_flags("rt_sigprocmask", (unsigned long)change.r8, flags);
  poll_under_mask(&poll);
  CHECK(poll.rax == 0, "ppoll with flags %#x", flags);
  expect_flags("ppoll", (unsigned long)poll.r8, flags);
  select_under_mask(&select);
  CHECK(select.rax == 0, "pselect6 with flags %#x", flags);
  expect_flags("pselect6", (unsigned long)select.r8, flags);
}

int main(void) {
  from_hex(key, kSpKey, 16);
  from_hex(in, kSpPlain, 64);
  for (const int* number = (const int[]){SIGSEGV, SIGILL, SIGTRAP, 0}; *number != 0; ++number)
    catch_signal(*number, on_signal, 0);
  for (unsigned round = 0; round < 96; ++round) {
    unsigned flags = round & 1 ? 0 : kArithmetic;  // all of them where sites execute first
    flags |= (round & 2 ? 0 : kEflagsAc) | (round & 4 ? 0 : kEflagsDf);
    flags |= (round & 8 ? 0 : kEflagsNt) | (round & 16 ? 0 : kId);
    check_ciphers(flags);
    check_hash(flags);
    check_product(flags);
    check_random(flags);
    check_cpuid(flags);
    check_system_calls(flags);
    const struct registers good = {
        0, (uintptr_t)key, 4, (uintptr_t)&control, (uintptr_t)in, (uintptr_t)out, flags};
    struct registers bad = good;
    bad.rdi = 16;
    if (round < 32) {  // it is patched while it works
      struct registers r = good;
      faulting_ecb(&r);
      expect_flags("ECB", (unsigned long)r.r8, flags);
    } else {
      expect_signal("ECB to address 16", faulting_ecb, faulting_ecb_next, bad, flags);
    }
    expect_signal("UD2", invalid, invalid_next, bad, flags);
    expect_signal("INT3", breakpoint, breakpoint_next, bad, flags);
  }
  return 0;
}
