// Partial hashing by way of a page fault, as programs for the C7 do it: the data end at a missing
// page, RCX promises more, and the SIGSEGV handler steps over the four bytes of the instruction.
// The running value of the whole blocks is then in memory, and hashing goes on from there.
// Repeated, so that it also holds for a site that has run often.
#define _GNU_SOURCE
#include <sys/mman.h>

#include "site.h"

PADLOCK_SITE(sha1, "0xf3, 0x0f, 0xa6, 0xc8");
PADLOCK_SITE(sha256, "0xf3, 0x0f, 0xa6, 0xd0");

static const struct {
  const char* name;
  void (*run)(struct registers*);
  const uint8_t* instruction;
  uint32_t initial[8], expected[8];
} kHashes[] = {
    // FIPS 180-2: the initial values, and the digests of a million times the letter a.
    {"sha1",
     sha1,
     sha1_instruction,
     {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0},
     {0x34aa973c, 0xd4c4daa4, 0xf61eeb2b, 0xdbad2731, 0x6534016f}},
    {"sha256",
     sha256,
     sha256_instruction,
     {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
      0x5be0cd19},
     {0xcdc76e5c, 0x9914fb92, 0x81a1c7e2, 0x84d73e67, 0xf1809a48, 0xa497200e, 0x046d39cc,
      0xc7112cd0}},
};

enum { kPage = 4096, kTotal = 1000000, kPiece = 4032, kPromised = 2 * kTotal };

static const uint8_t* instruction;
static uint8_t* missing;
static int num_faults;

static void on_fault(int number, siginfo_t* info, void* context) {
  CHECK(number == SIGSEGV && info->si_addr == missing, "signal %d at %p", number, info->si_addr);
  CHECK(rip_at(context) == (uintptr_t)instruction, "RIP is not at the instruction");
  // clause: PLK-PHE-018
  CHECK(registers_at(context).rax == kPiece, "RAX is %lu",
        (unsigned long)registers_at(context).rax);
  resume_at(context, instruction + 4);
  ++num_faults;
}

int main(void) {
  uint32_t state[32] ALIGNED16;
  uint8_t* const page =
      mmap(NULL, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(page != MAP_FAILED, "mmap");
  missing = page + kPage;
  memset(page, 'a', kPage);
  CHECK(munmap(missing, kPage) == 0, "munmap");
  catch_signal(SIGSEGV, on_fault, 0);
  for (size_t i = 0; i < sizeof kHashes / sizeof *kHashes; ++i) {
    size_t done = 0;
    num_faults = 0;
    instruction = kHashes[i].instruction;
    memcpy(state, kHashes[i].initial, sizeof kHashes[i].initial);
    while (kTotal - done > kPiece) {
      struct registers r = {0, 0, kPromised, 0, (uintptr_t)(missing - kPiece), (uintptr_t)state, 0};
      kHashes[i].run(&r);
      CHECK(r.rsi == (uintptr_t)missing, "%s: RSI", kHashes[i].name);
      done += kPiece;
    }
    CHECK(num_faults == (kTotal - 1) / kPiece, "%s: %d faults", kHashes[i].name, num_faults);
    struct registers r = {done, 0, kTotal, 0, (uintptr_t)page, (uintptr_t)state, 0};
    kHashes[i].run(&r);
    // clause: PLK-PHE-029
    CHECK(memcmp(state, kHashes[i].expected, i == 0 ? 20 : 32) == 0, "%s: wrong digest",
          kHashes[i].name);
  }
  return 0;
}
