// REP XCRYPTCBC: AES, cipher block chaining (SP 800-38A section 6.2). PadLock guide 1.66,
// section 3.1. Needs ACE. Encryption moves EAX to the last ciphertext block; decryption rewrites
// the vector in memory. DGEST = 1 makes a CBC-MAC.
#include "padlock/xcrypt.h"

namespace incore::padlock {
namespace {

Block one_block(const BlockCipher& cipher, bool decrypt, Block& vector, const Block& in) {
  const Block out = decrypt ? cipher(in) ^ vector : cipher(in ^ vector);
  vector = decrypt ? in : out;
  return out;
}

constexpr XcryptMode kMode = {
    .inverse_cipher = true,
    .may_hold_edi = true,
    .one_block = one_block,
    .many_blocks = by_kernel<&AesKernel::cbc_encrypt, &AesKernel::cbc_decrypt>,
};

}  // namespace

constinit const Insn xcrypt_cbc = xcrypt_insn<kMode>("xcrypt-cbc", 0xD0);

}  // namespace incore::padlock
