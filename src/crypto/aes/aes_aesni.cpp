// AES with the AES-NI instructions (Intel SDM, AESENC and its like; FIPS 197) on single blocks, in
// the modes of aes_x86_modes.h. Encodings without VEX: the code runs where the system does not save
// AVX registers.
#if defined(__x86_64__) || defined(__i386__)

#define INCORE_AES_TARGET __attribute__((target("aes,sse4.1")))

#include "crypto/aes/aes_x86.h"

namespace incore {
namespace {

using Vector = Block;
constexpr size_t kLanes = 1;

[[maybe_unused]] INLINE Block broadcast(Block x) {
  return x;
}
[[maybe_unused]] INLINE Block shift_in(Block before, Block) {
  return before;
}
INLINE Block join(const Block (&x)[1]) {
  return x[0];
}
INLINE void transpose(Block (&)[1]) {}

}  // namespace
}  // namespace incore

#include "crypto/aes/aes_x86_record.h"

namespace incore {

constinit const AesKernel aes_aesni = make_kernel<aes_aesni>(
    {"aesni", FeatureSet(Feature::aes, Feature::sse41, Feature::ssse3)}, 320);

}  // namespace incore

#endif
