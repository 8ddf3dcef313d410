// AES-128 through libgcrypt, which uses PadLock where AES-NI is absent: FIPS 197 C.1, and the Monte
// Carlo test of the AES submission. Exit code 77 when the library is not installed.
#define _GNU_SOURCE
#include <dlfcn.h>

#include "padlock.h"

enum { kAes128 = 7, kEcb = 1, kSkipped = 77 };  // GCRY_CIPHER_AES128, GCRY_CIPHER_MODE_ECB

int main(void) {
  void* library = dlopen("libgcrypt.so.20", RTLD_NOW);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return kSkipped;
  }
  const char* (*check_version)(const char*) =
      (const char* (*)(const char*))dlsym(library, "gcry_check_version");
  unsigned (*open_cipher)(void**, int, int, unsigned) =
      (unsigned (*)(void**, int, int, unsigned))dlsym(library, "gcry_cipher_open");
  unsigned (*set_key)(void*, const void*, size_t) =
      (unsigned (*)(void*, const void*, size_t))dlsym(library, "gcry_cipher_setkey");
  unsigned (*encrypt)(void*, void*, size_t, const void*, size_t) = (unsigned (*)(
      void*, void*, size_t, const void*, size_t))dlsym(library, "gcry_cipher_encrypt");
  void (*close_cipher)(void*) = (void (*)(void*))dlsym(library, "gcry_cipher_close");
  CHECK(check_version && open_cipher && set_key && encrypt && close_cipher, "%s", dlerror());
  CHECK(check_version(NULL) != NULL, "gcry_check_version");

  uint8_t key[16], block[16];
  void* cipher = NULL;
  for (int i = 0; i < 16; ++i) key[i] = (uint8_t)i;
  from_hex(block, "00112233445566778899aabbccddeeff", 16);
  CHECK(open_cipher(&cipher, kAes128, kEcb, 0) == 0, "gcry_cipher_open");
  CHECK(set_key(cipher, key, sizeof key) == 0, "gcry_cipher_setkey");
  CHECK(encrypt(cipher, block, sizeof block, NULL, 0) == 0, "gcry_cipher_encrypt");
  check_hex("AES-128", block, "69c4e0d86a7b0430d8cdb78070b4c55a", 16);

  // The AES submission's ecb_e_m.txt, KEYSIZE=128, I=0: 10,000 blocks, each the encryption of the
  // one before.
  memset(key, 0, sizeof key);
  memset(block, 0, sizeof block);
  CHECK(set_key(cipher, key, sizeof key) == 0, "gcry_cipher_setkey");
  for (int i = 0; i < 10000; ++i)
    CHECK(encrypt(cipher, block, sizeof block, NULL, 0) == 0, "gcry_cipher_encrypt");
  check_hex("AES-128 Monte Carlo test", block, "c34c052cc0da8d73451afe5f03be297f", 16);
  close_cipher(cipher);
  return 0;
}
