// Linux's driver for SHA-1 and SHA-256 in user space: known answers of FIPS 180-2, given in one
// piece and in many.
#include <math.h>

#include "user_space.h"

static struct shash_alg* hashes[2];
static int hash_count;
static int crypto_register_shash(struct shash_alg* algorithm) {
  return hashes[hash_count++] = algorithm, 0;
}
static void crypto_unregister_shash(struct shash_alg* algorithm) {
  (void)algorithm;
}
static struct crypto_shash* crypto_alloc_shash(const char* name, int type, int mask);

#include "padlock-sha.c"

// The fallback in software, by which the driver for the C7 begins. It hashes whole blocks; the
// driver finishes all hashes.
static u32 rotate(u32 x, int n) {
  return x << n | x >> (32 - n);
}

static u32 word_of(const u8* p) {
  return (u32)p[0] << 24 | (u32)p[1] << 16 | (u32)p[2] << 8 | p[3];
}

static void sha1_block(u32* h, const u8* block) {
  u32 w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
  for (int t = 0; t < 80; ++t) {
    w[t] = t < 16 ? word_of(block + 4 * t) : rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    const u32 f = t < 20              ? (b & c) ^ (~b & d)
                  : t < 40 || t >= 60 ? b ^ c ^ d
                                      : (b & c) ^ (b & d) ^ (c & d);
    const u32 k = t < 20 ? 0x5A827999 : t < 40 ? 0x6ED9EBA1 : t < 60 ? 0x8F1BBCDC : 0xCA62C1D6;
    const u32 next = rotate(a, 5) + f + e + k + w[t];
    e = d, d = c, c = rotate(b, 30), b = a, a = next;
  }
  h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e;
}

static void sha256_block(u32* h, const u8* block) {
  u32 w[64], k[64], v[8];
  for (int t = 0, prime = 2; t < 64; ++prime) {  // the fractional parts of the primes' cube roots
    int divisor = 2;
    while (prime % divisor) ++divisor;
    if (divisor == prime) k[t++] = (u32)((cbrtl(prime) - floorl(cbrtl(prime))) * 4294967296.0L);
  }
  memcpy(v, h, sizeof v);
  for (int t = 0; t < 64; ++t) {
    if (t < 16) {
      w[t] = word_of(block + 4 * t);
    } else {
      w[t] = w[t - 16] + w[t - 7] +
             (rotate(w[t - 15], 25) ^ rotate(w[t - 15], 14) ^ w[t - 15] >> 3) +
             (rotate(w[t - 2], 15) ^ rotate(w[t - 2], 13) ^ w[t - 2] >> 10);
    }
    const u32 first = v[7] + (rotate(v[4], 26) ^ rotate(v[4], 21) ^ rotate(v[4], 7)) +
                      ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[t] + w[t];
    const u32 second = (rotate(v[0], 30) ^ rotate(v[0], 19) ^ rotate(v[0], 10)) +
                       ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    memmove(v + 1, v, 7 * sizeof *v);
    v[4] += first, v[0] = first + second;
  }
  for (int i = 0; i < 8; ++i) h[i] += v[i];
}

// Both states are alike but for their length: words, a count, a block.
struct soft_state {
  void (*block)(u32*, const u8*);
  unsigned words;
  u64 count;
  u32 state[8];
  u8 buffer[64];
};

static int soft_init(struct shash_desc* desc) {
  struct soft_state* soft = shash_desc_ctx(desc);
  const int is_sha1 = strcmp(desc->tfm->alg->base.cra_name, "sha1") == 0;
  const u32 sha1_start[8] = {SHA1_H0, SHA1_H1, SHA1_H2, SHA1_H3, SHA1_H4};
  *soft =
      (struct soft_state){.block = is_sha1 ? sha1_block : sha256_block, .words = is_sha1 ? 5 : 8};
  memcpy(soft->state, is_sha1 ? sha1_start : sha256_start, sizeof soft->state);
  return 0;
}

static int soft_update(struct shash_desc* desc, const u8* data, unsigned length) {
  struct soft_state* soft = shash_desc_ctx(desc);
  for (; length > 0; ++data, --length) {
    soft->buffer[soft->count++ % 64] = *data;
    if (soft->count % 64 == 0) soft->block(soft->state, soft->buffer);
  }
  return 0;
}

static int soft_export(struct shash_desc* desc, void* out) {
  const struct soft_state* soft = shash_desc_ctx(desc);
  struct sha1_state* sha1 = out;
  struct sha256_state* sha256 = out;
  memcpy(out, soft->state, 4 * soft->words);
  *(soft->words == 5 ? &sha1->count : &sha256->count) = soft->count;
  memcpy(soft->words == 5 ? sha1->buffer : sha256->buf, soft->buffer, 64);
  return 0;
}

static struct crypto_shash* crypto_alloc_shash(const char* name, int type, int mask) {
  static struct shash_alg algorithms[2];
  static struct crypto_shash hashes_of_software[2];
  const int i = strcmp(name, "sha1") != 0;
  (void)type, (void)mask;
  algorithms[i] = (struct shash_alg){
      .init = soft_init, .update = soft_update, .export = soft_export, .base.cra_name = name};
  hashes_of_software[i] =
      (struct crypto_shash){.alg = &algorithms[i], .descsize = sizeof(struct soft_state)};
  return &hashes_of_software[i];
}

static const struct {
  const char* text;
  unsigned times;
  const char* digests[2];
} answers[] = {
    {"abc",
     1,
     {"a9993e364706816aba3e25717850c26c9cd0d89d",
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     1,
     {"84983e441c3bd26ebaae4aa1f95129e5e54670f1",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"}},
    {"a",
     1000000,
     {"34aa973cd4c4daa4f61eeb2bdbad27316534016f",
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}},
};

// Gives the message in parts of |part| bytes; returns whether its digest is right.
static int is_right(struct shash_alg* alg, struct crypto_shash* tfm, unsigned number,
                    unsigned part) {
  static struct {
    struct shash_desc desc;
    _Alignas(16) u8 context[1024];
  } memory;
  static u8 message[1000000];
  struct shash_desc* desc = &memory.desc;
  u8 digest[32];
  char hex[65] = "";
  const unsigned width = (unsigned)strlen(answers[number].text),
                 length = width * answers[number].times;
  for (unsigned i = 0; i < length; ++i) message[i] = (u8)answers[number].text[i % width];
  desc->tfm = tfm;
  alg->init(desc);
  for (unsigned done = 0, now; done < length; done += now) {
    now = part < length - done ? part : length - done;
    alg->update(desc, message + done, now);
  }
  alg->final(desc, digest);
  for (int i = 0; i < alg->digestsize; ++i) sprintf(hex + 2 * i, "%02x", digest[i]);
  return strcmp(hex, answers[number].digests[alg->digestsize == 32]) == 0;
}

int main(void) {
  const unsigned parts[] = {1000000, 1, 63, 64, 65, 1000};
  int mistakes = 0;
  if (load_module() != 0) {
    printf("the driver finds no PadLock\n");
    return 0;
  }
  for (int i = 0; i < 2; ++i) {
    struct crypto_shash tfm = {.alg = hashes[i]};
    if (hashes[i]->init_tfm) hashes[i]->init_tfm(&tfm);
    for (unsigned number = 0; number < 3; ++number) {
      for (unsigned j = 0; j < sizeof parts / sizeof *parts; ++j) {
        const int right = is_right(hashes[i], &tfm, number, parts[j]);
        printf("%s of message %u in parts of %u: %s\n", hashes[i]->base.cra_driver_name, number,
               parts[j], right ? "right" : "WRONG");
        mistakes += !right;
      }
    }
  }
  return mistakes != 0;
}
