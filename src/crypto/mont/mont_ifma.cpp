// Powers modulo m with VPMADD52 (AVX-512 IFMA), which multiplies 52-bit digits: Gueron and Krasnov,
// "Software implementation of modular exponentiation, using advanced vector instructions
// architectures" (WAIFI 2012), from where almost-Montgomery multiplication is: factors and product
// are below 2m, R = 2^(52 * digits) is above 4m, and no product ends with a subtraction.
//
// What is peculiar is the place of the digits. With V vectors of L lanes, digit d is in lane d / V
// of vector d % V ("columns"). Division by 2^52 then renames the vectors and moves the lanes of one
// of them, and a carry goes from vector to vector.
//
// Single products (MontKernel::mul) keep R = 2^(64 * words) and words of 64 bits: kernel adx.
#if defined(__x86_64__)

#if !defined(__clang__)  // GCC 12 warns of its own intrinsics
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include "base/wipe.h"
#include "crypto/mont/mont_kernel.h"
#include "crypto/mont/mont_power.h"
#include "crypto/mont/mont_words.h"

#define INCORE_IFMA_TARGET target("avx512f,avx512dq,avx512bw,avx512vl,avx512ifma")
#define INCORE_IFMA_INLINE __attribute__((INCORE_IFMA_TARGET, always_inline)) static inline
#define INCORE_IFMA __attribute__((INCORE_IFMA_TARGET, noinline)) static
#if defined(__clang__)
#define INCORE_UNROLL _Pragma("unroll")
#else
#define INCORE_UNROLL _Pragma("GCC unroll 16")
#endif

namespace incore {
namespace {

constexpr unsigned kDigitBits = 52;
constexpr uint64_t kDigitMask = (uint64_t{1} << kDigitBits) - 1;

// The two widths of vectors under equal names.
struct Ymm {
  typedef __m256i Vector;
  static constexpr unsigned kLanes = 4;
  INCORE_IFMA_INLINE Vector load(const uint64_t* p) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(p));
  }
  INCORE_IFMA_INLINE void store(uint64_t* p, Vector a) {
    _mm256_store_si256(reinterpret_cast<__m256i*>(p), a);
  }
  INCORE_IFMA_INLINE Vector zero() { return _mm256_setzero_si256(); }
  INCORE_IFMA_INLINE Vector broadcast(uint64_t a) {
    return _mm256_set1_epi64x(static_cast<int64_t>(a));
  }
  INCORE_IFMA_INLINE __m128i lowest(Vector a) { return _mm256_castsi256_si128(a); }
  INCORE_IFMA_INLINE Vector from_lowest(__m128i a) { return _mm256_zextsi128_si256(a); }
  INCORE_IFMA_INLINE Vector broadcast_lowest(__m128i a) { return _mm256_broadcastq_epi64(a); }
  INCORE_IFMA_INLINE Vector lo(Vector sum, Vector a, Vector b) {
    return _mm256_madd52lo_epu64(sum, a, b);
  }
  INCORE_IFMA_INLINE Vector hi(Vector sum, Vector a, Vector b) {
    return _mm256_madd52hi_epu64(sum, a, b);
  }
  INCORE_IFMA_INLINE Vector add(Vector a, Vector b) { return _mm256_add_epi64(a, b); }
  INCORE_IFMA_INLINE Vector bits_and(Vector a, Vector b) { return _mm256_and_si256(a, b); }
  INCORE_IFMA_INLINE Vector carry(Vector a) { return _mm256_srli_epi64(a, kDigitBits); }
  INCORE_IFMA_INLINE Vector lanes_down(Vector a) { return _mm256_alignr_epi64(zero(), a, 1); }
  INCORE_IFMA_INLINE Vector lanes_up(Vector a) { return _mm256_maskz_permutex_epi64(0xE, a, 0x90); }
  INCORE_IFMA_INLINE __mmask8 greater(Vector a, Vector b) { return _mm256_cmpgt_epu64_mask(a, b); }
  INCORE_IFMA_INLINE __mmask8 equal(Vector a, Vector b) { return _mm256_cmpeq_epu64_mask(a, b); }
  INCORE_IFMA_INLINE Vector add_where(__mmask8 lanes, Vector a, Vector b) {
    return _mm256_mask_add_epi64(a, lanes, a, b);
  }
};

struct Zmm {
  typedef __m512i Vector;
  static constexpr unsigned kLanes = 8;
  INCORE_IFMA_INLINE Vector load(const uint64_t* p) { return _mm512_load_si512(p); }
  INCORE_IFMA_INLINE void store(uint64_t* p, Vector a) { _mm512_store_si512(p, a); }
  INCORE_IFMA_INLINE Vector zero() { return _mm512_setzero_si512(); }
  INCORE_IFMA_INLINE Vector broadcast(uint64_t a) {
    return _mm512_set1_epi64(static_cast<int64_t>(a));
  }
  INCORE_IFMA_INLINE __m128i lowest(Vector a) { return _mm512_castsi512_si128(a); }
  INCORE_IFMA_INLINE Vector from_lowest(__m128i a) { return _mm512_zextsi128_si512(a); }
  INCORE_IFMA_INLINE Vector broadcast_lowest(__m128i a) { return _mm512_broadcastq_epi64(a); }
  INCORE_IFMA_INLINE Vector lo(Vector sum, Vector a, Vector b) {
    return _mm512_madd52lo_epu64(sum, a, b);
  }
  INCORE_IFMA_INLINE Vector hi(Vector sum, Vector a, Vector b) {
    return _mm512_madd52hi_epu64(sum, a, b);
  }
  INCORE_IFMA_INLINE Vector add(Vector a, Vector b) { return _mm512_add_epi64(a, b); }
  INCORE_IFMA_INLINE Vector bits_and(Vector a, Vector b) { return _mm512_and_si512(a, b); }
  INCORE_IFMA_INLINE Vector carry(Vector a) { return _mm512_srli_epi64(a, kDigitBits); }
  INCORE_IFMA_INLINE Vector lanes_down(Vector a) { return _mm512_alignr_epi64(zero(), a, 1); }
  INCORE_IFMA_INLINE Vector lanes_up(Vector a) { return _mm512_alignr_epi64(a, zero(), 7); }
  INCORE_IFMA_INLINE __mmask8 greater(Vector a, Vector b) { return _mm512_cmpgt_epu64_mask(a, b); }
  INCORE_IFMA_INLINE __mmask8 equal(Vector a, Vector b) { return _mm512_cmpeq_epu64_mask(a, b); }
  INCORE_IFMA_INLINE Vector add_where(__mmask8 lanes, Vector a, Vector b) {
    return _mm512_mask_add_epi64(a, lanes, a, b);
  }
};

// What is above the 52 bits of the lowest digit, in the lowest lane.
template <class Width>
INCORE_IFMA_INLINE typename Width::Vector lowest_carry(typename Width::Vector a) {
  return Width::from_lowest(_mm_maskz_srli_epi64(1, Width::lowest(a), kDigitBits));
}

// The lanes that get a carry from the lane below, if those of |generate| hand one on in any case
// and those of |propagate| if they get one: as the bits of a sum, which ripples through lanes in a
// row.
INCORE_IFMA_INLINE __mmask8 carries_between_lanes(__mmask8 generate, __mmask8 propagate) {
  return _kxor_mask8(_kadd_mask8(_kadd_mask8(generate, generate), propagate), propagate);
}

// Brings sums of products into digits of 52 bits. A first pass from vector to vector leaves only
// vector 0 with digits that may exceed 52 bits, by a carry from the lane below. Such a digit hands
// on a carry, which digits of 2^52 - 1 hand on in turn; masks of lanes say how far.
template <class Width, unsigned kVectors>
INCORE_IFMA_INLINE void carry_and_store(uint64_t* out, typename Width::Vector (&sum)[kVectors]) {
  typedef typename Width::Vector Vector;
  const Vector digit_mask = Width::broadcast(kDigitMask), one = Width::broadcast(1);
  Vector carry = Width::zero();
  // full[v]: lanes in which the digits of vectors 1 to v are 2^52 - 1
  __mmask8 full[kVectors];
  INCORE_UNROLL
  for (unsigned v = 0; v < kVectors; ++v) {
    sum[v] = Width::add(sum[v], carry);
    carry = Width::carry(sum[v]);
    sum[v] = Width::bits_and(sum[v], digit_mask);
    full[v] = v == 0 ? static_cast<__mmask8>(0xFF) : Width::equal(sum[v], digit_mask);
    if (v > 1) full[v] = _kand_mask8(full[v], full[v - 1]);
  }
  sum[0] = Width::add(sum[0], Width::lanes_up(carry));
  const __mmask8 exceeds = Width::greater(sum[0], digit_mask);
  const __mmask8 first_full = Width::equal(sum[0], digit_mask);
  const __mmask8 lanes = carries_between_lanes(_kand_mask8(exceeds, full[kVectors - 1]),
                                               _kand_mask8(first_full, full[kVectors - 1]));
  const __mmask8 out_of_first = _kor_mask8(exceeds, _kand_mask8(first_full, lanes));
  INCORE_UNROLL
  for (unsigned v = 0; v < kVectors; ++v) {
    const __mmask8 where = v == 0   ? lanes
                           : v == 1 ? out_of_first
                                    : _kand_mask8(out_of_first, full[v - 1]);
    Width::store(out + v * Width::kLanes,
                 Width::bits_and(Width::add_where(where, sum[v], one), digit_mask));
  }
}

// Numbers in columns, of one power or of two, one behind the other.
struct Columns {
  unsigned vectors, lanes, digits;
  size_t stride() const { return size_t{vectors} * lanes; }
};

// A number in columns from one in words, and back. The digits must be below 2^52.
void to_columns(uint64_t* out, const uint64_t* a, size_t words, const Columns& columns) {
  size_t bit = 0;
  for (unsigned lane = 0; lane < columns.lanes; ++lane)
    for (unsigned v = 0; v < columns.vectors; ++v, bit += kDigitBits) {
      const size_t word = bit / 64;
      const unsigned shift = bit % 64;
      uint64_t digit = word < words ? a[word] >> shift : 0;
      if (shift > 64 - kDigitBits && word + 1 < words) digit |= a[word + 1] << (64 - shift);
      out[v * columns.lanes + lane] = digit & kDigitMask;
    }
}

void from_columns(uint64_t* out, size_t words, const uint64_t* a, const Columns& columns) {
  for (size_t i = 0; i < words; ++i) out[i] = 0;
  size_t bit = 0;
  for (unsigned lane = 0; lane < columns.lanes; ++lane)
    for (unsigned v = 0; v < columns.vectors; ++v, bit += kDigitBits) {
      const uint64_t digit = a[v * columns.lanes + lane];
      const size_t word = bit / 64;
      const unsigned shift = bit % 64;
      if (word < words) out[word] |= digit << shift;
      if (shift > 64 - kDigitBits && word + 1 < words) out[word + 1] |= digit >> (64 - shift);
    }
}

// Moduli in columns and what reduces by them.
struct DigitModuli {
  Columns columns;
  size_t num_powers;
  const uint64_t* m;
  uint64_t m_prime[2];  // -1 / m modulo 2^52
  uint64_t* sum;        // scratch of multiply_any, of one number
};

// The step for digit i of b: sum = (sum + m * u) / 2^52 + hi(a * b[i]) + lo(a * b[i + 1]), where
// |sum| holds lo(a * b[i]) already. Digit 0 of |sum| is in vector |at|, and afterwards in the next
// one. From one step to the next leads a chain of dependent instructions, through u and digit 0:
// what does not depend on u is added first. So is the carry out of digit 0: its low bits become 0,
// with a carry if they were not. Four multiplications in a row on each vector make another chain;
// kShort cuts it, at the price of an addition.
template <class Width, unsigned kVectors, bool kShort>
INCORE_IFMA_INLINE void multiply_step(typename Width::Vector (&sum)[kVectors], unsigned at,
                                      const uint64_t* a, typename Width::Vector b,
                                      typename Width::Vector b_next, const uint64_t* m,
                                      __m128i m_prime) {
  typedef typename Width::Vector Vector;
  constexpr unsigned kLanes = Width::kLanes;
  const Vector low = sum[at], m_0 = Width::load(m), a_0 = Width::load(a);
  const Vector u =
      Width::broadcast_lowest(_mm_madd52lo_epu64(_mm_setzero_si128(), Width::lowest(low), m_prime));
  Vector m_v = Width::load(m + kLanes);

  Vector& next = sum[(at + 1) % kVectors];
  next = Width::add(next, lowest_carry<Width>(Width::add(low, Width::broadcast(kDigitMask))));
  next = Width::lo(Width::hi(next, a_0, b), a_0, b_next);
  next = Width::add(Width::hi(next, m_0, u), Width::lo(Width::zero(), m_v, u));
  sum[at] = Width::lanes_down(Width::lo(low, m_0, u));
  INCORE_UNROLL
  for (unsigned v = 1; v < kVectors; ++v) {
    Vector& s = sum[(at + 1 + v) % kVectors];
    const Vector a_v = Width::load(a + v * kLanes);
    s = Width::lo(Width::hi(s, a_v, b), a_v, b_next);
    Vector t = Width::hi(kShort ? Width::zero() : s, m_v, u);
    if (v + 1 < kVectors) {
      m_v = Width::load(m + (v + 1) * kLanes);
      t = Width::lo(t, m_v, u);
    }
    s = kShort ? Width::add(s, t) : t;
  }
}

// out = a * b / 2^(52 * kDigits) mod m, below 2m, for |kPowers| numbers side by side.
template <class Width, unsigned kVectors, unsigned kDigits, unsigned kPowers>
INCORE_IFMA void multiply(const DigitModuli& moduli, uint64_t* out, const uint64_t* a,
                          const uint64_t* b) {
  typedef typename Width::Vector Vector;
  constexpr unsigned kLanes = Width::kLanes, kStride = kVectors * kLanes;
  constexpr unsigned kRest = kDigits % kVectors;
  // Whether chains of instructions take longer than their number does.
  constexpr bool kShort = kPowers * kVectors * kLanes <= 32;
  static const uint64_t kBeyond[kPowers * kStride] = {};  // what follows the last lane
  const uint64_t* const m = moduli.m;
  Vector sum[kPowers][kVectors], digit[kPowers];
  __m128i m_prime[kPowers];
  INCORE_UNROLL
  for (unsigned p = 0; p < kPowers; ++p) {
    m_prime[p] = _mm_set1_epi64x(static_cast<int64_t>(moduli.m_prime[p]));
    digit[p] = Width::broadcast(b[p * kStride]);
    INCORE_UNROLL
    for (unsigned v = 0; v < kVectors; ++v)
      sum[p][v] = Width::lo(Width::zero(), Width::load(a + p * kStride + v * kLanes), digit[p]);
  }
  for (unsigned lane = 0; lane < kDigits / kVectors; ++lane) {
    const uint64_t* const next_lane = lane + 1 == kLanes ? kBeyond : b + lane + 1;
    INCORE_UNROLL
    for (unsigned v = 0; v < kVectors; ++v) {
      const uint64_t* const next =
          v + 1 == kVectors ? next_lane : b + (v + 1) % kVectors * kLanes + lane;
      INCORE_UNROLL
      for (unsigned p = 0; p < kPowers; ++p) {
        const Vector next_digit = Width::broadcast(next[p * kStride]);
        multiply_step<Width, kVectors, kShort>(sum[p], v, a + p * kStride, digit[p], next_digit,
                                               m + p * kStride, m_prime[p]);
        digit[p] = next_digit;
      }
    }
  }
  INCORE_UNROLL
  for (unsigned v = 0; v < kRest; ++v) {
    INCORE_UNROLL
    for (unsigned p = 0; p < kPowers; ++p) {
      // The digit behind the last one is there, and 0.
      const Vector next_digit =
          Width::broadcast(b[p * kStride + (v + 1) % kVectors * kLanes + kDigits / kVectors]);
      multiply_step<Width, kVectors, kShort>(sum[p], v, a + p * kStride, digit[p], next_digit,
                                             m + p * kStride, m_prime[p]);
      digit[p] = next_digit;
    }
  }
  INCORE_UNROLL
  for (unsigned p = 0; p < kPowers; ++p) {
    Vector result[kVectors];
    INCORE_UNROLL
    for (unsigned v = 0; v < kVectors; ++v) result[v] = sum[p][(kRest + v) % kVectors];
    carry_and_store<Width, kVectors>(out + p * kStride, result);
  }
}

// The same for one number of any size, with the sum in memory; each step moves it down by a vector.
INCORE_IFMA void multiply_any(const DigitModuli& moduli, uint64_t* out, const uint64_t* a,
                              const uint64_t* b) {
  const unsigned vectors = moduli.columns.vectors;
  const uint64_t* const m = moduli.m;
  uint64_t* const sum = moduli.sum;
  const __m128i m_prime = _mm_set1_epi64x(static_cast<int64_t>(moduli.m_prime[0]));
  const __m512i digit_mask = Zmm::broadcast(kDigitMask);
  __m512i digit = Zmm::broadcast(b[0]);
  for (unsigned v = 0; v < vectors; ++v)
    Zmm::store(sum + 8 * v, Zmm::lo(Zmm::zero(), Zmm::load(a + 8 * v), digit));

  const unsigned digits = moduli.columns.digits;
  for (unsigned i = 0, next_at = 0; i < digits; ++i) {
    next_at += 8;  // to the next vector, or to the next lane of the first one
    if (next_at >= 8 * vectors) next_at -= 8 * vectors - 1;
    const __m512i next_digit = i + 1 < digits ? Zmm::broadcast(b[next_at]) : Zmm::zero();
    const __m512i low = Zmm::load(sum);
    const __m512i u =
        Zmm::broadcast_lowest(_mm_madd52lo_epu64(_mm_setzero_si128(), Zmm::lowest(low), m_prime));
    __m512i m_v = Zmm::load(m), carry = lowest_carry<Zmm>(Zmm::add(low, digit_mask));
    const __m512i top = Zmm::lanes_down(Zmm::lo(low, m_v, u));
    for (unsigned v = 0; v < vectors; ++v) {
      const __m512i a_v = Zmm::load(a + 8 * v);
      __m512i s = top;
      if (v + 1 < vectors) s = Zmm::add(Zmm::load(sum + 8 * (v + 1)), carry);
      s = Zmm::hi(Zmm::lo(Zmm::hi(s, a_v, digit), a_v, next_digit), m_v, u);
      if (v + 1 < vectors) {
        m_v = Zmm::load(m + 8 * (v + 1));
        s = Zmm::lo(s, m_v, u);
      }
      carry = Zmm::zero();
      Zmm::store(sum + 8 * v, s);
    }
    digit = next_digit;
  }

  // As in carry_and_store().
  __m512i carry = Zmm::zero();
  __mmask8 all_full = 0xFF;
  for (unsigned v = 0; v < vectors; ++v) {
    const __m512i s = Zmm::add(Zmm::load(sum + 8 * v), carry);
    carry = Zmm::carry(s);
    Zmm::store(sum + 8 * v, Zmm::bits_and(s, digit_mask));
    if (v != 0) all_full &= Zmm::equal(Zmm::load(sum + 8 * v), digit_mask);
  }
  Zmm::store(sum, Zmm::add(Zmm::load(sum), Zmm::lanes_up(carry)));
  const __mmask8 exceeds = Zmm::greater(Zmm::load(sum), digit_mask);
  __mmask8 full = Zmm::equal(Zmm::load(sum), digit_mask);
  __mmask8 lanes = carries_between_lanes(exceeds & all_full, full & all_full);
  for (unsigned v = 0; v < vectors; ++v) {
    const __m512i s = Zmm::load(sum + 8 * v);
    full = Zmm::equal(s, digit_mask);
    Zmm::store(out + 8 * v, Zmm::bits_and(Zmm::add_where(lanes, s, Zmm::broadcast(1)), digit_mask));
    lanes &= full;
    if (v == 0) lanes |= exceeds;
  }
}

// |kVectors| x 4 words of the entry |index|, by reading all entries, which are |stride| words
// apart.
template <unsigned kVectors>
INCORE_IFMA_INLINE void select_part(uint64_t* out, const uint64_t* table, size_t stride,
                                    size_t num_entries, uint64_t index) {
  const __m256i wanted = Ymm::broadcast(index), one = Ymm::broadcast(1);
  __m256i entry = Ymm::zero(), part[kVectors];
  INCORE_UNROLL
  for (unsigned v = 0; v < kVectors; ++v) part[v] = Ymm::zero();
  for (size_t i = 0; i < num_entries; ++i, table += stride) {
    const __m256i mask = _mm256_cmpeq_epi64(entry, wanted);
    entry = Ymm::add(entry, one);
    INCORE_UNROLL
    for (unsigned v = 0; v < kVectors; ++v)
      part[v] =
          _mm256_ternarylogic_epi64(part[v], mask, Ymm::load(table + 4 * v), 0xF8);  // p | m&t
  }
  INCORE_UNROLL
  for (unsigned v = 0; v < kVectors; ++v) Ymm::store(out + 4 * v, part[v]);
}

INCORE_IFMA void select_words(uint64_t* out, const uint64_t* table, size_t stride,
                              size_t num_entries, uint64_t index, size_t words) {
  for (; words >= 20; words -= 20, out += 20, table += 20)
    select_part<5>(out, table, stride, num_entries, index);
  for (; words >= 12; words -= 12, out += 12, table += 12)
    select_part<3>(out, table, stride, num_entries, index);
  if (words == 8) select_part<2>(out, table, stride, num_entries, index);
  if (words == 4) select_part<1>(out, table, stride, num_entries, index);
}

// What computes with numbers of up to so many words.
struct Shape {
  size_t words;
  Columns columns;
  void (*multiply[2])(const DigitModuli& moduli, uint64_t* out, const uint64_t* a,
                      const uint64_t* b);  // one, two side by side
};

template <size_t kWords, class Width, unsigned kVectors, unsigned kDigits>
constexpr Shape fixed_shape() {
  static_assert(kDigits * kDigitBits >= 64 * kWords + 2 && kDigits <= kVectors * Width::kLanes);
  static_assert(40 * kVectors * Width::kLanes <= mont_power_scratch_words(kWords));
  return {kWords,
          {kVectors, Width::kLanes, kDigits},
          {multiply<Width, kVectors, kDigits, 1>, multiply<Width, kVectors, kDigits, 2>}};
}

// The sizes of mont_rounded_words().
constexpr Shape kShapes[] = {
    fixed_shape<4, Ymm, 2, 5>(),   fixed_shape<8, Ymm, 3, 10>(),   fixed_shape<12, Ymm, 4, 15>(),
    fixed_shape<16, Ymm, 5, 20>(), fixed_shape<24, Zmm, 4, 30>(),  fixed_shape<32, Zmm, 5, 40>(),
    fixed_shape<48, Zmm, 8, 60>(), fixed_shape<64, Zmm, 10, 79>(),
};

Shape shape_of(size_t words) {
  for (const Shape& shape : kShapes)
    if (words <= shape.words) return shape;
  const unsigned digits = static_cast<unsigned>((64 * words + 2 + kDigitBits - 1) / kDigitBits);
  return {words, {(digits + 7) / 8, 8, digits}, {multiply_any, nullptr}};
}

// The form that the columns are in, with R = 2^(52 * digits).
struct DigitForm {
  size_t stride;
  const Shape& shape;
  const DigitModuli& moduli;

  void mul(uint64_t* out, const uint64_t* a, const uint64_t* b) const {
    shape.multiply[moduli.num_powers - 1](moduli, out, a, b);
  }
  void select(uint64_t* out, const uint64_t* table, size_t num_entries,
              const uint64_t* index) const {
    const size_t one = shape.columns.stride();
    for (size_t p = 0; p < moduli.num_powers; ++p)
      select_words(out + p * one, table + p * one, stride, num_entries, index[p], one);
  }
};

void power(const MontPower* powers, size_t num_powers, uint64_t* scratch) {
  const size_t words = powers[0].modulus->words;
  const Shape shape = shape_of(words);
  if (num_powers == 2 && shape.multiply[1] == nullptr) {
    power(powers, 1, scratch);
    return power(powers + 1, 1, scratch);
  }

  const Columns& columns = shape.columns;
  const size_t one = columns.stride(), stride = num_powers * one;
  uint64_t* const m = scratch;
  uint64_t* const rr = m + stride;
  uint64_t* const x = rr + stride;
  uint64_t* const result = x + stride;
  uint64_t* const sum = result + stride;
  uint64_t* const table = sum + stride;
  DigitModuli moduli = {columns, num_powers, m, {}, sum};
  for (size_t p = 0; p < num_powers; ++p) {
    const MontModulus& modulus = *powers[p].modulus;
    to_columns(m + p * one, modulus.m, words, columns);
    to_columns(rr + p * one, modulus.rr, words, columns);
    to_columns(table + stride + p * one, powers[p].base, words, columns);
    moduli.m_prime[p] = modulus.m_prime & kDigitMask;
  }
  const DigitForm form = {stride, shape, moduli};

  const auto set_to_power_of_2 = [&](uint64_t* out, size_t exponent) {
    const size_t digit = exponent / kDigitBits;
    for (size_t i = 0; i < stride; ++i) out[i] = 0;
    for (size_t p = 0; p < num_powers; ++p)
      out[p * one + digit % columns.vectors * columns.lanes + digit / columns.vectors] =
          uint64_t{1} << exponent % kDigitBits;
  };
  // rr is 2^(2 * 64 * words) and shall be 2^(2s), s = 52 * digits. The product of 2^u and 2^v is
  // 2^(u + v - s): squares, up to 2^(3s), and then one step back.
  const size_t s = kDigitBits * columns.digits;
  size_t exponent = 128 * words;
  for (; exponent < 2 * s; exponent = 2 * exponent - s) form.mul(rr, rr, rr);
  if (exponent != 2 * s) {
    set_to_power_of_2(x, 3 * s - exponent);
    form.mul(rr, rr, x);
  }

  set_to_power_of_2(x, 0);
  form.mul(table, x, rr);
  form.mul(table + stride, table + stride, rr);
  mont_powers_in_form(form, powers, num_powers, table, x, result);
  set_to_power_of_2(x, 0);
  form.mul(result, result, x);  // now at most m
  for (size_t p = 0; p < num_powers; ++p) {
    from_columns(x, words, result + p * one, columns);
    words_reduce_once(powers[p].out, x, 0, powers[p].modulus->m, words);
  }
  wipe(moduli);
}

void mul(uint64_t* out, const uint64_t* a, const uint64_t* b, const MontModulus& modulus,
         uint64_t* scratch) {
  mont_adx.mul(out, a, b, modulus, scratch);
}

}  // namespace

constinit const MontKernel mont_ifma = {
    {"ifma", FeatureSet(Feature::avx512, Feature::avx512ifma, Feature::bmi2, Feature::adx)},
    mul,
    power};

}  // namespace incore

#endif
