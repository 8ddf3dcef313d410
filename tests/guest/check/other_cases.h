// The cases of guest_check for XSTORE, REP XSHA and REP MONTMUL: wrong, or |ok|.
#ifndef INCORE_TESTS_GUEST_CHECK_OTHER_CASES_H
#define INCORE_TESTS_GUEST_CHECK_OTHER_CASES_H

#include "../site.h"
#include "pages.h"

PADLOCK_SITE(plain_xstore, "0x0f, 0xa7, 0xc0");
PADLOCK_SITE(repne_xstore, "0xf2, 0x0f, 0xa7, 0xc0");
PADLOCK_SITE(operand_size_xstore, "0x66, 0x0f, 0xa7, 0xc0");
#ifdef __x86_64__
PADLOCK_SITE(montmul, "0xf3, 0x67, 0x0f, 0xa6, 0xc0");
#else
PADLOCK_SITE(montmul, "0xf3, 0x0f, 0xa6, 0xc0");
#endif

static void xstore_with(void (*run)(struct registers*)) {
  static uint8_t random[16] ALIGNED16;
  struct registers r = {.rdi = (uintptr_t)random};
  run(&r);
}

static void repne_prefix(int ok) {
  xstore_with(ok ? plain_xstore : repne_xstore);
}

static void operand_size_prefix(int ok) {
  xstore_with(ok ? plain_xstore : operand_size_xstore);
}

static void xstore_overrun(int ok) {
  uint8_t random[64] ALIGNED16;
  uint8_t* at = random;
  size_t count = ok ? 16 : 13;
  rep_xstore(&at, &count, 0);
}

static void xstore_quality(int ok) {
  uint8_t random[64] ALIGNED16;
  uint8_t* at = random;
  size_t count = 16;
  rep_xstore(&at, &count, ok ? 1 : 0x11);
}

static void xsha_start(int ok) {
  uint8_t state[128] ALIGNED16 = {0};
  xsha1(state, "abc", 3, ok ? 0 : 3, NULL);
}

static void xsha_buffer(int ok) {
  xsha256(before_the_end(ok ? 128 : 32), "abc", 3, 0, NULL);
}

struct numbers {
  uint32_t a[16], b[16], m[16], t[16], scratch[8], context[6];
} ALIGNED16;

// 256-bit numbers below 4 GiB with a context that is right: M = 2^256 - 189 (guide, 5.1).
static struct numbers* new_numbers(void) {
  struct numbers* n =
      mmap(NULL, kPageLen, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  CHECK(n != MAP_FAILED, "no memory below 4 GiB");
  memset(n->m, 0xff, 32);
  n->m[0] -= 188;
  n->a[0] = n->b[0] = 3;
  const uint32_t context[6] = {0xEA53FA95,
                               (uint32_t)(uintptr_t)n->a,
                               (uint32_t)(uintptr_t)n->b,
                               (uint32_t)(uintptr_t)n->t,
                               (uint32_t)(uintptr_t)n->m,
                               (uint32_t)(uintptr_t)n->scratch};
  memcpy(n->context, context, sizeof context);
  return n;
}

static void multiply(struct numbers* n, uint64_t bits, uint64_t eax) {
  struct registers r = {.rax = eax, .rcx = bits, .rsi = (uintptr_t)n->context};
  montmul(&r);
}

static void montmul_size(int ok) {
  multiply(new_numbers(), ok ? 256 : 320, 0);
}

static void montmul_start(int ok) {
  multiply(new_numbers(), 256, ok ? 0 : 1);
}

static void montmul_result(int ok) {
  struct numbers* n = new_numbers();
  n->t[3] = ok ? 0 : 1;
  multiply(n, 256, 0);
}

static void montmul_modulus(int ok) {
  struct numbers* n = new_numbers();
  n->m[0] -= ok ? 0 : 1;
  multiply(n, 256, 0);
}

static void montmul_overlap(int ok) {
  struct numbers* n = new_numbers();
  if (!ok) n->context[5] = n->context[3] + 16;
  multiply(n, 256, 0);
}

#endif
