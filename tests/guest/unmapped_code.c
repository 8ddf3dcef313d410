// Code is unmapped after its PadLock sites were patched, and other code lies at the same addresses
// afterwards: first another instruction at the place of the site, then code without PadLock that
// runs across it. Both from files, whose mappings are patched, and anonymous.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>

#include "code_bytes.h"

static const uint8_t kPlain[] = {0x6a, 0x2a, 0x59, 0x90};  // push $42; pop %rcx; nop

enum { kPage = 4096, kTimes = 50, kRounds = 30 };

// Code with |instruction| at |where|, private, executable and not writable.
static void map_code(uint8_t* where, const uint8_t instruction[4], int from_file) {
  uint8_t page[kPage];
  memset(page, 0xcc, sizeof page);
  put_code(page, instruction);
  if (from_file) {
    const int fd = memfd_create("code", 0);
    CHECK(fd >= 0 && write(fd, page, kPage) == kPage, "memfd_create");
    CHECK(mmap(where, kPage, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, 0) == where,
          "mmap of a file");
    close(fd);
  } else {
    CHECK(mmap(where, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1,
               0) == where,
          "mmap");
    memcpy(where, page, kPage);
    CHECK(mprotect(where, kPage, PROT_READ | PROT_EXEC) == 0, "mprotect");
  }
}

static uint64_t call(const uint8_t* code, uint8_t out[64]) {
  static const struct control_word kControl = {.bits = kRounds10};
  uint8_t key[16] ALIGNED16, iv[16] ALIGNED16, in[64] ALIGNED16;
  from_hex(key, kSpKey, 16);
  from_hex(in, kSpPlain, 64);
  from_hex(iv, kSpIv, 16);
  struct registers r = {(uintptr_t)iv, (uintptr_t)key, 4, (uintptr_t)&kControl,
                        (uintptr_t)in, (uintptr_t)out, 0};
  reload_key();
  ((void (*)(struct registers*))(uintptr_t)code)(&r);
  return r.rcx;
}

int main(void) {
  uint8_t out[64] ALIGNED16;
  // Two pages: the page behind the code goes away and comes back too.
  uint8_t* const code = mmap(NULL, 2 * kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(code != MAP_FAILED, "mmap");
  for (int round = 0; round < kRounds; ++round) {
    const int from_file = round % 2;
    map_code(code, kEcb, from_file);
    for (int i = 0; i < kTimes; ++i) {
      CHECK(call(code, out) == 0, "ECB: RCX");
      check_hex("ecb", out, kSpEcb, 64);
    }
    if (round % 3 == 0) CHECK(munmap(code, 2 * kPage) == 0, "munmap");
    map_code(code, kCbc, from_file);
    for (int i = 0; i < kTimes; ++i) {
      CHECK(call(code, out) == 0, "CBC: RCX");
      check_hex("cbc", out, kSpCbc, 64);
    }
    map_code(code, kPlain, !from_file);
    for (int i = 0; i < kTimes; ++i) CHECK(call(code, out) == 42, "plain code");
  }
  return 0;
}
