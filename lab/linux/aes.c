// Linux's driver for AES in user space: known answers of NIST SP 800-38A in all its modes and
// directions, back to back with one key.
#include "user_space.h"

struct crypto_aes_ctx {
  u32 key_enc[AES_MAX_KEYLENGTH_U32], key_dec[AES_MAX_KEYLENGTH_U32], key_length;
};
static int aes_expandkey(struct crypto_aes_ctx* context, const u8* key, unsigned length);
static struct crypto_alg* single;
static struct skcipher_alg* modes[2];
static int mode_count;
static int crypto_register_alg(struct crypto_alg* algorithm) {
  return single = algorithm, 0;
}
static int crypto_register_skcipher(struct skcipher_alg* algorithm) {
  return modes[mode_count++] = algorithm, 0;
}
static void crypto_unregister_alg(struct crypto_alg* algorithm) {
  (void)algorithm;
}
static void crypto_unregister_skcipher(struct skcipher_alg* algorithm) {
  (void)algorithm;
}

#include "padlock-aes.c"

// FIPS 197, 5.2. The words are as they lie in memory, the last round's key is the first of key_dec.
static u8 times2(u8 x) {
  return (u8)(x << 1 ^ (x >> 7) * 0x1B);
}

static u8 times(u8 x, u8 y) {
  u8 product = 0;
  for (; y; y >>= 1, x = times2(x)) product ^= y & 1 ? x : 0;
  return product;
}

static u8 substitute(u8 x) {
  u8 inverse = 1, sum = 0x63;
  for (int i = 0; i < 254; ++i) inverse = times(inverse, x);
  for (int i = 0; i < 5; ++i) sum ^= (u8)(inverse << i | inverse >> (8 - i));
  return sum;
}

static void inverse_mix(u8* column) {
  const u8 factors[4] = {14, 11, 13, 9};
  u8 mixed[4] = {0};
  for (int i = 0; i < 16; ++i)
    mixed[i / 4] ^= times(column[i % 4], factors[(i % 4 - i / 4 + 4) % 4]);
  memcpy(column, mixed, 4);
}

static int aes_expandkey(struct crypto_aes_ctx* context, const u8* key, unsigned length) {
  const unsigned words = length / 4, all = 4 * (words + 7);
  u8 round_constant = 1;
  memset(context, 0, sizeof *context);
  memcpy(context->key_enc, key, length);
  for (unsigned i = words; i < all; ++i) {
    u8 word[4], old[4];
    memcpy(old, &context->key_enc[i - 1], 4);
    for (int j = 0; j < 4; ++j) {
      word[j] = i % words == 0                ? substitute(old[(j + 1) % 4])
                : words > 6 && i % words == 4 ? substitute(old[j])
                                              : old[j];
    }
    if (i % words == 0) word[0] ^= round_constant, round_constant = times2(round_constant);
    memcpy(&context->key_enc[i], word, 4);
    context->key_enc[i] ^= context->key_enc[i - words];
  }
  for (unsigned i = 0; i < all; ++i) {
    context->key_dec[i] = context->key_enc[all - 4 - i / 4 * 4 + i % 4];
    if (i >= 4 && i < all - 4) inverse_mix((u8*)&context->key_dec[i]);
  }
  return 0;
}

static _Alignas(16) u8 plain[64] =
    "\x6b\xc1\xbe\xe2\x2e\x40\x9f\x96\xe9\x3d\x7e\x11\x73\x93\x17\x2a"
    "\xae\x2d\x8a\x57\x1e\x03\xac\x9c\x9e\xb7\x6f\xac\x45\xaf\x8e\x51";
static const struct {
  unsigned length;
  const u8 *key, *ecb, *cbc;  // two blocks each
} answers[] = {
    {16, (const u8*)"\x2b\x7e\x15\x16\x28\xae\xd2\xa6\xab\xf7\x15\x88\x09\xcf\x4f\x3c",
     (const u8*)"\x3a\xd7\x7b\xb4\x0d\x7a\x36\x60\xa8\x9e\xca\xf3\x24\x66\xef\x97\xf5\xd3\xd5\x85"
                "\x03\xb9\x69\x9d\xe7\x85\x89\x5a\x96\xfd\xba\xaf",
     (const u8*)"\x76\x49\xab\xac\x81\x19\xb2\x46\xce\xe9\x8e\x9b\x12\xe9\x19\x7d\x50\x86\xcb\x9b"
                "\x50\x72\x19\xee\x95\xdb\x11\x3a\x91\x76\x78\xb2"},
    {24,
     (const u8*)"\x8e\x73\xb0\xf7\xda\x0e\x64\x52\xc8\x10\xf3\x2b\x80\x90\x79\xe5\x62\xf8\xea\xd2"
                "\x52\x2c\x6b\x7b",
     (const u8*)"\xbd\x33\x4f\x1d\x6e\x45\xf2\x5f\xf7\x12\xa2\x14\x57\x1f\xa5\xcc\x97\x41\x04\x84"
                "\x6d\x0a\xd3\xad\x77\x34\xec\xb3\xec\xee\x4e\xef",
     (const u8*)"\x4f\x02\x1d\xb2\x43\xbc\x63\x3d\x71\x78\x18\x3a\x9f\xa0\x71\xe8\xb4\xd9\xad\xa9"
                "\xad\x7d\xed\xf4\xe5\xe7\x38\x76\x3f\x69\x14\x5a"},
    {32,
     (const u8*)"\x60\x3d\xeb\x10\x15\xca\x71\xbe\x2b\x73\xae\xf0\x85\x7d\x77\x81\x1f\x35\x2c\x07"
                "\x3b\x61\x08\xd7\x2d\x98\x10\xa3\x09\x14\xdf\xf4",
     (const u8*)"\xf3\xee\xd1\xbd\xb5\xd2\xa0\x3c\x06\x4b\x5a\x7e\x3d\xb1\x81\xf8\x59\x1c\xcb\x10"
                "\xd4\x10\xed\x26\xdc\x5b\xa7\x4a\x31\x36\x28\x70",
     (const u8*)"\xf5\x8c\x4c\x04\xd6\xe5\xf1\xba\x77\x9e\xab\xfb\x5f\x7b\xfb\xd6\x9c\xfc\x4e\x96"
                "\x7e\xdb\x80\x8d\x67\x9f\x77\x7b\xc6\x70\x2c\x7d"},
};

static int mistakes;

static void expect(const char* what, unsigned length, const u8* found, const u8* answer,
                   unsigned count) {
  const int is_right = memcmp(found, answer, count) == 0;
  printf("AES-%u %s: %s\n", length * 8, what, is_right ? "right" : "WRONG");
  mistakes += !is_right;
}

static void crypt(struct skcipher_alg* mode, struct crypto_skcipher* tfm, int is_decryption,
                  const u8* from, u8* to) {
  _Alignas(16) u8 in[64] = {0}, iv[16];
  for (int i = 0; i < 16; ++i) iv[i] = (u8)i;
  memcpy(in, from, 32);
  struct skcipher_request request = {tfm, in, to, iv, 32};
  (is_decryption ? mode->decrypt : mode->encrypt)(&request);
}

static void try_mode(struct skcipher_alg* mode, unsigned number, const u8* answer) {
  static struct crypto_skcipher tfm;
  _Alignas(16) u8 out[64];
  const unsigned length = answers[number].length;
  printf("%s\n", mode->base.cra_name);
  mode->setkey(&tfm, answers[number].key, length);
  for (int again = 0; again < 2; ++again) {
    crypt(mode, &tfm, 0, plain, out);
    expect("encrypted", length, out, answer, 32);
    crypt(mode, &tfm, 1, answer, out);
    expect("decrypted", length, out, plain, 32);
  }
}

static void try_single(unsigned number) {
  static struct crypto_tfm tfm;
  _Alignas(16) u8 in[64], out[64];
  const unsigned length = answers[number].length;
  printf("aes\n");
  single->cra_u.cipher.cia_setkey(&tfm, answers[number].key, length);
  for (int again = 0; again < 2; ++again) {
    memcpy(in, plain, 16);
    single->cra_u.cipher.cia_encrypt(&tfm, out, in);
    expect("block encrypted", length, out, answers[number].ecb, 16);
    memcpy(in, answers[number].ecb, 16);
    single->cra_u.cipher.cia_decrypt(&tfm, out, in);
    expect("block decrypted", length, out, plain, 16);
  }
}

int main(void) {
  if (load_module() != 0) {
    printf("the driver finds no PadLock\n");
    return 0;
  }
  for (unsigned number = 0; number < 3; ++number) {
    try_single(number);
    try_mode(modes[0], number, answers[number].ecb);
    try_mode(modes[1], number, answers[number].cbc);
  }
  return mistakes != 0;
}
