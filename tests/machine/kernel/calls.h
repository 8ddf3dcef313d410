/* Calls of PadLock instructions on operands that all checks share. */
#ifndef INCORE_TESTS_MACHINE_CALLS_H
#define INCORE_TESTS_MACHINE_CALLS_H

#include "kernel.h"

enum { kEcb = 0xC8, kCbc = 0xD0 };
enum { kFcrMsr = 0x1107, kFcrEnable = 1 << 28 };
enum { kRngMsr = 0x110B, kRngEnable = 1 << 6, kCount = 31 };

extern uint8_t control_word[16], key[16]; /* AES-128, encryption; zeros */
extern uint8_t source[2 * kPageLen];      /* zeros */
extern uint8_t result[2 * kPageLen];
/* AES-128 of a block of zeros under a key of zeros (FIPS 197). */
extern const uint8_t kZeros[16];

int equal(const uint8_t* a, const uint8_t* b, unsigned len);

/* The next XCRYPT loads its key: EFLAGS bit 30 is cleared. */
void reload_key(void);

/* The registers of an XCRYPTECB of one block, from source to result. */
struct run one_block(void);
/* |blocks| blocks of source, with a vector of zeros. */
struct run xcrypt(uint8_t opcode, uint8_t* to, uint32_t blocks);
struct run xstore(void);  /* as many bytes as there are, to result */
struct run xsha1(void);   /* of three bytes, in result */
struct run montmul(void); /* of 256 bits */

/* CPUID leaf 0xC0000001, EDX. */
uint32_t padlock_flags(void);
int has_rng(void);
int has_ace(void);
int has_phe(void);
int has_pmm(void);
/* Nano and Zhaoxin have neither MSR 0x1107 nor 0x110B. */
int has_msrs(void);

/* Nehemiah from stepping 8 on. */
int has_string_filter(void);
int is_nehemiah(void);

/* One instruction of each unit that this part has ends with the exception |vector| or kNoVector. */
int all_units_end_with(int vector);
/* Of those that MSR 0x1107 switches: all but the RNG. */
int fcr_units_end_with(int vector);

#endif
