// AES with the AES-NI instructions (Intel SDM, AESENC and its like; FIPS 197) on single blocks, in
// the modes of aes_x86_modes.h. Encodings without VEX: the code runs where the system does not save
// AVX registers.
#if defined(__x86_64__) || defined(__i386__)

#define INCORE_AES_TARGET __attribute__((target("aes,sse4.1")))

#include "crypto/aes/aes_aesni_rounds.h"
#include "crypto/aes/aes_x86_xmm.h"

#include "crypto/aes/aes_x86_record.h"

namespace incore {

constinit const AesKernel aes_aesni = make_kernel<aes_aesni>(
    {"aesni", FeatureSet(Feature::aes, Feature::sse4_1, Feature::ssse3)}, 320);

}  // namespace incore

#endif
