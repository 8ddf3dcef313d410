// CCM (SP 800-38C, RFC 3610): CTR and CBC-MAC under one key.
#pragma once

#include "crypto/aes/aes_kernel.h"

namespace incore {

// What belongs to a message besides its text.
struct CcmHead {
  const uint8_t* nonce;
  size_t nonce_len;  // 7 to 13
  const uint8_t* aad;
  size_t aad_len;
  size_t tag_len;  // 4, 6, ... 16
};

// True if |len| fits into the 15 - |nonce_len| bytes that a message has for its length.
bool ccm_length_fits(size_t nonce_len, uint64_t len);

void ccm_encrypt(const AesKey& key, const CcmHead& head, const uint8_t* in, size_t len,
                 uint8_t* out, uint8_t* out_tag);

// Whether |tag| is that of the ciphertext |in|. What it decrypts to on the way is wiped.
bool ccm_verify(const AesKey& key, const CcmHead& head, const uint8_t* in, size_t len,
                const uint8_t* tag);
// Only for what ccm_verify has found right.
void ccm_decrypt(const AesKey& key, const CcmHead& head, const uint8_t* in, size_t len,
                 uint8_t* out);

}  // namespace incore
