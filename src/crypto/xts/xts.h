// XTS-AES (IEEE 1619, SP 800-38E): one data unit of any length from 16 bytes on, with ciphertext
// stealing; and runs of units that are numbered one after the other.
#pragma once

#include "crypto/aes/aes_kernel.h"

namespace incore {

struct XtsKey {
  AesKey forward;  // Key1
  AesKey inverse;
  AesKey tweak;  // Key2
};

// |key|: Key1 and Key2, |key_len| / 2 bytes each.
void xts_set_key(const AesKernel& kernel, const uint8_t* key, size_t key_len, XtsKey* out_key);

// One data unit of |len| >= 16 bytes; |tweak| is 16 bytes. |out| may equal |in|.
void xts_encrypt(const XtsKey& key, const uint8_t* tweak, const uint8_t* in, size_t len,
                 uint8_t* out);
void xts_decrypt(const XtsKey& key, const uint8_t* tweak, const uint8_t* in, size_t len,
                 uint8_t* out);

// Data units of |unit_len| bytes, numbered from |first_unit|; the last one may be shorter.
void xts_encrypt_units(const XtsKey& key, uint64_t first_unit, size_t unit_len, const uint8_t* in,
                       size_t len, uint8_t* out);
void xts_decrypt_units(const XtsKey& key, uint64_t first_unit, size_t unit_len, const uint8_t* in,
                       size_t len, uint8_t* out);

}  // namespace incore
