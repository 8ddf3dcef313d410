// Code that the program writes itself, as JIT compilers do: written, made executable, run, then
// written over with another instruction at the same address. The second kind of memory is writable
// and executable at once.
#define _GNU_SOURCE
#include <sys/mman.h>

#include "code_bytes.h"

enum { kPage = 4096 };

static uint8_t* write_code(uint8_t* code, const uint8_t instruction[4], int always_executable) {
  if (!always_executable) CHECK(mprotect(code, kPage, PROT_READ | PROT_WRITE) == 0, "mprotect");
  put_code(code, instruction);
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
