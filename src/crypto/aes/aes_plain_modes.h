// Modes made of a kernel's other functions, for kernels that have no form of their own for them.
#pragma once

#include "base/bytes.h"
#include "crypto/aes/aes_kernel.h"

namespace incore {

void aes_xts_encrypt_by_ecb(const AesKey& key, uint8_t* tweak, const uint8_t* in, uint8_t* out,
                            size_t blocks);
void aes_xts_decrypt_by_ecb(const AesKey& key, uint8_t* tweak, const uint8_t* in, uint8_t* out,
                            size_t blocks);
void aes_cbc_encrypt_one_by_one(const AesChain* chains, size_t num_chains);
void aes_cfb_encrypt_one_by_one(const AesChain* chains, size_t num_chains);

// Multiplies |tweak| by alpha, the x of GF(2^128): IEEE 1619 section 5.2. Little-endian; modulo
// x^128 + x^7 + x^2 + x + 1. Time does not depend on it.
inline void aes_xts_multiply_by_alpha(uint8_t* tweak) {
  const uint64_t low = load_le64(tweak), high = load_le64(tweak + 8);
  store_le64(tweak, low << 1 ^ (0x87 & (0 - (high >> 63))));
  store_le64(tweak + 8, high << 1 | low >> 63);
}

}  // namespace incore
