// What Linux's PadLock drivers take from the kernel, just as far as they need it, for a program in
// user space.
#pragma once

#include <cpuid.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint32_t u32, __le32;
typedef uint64_t u64, __be64;

enum { ENOENT = 2, ENODEV = 19, EINVAL = 22 };
#define le32_to_cpu(x) (x)
#define cpu_to_be64(x) __builtin_bswap64(x)
#define swab32(x) __builtin_bswap32(x)
#define ALIGN(x, a) (((x) + (a)-1) & ~((__typeof__(x))(a)-1))
#define PTR_ALIGN(p, a) ((__typeof__(p))ALIGN((unsigned long)(p), a))
#define unlikely(x) (x)
#define PAGE_SIZE 4096UL
#define offset_in_page(p) ((unsigned long)(p) & (PAGE_SIZE - 1))
#define IS_ERR(p) ((p) == NULL)
#define PTR_ERR(p) (-ENOENT)

// One CPU.
#define DEFINE_PER_CPU(type, name) type name
#define per_cpu(name, cpu) (*((void)(cpu), &(name)))
#define raw_smp_processor_id() 0
#define for_each_online_cpu(cpu) for ((cpu) = 0; (cpu) < 1; ++(cpu))

#define __init
#define __exit __attribute__((unused))
#define THIS_MODULE 0
#define KBUILD_MODNAME "padlock"
#define KERN_NOTICE ""
#define KERN_WARNING ""
#define KERN_ERR ""
#define printk printf
#define MODULE_DEVICE_TABLE(bus, name)
#define MODULE_DESCRIPTION(text)
#define MODULE_LICENSE(text)
#define MODULE_AUTHOR(text)
#define MODULE_ALIAS_CRYPTO(text)
#define module_init(function) static int (*const load_module)(void) = function;
#define module_exit(function)

// The processor: its numbers, and CPUID 0xC0000001 EDX, whose bits the features are.
enum {
  X86_FEATURE_XCRYPT = 6,
  X86_FEATURE_XCRYPT_EN = 7,
  X86_FEATURE_PHE = 10,
  X86_FEATURE_PHE_EN = 11
};
struct x86_cpu_id {
  int feature;
};
#define X86_MATCH_FEATURE(number, data) \
  { .feature = number }
#define x86_match_cpu(ids) boot_cpu_has((ids)->feature)

static inline int boot_cpu_has(int feature) {
  unsigned a, b, c, d;
  __cpuid(0xC0000000, a, b, c, d);
  if (a < 0xC0000001 || a > 0xC000FFFF) return 0;
  __cpuid(0xC0000001, a, b, c, d);
  return d >> feature & 1;
}

struct cpuinfo_x86 {
  unsigned x86, x86_model, x86_stepping;
};

static inline struct cpuinfo_x86 this_cpu(void) {
  unsigned a, b, c, d;
  __cpuid(1, a, b, c, d);
  return (struct cpuinfo_x86){a >> 8 & 15, (a >> 4 & 15) | (a >> 12 & 0xF0), a & 15};
}
#define cpu_data(cpu) ((struct cpuinfo_x86[]){this_cpu()})[cpu]

// Ciphers: one request has one part, which begins and ends where the caller's data do.
#define AES_BLOCK_SIZE 16
#define AES_MIN_KEY_SIZE 16
#define AES_MAX_KEY_SIZE 32
#define AES_MAX_KEYLENGTH (15 * 16)
#define AES_MAX_KEYLENGTH_U32 (AES_MAX_KEYLENGTH / 4)
#define CRYPTO_ALG_TYPE_CIPHER 1
#define CRYPTO_ALG_NEED_FALLBACK 2

struct crypto_tfm {
  _Alignas(16) u8 context[1024];
};
struct crypto_skcipher {
  struct crypto_tfm base;
};
#define crypto_tfm_ctx(tfm) ((void*)(tfm)->context)
#define crypto_tfm_ctx_alignment() 16
#define crypto_skcipher_tfm(tfm) (&(tfm)->base)
#define crypto_skcipher_ctx(tfm) crypto_tfm_ctx(&(tfm)->base)

struct crypto_alg {
  const char *cra_name, *cra_driver_name;
  int cra_priority, cra_flags, cra_blocksize, cra_ctxsize, cra_alignmask, cra_module;
  union {
    struct {
      int cia_min_keysize, cia_max_keysize;
      int (*cia_setkey)(struct crypto_tfm*, const u8*, unsigned);
      void (*cia_encrypt)(struct crypto_tfm*, u8*, const u8*),
          (*cia_decrypt)(struct crypto_tfm*, u8*, const u8*);
    } cipher;
  } cra_u;
};

struct skcipher_request {
  struct crypto_skcipher* tfm;
  u8 *src, *dst, *iv;
  unsigned length;
};
#define crypto_skcipher_reqtfm(request) ((request)->tfm)

struct skcipher_alg {
  struct crypto_alg base;
  int min_keysize, max_keysize, ivsize;
  int (*setkey)(struct crypto_skcipher*, const u8*, unsigned);
  int (*encrypt)(struct skcipher_request*), (*decrypt)(struct skcipher_request*);
};

struct skcipher_walk {
  struct {
    struct {
      u8* addr;
    } virt;
  } src, dst;
  u8* iv;
  unsigned nbytes;
};

static inline int skcipher_walk_virt(struct skcipher_walk* walk, struct skcipher_request* request,
                                     int atomic) {
  (void)atomic;
  *walk = (struct skcipher_walk){.src.virt.addr = request->src,
                                 .dst.virt.addr = request->dst,
                                 .iv = request->iv,
                                 .nbytes = request->length};
  return 0;
}

static inline int skcipher_walk_done(struct skcipher_walk* walk, int left) {
  walk->nbytes = 0;
  return left ? -EINVAL : 0;
}

// Hashes. A context follows its description in memory.
#define SHA1_BLOCK_SIZE 64
#define SHA1_DIGEST_SIZE 20
#define SHA256_BLOCK_SIZE 64
#define SHA256_DIGEST_SIZE 32
enum { SHA1_H0 = 0x67452301, SHA1_H2 = 0x98BADCFE, SHA1_H3 = 0x10325476, SHA1_H4 = 0xC3D2E1F0 };
#define SHA1_H1 0xEFCDAB89u
static const u32 sha256_start[8] = {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
                                    0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};
#define SHA256_H0 sha256_start[0]
#define SHA256_H1 sha256_start[1]
#define SHA256_H2 sha256_start[2]
#define SHA256_H3 sha256_start[3]
#define SHA256_H4 sha256_start[4]
#define SHA256_H5 sha256_start[5]
#define SHA256_H6 sha256_start[6]
#define SHA256_H7 sha256_start[7]

struct sha1_state {
  u32 state[5];
  u64 count;
  u8 buffer[64];
};
struct sha256_state {
  u32 state[8];
  u64 count;
  u8 buf[64];
};

struct shash_desc;
struct crypto_shash;
struct shash_alg {
  int digestsize, descsize, statesize;
  int (*init)(struct shash_desc*), (*update)(struct shash_desc*, const u8*, unsigned);
  int (*finup)(struct shash_desc*, const u8*, unsigned, u8*), (*final)(struct shash_desc*, u8*);
  int (*export)(struct shash_desc*, void*), (*import)(struct shash_desc*, const void*);
  int (*init_tfm)(struct crypto_shash*);
  void (*exit_tfm)(struct crypto_shash*);
  struct crypto_alg base;
};
struct crypto_shash {
  struct shash_alg* alg;
  unsigned descsize;
  _Alignas(16) u8 context[64];
};
struct shash_desc {
  struct crypto_shash* tfm;
  _Alignas(16) u8 context[];
};
#define shash_desc_ctx(desc) ((void*)(desc)->context)
#define crypto_shash_ctx(tfm) ((void*)(tfm)->context)
#define crypto_shash_alg_name(tfm) ((tfm)->alg->base.cra_name)
#define crypto_shash_descsize(tfm) ((tfm)->descsize)
#define crypto_shash_statesize(tfm) ((tfm)->alg->statesize)
#define crypto_shash_init(desc) (desc)->tfm->alg->init(desc)
#define crypto_shash_update(desc, data, length) (desc)->tfm->alg->update(desc, data, length)
#define crypto_shash_export(desc, out) (desc)->tfm->alg->export(desc, out)
#define crypto_shash_import(desc, in) (desc)->tfm->alg->import(desc, in)
#define crypto_shash_finup(desc, in, count, out) (desc)->tfm->alg->finup(desc, in, count, out)
#define crypto_free_shash(tfm) ((void)(tfm))
