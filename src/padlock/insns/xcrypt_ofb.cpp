// REP XCRYPTOFB: AES, output feedback (SP 800-38A section 6.4). PadLock guide 1.66, section 3.1.
// Needs ACE. Both directions are the same, with the forward cipher, and rewrite the vector in
// memory.
#include "padlock/xcrypt.h"

namespace incore::padlock {
namespace {

Block one_block(const BlockCipher& cipher, bool, Block& vector, const Block& in) {
  vector = cipher(vector);
  return in ^ vector;
}

constexpr XcryptMode kMode = {
    .vector_in_memory = true,
    .one_block = one_block,
    .many_blocks = by_kernel<&AesKernel::ofb>,
};

}  // namespace

constinit const Insn xcrypt_ofb = xcrypt_insn<kMode>("xcrypt-ofb", 0xE8);

}  // namespace incore::padlock
