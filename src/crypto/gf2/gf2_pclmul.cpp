// Polynomials over GF(2) with PCLMULQDQ (Intel SDM), in encodings without VEX, so that the code
// runs where the system does not save AVX registers. All of it is in gf2_pairs.h.
#if defined(__x86_64__) || defined(__i386__)

#include <smmintrin.h>
#include <wmmintrin.h>

#include "base/wipe.h"
#include "crypto/gf2/gf2_kernel.h"

#define GF2_FUNCTION __attribute__((target("pclmul,sse4.1")))
#define GF2_INLINE GF2_FUNCTION __attribute__((always_inline)) inline
#define GF2_PAIR __m128i
#define GF2_REGISTERS "crypto/gf2/gf2_registers_x86.h"

namespace incore {
namespace {

#include "crypto/gf2/gf2_pairs.h"

}  // namespace

constinit const Gf2Kernel gf2_pclmul = {{"pclmul", FeatureSet(Feature::pclmulqdq, Feature::sse4_1)},
                                        pairs::multiply_any,
                                        pairs::choose};

}  // namespace incore

#endif
