// REP XCRYPTECB: AES, each block by itself (SP 800-38A section 6.1). PadLock guide 1.66,
// section 3.1. Needs ACE. Loads source blocks in groups, also beyond the count; ignores ALIGN and
// DGEST.
#include "padlock/xcrypt.h"

namespace incore::padlock {
namespace {

Block one_block(const BlockCipher& cipher, bool, Block&, const Block& in) {
  return cipher(in);
}

constexpr XcryptMode kMode = {
    .has_vector = false,
    .inverse_cipher = true,
    .in_pairs = true,
    .may_realign = false,
    .one_block = one_block,
    .many_blocks = by_kernel<&AesKernel::ecb_encrypt, &AesKernel::ecb_decrypt>,
};

}  // namespace

constinit const Insn xcrypt_ecb =
    xcrypt_insn<kMode>("xcrypt-ecb", 0xC8, Unit::ace,
                       "EBX key, ECX blocks, EDX control word, ESI source, EDI destination");

}  // namespace incore::padlock
