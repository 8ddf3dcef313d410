// AES with the VAES instructions on four blocks in a register (Intel SDM, VAESENC and its like in
// EVEX encoding), for CPUs with AVX-512, in the modes of aes_x86_modes.h.
#if defined(__x86_64__)

#if defined(__GNUC__) && !defined(__clang__)  // GCC 12 warns of its own intrinsics (PR 105593)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#define INCORE_AES_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,vaes,aes")))

#include "crypto/aes/aes_aesni_rounds.h"
#include "crypto/aes/aes_x86_zmm.h"

namespace incore {
namespace {

INLINE Vector encrypt_round(Vector x, Vector k) {
  return (Vector)_mm512_aesenc_epi128((__m512i)x, (__m512i)k);
}
INLINE Vector encrypt_last(Vector x, Vector k) {
  return (Vector)_mm512_aesenclast_epi128((__m512i)x, (__m512i)k);
}
INLINE Vector decrypt_round(Vector x, Vector k) {
  return (Vector)_mm512_aesdec_epi128((__m512i)x, (__m512i)k);
}
INLINE Vector decrypt_last(Vector x, Vector k) {
  return (Vector)_mm512_aesdeclast_epi128((__m512i)x, (__m512i)k);
}

}  // namespace
}  // namespace incore

#include "crypto/aes/aes_x86_record.h"

namespace incore {

constinit const AesKernel aes_vaes =
    make_kernel<aes_vaes>({"vaes", FeatureSet(Feature::vaes, Feature::avx512, Feature::aes)}, 320);

}  // namespace incore

#endif
