// AES with the VAES instructions on two blocks in a register (Intel SDM, VAESENC and its like in
// VEX encoding), for CPUs without AVX-512, in the modes of aes_x86_modes.h.
#if defined(__x86_64__)

#define INCORE_AES_TARGET __attribute__((target("avx2,vaes,aes")))

#include "crypto/aes/aes_aesni_rounds.h"
#include "crypto/aes/aes_x86_ymm.h"

namespace incore {
namespace {

INLINE Vector encrypt_round(Vector x, Vector k) {
  return (Vector)_mm256_aesenc_epi128((__m256i)x, (__m256i)k);
}
INLINE Vector encrypt_last(Vector x, Vector k) {
  return (Vector)_mm256_aesenclast_epi128((__m256i)x, (__m256i)k);
}
INLINE Vector decrypt_round(Vector x, Vector k) {
  return (Vector)_mm256_aesdec_epi128((__m256i)x, (__m256i)k);
}
INLINE Vector decrypt_last(Vector x, Vector k) {
  return (Vector)_mm256_aesdeclast_epi128((__m256i)x, (__m256i)k);
}

}  // namespace
}  // namespace incore

#include "crypto/aes/aes_x86_record.h"

namespace incore {

constinit const AesKernel aes_vaes_avx2 = make_kernel<aes_vaes_avx2>(
    {"vaes_avx2", FeatureSet(Feature::vaes, Feature::avx2, Feature::aes)}, 704);

}  // namespace incore

#endif
