// REP MONTMUL: its context and operands are 32-bit addresses, in 64-bit code with the address-size
// prefix 67h, so all lie below 4 GiB (guide, 5.1; clauses PLK-PMM-031 and -036 give the numbers).
#define _GNU_SOURCE
#include <sys/mman.h>

#include "site.h"

#ifdef __x86_64__
PADLOCK_SITE(montmul, "0xf3, 0x67, 0x0f, 0xa6, 0xc0");
#else
PADLOCK_SITE(montmul, "0xf3, 0x0f, 0xa6, 0xc0");
#endif

enum { kBits = 256, kWords = kBits / 32, kSpareWords = 4 };

struct arena {
  uint32_t a[16], b[16], m[16], t[kWords + kSpareWords + 4], scratch[8];
  uint32_t context[6];
} ALIGNED16;

static uint32_t address(const void* p) {
  CHECK((uint64_t)(uintptr_t)p >> 32 == 0, "%p is not below 4 GiB", p);
  return (uint32_t)(uintptr_t)p;
}

// T = A * B * 2^-256 mod M, not reduced; |expected| has the most significant word first and one
// word of overflow.
static void check_product(struct arena* x, const uint32_t expected[kWords + 1]) {
  enum { kCanary = 0x5afe5afe };
  memset(x->t, 0, sizeof x->t);
  for (int i = kWords + kSpareWords; i < kWords + kSpareWords + 4; ++i) x->t[i] = kCanary;
  const uint32_t context[6] = {0xEA53FA95,    address(x->a), address(x->b),
                               address(x->t), address(x->m), address(x->scratch)};
  memcpy(x->context, context, sizeof context);
  struct registers r = {0, 0x1111, kBits, 0x2222, address(x->context), 0x3333, 0};
  montmul(&r);
  // clause: PLK-PMM-014
  // clause: PLK-PMM-020
  CHECK(r.rcx == 0 && r.rdx == 0, "RCX and RDX must be 0 at the end");
  // clause: PLK-PMM-021
  // clause: PLK-PMM-041
  CHECK(r.rsi == address(x->context) && r.rdi == 0x3333 && r.rbx == 0x1111,
        "RSI, RDI or RBX changed");
  for (int i = 0; i <= kWords; ++i)
    CHECK(x->t[kWords - i] == expected[i], "word %d of T is %08x, expected %08x", kWords - i,
          x->t[kWords - i], expected[i]);
  for (int i = kWords + kSpareWords; i < kWords + kSpareWords + 4; ++i)
    // clause: PLK-PMM-044
    CHECK(x->t[i] == kCanary, "memory behind T changed");
}

int main(void) {
  struct arena* x =
      mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  CHECK(x != MAP_FAILED, "no memory below 4 GiB");
  memset(x->m, 0xff, kBits / 8);
  x->m[0] -= 188;  // 2^256 - 189

  x->a[0] = 1;
  x->a[7] = 0x80000000;
  x->b[0] = 3;
  // clause: PLK-PMM-036
  check_product(x, (const uint32_t[]){0, 0x6fbefbef, 0xbefbefbe, 0xfbefbefb, 0xefbefbef, 0xbefbefbe,
                                      0xfbefbefb, 0xefbefbef, 0xbefbef6e});
  // A = B = M - 1: T stays above M, as the guide says it may.
  memcpy(x->a, x->m, sizeof x->a);
  x->a[0] -= 1;
  memcpy(x->b, x->a, sizeof x->b);
  // clause: PLK-PMM-031
  // clause: PLK-PMM-033
  check_product(x, (const uint32_t[]){1, 0x4fea53fa, 0x94fea53f, 0xa94fea53, 0xfa94fea5, 0x3fa94fea,
                                      0x53fa94fe, 0xa53fa94f, 0xea53f99d});
  return 0;
}
