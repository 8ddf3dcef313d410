#include "calls.h"

uint8_t control_word[16] __attribute__((aligned(16))) = {10};
uint8_t key[16] __attribute__((aligned(16)));
static uint8_t vector[16] __attribute__((aligned(16)));
uint8_t source[2 * kPageLen] __attribute__((aligned(4096)));
uint8_t result[2 * kPageLen] __attribute__((aligned(4096)));

const uint8_t kZeros[16] = {0x66, 0xE9, 0x4B, 0xD4, 0xEF, 0x8A, 0x2C, 0x3B,
                            0x88, 0x4C, 0xFA, 0x59, 0xCA, 0x34, 0x2B, 0x2E};

int equal(const uint8_t* a, const uint8_t* b, unsigned len) {
  for (unsigned i = 0; i < len; ++i)
    if (a[i] != b[i]) return 0;
  return 1;
}

void reload_key(void) {
  __asm__ volatile("pushf\n\tpopf" : : : "memory", "cc");
}

struct run one_block(void) {
  return (struct run){.ebx = (uint32_t)key,
                      .ecx = 1,
                      .edx = (uint32_t)control_word,
                      .esi = (uint32_t)source,
                      .edi = (uint32_t)result};
}

struct run xcrypt(uint8_t opcode, uint8_t* to, uint32_t blocks) {
  const char code[] = {'\xF3', '\x0F', '\xA7', (char)opcode};
  for (unsigned i = 0; i < sizeof vector; ++i) vector[i] = 0;
  struct run run = one_block();
  run.eax = (uint32_t)vector;
  run.ecx = blocks;
  run.edi = (uint32_t)to;
  execute(&run, code, sizeof code);
  return run;
}

struct run xstore(void) {
  struct run run = {.edi = (uint32_t)result, .edx = 0};
  execute(&run, "\x0F\xA7\xC0", 3);
  return run;
}

struct run xsha1(void) {
  struct run run = {.ecx = 3, .esi = (uint32_t)source, .edi = (uint32_t)result};
  execute(&run, "\xF3\x0F\xA6\xC8", 4);
  return run;
}

struct run montmul(void) {
  enum { kWords = 8 };
  static uint32_t a[kWords + 4] __attribute__((aligned(16))), b[kWords + 4], t[kWords + 4],
      m[kWords + 4] = {1}, scratch[8] __attribute__((aligned(16)));
  static uint32_t context[6] __attribute__((aligned(16)));
  m[kWords - 1] = 0x80000000;
  context[0] = 0xFFFFFFFF; /* -1 / m[0] modulo 2^32 */
  context[1] = (uint32_t)a;
  context[2] = (uint32_t)b;
  context[3] = (uint32_t)t;
  context[4] = (uint32_t)m;
  context[5] = (uint32_t)scratch;
  struct run run = {.ecx = 32 * kWords, .esi = (uint32_t)context};
  execute(&run, "\xF3\x0F\xA6\xC0", 4);
  return run;
}

uint32_t padlock_flags(void) {
  uint32_t registers[4];
  cpuid(0xC0000001, registers);
  return registers[3];
}
int has_rng(void) {
  return (padlock_flags() & 1u << 2) != 0;
}
int has_ace(void) {
  return (padlock_flags() & 1u << 6) != 0;
}
int has_phe(void) {
  return (padlock_flags() & 1u << 10) != 0;
}
int has_pmm(void) {
  return (padlock_flags() & 1u << 12) != 0;
}

/* CPUID leaf 1, EAX. */
static uint32_t signature(void) {
  uint32_t registers[4];
  cpuid(1, registers);
  return registers[0];
}
static unsigned model_number(void) {
  return (signature() >> 4 & 15) | (signature() >> 12 & 0xF0);
}
int has_msrs(void) {
  return model_number() < 15;
}
int is_nehemiah(void) {
  return model_number() == 9;
}
int has_string_filter(void) {
  return is_nehemiah() && (signature() & 15) >= 8;
}

int fcr_units_end_with(int vector) {
  if (has_ace() && xcrypt(kEcb, result, 1).vector != vector) return 0;
  if (has_phe() && xsha1().vector != vector) return 0;
  return !has_pmm() || montmul().vector == vector;
}

int all_units_end_with(int vector) {
  return (!has_rng() || xstore().vector == vector) && fcr_units_end_with(vector);
}
