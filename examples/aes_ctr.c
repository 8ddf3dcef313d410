// Encrypts one message with AES-128 in CTR mode: the example F.5.1 of SP 800-38A. Says which kernel
// did it.
#include <incore/aes.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  static const uint8_t key_bytes[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                        0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
  static const uint8_t counter[16] = {0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7,
                                      0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff};
  static const uint8_t message[16] = {0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96,
                                      0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a};
  static const uint8_t expected[16] = {0x87, 0x4d, 0x61, 0x91, 0xb6, 0x20, 0xe3, 0x26,
                                       0x1b, 0xef, 0x68, 0x64, 0x99, 0x0d, 0xb6, 0xce};
  uint8_t out[16];

  incore_aes_key key;
  incore_status status = incore_aes_key_set(&key, key_bytes, sizeof key_bytes);
  if (status == INCORE_OK)
    status = incore_aes_crypt(&key, INCORE_AES_CTR128, counter, message, sizeof message, out);
  incore_aes_key_wipe(&key);
  if (status != INCORE_OK) {
    fprintf(stderr, "aes_ctr: %s\n", incore_status_message(status));
    return 1;
  }
  const int right = memcmp(out, expected, sizeof out) == 0;
  printf("kernel %s: %s\n", incore_aes_kernel(), right ? "as in SP 800-38A" : "WRONG");
  return right ? 0 : 1;
}
