// Polynomials over GF(2) with vpmsumd (Power ISA 2.07B). All of it is in gf2_pairs.h and
// gf2_registers_power8.h.
#if defined(__powerpc64__)

#include "base/wipe.h"
#include "crypto/gf2/gf2_kernel.h"
#include "crypto/power8/vector.h"

#define GF2_FUNCTION static
#define GF2_INLINE POWER8_INLINE
#define GF2_PAIR power8::uint64x2_p8
#define GF2_REGISTERS "crypto/gf2/gf2_registers_power8.h"

namespace incore {
namespace {

#include "crypto/gf2/gf2_pairs.h"

}  // namespace

constinit const Gf2Kernel gf2_power8 = {
    {"power8", FeatureSet(Feature::vcrypto)}, pairs::multiply_any, pairs::choose};

}  // namespace incore

#endif
