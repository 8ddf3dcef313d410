// What one call of REP XCRYPTECB or REP XCRYPTCBC costs, for one block of 16 bytes: a guest of
// `incore run`.
//
// First executions are taken at many sites, each run once; hot calls at one site, run many times;
// trapped calls at a site in writable memory, which `incore run` never patches.
// The same work by AES-NI in this process is the cipher's own time, so that what a call costs
// beyond it can be stated. Results are compared with SP 800-38A before anything is timed. Prints
// nanoseconds per call: the median and the quartiles of repeated batches, by the wall clock.
//
// usage: xcrypt_call [--json FILE] [--no-aesni]
#include <cpuid.h>
#include <immintrin.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "batches.h"

enum { kBlockLen = 16, kRounds = 10, kNumSites = 512, kSiteStride = 16 };
enum { kSitesPerBatch = kNumSites / kNumBatches };

// SP 800-38A, F.1.1 and F.2.1: the first block.
static const uint8_t kKey[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
static const uint8_t kPlain[16] = {0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96,
                                   0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a};
static const uint8_t kEcb[16] = {0x3a, 0xd7, 0x7b, 0xb4, 0x0d, 0x7a, 0x36, 0x60,
                                 0xa8, 0x9e, 0xca, 0xf3, 0x24, 0x66, 0xef, 0x97};
static const uint8_t kCbc[16] = {0x76, 0x49, 0xab, 0xac, 0x81, 0x19, 0xb2, 0x46,
                                 0xce, 0xe9, 0x8e, 0x9b, 0x12, 0xe9, 0x19, 0x7d};

// Operands as the PadLock guide wants them: on 16-byte boundaries, with room for ECB's reads past
// the last block.
static struct {
  alignas(64) uint8_t key[16];
  alignas(16) uint8_t other_key[16];
  alignas(16) uint8_t iv[16];
  alignas(16) uint32_t control_word[4];  // 128-bit key expanded by the unit, 10 rounds, encrypt
  alignas(64) uint8_t in[128];
  alignas(64) uint8_t out[128];
} data;

// kNumSites copies of the instruction, each followed by another instruction and a return,
// kSiteStride apart.
extern const uint8_t ecb_sites[], cbc_sites[];
__asm__(
    ".text\n.balign 64\n.type ecb_sites, @function\n"
    "ecb_sites:\n.rept 512\n.byte 0xf3, 0x0f, 0xa7, 0xc8\nmov %rdi, %r8\nret\n.balign 16\n.endr\n"
    ".size ecb_sites, . - ecb_sites\n"
    ".type cbc_sites, @function\n"
    "cbc_sites:\n.rept 512\n.byte 0xf3, 0x0f, 0xa7, 0xd0\nmov %rdi, %r8\nret\n.balign 16\n.endr\n"
    ".size cbc_sites, . - cbc_sites\n");

static const uint8_t ecb_site_bytes[] = {0xF3, 0x0F, 0xA7, 0xC8, 0xC3};  // REP XCRYPTECB; RET

static inline void call_site(const uint8_t* site, const uint8_t* key) {
  void *a = data.iv, *s = data.in, *d = data.out;
  long c = 1;
  __asm__ volatile("call *%[site]"
                   : "+a"(a), "+c"(c), "+S"(s), "+D"(d)
                   : "b"(key), "d"(data.control_word), [site] "r"(site)
                   : "r8", "memory", "cc");
}

__attribute__((target("aes,sse2"))) static inline __m128i next_round_key(__m128i key,
                                                                         __m128i assist) {
  key = _mm_xor_si128(key, _mm_slli_si128(key, 4));
  key = _mm_xor_si128(key, _mm_slli_si128(key, 8));
  return _mm_xor_si128(key, _mm_shuffle_epi32(assist, 0xFF));
}

__attribute__((target("aes,sse2"))) static void aesni_expand(const uint8_t* key,
                                                             __m128i out_keys[11]) {
  out_keys[0] = _mm_loadu_si128((const __m128i*)key);
#define ROUND(i, rcon) \
  out_keys[i] = next_round_key(out_keys[i - 1], _mm_aeskeygenassist_si128(out_keys[i - 1], rcon))
  ROUND(1, 0x01), ROUND(2, 0x02), ROUND(3, 0x04), ROUND(4, 0x08), ROUND(5, 0x10);
  ROUND(6, 0x20), ROUND(7, 0x40), ROUND(8, 0x80), ROUND(9, 0x1B), ROUND(10, 0x36);
#undef ROUND
}

__attribute__((target("aes,sse2"))) static inline void aesni_block(const __m128i keys[11],
                                                                   __m128i chain) {
  __m128i block = _mm_xor_si128(_mm_load_si128((const __m128i*)data.in), chain);
  block = _mm_xor_si128(block, keys[0]);
  for (int i = 1; i < kRounds; ++i) block = _mm_aesenc_si128(block, keys[i]);
  _mm_store_si128((__m128i*)data.out, _mm_aesenclast_si128(block, keys[kRounds]));
}

static __m128i aesni_keys[11];

// The rows: |calls| calls each.
static void hot_ecb(long calls) {
  for (long i = 0; i < calls; ++i) call_site(ecb_sites, data.key);
}
static void hot_cbc(long calls) {
  for (long i = 0; i < calls; ++i) call_site(cbc_sites, data.key);
}
static uint8_t* writable_site;
static void trapped_ecb(long calls) {
  for (long i = 0; i < calls; ++i) call_site(writable_site, data.key);
}
static void hot_ecb_new_key(long calls) {
  for (long i = 0; i < calls; ++i) {
    __asm__ volatile("pushf\n\tpopf" ::
                         : "memory", "cc");  // the client's duty when it changes the key
    call_site(ecb_sites, (i & 1) != 0 ? data.other_key : data.key);
  }
}
__attribute__((target("aes,sse2"))) static void cipher_ecb(long calls) {
  for (long i = 0; i < calls; ++i) {
    aesni_block(aesni_keys, _mm_setzero_si128());
    __asm__ volatile("" ::: "memory");
  }
}
__attribute__((target("aes,sse2"))) static void cipher_cbc(long calls) {
  for (long i = 0; i < calls; ++i) {
    aesni_block(aesni_keys, _mm_load_si128((const __m128i*)data.iv));
    __asm__ volatile("" ::: "memory");
  }
}
__attribute__((target("aes,sse2"))) static void cipher_ecb_new_key(long calls) {
  for (long i = 0; i < calls; ++i) {
    aesni_expand((i & 1) != 0 ? data.other_key : data.key, aesni_keys);
    aesni_block(aesni_keys, _mm_setzero_si128());
    __asm__ volatile("" ::: "memory");
  }
}

// One execution of each site but the first, which the known answers have used.
static struct result time_sites(const char* name, const char* what, const uint8_t* sites) {
  double batches[kNumBatches];
  for (int b = 0; b < kNumBatches; ++b) {
    const int first = b == 0 ? 1 : b * kSitesPerBatch, end = (b + 1) * kSitesPerBatch;
    const double start = now_ns();
    for (int i = first; i < end; ++i) call_site(sites + i * kSiteStride, data.key);
    batches[b] = (now_ns() - start) / (end - first);
  }
  return summary(name, what, batches);
}

static void must_equal(const char* what, const uint8_t* expected) {
  if (memcmp(data.out, expected, kBlockLen) != 0) {
    fprintf(stderr, "xcrypt_call: %s differs from SP 800-38A; nothing was timed\n", what);
    exit(1);
  }
  memset(data.out, 0, sizeof data.out);
}

static bool has_ace(void) {
  unsigned eax, ebx, ecx, edx;
  __cpuid(0xC0000000, eax, ebx, ecx, edx);
  if (eax < 0xC0000001 || eax > 0xC000FFFF) return false;
  __cpuid(0xC0000001, eax, ebx, ecx, edx);
  return (edx >> 6 & 3) == 3;
}

int main(int argc, char** argv) {
  const char* json_file = NULL;
  bool aesni = true;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--json") == 0 && i + 1 < argc) {
      json_file = argv[++i];
    } else if (strcmp(argv[i], "--no-aesni") == 0) {
      aesni = false;
    } else {
      fprintf(stderr, "usage: xcrypt_call [--json FILE] [--no-aesni]\n");
      return 2;
    }
  }
  if (!has_ace()) {
    fprintf(stderr,
            "xcrypt_call: CPUID shows no PadLock ACE; start it as: incore run -- xcrypt_call\n");
    return 2;
  }
  memcpy(data.key, kKey, sizeof data.key);
  memcpy(data.in, kPlain, sizeof kPlain);
  for (int i = 0; i < kBlockLen; ++i) data.iv[i] = (uint8_t)i;
  data.control_word[0] = kRounds;

  call_site(ecb_sites, data.key), must_equal("REP XCRYPTECB", kEcb);
  call_site(cbc_sites, data.key), must_equal("REP XCRYPTCBC", kCbc);
  if (aesni) {
    aesni_expand(data.key, aesni_keys);
    cipher_ecb(1), must_equal("ECB by AES-NI", kEcb);
    cipher_cbc(1), must_equal("CBC by AES-NI", kCbc);
  }

  writable_site = mmap(NULL, kSiteStride, PROT_READ | PROT_WRITE | PROT_EXEC,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (writable_site == MAP_FAILED) {
    perror("xcrypt_call: mmap");
    return 2;
  }
  memcpy(writable_site, ecb_site_bytes, sizeof ecb_site_bytes);
  call_site(writable_site, data.key), must_equal("REP XCRYPTECB in writable memory", kEcb);

  struct result results[11];
  int n = 0;
  results[n++] = time_sites("ecb-first", "first execution of a site", ecb_sites);
  call_site(ecb_sites + (kNumSites - 1) * kSiteStride, data.key),
      must_equal("the last ECB site", kEcb);
  results[n++] = time_sites("ecb-second", "second execution of a site", ecb_sites);
  results[n++] = time_hot("ecb-hot", "hot site", hot_ecb);
  results[n++] = time_hot("ecb-hot-new-key", "hot site, another key each call", hot_ecb_new_key);
  results[n++] = time_sites("cbc-first", "first execution of a site", cbc_sites);
  results[n++] = time_hot("cbc-hot", "hot site", hot_cbc);
  call_site(cbc_sites, data.key), must_equal("the hot CBC site", kCbc);
  if (aesni) {
    results[n++] = time_hot("ecb-cipher", "AES-NI here, key ready", cipher_ecb);
    results[n++] =
        time_hot("ecb-cipher-new-key", "AES-NI here, with key expansion", cipher_ecb_new_key);
    aesni_expand(data.key, aesni_keys);
    results[n++] = time_hot("cbc-cipher", "AES-NI here, key ready", cipher_cbc);
  }
  results[n++] = time_hot("ecb-trapped", "a signal for each call", trapped_ecb);

  printf("%-20s %-32s %10s   %s\n", "ns per 16-byte call", "", "median", "quartiles");
  print_results(results, n);
  if (aesni) {
    printf("beyond the cipher: ECB %.1f, ECB with another key each call %.1f, CBC %.1f\n",
           results[2].median - results[6].median, results[3].median - results[7].median,
           results[5].median - results[8].median);
  }
  if (json_file != NULL && !write_json(json_file, "ns per call of 16 bytes", results, n)) {
    fprintf(stderr, "xcrypt_call: cannot write %s\n", json_file);
    return 2;
  }
  return 0;
}
