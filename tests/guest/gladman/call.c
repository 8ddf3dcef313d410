// One call of the compatible AES: MODE BLOCKS OFFSET. Prints the result in hexadecimal digits, for
// its test to compare between processors; how many instructions it took, `incore run` counts.
#include <stdio.h>
#include <string.h>

#include "aes.h"

static void increment(unsigned char* counter) {
  for (int i = 15; i >= 0 && ++counter[i] == 0; --i) {
  }
}

int main(int argc, char** argv) {
  static unsigned char in[16032] __attribute__((aligned(4096))),
      out[16032] __attribute__((aligned(4096)));
  unsigned char iv[16] = {1, 2, 3}, key[32];
  aes_encrypt_ctx encrypt;
  aes_decrypt_ctx decrypt;
  if (argc != 4) return 2;
  const char* const mode = argv[1];
  const int len = 16 * atoi(argv[2]), offset = atoi(argv[3]);
  if (len < 16 || len > 16000 || offset < 0 || offset > 15) return 2;
  for (int i = 0; i < len; ++i) in[offset + i] = (unsigned char)(i * 7 + i / 256);
  for (int i = 0; i < 32; ++i) key[i] = (unsigned char)i;
  if (aes_encrypt_key256(key, &encrypt) != 0 || aes_decrypt_key256(key, &decrypt) != 0) return 1;

  unsigned char* const to = out + offset;
  AES_RETURN status = 1;
  if (strcmp(mode, "ecb") == 0) status = aes_ecb_encrypt(in + offset, to, len, &encrypt);
  if (strcmp(mode, "ecb-decrypt") == 0) status = aes_ecb_decrypt(in + offset, to, len, &decrypt);
  if (strcmp(mode, "cbc") == 0) status = aes_cbc_encrypt(in + offset, to, len, iv, &encrypt);
  if (strcmp(mode, "cbc-decrypt") == 0)
    status = aes_cbc_decrypt(in + offset, to, len, iv, &decrypt);
  if (strcmp(mode, "cfb") == 0) status = aes_cfb_encrypt(in + offset, to, len, iv, &encrypt);
  if (strcmp(mode, "cfb-decrypt") == 0)
    status = aes_cfb_decrypt(in + offset, to, len, iv, &encrypt);
  if (strcmp(mode, "ofb") == 0) status = aes_ofb_crypt(in + offset, to, len, iv, &encrypt);
  if (strcmp(mode, "ctr") == 0)
    status = aes_ctr_crypt(in + offset, to, len, iv, increment, &encrypt);
  if (strcmp(mode, "ctr-own") == 0)
    status = aes_ctr_crypt(in + offset, to, len, iv, NULL, &encrypt);
  if (strcmp(mode, "single") == 0)
    for (int i = status = 0; i < len; i += 16) status |= aes_encrypt(in + i, out + i, &encrypt);
  if (status != 0) return 1;
  for (int i = 0; i < len; ++i) printf("%02x", to[i]);
  for (int i = 0; i < 16; ++i) printf("%02x", iv[i]);
  putchar('\n');
  return 0;
}
