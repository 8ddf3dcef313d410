// One PadLock instruction at a known address, run on registers given in memory, for programs about
// faults and signals.
#ifndef INCORE_TESTS_GUEST_SITE_H
#define INCORE_TESTS_GUEST_SITE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // REG_RIP and its like
#endif
#include <signal.h>
#include <ucontext.h>

#include "padlock.h"

struct registers {
  uint64_t rax, rbx, rcx, rdx, rsi, rdi, r8;
};

// PADLOCK_CODE(name, "0xf3, 0x0f, ...", "text") defines void name(struct registers*), which loads
// the registers, runs the bytes at the label name_instruction, goes on at name_next with the text,
// and stores the registers back. PADLOCK_CODE_AFTER(name, "before", ...) has text before too.
// In 32-bit code EBP points to the registers, and R8, which texts call R8, is in memory only.
#define PADLOCK_CODE(name, bytes, text) PADLOCK_CODE_AFTER(name, "", bytes, text)
#ifdef __x86_64__
#define R8 "%r8"
#define SP "rsp"
#define PADLOCK_CODE_AFTER(name, before, bytes, text)                                      \
  __attribute__((visibility("hidden"))) void name(struct registers*);                      \
  extern const uint8_t name##_instruction[] __attribute__((visibility("hidden")));         \
  extern const uint8_t name##_next[] __attribute__((visibility("hidden")));                \
  __asm__(".text\n.type " #name ", @function\n" #name                                      \
          ":\n.cfi_startproc\n"                                                            \
          "push %rbx\n.cfi_adjust_cfa_offset 8\npush %rbp\n.cfi_adjust_cfa_offset 8\n"     \
          "mov %rdi, %rbp\nmov 48(%rbp), %r8\n"                                            \
          "mov 0(%rbp), %rax\nmov 8(%rbp), %rbx\nmov 16(%rbp), %rcx\n"                     \
          "mov 24(%rbp), %rdx\nmov 32(%rbp), %rsi\nmov 40(%rbp), %rdi\n" before "\n" #name \
          "_instruction: .byte " bytes "\n" #name "_next:\n" text                          \
          "\nmov %rax, 0(%rbp)\nmov %rbx, 8(%rbp)\nmov %rcx, 16(%rbp)\n"                   \
          "mov %rdx, 24(%rbp)\nmov %rsi, 32(%rbp)\nmov %rdi, 40(%rbp)\n"                   \
          "mov %r8, 48(%rbp)\npop %rbp\n.cfi_adjust_cfa_offset -8\n"                       \
          "pop %rbx\n.cfi_adjust_cfa_offset -8\nret\n"                                     \
          ".cfi_endproc\n.size " #name ", . - " #name "\n")
#else
#define R8 "48(%ebp)"
#define SP "esp"
#define PADLOCK_CODE_AFTER(name, before, bytes, text)                                       \
  __attribute__((visibility("hidden"))) void name(struct registers*);                       \
  extern const uint8_t name##_instruction[] __attribute__((visibility("hidden")));          \
  extern const uint8_t name##_next[] __attribute__((visibility("hidden")));                 \
  __asm__(".text\n.type " #name ", @function\n" #name                                       \
          ":\n.cfi_startproc\n"                                                             \
          "push %ebx\n.cfi_adjust_cfa_offset 4\npush %ebp\n.cfi_adjust_cfa_offset 4\n"      \
          "push %esi\n.cfi_adjust_cfa_offset 4\npush %edi\n.cfi_adjust_cfa_offset 4\n"      \
          "mov 20(%esp), %ebp\n"                                                            \
          "mov 0(%ebp), %eax\nmov 8(%ebp), %ebx\nmov 16(%ebp), %ecx\n"                      \
          "mov 24(%ebp), %edx\nmov 32(%ebp), %esi\nmov 40(%ebp), %edi\n" before "\n" #name  \
          "_instruction: .byte " bytes "\n" #name "_next:\n" text                           \
          "\nmov %eax, 0(%ebp)\nmov %ebx, 8(%ebp)\nmov %ecx, 16(%ebp)\n"                    \
          "mov %edx, 24(%ebp)\nmov %esi, 32(%ebp)\nmov %edi, 40(%ebp)\n"                    \
          "pop %edi\n.cfi_adjust_cfa_offset -4\npop %esi\n.cfi_adjust_cfa_offset -4\n"      \
          "pop %ebp\n.cfi_adjust_cfa_offset -4\npop %ebx\n.cfi_adjust_cfa_offset -4\nret\n" \
          ".cfi_endproc\n.size " #name ", . - " #name "\n")
#endif
#define PADLOCK_SITE(name, bytes) PADLOCK_CODE(name, bytes, "")

// Texts: EFLAGS from R8, and back to it.
#define SET_FLAGS "push " R8 "\npopf"
#define TAKE_FLAGS "pushf\npop " R8

enum { kEflagsTf = 1 << 8, kEflagsDf = 1 << 10, kEflagsNt = 1 << 14, kEflagsAc = 1 << 18 };

// Returns EFLAGS and clears AC in them: libc makes misaligned accesses.
static inline unsigned long end_alignment_checks(void) {
  unsigned long flags;
  __asm__ volatile("lea -128(%%" SP "), %%" SP "\npushf\npop %0\npushf\nandl $~0x40000, (%%" SP
                   ")\npopf\nlea 128(%%" SP "), %%" SP
                   : "=r"(flags)
                   :
                   : "memory", "cc");
  return flags;
}

#ifdef __x86_64__
static inline struct registers registers_at(const ucontext_t* context) {
  const greg_t* g = context->uc_mcontext.gregs;
  const struct registers r = {(uint64_t)g[REG_RAX], (uint64_t)g[REG_RBX], (uint64_t)g[REG_RCX],
                              (uint64_t)g[REG_RDX], (uint64_t)g[REG_RSI], (uint64_t)g[REG_RDI],
                              (uint64_t)g[REG_R8]};
  return r;
}

static inline uint64_t rip_at(const ucontext_t* context) {
  return (uint64_t)context->uc_mcontext.gregs[REG_RIP];
}
#else
static inline struct registers registers_at(const ucontext_t* context) {
  const greg_t* g = context->uc_mcontext.gregs;
  const struct registers* all = (const struct registers*)g[REG_EBP];
  const struct registers r = {(uint32_t)g[REG_EAX],
                              (uint32_t)g[REG_EBX],
                              (uint32_t)g[REG_ECX],
                              (uint32_t)g[REG_EDX],
                              (uint32_t)g[REG_ESI],
                              (uint32_t)g[REG_EDI],
                              all->r8};
  return r;
}

#define REG_RIP REG_EIP

static inline uint64_t rip_at(const ucontext_t* context) {
  return (uint32_t)context->uc_mcontext.gregs[REG_RIP];
}
#endif

typedef void (*signal_handler)(int, siginfo_t*, void*);

// Moves the program on to |target| when the handler returns.
static inline void resume_at(ucontext_t* context, const void* target) {
  context->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)target;
}

static inline void catch_signal(int number, signal_handler handler, int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  CHECK(sigaction(number, &action, NULL) == 0, "sigaction(%d) failed", number);
}

#define XCRYPT_ECB "0xf3, 0x0f, 0xa7, 0xc8"
#define XCRYPT_CBC "0xf3, 0x0f, 0xa7, 0xd0"
#define XCRYPT_CTR "0xf3, 0x0f, 0xa7, 0xd8"
#define XCRYPT_CFB "0xf3, 0x0f, 0xa7, 0xe0"
#define XCRYPT_OFB "0xf3, 0x0f, 0xa7, 0xe8"

#endif
