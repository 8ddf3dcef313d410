// Operands that are not aligned to 16 bytes, control word without ALIGN: a general protection
// fault, which Linux reports as SIGSEGV with code SI_KERNEL and address 0; registers and memory
// stay as they were (guide, 3.1). With ALIGN, source and destination may lie anywhere in every mode
// but ECB (guide, 3.1 ESI, for Esther and later).
#define _GNU_SOURCE
#include <stddef.h>

#include "site.h"

PADLOCK_SITE(ecb, XCRYPT_ECB);
PADLOCK_SITE(cbc, XCRYPT_CBC);

static const uint8_t *instruction, *next;
static struct registers at_fault;
static int num_faults;

static void on_fault(int number, siginfo_t* info, void* context) {
  CHECK(number == SIGSEGV && info->si_code == SI_KERNEL, "signal %d, code %d", number,
        info->si_code);
  CHECK(info->si_addr == NULL, "si_addr %p", info->si_addr);
  CHECK(rip_at(context) == (uintptr_t)instruction, "RIP is not at the instruction");
  at_fault = registers_at(context);
  ++num_faults;
  resume_at(context, next);
}

// Runs |run| with the register at |field_offset| of |good| moved by |bytes|.
static void expect_fault(const char* what, void (*run)(struct registers*),
                         const struct registers* good, size_t field_offset, unsigned bytes) {
  struct registers r = *good;
  *(uint64_t*)((char*)&r + field_offset) += bytes;
  const struct registers before = r;
  instruction = run == cbc ? cbc_instruction : ecb_instruction;
  next = run == cbc ? cbc_next : ecb_next;
  num_faults = 0;
  reload_key();
  run(&r);
  CHECK(num_faults == 1, "%s: %d faults", what, num_faults);
  CHECK(memcmp(&at_fault, &before, sizeof before) == 0 && memcmp(&r, &before, sizeof r) == 0,
        "%s: registers changed", what);
}

int main(void) {
  static struct control_word control[2];
  static uint8_t key[32] ALIGNED16, iv[32] ALIGNED16, in[128] ALIGNED16, out[128] ALIGNED16,
      zero[128];
  from_hex(key, kSpKey, 16);
  from_hex(iv, kSpIv, 16);
  control[0].bits = kRounds10;
  const struct registers good = {(uintptr_t)iv, (uintptr_t)key, 4, (uintptr_t)control,
                                 (uintptr_t)in, (uintptr_t)out, 1};
  catch_signal(SIGSEGV, on_fault, 0);

  for (int round = 0; round < 100; ++round) {
    const unsigned offset = 1 + round % 15;
    // clause: PLK-ACE-037
    expect_fault("source", cbc, &good, offsetof(struct registers, rsi), offset);
    expect_fault("destination", cbc, &good, offsetof(struct registers, rdi), offset);
    // clause: PLK-ACE-043
    // clause: BG-RULE-003
    expect_fault("key", cbc, &good, offsetof(struct registers, rbx), offset);
    // clause: PLK-ACE-078
    expect_fault("control word", cbc, &good, offsetof(struct registers, rdx), offset);
    expect_fault("vector", cbc, &good, offsetof(struct registers, rax), offset);
    expect_fault("source in ECB", ecb, &good, offsetof(struct registers, rsi), offset);
    control[0].bits |= kAlign;
    expect_fault("source in ECB with ALIGN", ecb, &good, offsetof(struct registers, rsi), offset);
    control[0].bits &= ~(uint32_t)kAlign;
    CHECK(memcmp(out, zero, sizeof out) == 0, "the destination changed");
  }

  control[0].bits |= kAlign;
  num_faults = 0;
  for (unsigned offset = 0; offset < 256; ++offset) {
    struct registers r = good;
    r.rsi += offset % 16;
    r.rdi += offset / 16;
    from_hex(in + offset % 16, kSpPlain, 64);
    reload_key();
    cbc(&r);
    // clause: PLK-ACE-091
    check_hex("CBC with ALIGN", out + offset / 16, kSpCbc, 64);
    // clause: PLK-ACE-058
    CHECK(r.rax % 16 == 0 && memcmp((void*)(uintptr_t)r.rax, out + offset / 16 + 48, 16) == 0,
          "vector to go on with");
  }
  CHECK(num_faults == 0, "%d faults with ALIGN", num_faults);
  return 0;
}
