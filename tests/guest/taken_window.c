// A site of which each place is taken that a jump over the instruction alone can reach with its
// borrowed byte, which is NOP: 16 MiB. Whoever patches it must do it otherwise, and leave the
// registers alone.
#define _GNU_SOURCE
#include <sys/mman.h>

#include "site.h"

PADLOCK_CODE(site, XCRYPT_ECB, "nop\ncld");

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

enum { kPage = 4096 };

static void take(uintptr_t begin, uintptr_t len) {
  if (mmap((void*)begin, len, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) != MAP_FAILED)
    return;
  if (len == kPage) return;  // something else is there
  take(begin, len / 2);
  take(begin + len / 2, len / 2);
}

int main(void) {
  static const struct control_word kControl = {.bits = kRounds10};
  static uint8_t key[16] ALIGNED16, in[64] ALIGNED16, out[64] ALIGNED16;
  const uintptr_t nearest =
      (uintptr_t)site_instruction + 5 + (uintptr_t)(intptr_t)(int32_t)0x90000000;
  const uintptr_t begin = nearest & ~(uintptr_t)(kPage - 1);
  take(begin, 1 << 24);
  take(begin + (1 << 24), kPage);
  from_hex(key, kSpKey, 16);
  from_hex(in, kSpPlain, 64);
  for (int i = 0; i < 1000; ++i) {
    struct registers r = {0x1234567,     (uintptr_t)key, 4, (uintptr_t)&kControl,
                          (uintptr_t)in, (uintptr_t)out, 7};
    reload_key();
    site(&r);
    CHECK(r.rax == 0x1234567 && r.rcx == 0 && r.rbx == (uintptr_t)key && r.r8 == 7, "registers");
    check_hex("ECB", out, kSpEcb, 64);
  }
  return 0;
}
