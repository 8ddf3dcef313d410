// The rounds of AES by the AES-NI instructions on a block (Intel SDM, AESENC and its like): what
// aes_x86_modes.h asks of a kernel. VAES takes single blocks by them too.
#pragma once

#include "crypto/aes/aes_x86.h"

namespace incore {
namespace {

INLINE Block encrypt_round(Block x, Block k) {
  return (Block)_mm_aesenc_si128((__m128i)x, (__m128i)k);
}
INLINE Block encrypt_last(Block x, Block k) {
  return (Block)_mm_aesenclast_si128((__m128i)x, (__m128i)k);
}
INLINE Block decrypt_round(Block x, Block k) {
  return (Block)_mm_aesdec_si128((__m128i)x, (__m128i)k);
}
INLINE Block decrypt_last(Block x, Block k) {
  return (Block)_mm_aesdeclast_si128((__m128i)x, (__m128i)k);
}
INLINE Block inv_mix_columns(Block x) {
  return (Block)_mm_aesimc_si128((__m128i)x);
}

}  // namespace
}  // namespace incore
