// CBC of Mbed TLS in one call and in two, with the vector that the first leaves: the results must
// be the same.
#include <stdio.h>
#include <string.h>

#include "mbedtls/aes.h"

static _Alignas(16) unsigned char data[256], whole[256], parts[256];

static int differs(mbedtls_aes_context* context, int mode, const char* name) {
  unsigned char vector[16] = {0};
  mbedtls_aes_crypt_cbc(context, mode, 256, vector, data, whole);
  memset(vector, 0, sizeof vector);
  mbedtls_aes_crypt_cbc(context, mode, 128, vector, data, parts);
  mbedtls_aes_crypt_cbc(context, mode, 128, vector, data + 128, parts + 128);
  const int is_different = memcmp(whole, parts, 256) != 0;
  printf("%s in two calls: %s\n", name, is_different ? "WRONG" : "right");
  return is_different;
}

int main(void) {
  static const unsigned char key[16];
  static _Alignas(16) mbedtls_aes_context context;
  mbedtls_aes_init(&context);
  mbedtls_aes_setkey_enc(&context, key, 128);
  const int encryption = differs(&context, MBEDTLS_AES_ENCRYPT, "encryption");
  mbedtls_aes_setkey_dec(&context, key, 128);
  const int decryption = differs(&context, MBEDTLS_AES_DECRYPT, "decryption");
  return encryption || decryption;
}
