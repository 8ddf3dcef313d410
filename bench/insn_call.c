// What one call of each PadLock instruction costs at a hot site, in 64-bit and in 32-bit code: a
// guest of `incore run`, built once for each. Every instruction does the least work that it can:
// one block, one 64-byte message block, 256 bits. Results are compared with known answers before
// anything is timed.
//
// usage: insn_call [--json FILE]
#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include "batches.h"

#ifdef __x86_64__
#define ADDRESS_SIZE "0x67, "  // MONTMUL takes 32-bit pointers
#define WHERE "64-bit code"
#else
#define ADDRESS_SIZE
#define WHERE "32-bit code"
#endif

enum { kRounds = 10, kMontWords = 8 };

// SP 800-38A, appendix F: the first block of F.1.1, F.2.1, F.3.13, F.4.1 and F.5.1. The vector is
// the same, but for CTR.
static const uint8_t kKey[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
static const uint8_t kPlain[16] = {0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96,
                                   0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a};
static const uint8_t kEcb[4] = {0x3a, 0xd7, 0x7b, 0xb4}, kCbc[4] = {0x76, 0x49, 0xab, 0xac},
                     kCfb[4] = {0x3b, 0x3f, 0xd9, 0x2e}, kCtr[4] = {0x87, 0x4d, 0x61, 0x91};
// FIPS 180-4, the message "abc".
static const uint32_t kSha1Start[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
static const uint32_t kSha1Abc[5] = {0xa9993e36, 0x4706816a, 0xba3e2571, 0x7850c26c, 0x9cd0d89d};
static const uint32_t kSha256Start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
static const uint32_t kSha256Abc[8] = {0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
                                       0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad};

static struct {
  alignas(64) uint8_t key[16];
  alignas(16) uint8_t vector[16];
  alignas(16) uint32_t control_word[4];  // 128-bit key expanded by the unit, 10 rounds, encrypt
  alignas(64) uint8_t in[128];
  alignas(64) uint8_t out[128];
  alignas(128) uint32_t hash[32];
  alignas(16) uint32_t a[kMontWords + 4], b[kMontWords + 4], t[kMontWords + 4], m[kMontWords + 4];
  alignas(16) uint32_t scratch[8];
  alignas(16) uint32_t context[6];
} data;

#define XCRYPT(name, opcode)                                   \
  static void name(long calls) {                               \
    for (long i = 0; i < calls; ++i) {                         \
      void *a = data.vector, *s = data.in, *d = data.out;      \
      long c = 1;                                              \
      __asm__ volatile(".byte 0xf3, 0x0f, 0xa7, " #opcode      \
                       : "+a"(a), "+c"(c), "+S"(s), "+D"(d)    \
                       : "b"(data.key), "d"(data.control_word) \
                       : "memory", "cc");                      \
    }                                                          \
  }
XCRYPT(xcrypt_ecb, 0xc8)
XCRYPT(xcrypt_cbc, 0xd0)
XCRYPT(xcrypt_ctr, 0xd8)
XCRYPT(xcrypt_cfb, 0xe0)
XCRYPT(xcrypt_ofb, 0xe8)

#define XSHA(name, opcode)                                  \
  static void name(long calls) {                            \
    for (long i = 0; i < calls; ++i) {                      \
      void *s = data.in, *d = data.hash;                    \
      long a = 0, c = 3;                                    \
      __asm__ volatile(".byte 0xf3, 0x0f, 0xa6, " #opcode   \
                       : "+a"(a), "+c"(c), "+S"(s), "+D"(d) \
                       :                                    \
                       : "memory", "cc");                   \
    }                                                       \
  }
XSHA(xsha1, 0xc8)
XSHA(xsha256, 0xd0)

static uint32_t xstore_status;
static void xstore(long calls) {
  for (long i = 0; i < calls; ++i) {
    void* d = data.out;
    __asm__ volatile(".byte 0x0f, 0xa7, 0xc0"
                     : "=a"(xstore_status), "+D"(d)
                     : "d"(0)
                     : "memory", "cc");
  }
}
static void rep_xstore(long calls) {
  for (long i = 0; i < calls; ++i) {
    void* d = data.out;
    long c = 8;
    __asm__ volatile(".byte 0xf3, 0x0f, 0xa7, 0xc0"
                     : "=a"(xstore_status), "+c"(c), "+D"(d)
                     : "d"(0)
                     : "memory", "cc");
  }
}

static void montmul(long calls) {
  for (long i = 0; i < calls; ++i) {
    memset(data.t, 0, sizeof data.t);
    long a = 0, c = 32 * kMontWords, d = 0;
    void* s = data.context;
    __asm__ volatile(".byte 0xf3, " ADDRESS_SIZE "0x0f, 0xa6, 0xc0"
                     : "+a"(a), "+c"(c), "+d"(d), "+S"(s)
                     :
                     : "memory", "cc");
  }
}

static void must_equal(const char* what, const void* got, const void* expected, size_t len) {
  if (memcmp(got, expected, len) == 0) return;
  fprintf(stderr, "insn_call: %s differs from its known answer; nothing was timed\n", what);
  exit(1);
}

static void check_xcrypt(const char* what, void (*run)(long), const uint8_t expected[4]) {
  for (int i = 0; i < 16; ++i) data.vector[i] = (uint8_t)i;
  if (run == xcrypt_ctr)
    for (int i = 0; i < 16; ++i) data.vector[i] = (uint8_t)(0xF0 + i);
  run(1);
  must_equal(what, data.out, expected, 4);
}

static void check_known_answers(void) {
  check_xcrypt("REP XCRYPTECB", xcrypt_ecb, kEcb);
  check_xcrypt("REP XCRYPTCBC", xcrypt_cbc, kCbc);
  check_xcrypt("REP XCRYPTCTR", xcrypt_ctr, kCtr);
  check_xcrypt("REP XCRYPTCFB", xcrypt_cfb, kCfb);
  check_xcrypt("REP XCRYPTOFB", xcrypt_ofb, kCfb);  // the first block is that of CFB

  uint8_t saved[16];
  memcpy(saved, data.in, sizeof saved);
  memcpy(data.in, "abc", 3);
  memcpy(data.hash, kSha1Start, sizeof kSha1Start);
  xsha1(1);
  must_equal("REP XSHA1", data.hash, kSha1Abc, sizeof kSha1Abc);
  memcpy(data.hash, kSha256Start, sizeof kSha256Start);
  xsha256(1);
  must_equal("REP XSHA256", data.hash, kSha256Abc, sizeof kSha256Abc);
  memcpy(data.in, saved, sizeof saved);

  // M = 2^256 - 1, so that R = 1 mod M and the product is A * B.
  memset(data.m, 0xFF, 4 * kMontWords);
  data.a[0] = 2, data.b[0] = 3;
  const uint32_t six[kMontWords] = {6};
  const void* operands[5] = {data.a, data.b, data.t, data.m, data.scratch};
  data.context[0] = 1;  // -M^-1 mod 2^32
  for (int i = 0; i < 5; ++i) data.context[i + 1] = (uint32_t)(uintptr_t)operands[i];
  montmul(1);
  must_equal("REP MONTMUL", data.t, six, sizeof six);

  memset(data.out, 0, 8);
  xstore(1);
  const uint8_t nothing[8] = {0};
  if ((xstore_status & 0x1F) != 8 || memcmp(data.out, nothing, 8) == 0) {
    fprintf(stderr, "insn_call: XSTORE gave no random bytes; nothing was timed\n");
    exit(1);
  }
}

int main(int argc, char** argv) {
  if (argc != 1 && (argc != 3 || strcmp(argv[1], "--json") != 0)) {
    fprintf(stderr, "usage: insn_call [--json FILE]\n");
    return 2;
  }
  memcpy(data.key, kKey, sizeof data.key);
  memcpy(data.in, kPlain, sizeof kPlain);
  data.control_word[0] = kRounds;
  check_known_answers();

  const struct {
    const char *name, *what;
    void (*run)(long);
  } rows[] = {
      {"xstore", "8 bytes", xstore},
      {"rep xstore", "8 bytes", rep_xstore},
      {"xcrypt-ecb", "16 bytes", xcrypt_ecb},
      {"xcrypt-cbc", "16 bytes", xcrypt_cbc},
      {"xcrypt-ctr", "16 bytes", xcrypt_ctr},
      {"xcrypt-cfb", "16 bytes", xcrypt_cfb},
      {"xcrypt-ofb", "16 bytes", xcrypt_ofb},
      {"xsha1", "3 bytes: one block", xsha1},
      {"xsha256", "3 bytes: one block", xsha256},
      {"montmul", "256 bits", montmul},
  };
  enum { kNumRows = sizeof rows / sizeof rows[0] };
  struct result results[kNumRows];
  for (int i = 0; i < kNumRows; ++i) results[i] = time_hot(rows[i].name, rows[i].what, rows[i].run);
  printf("%-20s %-32s %10s   %s\n", "ns per call", WHERE, "median", "quartiles");
  print_results(results, kNumRows);
  if (argc == 3 && !write_json(argv[2], "ns per call", results, kNumRows)) {
    fprintf(stderr, "insn_call: cannot write %s\n", argv[2]);
    return 2;
  }
  return 0;
}
