// REP XCRYPTECB: AES, each block by itself (SP 800-38A section 6.1). PadLock guide 1.66,
// section 3.1. Needs ACE. Loads source blocks in groups, also beyond the count; ignores ALIGN and
// DGEST.
#include "padlock/xcrypt.h"

namespace incore::padlock {
namespace {

void one_block(const BlockCipher& cipher, bool, uint8_t*, const uint8_t* in, uint8_t* out) {
  cipher(in, out);
}

void many_blocks(const AesKey& key, bool decrypt, uint8_t*, const uint8_t* in, uint8_t* out,
                 size_t blocks) {
  const AesKernel& aes = *key.kernel;
  (decrypt ? aes.ecb_decrypt : aes.ecb_encrypt)(key, in, out, blocks);
}

constexpr XcryptMode kMode = {
    .has_vector = false,
    .vector_in_memory = false,
    .inverse_cipher = true,
    .in_pairs = true,
    .may_hold_edi = false,
    .may_realign = false,
    .last_blocks_uninterrupted = 0,
    .one_block = one_block,
    .many_blocks = many_blocks,
    .end_stretch = nullptr,
};

Trap execute(Execution& x) {
  return xcrypt(x, kMode);
}

}  // namespace

const Insn xcrypt_ecb = {"xcrypt-ecb",
                         {0x0F, 0xA7, 0xC8},
                         true,
                         Unit::ace,
                         "EBX key, ECX blocks, EDX control word, ESI source, EDI destination",
                         execute};

}  // namespace incore::padlock
