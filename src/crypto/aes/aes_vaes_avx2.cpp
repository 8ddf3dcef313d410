// AES with the VAES instructions on two blocks in a register (Intel SDM, VAESENC and its like in
// VEX encoding), for CPUs without AVX-512, in the modes of aes_x86_modes.h.
#if defined(__x86_64__)

#define INCORE_AES_TARGET __attribute__((target("avx2,vaes,aes")))

#include "crypto/aes/aes_x86.h"

namespace incore {
namespace {

typedef long long Vector __attribute__((vector_size(32)));
constexpr size_t kLanes = 2;

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
INLINE Vector shuffle_bytes(Vector x, Vector from) {
  return (Vector)_mm256_shuffle_epi8((__m256i)x, (__m256i)from);
}
INLINE Vector broadcast(Block x) {
  return (Vector)_mm256_broadcastsi128_si256((__m128i)x);
}
INLINE Vector shift_in(Block before, Vector x) {
  return __builtin_shufflevector(broadcast(before), x, 2, 3, 4, 5);
}
INLINE Vector join(const Block (&x)[2]) {
  return (Vector)_mm256_set_m128i((__m128i)x[1], (__m128i)x[0]);
}
INLINE void transpose(Vector (&x)[2]) {
  const __m256i x0 = (__m256i)x[0], x1 = (__m256i)x[1];
  x[0] = (Vector)_mm256_permute2x128_si256(x0, x1, 0x20);
  x[1] = (Vector)_mm256_permute2x128_si256(x0, x1, 0x31);
}

}  // namespace
}  // namespace incore

#include "crypto/aes/aes_x86_record.h"

namespace incore {

constinit const AesKernel aes_vaes_avx2 = make_kernel<aes_vaes_avx2>(
    {"vaes_avx2", FeatureSet(Feature::vaes, Feature::avx2, Feature::aes)}, 704);

}  // namespace incore

#endif
