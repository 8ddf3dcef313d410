// A site for each way to serve one after its first execution. The bytes behind a site are what a
// jump borrows as the high part of its displacement; the places where it would lead are taken for
// the tactics that must not fit. At a fixed address, as in the static form, each site is served by
// the tactic of its name; in any form it computes what it should.
#define _GNU_SOURCE
#include <sys/mman.h>

#include "code_bytes.h"

PADLOCK_CODE(jump, XCRYPT_ECB, ".byte 0x0f, 0x1f, 0x00, 0x90");
PADLOCK_CODE(padded_jump, XCRYPT_ECB, ".byte 0x90, 0x0f, 0x1f, 0x00");
PADLOCK_CODE(twice_padded_jump, XCRYPT_ECB, ".byte 0x90, 0x90, 0x66, 0x90");
PADLOCK_CODE(breakpoint, XCRYPT_ECB, ".byte 0x90, 0x90, 0x90, 0x90");

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

enum { kPage = 4096, kCalls = 100 };

static void take(uintptr_t begin, uintptr_t len) {
  if (mmap((void*)begin, len, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) != MAP_FAILED)
    return;
  if (len == kPage) return;  // something else is there
  take(begin, len / 2);
  take(begin + len / 2, len / 2);
}

// Takes the places to which a jump behind |padding| prefixes can lead from |instruction|.
static void take_reach(const uint8_t* instruction, unsigned padding) {
  uint32_t high = 0;
  const unsigned own_bytes = 3 - padding;
  memcpy((uint8_t*)&high + own_bytes, instruction + 4, 4 - own_bytes);
  const uintptr_t begin =
      ((uintptr_t)instruction + padding + 5 + (uintptr_t)(intptr_t)(int32_t)high) &
      ~(uintptr_t)(kPage - 1);
  const uintptr_t len = (uintptr_t)1 << (8 * own_bytes);
  take(begin, len < kPage ? kPage : len);
  take(begin + (len < kPage ? kPage : len), kPage);
}

static void call(const char* name, void (*site)(struct registers*)) {
  static const struct control_word kControl = {.bits = kRounds10};
  static uint8_t key[16] ALIGNED16, in[64] ALIGNED16, out[64] ALIGNED16;
  from_hex(key, kSpKey, 16);
  from_hex(in, kSpPlain, 64);
  for (int i = 0; i < kCalls; ++i) {
    struct registers r = {0, (uintptr_t)key, 4, (uintptr_t)&kControl, (uintptr_t)in, (uintptr_t)out,
                          7};
    memset(out, 0, sizeof out);
    reload_key();
    site(&r);
    CHECK(r.rcx == 0, "%s: RCX", name);
    check_hex(name, out, kSpEcb, 64);
  }
}

int main(void) {
  call("jump", jump);
  take_reach(padded_jump_instruction, 0);
  call("padded jump", padded_jump);
  for (unsigned padding = 0; padding < 2; ++padding)
    take_reach(twice_padded_jump_instruction, padding);
  call("twice padded jump", twice_padded_jump);
  for (unsigned padding = 0; padding < 3; ++padding) take_reach(breakpoint_instruction, padding);
  call("breakpoint", breakpoint);

  // Code that the program may write is left alone.
  uint8_t* const code =
      mmap(NULL, kPage, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(code != MAP_FAILED, "mmap");
  put_code(code, kEcb);
  call("trap", (void (*)(struct registers*))(uintptr_t)code);
  return 0;
}
