// CRC-32C with SSE4.2's instruction CRC32 (Intel SDM), whose result comes after three cycles, but
// which can begin anew in each: long messages are cut into three streams, which PCLMULQDQ joins.
#if defined(__x86_64__) || defined(__i386__)

#include <nmmintrin.h>
#include <wmmintrin.h>

#include "base/bytes.h"
#include "crypto/crc/crc_fold.h"
#include "crypto/crc/crc_kernel.h"

#define SSE42 __attribute__((target("sse4.2,pclmul")))
#define SSE42_INLINE SSE42 __attribute__((always_inline)) inline

namespace incore {
namespace {

#if defined(__x86_64__)
using Word = uint64_t;
SSE42_INLINE Word add_word(Word state, const uint8_t* data) {
  return _mm_crc32_u64(state, load_le64(data));
}
#else
using Word = uint32_t;
SSE42_INLINE Word add_word(Word state, const uint8_t* data) {
  return _mm_crc32_u32(state, load_le32(data));
}
#endif
constexpr size_t kWord = sizeof(Word);

SSE42_INLINE uint32_t one_stream(uint32_t state, const uint8_t* data, size_t len) {
  Word s = state;
  for (; len >= kWord; len -= kWord, data += kWord) s = add_word(s, data);
  state = static_cast<uint32_t>(s);
  for (; len != 0; --len, ++data) state = _mm_crc32_u8(state, *data);
  return state;
}

// state * multiplier * x^33 modulo P: bit i of the product stands for x^(62-i), and what the
// instruction does to a word of 64 bits is reading bit i as x^(63-i) and multiplying by x^32.
SSE42_INLINE uint32_t multiply(Word state, uint32_t multiplier) {
  const __m128i product =
      _mm_clmulepi64_si128(_mm_cvtsi32_si128(static_cast<int>(state)),
                           _mm_cvtsi32_si128(static_cast<int>(multiplier)), 0x00);
  uint8_t bytes[16];
  _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes), product);
  return one_stream(0, bytes, 8);
}

// The register after three streams of stream_len bytes each.
template <size_t stream_len>
SSE42_INLINE uint32_t three_streams(uint32_t state, const uint8_t* data) {
  constexpr uint32_t kOne = crc::power(crc::kCrc32cPolynomial, 8 * stream_len - 33);
  constexpr uint32_t kTwo = crc::power(crc::kCrc32cPolynomial, 16 * stream_len - 33);
  Word a = state, b = 0, c = 0;
  for (size_t i = 0; i < stream_len; i += kWord) {
    a = add_word(a, data + i);
    b = add_word(b, data + stream_len + i);
    c = add_word(c, data + 2 * stream_len + i);
  }
  return multiply(a, kTwo) ^ multiply(b, kOne) ^ static_cast<uint32_t>(c);
}

SSE42 uint32_t update(uint32_t state, const uint8_t* data, size_t len) {
  constexpr size_t kLong = 1024, kShort = 128;
  for (; len >= 3 * kLong; data += 3 * kLong, len -= 3 * kLong)
    state = three_streams<kLong>(state, data);
  for (; len >= 3 * kShort; data += 3 * kShort, len -= 3 * kShort)
    state = three_streams<kShort>(state, data);
  return one_stream(state, data, len);
}

}  // namespace

constinit const CrcKernel crc32c_sse42 = {
    {"sse42", FeatureSet(Feature::sse4_2, Feature::pclmulqdq)}, update};

}  // namespace incore

#endif
