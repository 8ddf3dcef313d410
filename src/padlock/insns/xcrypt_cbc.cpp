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
    .has_vector = true,
    .vector_in_memory = false,
    .inverse_cipher = true,
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

const Insn xcrypt_cbc = {
    "xcrypt-cbc",
    {0x0F, 0xA7, 0xD0},
    true,
    Unit::ace,
    "EAX vector, EBX key, ECX blocks, EDX control word, ESI source, EDI destination",
    execute};

}  // namespace incore::padlock
