// REP XCRYPTCBC: AES, cipher block chaining (SP 800-38A section 6.2). PadLock guide 1.66,
// section 3.1. Needs ACE. Encryption moves EAX to the last ciphertext block; decryption rewrites
// the vector in memory. DGEST = 1 makes a CBC-MAC.
#include "padlock/xcrypt.h"

namespace incore::padlock {
namespace {

void one_block(const BlockCipher& cipher, bool decrypt, uint8_t* vector, const uint8_t* in,
               uint8_t* out) {
  if (decrypt) {
    cipher(in, out);
    for (size_t i = 0; i < kAesBlockLen; ++i) out[i] ^= vector[i];
    std::memcpy(vector, in, kAesBlockLen);
  } else {
    for (size_t i = 0; i < kAesBlockLen; ++i) vector[i] ^= in[i];
    cipher(vector, out);
    std::memcpy(vector, out, kAesBlockLen);
  }
}

void many_blocks(const AesKey& key, bool decrypt, uint8_t* vector, const uint8_t* in, uint8_t* out,
                 size_t blocks) {
  const AesKernel& aes = *key.kernel;
  (decrypt ? aes.cbc_decrypt : aes.cbc_encrypt)(key, vector, in, out, blocks);
}

constexpr XcryptMode kMode = {
    .inverse_cipher = true,
    .may_hold_edi = true,
    .one_block = one_block,
    .many_blocks = many_blocks,
};

}  // namespace

constinit const Insn xcrypt_cbc = xcrypt_insn<kMode>("xcrypt-cbc", 0xD0);

}  // namespace incore::padlock
