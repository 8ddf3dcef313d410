// CPUID 20,000 times at one site: the answers stay the same, the upper halves of the four registers
// become zero (Intel SDM volume 2, CPUID: 64-bit mode), and every other register and the flags are
// left alone.
#include "padlock.h"

struct everything {
  uint64_t rax, rbx, rcx, rdx, rsi, rdi, r8, r9, r10, r11, flags;
};

// void cpuid_on(struct everything*): loads all registers, runs CPUID, stores all registers.
void cpuid_on(struct everything*) __attribute__((visibility("hidden")));
#ifdef __x86_64__
__asm__(
    ".text\n.type cpuid_on, @function\ncpuid_on:\n.cfi_startproc\n"
    "push %rbx\n.cfi_adjust_cfa_offset 8\npush %rbp\n.cfi_adjust_cfa_offset 8\nmov %rdi, %rbp\n"
    "push 80(%rbp)\npopf\n"
    "mov 0(%rbp), %rax\nmov 8(%rbp), %rbx\nmov 16(%rbp), %rcx\nmov 24(%rbp), %rdx\nmov 32(%rbp), "
    "%rsi\n"
    "mov 40(%rbp), %rdi\nmov 48(%rbp), %r8\nmov 56(%rbp), %r9\nmov 64(%rbp), %r10\nmov 72(%rbp), "
    "%r11\n"
    "cpuid\n"
    "mov %rax, 0(%rbp)\nmov %rbx, 8(%rbp)\nmov %rcx, 16(%rbp)\nmov %rdx, 24(%rbp)\nmov %rsi, "
    "32(%rbp)\n"
    "mov %rdi, 40(%rbp)\nmov %r8, 48(%rbp)\nmov %r9, 56(%rbp)\nmov %r10, 64(%rbp)\nmov %r11, "
    "72(%rbp)\n"
    "pushf\npop 80(%rbp)\n"
    "pop %rbp\n.cfi_adjust_cfa_offset -8\npop %rbx\n.cfi_adjust_cfa_offset -8\nret\n.cfi_endproc\n"
    ".size cpuid_on, . - cpuid_on\n");
#else  // whose halves are all lower ones
__asm__(
    ".text\n.type cpuid_on, @function\ncpuid_on:\n.cfi_startproc\n"
    "push %ebx\n.cfi_adjust_cfa_offset 4\npush %ebp\n.cfi_adjust_cfa_offset 4\n"
    "push %esi\n.cfi_adjust_cfa_offset 4\npush %edi\n.cfi_adjust_cfa_offset 4\n"
    "mov 20(%esp), %ebp\npush 80(%ebp)\npopf\n"
    "mov 0(%ebp), %eax\nmov 8(%ebp), %ebx\nmov 16(%ebp), %ecx\nmov 24(%ebp), %edx\n"
    "mov 32(%ebp), %esi\nmov 40(%ebp), %edi\n"
    "cpuid\n"
    "mov %eax, 0(%ebp)\nmov %ebx, 8(%ebp)\nmov %ecx, 16(%ebp)\nmov %edx, 24(%ebp)\n"
    "mov %esi, 32(%ebp)\nmov %edi, 40(%ebp)\npushf\npop 80(%ebp)\n"
    "pop %edi\n.cfi_adjust_cfa_offset -4\npop %esi\n.cfi_adjust_cfa_offset -4\n"
    "pop %ebp\n.cfi_adjust_cfa_offset -4\npop %ebx\n.cfi_adjust_cfa_offset -4\nret\n"
    ".cfi_endproc\n.size cpuid_on, . - cpuid_on\n");
#endif

int main(void) {
  enum { kFlags = 0x8d5 };  // OF SF ZF AF PF CF, the arithmetic flags
  static const uint32_t kLeaves[] = {0, 1, 0xC0000000, 0xC0000001};
  const uint64_t high = sizeof(void*) == 8 ? 0x1234567800000000 : 0;
  for (int round = 0; round < 5000; ++round) {
    for (size_t i = 0; i < 4; ++i) {
      const struct cpuid_answer expected = cpuid(kLeaves[i], 0);
      const uint64_t flags = round & 1 ? kFlags | 2 : 2;
      struct everything e = {high | kLeaves[i], high, high, high, 1, 2, 3, 4, 5, 6, flags};
      cpuid_on(&e);
      CHECK(e.rax == expected.eax && e.rcx == expected.ecx && e.rdx == expected.edx,
            "leaf %08x, round %d: another answer, or upper halves not zero", kLeaves[i], round);
      // Leaf 1 EBX[31:24] names the core, which may change under us.
      CHECK((e.rbx & 0xFFFFFFFF00FFFFFF) == (expected.ebx & 0x00FFFFFF), "leaf %08x: EBX",
            kLeaves[i]);
      CHECK(e.rsi == 1 && e.rdi == 2 && e.r8 == 3 && e.r9 == 4 && e.r10 == 5 && e.r11 == 6,
            "leaf %08x: a register that CPUID does not name changed", kLeaves[i]);
      CHECK((e.flags & kFlags) == (flags & kFlags), "leaf %08x: the flags changed", kLeaves[i]);
    }
  }
  return 0;
}
