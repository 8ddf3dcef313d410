/* EFLAGS bit 30: when an XCRYPT loads its key anew, and when it goes on with the old one (PadLock
 * guide 1.66, chapter 1, Multi-Tasking). Where every XCRYPT loads, this kernel does not try them.
 */
#include "calls.h"

static uint8_t with_old[16], with_new[16];

static void push_flags(void) {
  __asm__ volatile("pushf\n\tadd $4, %%esp" ::: "memory");
}
static void push_flags16(void) {
  __asm__ volatile("pushfw\n\tadd $2, %%esp" ::: "memory");
}
/* Images with bit 30 set and clear. */
static void pop_flags_with_bit(void) {
  __asm__ volatile("push $0x40000002\n\tpopf" ::: "memory", "cc");
}
static void pop_flags(void) {
  __asm__ volatile("push $2\n\tpopf" ::: "memory", "cc");
}
static void return_from_interrupt(void) {
  __asm__ volatile("push $0x40000002\n\tpush %%cs\n\tpush $1f\n\tiret\n1:" ::: "memory", "cc");
}
static void nothing(void) {}
static void lahf(void) {
  __asm__ volatile("lahf\n\tsete %%al\n\tsahf" ::: "eax", "cc");
}
static void interrupt(void) {
  struct run run = {.eax = 0};
  execute(&run, "\xCC", 1);
}
static void store_random(void) {
  xstore();
}
static void hash(void) {
  xsha1();
}
static void multiply(void) {
  montmul();
}
static void encrypt_nothing(void) {
  xcrypt(kEcb, result, 0);
}
/* At level 0 it leads to level 0. */
static void sysenter(void) {
  write_msr(0x174, 8); /* CS */
  __asm__ volatile(
      "mov $0x175, %%ecx\n\tmov %%esp, %%eax\n\txor %%edx, %%edx\n\twrmsr\n\t"
      "mov $0x176, %%ecx\n\tmov $1f, %%eax\n\twrmsr\n\tsysenter\n1:"
      :
      :
      : "eax", "ecx", "edx", "memory", "cc");
}
static void switch_tasks(void) {
  do_in_other_task(nothing);
}

static void encrypt_with(uint8_t byte) {
  key[0] = byte;
  xcrypt(kEcb, result, 1);
}

static void encrypt_with_new(void) {
  encrypt_with(2);
}

/* Whether an XCRYPT goes on with the old key after |between|. */
static int keeps_key(void (*between)(void)) {
  reload_key();
  encrypt_with(1);
  between();
  encrypt_with(2);
  return equal(result, with_old, 16);
}

/* Whether |between| leaves it to the next XCRYPT to load a key where none is held. */
static int loads_no_key(void (*between)(void)) {
  reload_key();
  key[0] = 1;
  between();
  encrypt_with(2);
  return equal(result, with_new, 16);
}

static uint32_t pushed_flags(void) {
  uint32_t flags;
  encrypt_with(1);
  __asm__ volatile("pushf\n\tpop %0" : "=r"(flags) : : "memory");
  return flags;
}

/* ALIGN in memory alone does not let the unit realign. */
static int aligns_by_held_word(void) {
  enum { kAlign = 1 << 5 };
  reload_key();
  encrypt_with(1);
  control_word[0] |= kAlign;
  struct run run = one_block();
  run.esi += 1;
  run.eax = (uint32_t)result + 16;
  execute(&run, "\xF3\x0F\xA7\xD0", 4);
  control_word[0] &= (uint8_t)~kAlign;
  return run.vector == 13;
}

/* Two tasks that encrypt in turn; only the first encryption after a switch loads. */
static int loads_after_switches(void) {
  reload_key();
  encrypt_with(1);
  encrypt_with(2);
  const int reused = equal(result, with_old, 16);
  do_in_other_task(encrypt_with_new);
  const int other_loaded = equal(result, with_new, 16);
  encrypt_with(1);
  return reused && other_loaded && equal(result, with_old, 16);
}

void check_keys(void) {
  reload_key();
  encrypt_with(1);
  for (unsigned i = 0; i < 16; ++i) with_old[i] = result[i];
  reload_key();
  encrypt_with(2);
  for (unsigned i = 0; i < 16; ++i) with_new[i] = result[i];
  tell("PLK-MULTI-006", !equal(with_old, with_new, 16));
  tell("PLK-MULTI-007", keeps_key(nothing));
  tell("PLK-MULTI-008", !keeps_key(push_flags));
  tell("PLK-MULTI-009", !keeps_key(interrupt));
  tell("PLK-MULTI-010", !keeps_key(switch_tasks));
  tell("PLK-MULTI-011", !keeps_key(push_flags16));
  tell("PLK-MULTI-012", !keeps_key(pop_flags_with_bit) && !keeps_key(return_from_interrupt));
  tell("PLK-MULTI-013", loads_no_key(store_random) && loads_no_key(lahf));
  tell("PLK-EXC-012", loads_no_key(encrypt_nothing));
  tell("PLK-MULTI-014", !keeps_key(sysenter));
  tell("PLK-MULTI-016", (pushed_flags() & 1u << 30) == 0);
  tell("PLK-MULTI-017", !keeps_key(pop_flags));
  tell("PLK-MULTI-018", loads_after_switches());
  if (has_phe()) tell("PLK-MULTI-022", !keeps_key(hash));
  if (has_pmm()) tell("PLK-MULTI-025", keeps_key(multiply) && loads_no_key(multiply));
  tell("PLK-MULTI-026", keeps_key(store_random));
  tell("PLK-MULTI-027", keeps_key(lahf));
  tell("PLK-MULTI-028", aligns_by_held_word());
}
