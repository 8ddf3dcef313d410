// The instruction has four bytes and a near jump five, so whoever patches it must move what
// follows, whatever that is. Each site here has something else behind it, and is also entered at
// the byte behind the instruction; each runs 1000 times.
#define _GNU_SOURCE
#include <sys/syscall.h>

#include "site.h"

static const uint64_t kOne __attribute__((used)) = 1;

#ifdef __x86_64__
// A function that is the instruction and `ret`, five bytes in all, directly before another.
__asm__(".text\n.type bare_function, @function\nbare_function: .byte " XCRYPT_ECB
        "\nret\n.size bare_function, . - bare_function\n"
        ".type add_one, @function\nadd_one: inc %r8\nret\n.size add_one, . - add_one\n");

// All of them add to R8 behind the instruction, where RCX is 0.
PADLOCK_CODE(then_return, "0xe8\n.long bare_function - . - 4", "call add_one");
PADLOCK_CODE(then_short_jump, XCRYPT_ECB, "jmp 1f\nud2\n1: inc %r8");
PADLOCK_CODE(then_near_jump, XCRYPT_ECB, ".byte 0xe9\n.long 1f - . - 4\nud2\n1: inc %r8");
PADLOCK_CODE(then_conditional_jump, XCRYPT_ECB, "jz 1f\nnop\n1: inc %r8");
PADLOCK_CODE(then_indirect_jump, XCRYPT_ECB, "lea 1f(%rip), %r9\njmp *%r9\nud2\n1: inc %r8");
PADLOCK_CODE(then_call, XCRYPT_ECB, "call add_one");
PADLOCK_CODE(then_indirect_call, XCRYPT_ECB, "lea add_one(%rip), %r9\ncall *%r9");
PADLOCK_CODE(then_mov_89, XCRYPT_ECB, ".byte 0x89, 0xc9\ninc %r8");  // mov %ecx, %ecx
PADLOCK_CODE(then_mov_8b, XCRYPT_ECB,
             ".byte 0x8b, 0xc9\ninc %r8");  // the same, the other way round
PADLOCK_CODE(then_add_83, XCRYPT_ECB, ".byte 0x83, 0xc1, 0x00\ninc %r8");  // add $0, %ecx
PADLOCK_CODE(then_rex_mov, XCRYPT_ECB, "mov %rbp, %r9\nmov %r9, %rbp\ninc %r8");
PADLOCK_CODE(then_xor, XCRYPT_ECB, "xor %ecx, %ecx\ninc %r8");
PADLOCK_CODE(then_inc, XCRYPT_ECB, "inc %r8");
PADLOCK_CODE(then_push, XCRYPT_ECB, "push %rcx\npop %rcx\ninc %r8");
PADLOCK_CODE(then_pushf, XCRYPT_ECB, "pushf\npopf\ninc %r8");
PADLOCK_CODE(then_nop, XCRYPT_ECB, "nop\ninc %r8");
PADLOCK_CODE(then_long_nop, XCRYPT_ECB, ".byte 0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00\ninc %r8");
PADLOCK_CODE(then_endbr, XCRYPT_ECB, "endbr64\ninc %r8");
PADLOCK_CODE(then_rip_relative_load, XCRYPT_ECB, "mov kOne(%rip), %r9\nadd %r9, %r8");
PADLOCK_CODE(then_rip_relative_address, XCRYPT_ECB, "lea kOne(%rip), %r9\nadd (%r9), %r8");
PADLOCK_CODE(then_rep_movsb, XCRYPT_ECB, "rep movsb\ninc %r8");
PADLOCK_CODE(
    then_cpuid, XCRYPT_ECB,
    "cpuid\nmov 0(%rbp), %rax\nmov 8(%rbp), %rbx\nxor %ecx, %ecx\nmov 24(%rbp), %rdx\ninc %r8");
PADLOCK_CODE(then_syscall, XCRYPT_ECB,
             "syscall\nmov 0(%rbp), %rax\nxor %ecx, %ecx\ninc %r8");  // getpid
PADLOCK_CODE(then_another, XCRYPT_ECB,
             ".byte " XCRYPT_ECB ", " XCRYPT_ECB "\ninc %r8");  // they do nothing
PADLOCK_CODE(then_loop_to_next, XCRYPT_ECB, "1: inc %r8\nmov %r8d, %r9d\nand $3, %r9d\njnz 1b");
PADLOCK_CODE(then_loop_to_itself, XCRYPT_ECB,
             "inc %r8\nsub $64, %rsi\nsub $64, %rdi\nmov $4, %ecx\ntest $3, %r8b\n"
             "jnz then_loop_to_itself_instruction\nadd $64, %rsi\nadd $64, %rdi\nxor %ecx, %ecx");
PADLOCK_CODE(across_pages, "0x90\n.p2align 12, 0x90\n.skip 4094, 0x90\n.byte " XCRYPT_ECB,
             "inc %r8");
PADLOCK_CODE(then_next_page, "0x90\n.p2align 12, 0x90\n.skip 4092, 0x90\n.byte " XCRYPT_ECB,
             "inc %r8");
#else
// The same in 32-bit code, where ECX is the only register to spare.
#define INC_R8 "incl 48(%ebp)"
__asm__(".text\n.type bare_function, @function\nbare_function: .byte " XCRYPT_ECB
        "\nret\n.size bare_function, . - bare_function\n"
        ".type add_one, @function\nadd_one: " INC_R8 "\nret\n.size add_one, . - add_one\n");

PADLOCK_CODE(then_return, "0xe8\n.long bare_function - . - 4", "call add_one");
PADLOCK_CODE(then_short_jump, XCRYPT_ECB, "jmp 1f\nud2\n1: " INC_R8);
PADLOCK_CODE(then_near_jump, XCRYPT_ECB, ".byte 0xe9\n.long 1f - . - 4\nud2\n1: " INC_R8);
PADLOCK_CODE(then_conditional_jump, XCRYPT_ECB, "jecxz 1f\nnop\n1: " INC_R8);
PADLOCK_CODE(then_indirect_jump, XCRYPT_ECB,
             "call 1f\n1: pop %ecx\nadd $2f-1b, %ecx\njmp *%ecx\nud2\n2: xor %ecx, %ecx\n" INC_R8);
PADLOCK_CODE(then_call, XCRYPT_ECB, "call add_one");
PADLOCK_CODE(then_indirect_call, XCRYPT_ECB,
             "call 1f\n1: pop %ecx\nadd $add_one-1b, %ecx\ncall *%ecx\nxor %ecx, %ecx");
PADLOCK_CODE(then_mov_89, XCRYPT_ECB, ".byte 0x89, 0xc9\n" INC_R8);
PADLOCK_CODE(then_mov_8b, XCRYPT_ECB, ".byte 0x8b, 0xc9\n" INC_R8);
PADLOCK_CODE(then_add_83, XCRYPT_ECB, ".byte 0x83, 0xc1, 0x00\n" INC_R8);
PADLOCK_CODE(then_rex_mov, XCRYPT_ECB, ".byte 0x48, 0x40\n" INC_R8);  // dec %eax, inc %eax
PADLOCK_CODE(then_xor, XCRYPT_ECB, "xor %ecx, %ecx\n" INC_R8);
PADLOCK_CODE(then_inc, XCRYPT_ECB, INC_R8);
PADLOCK_CODE(then_push, XCRYPT_ECB, "push %ecx\npop %ecx\n" INC_R8);
PADLOCK_CODE(then_pushf, XCRYPT_ECB, "pushf\npopf\n" INC_R8);
PADLOCK_CODE(then_nop, XCRYPT_ECB, "nop\n" INC_R8);
PADLOCK_CODE(then_long_nop, XCRYPT_ECB, ".byte 0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00\n" INC_R8);
PADLOCK_CODE(then_endbr, XCRYPT_ECB, "endbr32\n" INC_R8);
PADLOCK_CODE(then_rip_relative_load, XCRYPT_ECB,
             "call 1f\n1: pop %ecx\nmov kOne-1b(%ecx), %ecx\nadd %ecx, 48(%ebp)\nxor %ecx, %ecx");
PADLOCK_CODE(then_rip_relative_address, XCRYPT_ECB,
             "call 1f\n1: pop %ecx\nlea kOne-1b(%ecx), %ecx\nmov (%ecx), %ecx\n"
             "add %ecx, 48(%ebp)\nxor %ecx, %ecx");
PADLOCK_CODE(then_rep_movsb, XCRYPT_ECB, "rep movsb\n" INC_R8);
PADLOCK_CODE(
    then_cpuid, XCRYPT_ECB,
    "cpuid\nmov 0(%ebp), %eax\nmov 8(%ebp), %ebx\nxor %ecx, %ecx\nmov 24(%ebp), %edx\n" INC_R8);
PADLOCK_CODE(then_syscall, XCRYPT_ECB, "int $0x80\nmov 0(%ebp), %eax\n" INC_R8);  // getpid
PADLOCK_CODE(then_another, XCRYPT_ECB, ".byte " XCRYPT_ECB ", " XCRYPT_ECB "\n" INC_R8);
PADLOCK_CODE(then_loop_to_next, XCRYPT_ECB, "1: " INC_R8 "\ntestl $3, 48(%ebp)\njnz 1b");
PADLOCK_CODE(then_loop_to_itself, XCRYPT_ECB,
             INC_R8
             "\nsub $64, %esi\nsub $64, %edi\nmov $4, %ecx\ntestl $3, 48(%ebp)\n"
             "jnz then_loop_to_itself_instruction\nadd $64, %esi\nadd $64, %edi\nxor %ecx, %ecx");
PADLOCK_CODE(across_pages, "0x90\n.p2align 12, 0x90\n.skip 4094, 0x90\n.byte " XCRYPT_ECB, INC_R8);
PADLOCK_CODE(then_next_page, "0x90\n.p2align 12, 0x90\n.skip 4092, 0x90\n.byte " XCRYPT_ECB,
             INC_R8);
#endif

// |name|_next is not behind the instruction in then_return, and from there then_loop_to_itself
// would run it after all.
static const struct {
  const char* name;
  void (*run)(struct registers*);
  const uint8_t* next;  // null: not entered there
  unsigned added;       // to R8
} kSites[] = {
#define SITE(name) \
  { #name, name, name##_next, 1 }
    {"then_return", then_return, NULL, 1},
    {"then_loop_to_itself", then_loop_to_itself, NULL, 4},
    {"then_loop_to_next", then_loop_to_next, then_loop_to_next_next, 4},
    SITE(then_short_jump),
    SITE(then_near_jump),
    SITE(then_conditional_jump),
    SITE(then_indirect_jump),
    SITE(then_call),
    SITE(then_indirect_call),
    SITE(then_mov_89),
    SITE(then_mov_8b),
    SITE(then_add_83),
    SITE(then_rex_mov),
    SITE(then_xor),
    SITE(then_inc),
    SITE(then_push),
    SITE(then_pushf),
    SITE(then_nop),
    SITE(then_long_nop),
    SITE(then_endbr),
    SITE(then_rip_relative_load),
    SITE(then_rip_relative_address),
    SITE(then_rep_movsb),
    SITE(then_cpuid),
    SITE(then_syscall),
    SITE(then_another),
    SITE(across_pages),
    SITE(then_next_page),
};

// void enter_behind(struct registers*, const void* target): begins as the sites' functions do, then
// jumps to |target|.
void enter_behind(struct registers*, const void*) __attribute__((visibility("hidden")));
#ifdef __x86_64__
__asm__(
    ".text\n.type enter_behind, @function\nenter_behind:\npush %rbx\npush %rbp\nmov %rdi, "
    "%rbp\nmov %rsi, %r9\n"
    "mov 48(%rbp), %r8\nmov 0(%rbp), %rax\nmov 8(%rbp), %rbx\nmov 16(%rbp), %rcx\nmov 24(%rbp), "
    "%rdx\n"
    "mov 32(%rbp), %rsi\nmov 40(%rbp), %rdi\njmp *%r9\n.size enter_behind, . - enter_behind\n");
#else
__asm__(
    ".text\n.type enter_behind, @function\nenter_behind:\npush %ebx\npush %ebp\npush %esi\npush "
    "%edi\n"
    "mov 20(%esp), %ebp\npush 24(%esp)\n"
    "mov 0(%ebp), %eax\nmov 8(%ebp), %ebx\nmov 16(%ebp), %ecx\nmov 24(%ebp), %edx\n"
    "mov 32(%ebp), %esi\nmov 40(%ebp), %edi\nret\n.size enter_behind, . - enter_behind\n");
#endif

enum { kGetpid = SYS_getpid, kRounds = 1000 };

static uint8_t key[16] ALIGNED16, in[96] ALIGNED16, out[96] ALIGNED16, encrypted[64], zero[64];
static const struct control_word kControl = {.bits = kRounds10};

static void check_site(size_t site, int behind) {
  const char* name = kSites[site].name;
  const struct registers start = {
      kGetpid, (uintptr_t)key, behind ? 0 : 4, (uintptr_t)&kControl, (uintptr_t)in, (uintptr_t)out,
      0};
  struct registers r = start;
  memset(out, 0, sizeof out);
  if (behind) {
    enter_behind(&r, kSites[site].next);
  } else {
    reload_key();
    kSites[site].run(&r);
  }
  const uint64_t moved = behind ? 0 : 64;
  CHECK(r.r8 == kSites[site].added, "%s: R8 is %lu", name, (unsigned long)r.r8);
  CHECK(r.rcx == 0 && r.rax == start.rax && r.rbx == start.rbx && r.rdx == start.rdx,
        "%s: registers", name);
  CHECK(r.rsi == start.rsi + moved && r.rdi == start.rdi + moved, "%s: RSI or RDI", name);
  CHECK(memcmp(out, behind ? zero : encrypted, 64) == 0, "%s: %s", name,
        behind ? "the instruction ran although it was passed by" : "wrong result");
}

int main(void) {
  from_hex(key, kSpKey, 16);
  from_hex(in, kSpPlain, 64);
  from_hex(encrypted, kSpEcb, 64);
  for (size_t site = 0; site < sizeof kSites / sizeof *kSites; ++site) {
    for (int round = 0; round < kRounds; ++round) {
      check_site(site, 0);
      if (kSites[site].next) check_site(site, 1);
    }
  }
  return 0;
}
