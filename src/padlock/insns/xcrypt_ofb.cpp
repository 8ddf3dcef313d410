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
    .vector_in_memory = true,
    .one_block = one_block,
    .many_blocks = many_blocks,
};

}  // namespace

constinit const Insn xcrypt_ofb = xcrypt_insn<kMode>("xcrypt-ofb", 0xE8);

}  // namespace incore::padlock
