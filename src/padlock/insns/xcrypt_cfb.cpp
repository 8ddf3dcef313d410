// REP XCRYPTCFB: AES, cipher feedback of whole blocks (CFB128, SP 800-38A section 6.3). PadLock
// guide 1.66, section 3.1. Needs ACE. The forward cipher serves both directions. Encryption moves
// EAX to the last ciphertext block; decryption rewrites the vector in memory. DGEST = 1 makes a
// CFB-MAC.
#include "padlock/xcrypt.h"

namespace incore::padlock {
namespace {

void one_block(const BlockCipher& cipher, bool decrypt, uint8_t* vector, const uint8_t* in,
               uint8_t* out) {
  uint8_t ciphertext[kAesBlockLen];
  std::memcpy(ciphertext, in, kAesBlockLen);
  cipher(vector, vector);
  for (size_t i = 0; i < kAesBlockLen; ++i) out[i] = in[i] ^ vector[i];
  std::memcpy(vector, decrypt ? ciphertext : out, kAesBlockLen);
}

void many_blocks(const AesKey& key, bool decrypt, uint8_t* vector, const uint8_t* in, uint8_t* out,
                 size_t blocks) {
  const AesKernel& aes = *key.kernel;
  (decrypt ? aes.cfb_decrypt : aes.cfb_encrypt)(key, vector, in, out, blocks);
}

constexpr XcryptMode kMode = {
    .may_hold_edi = true,
    .one_block = one_block,
    .many_blocks = many_blocks,
};

}  // namespace

constinit const Insn xcrypt_cfb = xcrypt_insn<kMode>("xcrypt-cfb", 0xE0);

}  // namespace incore::padlock
