// The cases of guest_check for REP XCRYPT: wrong, or |ok|.
#ifndef INCORE_TESTS_GUEST_CHECK_XCRYPT_CASES_H
#define INCORE_TESTS_GUEST_CHECK_XCRYPT_CASES_H

#include "../aes_schedule.h"
#include "pages.h"

static struct control_word control = {.bits = kRounds10};
static uint8_t key[256] ALIGNED16, iv[16] ALIGNED16, in[256] ALIGNED16, out[256] ALIGNED16;

enum {
  kDigest = 1 << 4,
  kCipher = 1 << 6,
  kIntermediate = 1 << 8,
};

// One CBC of four blocks with these bits in the control word.
static __attribute__((noinline)) void cbc_with(uint32_t bits) {
  control.bits = bits;
  reload_key();
  xcrypt_cbc(iv, key, &control, in, out, 4);
}

// The round keys of a key of |key_len| bytes, to encrypt; what is behind the last is not written.
static void put_schedule(uint8_t* at, int key_len) {
  static const uint8_t zeros[32];
  struct aes_schedule schedule;
  const int rounds = expand_encrypt_key(&schedule, zeros, key_len);
  memcpy(at, schedule.keys, 16 * ((size_t)rounds + 1));
}

static void unusable_unit(int ok) {
  if (ok && (cpuid(0xC0000001, 0).edx >> 6 & 3) != 3) return;
  xcrypt_ecb(NULL, key, &control, in, out, 4);
}

static void missing_rep(int ok) {
  void* vector = iv;
  const void* from = in;
  void* to = out;
  size_t blocks = 1;
  if (ok)
    __asm__ volatile(".byte 0xf3, 0x0f, 0xa7, 0xd0"
                     : "+a"(vector), "+c"(blocks), "+S"(from), "+D"(to)
                     : "b"(key), "d"(&control)
                     : "memory", "cc");
  else
    __asm__ volatile(".byte 0x0f, 0xa7, 0xd0"
                     : "+a"(vector), "+c"(blocks), "+S"(from), "+D"(to)
                     : "b"(key), "d"(&control)
                     : "memory", "cc");
}

static void misaligned_data(int ok) {
  xcrypt_cbc(iv, key, &control, in + (ok ? 16 : 4), out, 4);
}

static void misaligned_operand(int ok) {
  xcrypt_cbc(iv, key + (ok ? 16 : 8), &control, in, out, 4);
}

// Between two XCRYPT with different keys: code that leaves EFLAGS bit 30 alone, LAHF and SETcc
// among it, and CPUID, which is no more than an instruction on silicon; then PUSHF and POPF, or
// not.
static void stale_key(int ok) {
  xcrypt_ecb(NULL, key, &control, in, out, 4);
  memset(key, 5, 16);
  cpuid(0, 0);
  __asm__ volatile("lahf; sete %%al; sahf; cld" ::: "rax", "cc");
  // clause: PLK-MULTI-027
  if (ok) reload_key();
  xcrypt_ecb(NULL, key, &control, in, out, 4);
  // A system call clears the bit as well.
  memset(key, 6, 16);
  getppid();
  xcrypt_ecb(NULL, key, &control, in, out, 4);
}

static void cipher_bit(int ok) {
  cbc_with(kRounds10 | (ok ? 0 : kCipher));
}
static void key_size(int ok) {
  if (ok) put_schedule(key, 32);
  cbc_with(kRounds14 | kKey256 | (ok ? kKeyFromMemory : 0));
}
static void reserved_bits(int ok) {
  cbc_with(kRounds10 | (ok ? 0u : 1u << 31));
}
static void nehemiah_bits(int ok) {
  cbc_with(kRounds10 | (ok ? 0 : kDigest));
}
static void intermediate_keys(int ok) {
  cbc_with(kRounds10 | kIntermediate | kDecrypt | (ok ? kKeyFromMemory : 0));
}
static void sixteen_rounds(int ok) {
  put_schedule(key, 16);
  cbc_with(kKeyFromMemory | (ok ? kRounds10 : 0));
}

static void digest_in_place(int ok) {
  control.bits = kRounds10 | kDigest;
  xcrypt_cbc(iv, key, &control, in, ok ? out : in, 4);
}

static void scratch_space(int ok) {
  struct control_word* at_end = (struct control_word*)before_the_end(ok ? 128 : 16);
  at_end->bits = kRounds10 | kAlign;
  xcrypt_cbc(iv, key, at_end, in + 1, out, 4);
}

static void key_slots(int ok) {
  uint8_t* const keys = before_the_end(ok ? 256 : 240);
  put_schedule(keys, 32);
  control.bits = kRounds14 | kKey256 | kKeyFromMemory;
  xcrypt_ecb(NULL, keys, &control, in, out, 4);
}

// As of software that keeps them in words of a big-endian machine.
static void key_schedule(int ok) {
  put_schedule(key, 32);
  for (int i = 0; !ok && i < 240; i += 4) {
    uint32_t word;
    memcpy(&word, key + i, 4);
    word = __builtin_bswap32(word);
    memcpy(key + i, &word, 4);
  }
  cbc_with(kRounds14 | kKey256 | kKeyFromMemory);
}

static void over_read(int ok) {
  xcrypt_ecb(NULL, key, &control, before_the_end(ok ? 64 : 48), out, ok ? 4 : 3);
}

static void short_destination(int ok) {
  xcrypt_cbc(iv, key, &control, in, before_the_end(ok ? 64 : 48), 4);
}

static void partial_overlap(int ok) {
  xcrypt_cbc(iv, key, &control, in, in + (ok ? 0 : 32), 4);
}

static void overwritten_key(int ok) {
  xcrypt_ecb(NULL, out + (ok ? 64 : 32), &control, in, out, 4);
}

static void counter_wrap(int ok) {
  iv[14] = 0xFF;
  iv[15] = ok ? 0xFC : 0xFD;
  xcrypt_ctr(iv, key, &control, in, out, 4);
}

// Four blocks and four more with the counter that was left, which an odd count leaves right.
static void ctr_erratum(int ok) {
  xcrypt_ctr(iv, key, &control, in, out, ok ? 3 : 4);
  xcrypt_ctr(iv, key, &control, in, out, 4);
}

static void keystream_reuse(int ok) {
  const uint8_t nonce = 7;
  iv[0] = nonce;
  xcrypt_ofb(iv, key, &control, in, out, 4);
  memset(iv, 0, sizeof iv);
  iv[0] = ok ? nonce + 1 : nonce;
  in[0] ^= 1;
  xcrypt_ofb(iv, key, &control, in, out, 4);
}

// A message in two parts, the second from the vector that the instruction left, or not.
static void vector_reuse(int ok) {
  uint8_t* const left = xcrypt_cbc(iv, key, &control, in, out, 2);
  in[32] = 1;
  xcrypt_cbc(ok ? left : iv, key, &control, in + 32, out + 32, 2);
}

static void null_operand(int ok) {
  xcrypt_ecb(NULL, key, &control, ok ? in : NULL, out, 4);
}

#endif
