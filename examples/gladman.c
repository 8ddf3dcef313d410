// A program in the style of Brian Gladman's API: counts in CTR with a callback of its own, in two
// pieces, and compares with SP 800-38A, F.5.1. It knows nothing of Incore.
#include <stdio.h>
#include <string.h>

#include "aes.h"
#include "aes_modes.h"

static void increment(unsigned char* counter) {
  int i = 15;
  while (i >= 0 && ++counter[i] == 0) --i;
}

int main(void) {
  static const unsigned char key[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                        0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
  static const unsigned char plain[32] = {0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96,
                                          0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a,
                                          0xae, 0x2d, 0x8a, 0x57, 0x1e, 0x03, 0xac, 0x9c,
                                          0x9e, 0xb7, 0x6f, 0xac, 0x45, 0xaf, 0x8e, 0x51};
  static const unsigned char expected[32] = {0x87, 0x4d, 0x61, 0x91, 0xb6, 0x20, 0xe3, 0x26,
                                             0x1b, 0xef, 0x68, 0x64, 0x99, 0x0d, 0xb6, 0xce,
                                             0x98, 0x06, 0xf6, 0x6b, 0x79, 0x70, 0xfd, 0xff,
                                             0x86, 0x17, 0x18, 0x7b, 0xb9, 0xff, 0xfd, 0xff};
  unsigned char counter[16], cipher[32];
  aes_encrypt_ctx cx[1];
  for (int i = 0; i < 16; ++i) counter[i] = (unsigned char)(0xf0 + i);

  if (aes_init() != EXIT_SUCCESS || aes_encrypt_key128(key, cx) != EXIT_SUCCESS ||
      aes_ctr_crypt(plain, cipher, 5, counter, increment, cx) != EXIT_SUCCESS ||
      aes_ctr_crypt(plain + 5, cipher + 5, 27, counter, increment, cx) != EXIT_SUCCESS) {
    fprintf(stderr, "gladman: the library refuses\n");
    return 1;
  }
  memset(cx, 0, sizeof cx);
  const int right = memcmp(cipher, expected, sizeof expected) == 0;
  printf("ctr in two pieces: %s\n", right ? "as in SP 800-38A" : "WRONG");
  return right ? 0 : 1;
}
