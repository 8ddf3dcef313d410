// AES-128-CBC, SHA-1 and SHA-512 through GnuTLS, whose own PadLock code chooses at load by CPUID
// and by running XSHA1 once: SP 800-38A F.2.1 and FIPS 180-2 A.1, C.1. Exit code 77 when the
// library is not installed.
#define _GNU_SOURCE
#include <dlfcn.h>

#include "padlock.h"

// GNUTLS_CIPHER_AES_128_CBC, GNUTLS_DIG_SHA1, GNUTLS_DIG_SHA512
enum { kAes128Cbc = 4, kSha1 = 3, kSha512 = 8, kSkipped = 77 };

struct datum {
  void* data;
  unsigned size;
};

int main(void) {
  void* library = dlopen("libgnutls.so.30", RTLD_NOW);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return kSkipped;
  }
  int (*init)(void**, int, const struct datum*, const struct datum*) = (int (*)(
      void**, int, const struct datum*, const struct datum*))dlsym(library, "gnutls_cipher_init");
  int (*encrypt)(void*, void*, size_t) =
      (int (*)(void*, void*, size_t))dlsym(library, "gnutls_cipher_encrypt");
  void (*deinit)(void*) = (void (*)(void*))dlsym(library, "gnutls_cipher_deinit");
  int (*hash)(int, const void*, size_t, void*) =
      (int (*)(int, const void*, size_t, void*))dlsym(library, "gnutls_hash_fast");
  CHECK(init && encrypt && deinit && hash, "%s", dlerror());

  uint8_t key[16] ALIGNED16, iv[16] ALIGNED16, text[64] ALIGNED16, digest[64];
  const struct datum key_datum = {key, 16}, iv_datum = {iv, 16};
  void* cipher = NULL;
  from_hex(key, kSpKey, 16);
  from_hex(iv, kSpIv, 16);
  from_hex(text, kSpPlain, 64);
  CHECK(init(&cipher, kAes128Cbc, &key_datum, &iv_datum) == 0, "gnutls_cipher_init");
  CHECK(encrypt(cipher, text, sizeof text) == 0, "gnutls_cipher_encrypt");
  check_hex("AES-128-CBC", text, kSpCbc, 64);
  deinit(cipher);
  CHECK(hash(kSha1, "abc", 3, digest) == 0, "gnutls_hash_fast");
  check_hex("SHA-1", digest, "a9993e364706816aba3e25717850c26c9cd0d89d", 20);
  CHECK(hash(kSha512, "abc", 3, digest) == 0, "gnutls_hash_fast");
  check_hex("SHA-512", digest,
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
            64);
  return 0;
}
