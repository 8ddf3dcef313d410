// CRC-32 and CRC-32C with VPCLMULQDQ on 512-bit registers (Intel SDM): the message is folded onto
// four registers, these onto its end. crc_fold.h explains the constants. Loads under a mask let the
// last bytes be aligned to the end of a register, so no length needs a byte-wise tail.
//
// CRC-32C has an instruction of its own, which uses other parts of the core: three streams of it
// run beside the folding of a fourth (crc32c_chunk).
#if defined(__x86_64__)

#if !defined(__clang__)  // GCC 12 warns of its own header (PR 105593)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include "base/bytes.h"
#include "crypto/crc/crc_fold.h"
#include "crypto/crc/crc_kernel.h"

#define VPCLMUL \
  __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,vpclmulqdq,pclmul,sse4.2")))
#define VPCLMUL_INLINE VPCLMUL __attribute__((always_inline)) inline

namespace incore {
namespace {

constexpr size_t kRegister = 64;
constexpr size_t kAccumulators = 4;
constexpr size_t kStep = kRegister * kAccumulators;
constexpr size_t kWorthAligning = 1024;  // bytes; loads across lines cost more than the head then

template <uint32_t kPolynomial>
struct Constants {
  static constexpr crc::Multipliers kFold1 = crc::fold_by(kPolynomial, kRegister);
  static constexpr crc::Multipliers kFold2 = crc::fold_by(kPolynomial, 2 * kRegister);
  static constexpr crc::Multipliers kFold3 = crc::fold_by(kPolynomial, 3 * kRegister);
  static constexpr crc::Multipliers kFold4 = crc::fold_by(kPolynomial, 4 * kRegister);
  static constexpr crc::ReduceTable<4> kReduce = crc::make_reduce_table<4>(kPolynomial);
  static constexpr crc::StateTable<kRegister> kState =
      crc::make_state_table<kRegister>(kPolynomial);
  static constexpr crc::Barrett kBarrett = crc::make_barrett(kPolynomial);
};

VPCLMUL_INLINE __m512i load(const uint8_t* p) {
  return _mm512_loadu_si512(p);
}
VPCLMUL_INLINE __m512i xor3(__m512i a, __m512i b, __m512i c) {
  return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}
VPCLMUL_INLINE __m128i xor3(__m128i a, __m128i b, __m128i c) {
  return _mm_ternarylogic_epi64(a, b, c, 0x96);
}
template <class Pair>
VPCLMUL_INLINE __m128i pair(const Pair& p) {
  return _mm_load_si128(reinterpret_cast<const __m128i*>(&p));
}
VPCLMUL_INLINE __m512i everywhere(const crc::Multipliers& m) {
  return _mm512_broadcast_i32x4(pair(m));
}

// x moved by the distance of the multipliers m, onto |onto|.
VPCLMUL_INLINE __m512i fold(__m512i x, __m512i m, __m512i onto) {
  return xor3(_mm512_clmulepi64_epi128(x, m, 0x00), _mm512_clmulepi64_epi128(x, m, 0x11), onto);
}

// The low or the high halves' products of x with the row for |behind| bytes behind it.
template <class C>
VPCLMUL_INLINE __m512i reduce(__m512i x, size_t behind) {
  const __m512i m = _mm512_load_si512(C::kReduce.behind[behind]);
  return _mm512_xor_si512(_mm512_clmulepi64_epi128(x, m, 0x00),
                          _mm512_clmulepi64_epi128(x, m, 0x11));
}

VPCLMUL_INLINE __m128i sum_of_lanes(__m512i x) {
  const __m256i half = _mm256_xor_si256(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64(x, 1));
  return _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}

template <class C>
VPCLMUL_INLINE uint32_t barrett(__m128i s) {
  const __m128i constants = pair(C::kBarrett);
  const __m128i q = _mm_clmulepi64_si128(s, constants, 0x00);
  const __m128i multiple = _mm_clmulepi64_si128(q, constants, 0x10);
  return static_cast<uint32_t>(_mm_extract_epi32(_mm_xor_si128(s, multiple), 2));
}

// The last |len| bytes before |end|, 1 to 64, at the end of a register; zeros before them.
VPCLMUL_INLINE __m512i load_last(const uint8_t* end, size_t len) {
  const __mmask64 mask = ~uint64_t{0} << (kRegister - len);
  const uintptr_t begin = reinterpret_cast<uintptr_t>(end) - kRegister;  // may lie before the data
  return _mm512_maskz_loadu_epi8(mask, reinterpret_cast<const void*>(begin));
}

// The CRC of 1 to 64 bytes.
template <class C>
VPCLMUL_INLINE uint32_t short_message(uint32_t state, const uint8_t* data, size_t len) {
  const __m128i s = _mm_clmulepi64_si128(
      _mm_cvtsi32_si128(static_cast<int>(state)),
      _mm_loadl_epi64(reinterpret_cast<const __m128i*>(&C::kState.behind[len])), 0x00);
  return barrett<C>(_mm_xor_si128(s, sum_of_lanes(reduce<C>(load_last(data + len, len), 0))));
}

// The CRC of 16 bytes, a frequent length, without what the others need: the register is added to
// the first of them.
template <class C>
VPCLMUL_INLINE uint32_t sixteen_bytes(uint32_t state, const uint8_t* data) {
  const __m128i x = _mm_xor_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(data)),
                                  _mm_cvtsi32_si128(static_cast<int>(state)));
  const __m128i m = pair(C::kReduce.behind[0][3]);
  return barrett<C>(
      _mm_xor_si128(_mm_clmulepi64_si128(x, m, 0x00), _mm_clmulepi64_si128(x, m, 0x11)));
}

// The CRC of what x stands for and 1 to 64 bytes more.
template <class C>
VPCLMUL_INLINE uint32_t finish(__m512i x, const uint8_t* data, size_t len) {
  for (; len > kRegister; len -= kRegister, data += kRegister)
    x = fold(x, everywhere(C::kFold1), load(data));
  return barrett<C>(
      sum_of_lanes(_mm512_xor_si512(reduce<C>(x, len), reduce<C>(load_last(data + len, len), 0))));
}

// The four registers in one, at the place of the last.
template <class C>
VPCLMUL_INLINE __m512i merge(const __m512i (&x)[kAccumulators]) {
  const __m512i first = fold(x[0], everywhere(C::kFold3), x[3]);
  return fold(x[2], everywhere(C::kFold1), fold(x[1], everywhere(C::kFold2), first));
}

VPCLMUL_INLINE void load_step(const uint8_t* data, __m512i (&out)[kAccumulators]) {
  for (size_t i = 0; i < kAccumulators; ++i) out[i] = load(data + kRegister * i);
}

VPCLMUL_INLINE void fold_step(__m512i (&x)[kAccumulators], __m512i m, const uint8_t* data) {
#pragma GCC unroll 4
  for (size_t i = 0; i < kAccumulators; ++i) x[i] = fold(x[i], m, load(data + kRegister * i));
}

// The CRC of what the four registers stand for and |len| bytes more, at least one.
template <class C>
VPCLMUL_INLINE uint32_t finish_steps(__m512i (&x)[kAccumulators], const uint8_t* data, size_t len) {
  const __m512i m = everywhere(C::kFold4);
  for (; len > kStep; data += kStep, len -= kStep) fold_step(x, m, data);
  return finish<C>(merge<C>(x), data, len);
}

// |state| as what is added to the first bytes of the message.
VPCLMUL_INLINE __m512i at_front(uint32_t state) {
  return _mm512_zextsi128_si512(_mm_cvtsi32_si128(static_cast<int>(state)));
}

// Bytes from |data| to the next address that a register can be loaded from at once.
VPCLMUL_INLINE size_t to_alignment(const uint8_t* data) {
  return (0 - reinterpret_cast<uintptr_t>(data)) % kRegister;
}

template <uint32_t kPolynomial>
VPCLMUL uint32_t update(uint32_t state, const uint8_t* data, size_t len) {
  using C = Constants<kPolynomial>;
  if (len == 16) return sixteen_bytes<C>(state, data);
  if (len <= kRegister) return len == 0 ? state : short_message<C>(state, data, len);
  if (len <= 2 * kStep)
    return finish<C>(_mm512_xor_si512(load(data), at_front(state)), data + kRegister,
                     len - kRegister);
  const size_t head = to_alignment(data);
  if (head != 0 && len >= kWorthAligning) {
    state = short_message<C>(state, data, head);
    data += head;
    len -= head;
  }
  __m512i x[kAccumulators];
  load_step(data, x);
  x[0] = _mm512_xor_si512(x[0], at_front(state));
  return finish_steps<C>(x, data + kStep, len - kStep);
}

// CRC-32C of |len| bytes with its instruction alone.
VPCLMUL_INLINE uint32_t crc32c_words(uint32_t state, const uint8_t* data, size_t len) {
  uint64_t s = state;
  for (; len >= 8; len -= 8, data += 8) s = _mm_crc32_u64(s, load_le64(data));
  state = static_cast<uint32_t>(s);
  if ((len & 4) != 0) {
    state = _mm_crc32_u32(state, load_le32(data));
    data += 4;
  }
  for (len &= 3; len != 0; --len, ++data) state = _mm_crc32_u8(state, *data);
  return state;
}

constexpr size_t kStreams = 3;
constexpr size_t kStreamWords = 3;  // of 8 bytes, in one step of a stream
constexpr size_t kStreamStep = 8 * kStreamWords;
constexpr size_t kSideStep = kStep + kStreams * kStreamStep;
constexpr size_t kMaxSideSteps = 127;
constexpr size_t kWorthStreams = 4 * kSideStep;
constexpr size_t kShortCrc32c = 64;

VPCLMUL_INLINE __m128i product(uint64_t a, uint32_t b) {
  return _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(a)),
                              _mm_cvtsi32_si128(static_cast<int>(b)), 0x00);
}

constexpr crc::StreamTable<kStreams, kMaxSideSteps> kToFront =
    crc::make_stream_table<kStreams, kMaxSideSteps>(crc::kCrc32cPolynomial, kStep, kStreamStep);

// The next word of each stream.
VPCLMUL_INLINE void stream_word(uint64_t (&s)[kStreams], const uint8_t* data, size_t stream_len) {
#pragma GCC unroll 4
  for (size_t i = 0; i < kStreams; ++i)
    s[i] = _mm_crc32_u64(s[i], load_le64(data + i * stream_len));
}

// |steps| steps of the folding and of the streams, which lie before the folded bytes. Sets |x| to
// what the bytes of all are folded onto.
VPCLMUL_INLINE void crc32c_side_by_side(uint32_t state, const uint8_t* data, size_t steps,
                                        __m512i (&x)[kAccumulators]) {
  using C = Constants<crc::kCrc32cPolynomial>;
  const size_t stream_len = steps * kStreamStep;
  const uint8_t* folded = data + kStreams * stream_len;
  uint64_t s[kStreams] = {state};
  const __m512i m = everywhere(C::kFold4);
  load_step(folded, x);
  for (size_t i = 0; i < kStreamWords; ++i, data += 8) stream_word(s, data, stream_len);
  for (size_t step = 1; step < steps; ++step) {
    folded += kStep;
#pragma GCC unroll 4
    for (size_t i = 0; i < kAccumulators; ++i) {
      x[i] = fold(x[i], m, load(folded + kRegister * i));
      if (i < kStreamWords) stream_word(s, data + 8 * i, stream_len);
    }
    data += kStreamStep;
  }
  const uint32_t* const to_front = kToFront.after[steps - 1];
  const __m128i sum =
      xor3(product(s[0], to_front[2]), product(s[1], to_front[1]), product(s[2], to_front[0]));
  x[0] = _mm512_xor_si512(x[0], _mm512_zextsi128_si512(sum));
}

VPCLMUL uint32_t update_crc32c(uint32_t state, const uint8_t* data, size_t len) {
  using C = Constants<crc::kCrc32cPolynomial>;
  if (len <= kShortCrc32c) return crc32c_words(state, data, len);
  if (len < kWorthStreams) return update<crc::kCrc32cPolynomial>(state, data, len);
  __m512i x[kAccumulators];
  for (;;) {
    const size_t whole = (len - kRegister) / kSideStep;  // a head and a byte at the end stay over
    size_t steps = whole < kMaxSideSteps ? whole : kMaxSideSteps;
    if (steps % 8 == 0) --steps;  // streams whole lines apart are in each other's way
    const size_t head = to_alignment(data + steps * kStreams * kStreamStep);
    state = crc32c_words(state, data, head);
    data += head;
    crc32c_side_by_side(state, data, steps, x);
    data += steps * kSideStep;
    len -= head + steps * kSideStep;
    if (len < kWorthStreams) return finish_steps<C>(x, data, len);
    state = barrett<C>(sum_of_lanes(reduce<C>(merge<C>(x), 0)));
  }
}

}  // namespace

constinit const CrcKernel crc32_vpclmul = {
    {"vpclmul", FeatureSet(Feature::avx512, Feature::vpclmulqdq, Feature::pclmulqdq)},
    update<crc::kCrc32Polynomial>};
constinit const CrcKernel crc32c_vpclmul = {
    {"vpclmul",
     FeatureSet(Feature::avx512, Feature::vpclmulqdq, Feature::pclmulqdq, Feature::sse4_2)},
    update_crc32c};

}  // namespace incore

#endif
