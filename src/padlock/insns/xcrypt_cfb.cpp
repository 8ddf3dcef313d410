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
    .has_vector = true,
    .vector_in_memory = false,
    .inverse_cipher = false,
    .in_pairs = false,
    .may_hold_edi = true,
    .may_realign = true,
    .last_blocks_uninterrupted = 0,
    .one_block = one_block,
    .many_blocks = many_blocks,
    .end_stretch = nullptr,
};

Trap execute(Execution& x) {
  return xcrypt(x, kMode);
}

}  // namespace

const Insn xcrypt_cfb = {
    "xcrypt-cfb",
    {0x0F, 0xA7, 0xE0},
    true,
    Unit::ace,
    "EAX vector, EBX key, ECX blocks, EDX control word, ESI source, EDI destination",
    execute};

}  // namespace incore::padlock
