// The bytes of a function void f(struct registers*) that a program puts into memory itself: load
// the registers, one PadLock instruction, store RCX and return. For programs about code that
// changes.
#ifndef INCORE_TESTS_GUEST_CODE_BYTES_H
#define INCORE_TESTS_GUEST_CODE_BYTES_H

#include "site.h"

#ifdef __x86_64__
// push %rbx; mov %rdi, %r10; loads of RAX, RBX, RCX, RDX, RSI, RDI from struct registers
static const uint8_t kLoad[] = {0x53, 0x49, 0x89, 0xfa, 0x49, 0x8b, 0x02, 0x49, 0x8b,
                                0x5a, 0x08, 0x49, 0x8b, 0x4a, 0x10, 0x49, 0x8b, 0x52,
                                0x18, 0x49, 0x8b, 0x72, 0x20, 0x49, 0x8b, 0x7a, 0x28};
// mov %rcx, 16(%r10); pop %rbx; ret
static const uint8_t kStore[] = {0x49, 0x89, 0x4a, 0x10, 0x5b, 0xc3};
#else
// push %ebx, %esi, %edi, %ebp; mov 20(%esp), %ebp; the same loads
static const uint8_t kLoad[] = {0x53, 0x56, 0x57, 0x55, 0x8b, 0x6c, 0x24, 0x14, 0x8b,
                                0x45, 0x00, 0x8b, 0x5d, 0x08, 0x8b, 0x4d, 0x10, 0x8b,
                                0x55, 0x18, 0x8b, 0x75, 0x20, 0x8b, 0x7d, 0x28};
// mov %ecx, 16(%ebp); pop %ebp, %edi, %esi, %ebx; ret
static const uint8_t kStore[] = {0x89, 0x4d, 0x10, 0x5d, 0x5f, 0x5e, 0x5b, 0xc3};
#endif
static const uint8_t kEcb[] = {0xf3, 0x0f, 0xa7, 0xc8}, kCbc[] = {0xf3, 0x0f, 0xa7, 0xd0};

// Writes the function with |instruction| at |code|.
static inline void put_code(uint8_t* code, const uint8_t instruction[4]) {
  memcpy(code, kLoad, sizeof kLoad);
  memcpy(code + sizeof kLoad, instruction, 4);
  memcpy(code + sizeof kLoad + 4, kStore, sizeof kStore);
}

#endif
