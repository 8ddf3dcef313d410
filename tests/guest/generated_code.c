// Code that the program writes itself, as JIT compilers do: written, made executable, run, then
// written over with another instruction at the same address. The second kind of memory is writable
// and executable at once.
#define _GNU_SOURCE
#include <sys/mman.h>

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

enum { kPage = 4096 };

static uint8_t* write_code(uint8_t* code, const uint8_t instruction[4], int always_executable) {
  if (!always_executable) CHECK(mprotect(code, kPage, PROT_READ | PROT_WRITE) == 0, "mprotect");
  memcpy(code, kLoad, sizeof kLoad);
  memcpy(code + sizeof kLoad, instruction, 4);
  memcpy(code + sizeof kLoad + 4, kStore, sizeof kStore);
  if (!always_executable) CHECK(mprotect(code, kPage, PROT_READ | PROT_EXEC) == 0, "mprotect");
  return code;
}

static void run_code(const uint8_t* code, const char* expected, int times) {
  static const struct control_word kControl = {.bits = kRounds10};
  uint8_t key[16] ALIGNED16, iv[16] ALIGNED16, in[64] ALIGNED16, out[64] ALIGNED16;
  from_hex(key, kSpKey, 16);
  from_hex(in, kSpPlain, 64);
  for (int i = 0; i < times; ++i) {
    from_hex(iv, kSpIv, 16);
    struct registers r = {(uintptr_t)iv, (uintptr_t)key, 4, (uintptr_t)&kControl,
                          (uintptr_t)in, (uintptr_t)out, 0};
    reload_key();
    ((void (*)(struct registers*))(uintptr_t)code)(&r);
    CHECK(r.rcx == 0, "RCX is %lu", (unsigned long)r.rcx);
    check_hex("generated code", out, expected, 64);
  }
}

int main(void) {
  for (int always_executable = 0; always_executable < 2; ++always_executable) {
    const int protection = PROT_READ | PROT_WRITE | (always_executable ? PROT_EXEC : 0);
    for (int round = 0; round < 20; ++round) {
      uint8_t* code = mmap(NULL, kPage, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      CHECK(code != MAP_FAILED, "mmap");
      run_code(write_code(code, kEcb, always_executable), kSpEcb, 20);
      run_code(write_code(code, kCbc, always_executable), kSpCbc, 20);
      CHECK(munmap(code, kPage) == 0, "munmap");
    }
  }
  return 0;
}
