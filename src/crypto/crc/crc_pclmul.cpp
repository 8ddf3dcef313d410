// CRC-32 with PCLMULQDQ on 128-bit registers (Intel SDM): the message is folded onto four
// registers, these onto its end. crc_fold.h explains the constants. Encodings without VEX, so that
// the code runs where the system does not save AVX registers. Messages below 16 bytes take tables.
#if defined(__x86_64__) || defined(__i386__)

#include <smmintrin.h>
#include <wmmintrin.h>

#include "crypto/crc/crc_fold.h"
#include "crypto/crc/crc_kernel.h"

#define PCLMUL __attribute__((target("pclmul,sse4.1")))
#define PCLMUL_INLINE PCLMUL __attribute__((always_inline)) inline

namespace incore {
namespace {

constexpr size_t kRegister = 16;
constexpr size_t kAccumulators = 4;
constexpr size_t kStep = kRegister * kAccumulators;

constexpr crc::Multipliers kFold1 = crc::fold_by(crc::kCrc32Polynomial, kRegister);
constexpr crc::Multipliers kFold4 = crc::fold_by(crc::kCrc32Polynomial, kStep);
constexpr crc::ReduceTable<1> kReduce = crc::make_reduce_table<1>(crc::kCrc32Polynomial);
constexpr crc::Barrett kBarrett = crc::make_barrett(crc::kCrc32Polynomial);

// From byte 16 - n on, a mask for the last n bytes of a register.
alignas(16) constexpr uint8_t kLastBytes[32] = {
    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};

PCLMUL_INLINE __m128i load(const uint8_t* p) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
}
template <class Pair>
PCLMUL_INLINE __m128i pair(const Pair& p) {
  return _mm_load_si128(reinterpret_cast<const __m128i*>(&p));
}
// The low half of x times that of m, plus the high half of x times that of m.
PCLMUL_INLINE __m128i products(__m128i x, __m128i m) {
  return _mm_xor_si128(_mm_clmulepi64_si128(x, m, 0x00), _mm_clmulepi64_si128(x, m, 0x11));
}
PCLMUL_INLINE __m128i fold(__m128i x, __m128i m, __m128i onto) {
  return _mm_xor_si128(products(x, m), onto);
}

// The CRC of what x stands for and the last |len| bytes, 0 to 16, of the 16 before |end|.
PCLMUL_INLINE uint32_t reduce(__m128i x, const uint8_t* end, size_t len) {
  const __m128i last = _mm_and_si128(load(end - kRegister), load(kLastBytes + len));
  const __m128i s = _mm_xor_si128(products(x, pair(kReduce.behind[len][0])),
                                  products(last, pair(kReduce.behind[0][0])));
  const __m128i constants = pair(kBarrett);
  const __m128i q = _mm_clmulepi64_si128(s, constants, 0x00);
  const __m128i multiple = _mm_clmulepi64_si128(q, constants, 0x10);
  return static_cast<uint32_t>(_mm_extract_epi32(_mm_xor_si128(s, multiple), 2));
}

PCLMUL uint32_t update(uint32_t state, const uint8_t* data, size_t len) {
  if (len < kRegister) return crc32_portable.update(state, data, len);
  __m128i x = _mm_xor_si128(load(data), _mm_cvtsi32_si128(static_cast<int>(state)));
  data += kRegister;
  len -= kRegister;
  if (len >= 2 * kStep) {
    __m128i y[kAccumulators] = {x, load(data), load(data + 16), load(data + 32)};
    const __m128i m = pair(kFold4);
    for (data += 48, len -= 48; len >= kStep; data += kStep, len -= kStep)
#pragma GCC unroll 4
      for (size_t i = 0; i < kAccumulators; ++i) y[i] = fold(y[i], m, load(data + 16 * i));
    x = y[0];
    for (size_t i = 1; i < kAccumulators; ++i) x = fold(x, pair(kFold1), y[i]);
  }
  for (; len > kRegister; data += kRegister, len -= kRegister)
    x = fold(x, pair(kFold1), load(data));
  return reduce(x, data + len, len);
}

}  // namespace

constinit const CrcKernel crc32_pclmul = {
    {"pclmul", FeatureSet(Feature::pclmulqdq, Feature::sse4_1)}, update};

}  // namespace incore

#endif
