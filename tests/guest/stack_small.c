// XCRYPT and CPUID run for the first time in a coroutine whose stack has 8 KiB with an unmapped
// page below.
#define _GNU_SOURCE
#include <sys/mman.h>
#include <ucontext.h>

#include "padlock.h"

enum { kPage = 4096, kStack = 2 * kPage, kTurns = 200 };

static ucontext_t main_context, coroutine;
static uint8_t key[16] ALIGNED16, in[64] ALIGNED16, out[64] ALIGNED16;
static uint32_t vendor;

static void run(void) {
  static const struct control_word kControl = {.bits = kRounds10};
  for (;;) {
    vendor = cpuid(0, 0).ebx;
    memset(out, 0, sizeof out);
    reload_key();
    xcrypt_ecb(NULL, key, &kControl, in, out, 4);
    swapcontext(&coroutine, &main_context);
  }
}

int main(void) {
  uint8_t* memory =
      mmap(NULL, kPage + kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED && mprotect(memory, kPage, PROT_NONE) == 0, "mmap");
  from_hex(key, kSpKey, 16);
  from_hex(in, kSpPlain, 64);
  CHECK(getcontext(&coroutine) == 0, "getcontext");
  coroutine.uc_stack.ss_sp = memory + kPage;
  coroutine.uc_stack.ss_size = kStack;
  makecontext(&coroutine, run, 0);
  for (int i = 0; i < kTurns; ++i) {
    CHECK(swapcontext(&main_context, &coroutine) == 0, "swapcontext");
    check_hex("ECB on a small stack", out, kSpEcb, 64);
    CHECK(vendor == cpuid(0, 0).ebx, "another CPU in the coroutine");
  }
  return 0;
}
