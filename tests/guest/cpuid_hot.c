// CPUIDs in a loop, in a program that executes itself: in the second image a jump may take their
// place. The answers stay the same, as do all other registers, flags and steps.
#define _GNU_SOURCE
#include <signal.h>
#include <stdbool.h>
#include <sys/ucontext.h>
#include <sys/wait.h>

#include "padlock.h"

#ifdef __x86_64__
#define R(name) "%r" name
#define REG_IP REG_RIP
#define TABLE "mov " R("di") ", " R("bp") "\n"
#define FOR_OTHERS ", r8, r9, r10, r11, r12, r13, r14, r15"
#define PREFIX "r"
#define WORD "8"
#else
#define R(name) "%e" name
#define REG_IP REG_EIP
#define TABLE "mov 20(%esp), %ebp\n"
#define FOR_OTHERS ""
#define PREFIX "e"
#define WORD "4"
#endif
#define ORDER PREFIX "ax, " PREFIX "bx, " PREFIX "cx, " PREFIX "dx, " PREFIX "di" FOR_OTHERS

enum { kNumRegisters = sizeof(void*) == 8 ? 13 : 5, kDi = 4, kTrapFlag = 0x100 };

// CPUID before "mov $next, %esi". A jump's displacement ends with the first bytes of that. It comes
// with the registers of the table in |ORDER|, the flags behind them, and leaves them there.
#define CPUID_BEFORE(name, next)                                   \
  void name(uintptr_t*) __attribute__((visibility("hidden")));     \
  extern char name##_site[] __attribute__((visibility("hidden"))); \
  __asm__(".pushsection .text\n.hidden " #name "_site\n.globl " #name "_site\n.type " #name      \
          ", @function\n" #name ":\n.cfi_startproc\n"                                            \
          "push " R("bx") "\npush " R("bp") "\npush " R("si") "\npush " R("di") "\n" SAVE TABLE  \
          "push " R("bp") "\nmov " R("bp") ", " R("si") "\n"                                     \
          ".irp r, " ORDER "\nmov (" R("si") "), %\\r\nlea " WORD "(" R("si") "), " R("si")      \
          "\n.endr\npush (" R("si") ")\npopf\n"                                                  \
          #name "_site: cpuid\nmov $" #next ", %esi\n"                                           \
          "mov (" PREFIX_SP "), " R("si") "\n"                                                   \
          ".irp r, " ORDER "\nmov %\\r, (" R("si") ")\nlea " WORD "(" R("si") "), " R("si")      \
          "\n.endr\npushf\npop (" R("si") ")\n"                                                  \
          "pop " R("bp") "\n" RESTORE "pop " R("di") "\npop " R("si") "\npop " R("bp")           \
          "\npop " R("bx") "\nret\n.cfi_endproc\n.size " #name ", . - " #name "\n.popsection")
#ifdef __x86_64__
#define PREFIX_SP "%rsp"
#define PREFIX_SP_C "%%rsp"
#define SAVE "push %r12\npush %r13\npush %r14\npush %r15\n"
#define RESTORE "pop %r15\npop %r14\npop %r13\npop %r12\n"
#else
#define PREFIX_SP "%esp"
#define PREFIX_SP_C "%%esp"
#define SAVE ""
#define RESTORE ""
#endif
CPUID_BEFORE(near, 0x1012);       // leads 256 MiB further on, where nothing is
CPUID_BEFORE(backwards, 0x8412);  // leads below the addresses of a program at a fixed place

static void check_answers(void (*code)(uintptr_t*), uint32_t leaf,
                          const struct cpuid_answer* want) {
  const uintptr_t flags = (leaf & 1 ? 0x8d5 : 0) | 0x202;
  uintptr_t table[kNumRegisters + 1];
  for (size_t i = 0; i < kNumRegisters; ++i) table[i] = (uintptr_t)0x1234567890ABCDEFu * (i + 1);
  table[0] = (table[0] ^ (uint32_t)table[0]) | leaf;
  table[2] ^= (uint32_t)table[2];
  table[kNumRegisters] = flags;
  code(table);
  CHECK(table[0] == want->eax && (table[1] & ~(uintptr_t)0xFF000000) == (want->ebx & 0xFFFFFF) &&
            table[2] == want->ecx && table[3] == want->edx,
        "another answer to leaf %08x", leaf);
  for (size_t i = kDi; i < kNumRegisters; ++i)
    CHECK(table[i] == (uintptr_t)0x1234567890ABCDEFu * (i + 1), "register %zu", i);
  CHECK((table[kNumRegisters] & 0xCD5) == (flags & 0xCD5), "flags");
}

static volatile bool stepped_behind;
static void on_step(int number, siginfo_t* info, void* context) {
  (void)number, (void)info;
  const ucontext_t* uc = context;
  stepped_behind |= (uintptr_t)uc->uc_mcontext.gregs[REG_IP] == (uintptr_t)near_site + 2;
}

static void check_step(void) {
  struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};
  sigaction(SIGTRAP, &action, NULL);
  uintptr_t table[kNumRegisters + 1] = {0};
  table[kNumRegisters] = 0x202 | kTrapFlag;
  near(table);
  __asm__ volatile("lea -128(" PREFIX_SP_C "), " PREFIX_SP_C "\npushf\nandl %0, (" PREFIX_SP_C
                   ")\npopf\nlea 128(" PREFIX_SP_C "), " PREFIX_SP_C ::"i"(~kTrapFlag)
                   : "cc", "memory");
  CHECK(stepped_behind, "no step behind CPUID");
  CHECK(table[0] >= 1, "leaf 0");
}

static uint32_t vendor_with_vectors(void) {
  typedef float vector __attribute__((vector_size(16)));
  vector one = {1, 2, 3, 4}, other = {5, 6, 7, 8};
  __asm__ volatile("" : "+x"(one), "+x"(other));
  uintptr_t table[kNumRegisters + 1] = {0};
  table[kNumRegisters] = 0x202;
  near(table);
  __asm__ volatile("" : "+x"(one), "+x"(other));
  CHECK(one[0] == 1 && one[3] == 4 && other[0] == 5 && other[3] == 8, "vectors");
  return (uint32_t)table[1];
}

int main(int argc, char** argv) {
  static const uint32_t kLeaves[] = {0, 1, 0xC0000000, 0xC0000001};
  const int image = argc > 1 ? atoi(argv[1]) : 0;
  for (int round = 0; round < 100; ++round)
    for (size_t i = 0; i < 4; ++i) {
      const struct cpuid_answer want = cpuid(kLeaves[i], 0);
      check_answers(near, kLeaves[i], &want);
      check_answers(backwards, kLeaves[i], &want);
    }
  const bool is_jump = *(volatile uint8_t*)near_site == 0xE9;
  CHECK(is_jump == (image > 0), "image %d: a jump: %d", image, is_jump);
  check_step();
  CHECK(vendor_with_vectors() == cpuid(0, 0).ebx, "vendor");
  const pid_t child = fork();
  if (child == 0) _exit(vendor_with_vectors() == cpuid(0, 0).ebx ? 0 : 1);
  int status;
  CHECK(waitpid(child, &status, 0) == child && status == 0, "child: %x", status);
  if (image == 2) return 0;
  execl("/proc/self/exe", argv[0], image == 0 ? "1" : "2", (char*)NULL);
  CHECK(0, "exec");
}
