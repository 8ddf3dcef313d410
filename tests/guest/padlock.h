// What the guest programs share: the PadLock instructions as C functions (PadLock guide 1.66,
// chapters 2 to 5; Linux Journal article for the form of the inline assembly), CPUID, and checks
// that end the program with a message. The opcodes are written as bytes, so that the programs need
// no particular assembler and scanners see what users wrote.
#ifndef INCORE_TESTS_GUEST_PADLOCK_H
#define INCORE_TESTS_GUEST_PADLOCK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ALIGNED16 __attribute__((aligned(16)))

// Exit code 1 and one line on stderr when |condition| does not hold.
#define CHECK(condition, ...)                         \
  do {                                                \
    if (!(condition)) {                               \
      fprintf(stderr, "%s:%d: ", __FILE__, __LINE__); \
      fprintf(stderr, __VA_ARGS__);                   \
      fputc('\n', stderr);                            \
      _exit(1);                                       \
    }                                                 \
  } while (0)

struct cpuid_answer {
  uint32_t eax, ebx, ecx, edx;
};

static inline struct cpuid_answer cpuid(uint32_t leaf, uint32_t subleaf) {
  struct cpuid_answer a;
  __asm__ volatile("cpuid"
                   : "=a"(a.eax), "=b"(a.ebx), "=c"(a.ecx), "=d"(a.edx)
                   : "a"(leaf), "c"(subleaf));
  return a;
}

// A control word with the 112 bytes of work space that ALIGN=1 may use behind it (guide, 3.2).
struct control_word {
  uint32_t bits;
  uint32_t reserved[31];
} ALIGNED16;

enum {
  kRounds10 = 10,
  kRounds12 = 12,
  kRounds14 = 14,
  kAlign = 1 << 5,
  kKeyFromMemory = 1 << 7,
  kDecrypt = 1 << 9,
  kKey192 = 1 << 10,
  kKey256 = 2 << 10,
};

// Clears EFLAGS bit 30, so that the next XCRYPT loads its key and control word (guide, 3.2). Keeps
// off the red zone.
static inline void reload_key(void) {
#ifdef __x86_64__
  __asm__ volatile("lea -128(%%rsp), %%rsp; pushf; popf; lea 128(%%rsp), %%rsp"
                   :
                   :
                   : "memory", "cc");
#else
  __asm__ volatile("pushf; popf" : : : "memory", "cc");
#endif
}

// xcrypt_<mode>(iv, key, control, in, out, blocks): ECB ignores |iv|. Returns where the vector to
// go on with is.
#define INCORE_XCRYPT(mode, last_byte)                                                             \
  static inline void* xcrypt_##mode(void* iv, const void* key, const struct control_word* control, \
                                    const void* in, void* out, size_t blocks) {                    \
    __asm__ volatile(".byte 0xf3, 0x0f, 0xa7, " last_byte                                          \
                     : "+a"(iv), "+c"(blocks), "+S"(in), "+D"(out)                                 \
                     : "b"(key), "d"(control)                                                      \
                     : "memory", "cc");                                                            \
    return iv;                                                                                     \
  }
INCORE_XCRYPT(ecb, "0xc8")
INCORE_XCRYPT(cbc, "0xd0")
INCORE_XCRYPT(ctr, "0xd8")
INCORE_XCRYPT(cfb, "0xe0")
INCORE_XCRYPT(ofb, "0xe8")

// xsha<n>(state, in, count, rax): |state| has 128 bytes, aligned to 16. |rax| 0 hashes |count|
// bytes with padding, -1 (Nano and later) |count| blocks without. Returns RAX; *out_in, if wanted,
// gets RSI.
#define INCORE_XSHA(name, last_byte)                                               \
  static inline size_t name(void* state, const void* in, size_t count, size_t rax, \
                            const void** out_in) {                                 \
    __asm__ volatile(".byte 0xf3, 0x0f, 0xa6, " last_byte                          \
                     : "+a"(rax), "+c"(count), "+S"(in), "+D"(state)               \
                     :                                                             \
                     : "memory", "cc");                                            \
    if (out_in) *out_in = in;                                                      \
    return rax;                                                                    \
  }
INCORE_XSHA(xsha1, "0xc8")
INCORE_XSHA(xsha256, "0xd0")
// Nano and later: |count| blocks of 128 bytes; |rax| is no input.
INCORE_XSHA(xsha384, "0xd8")
INCORE_XSHA(xsha512, "0xe0")

// XSTORE: one step at |*out|, which moves on. Returns the status word.
static inline uint32_t xstore(uint8_t** out, uint32_t quality) {
  uint32_t status;
  __asm__ volatile(".byte 0x0f, 0xa7, 0xc0"
                   : "=a"(status), "+D"(*out)
                   : "d"(quality)
                   : "memory", "cc");
  return status;
}

// REP XSTORE: |*count| random bytes at |*out|; both move on.
static inline uint32_t rep_xstore(uint8_t** out, size_t* count, uint32_t quality) {
  uint32_t status;
  __asm__ volatile(".byte 0xf3, 0x0f, 0xa7, 0xc0"
                   : "=a"(status), "+D"(*out), "+c"(*count)
                   : "d"(quality)
                   : "memory", "cc");
  return status;
}

// Reads |len| bytes of hexadecimal digits.
static inline void from_hex(void* out, const char* text, size_t len) {
  for (size_t i = 0; i < len; ++i) {
    unsigned byte = 0;
    CHECK(sscanf(text + 2 * i, "%2x", &byte) == 1, "not hexadecimal: %s", text);
    ((uint8_t*)out)[i] = (uint8_t)byte;
  }
}

// Checks |len| bytes at |data| against hexadecimal digits.
static inline void check_hex(const char* what, const void* data, const char* text, size_t len) {
  for (size_t i = 0; i < len; ++i) {
    unsigned byte = 0;
    CHECK(sscanf(text + 2 * i, "%2x", &byte) == 1, "not hexadecimal: %s", text);
    CHECK(((const uint8_t*)data)[i] == byte, "%s: byte %zu is %02x, expected %02x", what, i,
          ((const uint8_t*)data)[i], byte);
  }
}

// SP 800-38A, appendix F: the key, vector and plaintext of its AES-128 examples, and two of the
// results.
static const char kSpKey[] = "2b7e151628aed2a6abf7158809cf4f3c";
static const char kSpIv[] = "000102030405060708090a0b0c0d0e0f";
static const char kSpPlain[] =
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710";
static const char kSpEcb[] =
    "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"
    "43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4";
static const char kSpCbc[] =
    "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
    "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7";

// FIPS 180-4: the initial hash value of SHA-1, and the digest of "abc".
static const uint32_t kSha1Start[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
static const uint32_t kSha1Abc[5] = {0xa9993e36, 0x4706816a, 0xba3e2571, 0x7850c26c, 0x9cd0d89d};

// One AES-128 job with the SP 800-38A key, for programs whose subject is something else: checks ECB
// and CBC.
static inline void check_xcrypt(void) {
  struct control_word control = {.bits = kRounds10};
  uint8_t key[16] ALIGNED16, iv[16] ALIGNED16, in[64] ALIGNED16, out[64] ALIGNED16;
  from_hex(key, kSpKey, 16);
  from_hex(iv, kSpIv, 16);
  from_hex(in, kSpPlain, 64);
  reload_key();
  xcrypt_ecb(NULL, key, &control, in, out, 4);
  check_hex("xcrypt-ecb", out, kSpEcb, 64);
  xcrypt_cbc(iv, key, &control, in, out, 4);
  check_hex("xcrypt-cbc", out, kSpCbc, 64);
}

#endif
