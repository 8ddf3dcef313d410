// Encrypts a message with AES-128-GCM and decrypts it again;
// shows that a changed message is refused and nothing of it comes out.
#include <incore/gcm.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  static const uint8_t key_bytes[16] = {0xfe, 0xff, 0xe9, 0x92, 0x86, 0x65, 0x73, 0x1c,
                                        0x6d, 0x6a, 0x8f, 0x94, 0x67, 0x30, 0x83, 0x08};
  static const uint8_t iv[12] = {0xca, 0xfe, 0xba, 0xbe, 0xfa, 0xce,
                                 0xdb, 0xad, 0xde, 0xca, 0xf8, 0x88};
  static const char message[] = "in-core cryptography";
  uint8_t ciphertext[sizeof message], tag[16];
  char text[sizeof message];

  incore_gcm_key key;
  incore_status status = incore_gcm_key_set(&key, key_bytes, sizeof key_bytes);
  if (status == INCORE_OK)
    status = incore_gcm_encrypt(&key, iv, sizeof iv, NULL, 0, message, sizeof message, ciphertext,
                                tag, sizeof tag);
  incore_status changed = INCORE_OK;
  int nothing_left = 1;
  if (status == INCORE_OK) {
    ciphertext[0] ^= 1;
    changed = incore_gcm_decrypt(&key, iv, sizeof iv, NULL, 0, ciphertext, sizeof ciphertext, tag,
                                 sizeof tag, text);
    for (size_t i = 0; i < sizeof text; ++i) nothing_left = nothing_left && text[i] == 0;
    ciphertext[0] ^= 1;
    status = incore_gcm_decrypt(&key, iv, sizeof iv, NULL, 0, ciphertext, sizeof ciphertext, tag,
                                sizeof tag, text);
  }
  incore_gcm_key_wipe(&key);
  if (status != INCORE_OK || changed != INCORE_ERROR_TAG || !nothing_left) {
    fprintf(stderr, "gcm: %s; changed: %s\n", incore_status_message(status),
            incore_status_message(changed));
    return 1;
  }
  printf("%s; changed: %s\n", text, incore_status_name(changed));
  return strcmp(text, message) == 0 ? 0 : 1;
}
