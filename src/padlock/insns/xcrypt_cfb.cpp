// REP XCRYPTCFB: AES, cipher feedback of whole blocks (CFB128, SP 800-38A section 6.3). PadLock
// guide 1.66, section 3.1. Needs ACE. The forward cipher serves both directions. Encryption moves
// EAX to the last ciphertext block; decryption rewrites the vector in memory. DGEST = 1 makes a
// CFB-MAC.
#include "padlock/xcrypt.h"

namespace incore::padlock {
namespace {

Block one_block(const BlockCipher& cipher, bool decrypt, Block& vector, const Block& in) {
  const Block out = in ^ cipher(vector);
  vector = decrypt ? in : out;
  return out;
}

constexpr XcryptMode kMode = {
    .may_hold_edi = true,
    .one_block = one_block,
    .many_blocks = by_kernel<&AesKernel::cfb_encrypt, &AesKernel::cfb_decrypt>,
};

}  // namespace

constinit const Insn xcrypt_cfb = xcrypt_insn<kMode>("xcrypt-cfb", 0xE0);

}  // namespace incore::padlock
