// REP XCRYPTOFB: AES, output feedback (SP 800-38A section 6.4). PadLock guide 1.66, section 3.1.
// Needs ACE. Both directions are the same, with the forward cipher, and rewrite the vector in
// memory.
#include "padlock/xcrypt.h"

namespace incore::padlock {
namespace {

void one_block(const BlockCipher& cipher, bool, uint8_t* vector, const uint8_t* in, uint8_t* out) {
  cipher(vector, vector);
  for (size_t i = 0; i < kAesBlockLen; ++i) out[i] = in[i] ^ vector[i];
}

void many_blocks(const AesKey& key, bool, uint8_t* vector, const uint8_t* in, uint8_t* out,
                 size_t blocks) {
  key.kernel->ofb(key, vector, in, out, blocks);
}

constexpr XcryptMode kMode = {
    .has_vector = true,
    .vector_in_memory = true,
    .inverse_cipher = false,
    .in_pairs = false,
    .may_hold_edi = false,
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

const Insn xcrypt_ofb = {
    "xcrypt-ofb",
    {0x0F, 0xA7, 0xE8},
    true,
    Unit::ace,
    "EAX vector, EBX key, ECX blocks, EDX control word, ESI source, EDI destination",
    execute};

}  // namespace incore::padlock
