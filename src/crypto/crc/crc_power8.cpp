// CRC-32 and CRC-32C with vpmsumd (Power ISA 2.07B, Vector Polynomial Multiply-Sum): the message is
// folded onto sixteen registers, and what these and its last bytes add to the CRC is summed up.
// crc_fold.h explains the constants. Peculiar: the instruction adds the products of both halves, so
// that it moves a vector alone. Messages below 16 bytes take tables.
#if defined(__powerpc64__)

#include "crypto/crc/crc_fold.h"
#include "crypto/crc/crc_kernel.h"
#include "crypto/power8/vector.h"

namespace incore {
namespace {

using namespace power8;

constexpr size_t kRegister = 16;
constexpr size_t kAccumulators = 16;  // a multiplication takes six cycles, and the sum two
constexpr size_t kStep = kRegister * kAccumulators;
constexpr size_t kWorthFolding = 2 * kStep;

struct Step {
  uint8_t bytes[kStep];
};

// Two words in the order in which a register is loaded from them.
struct alignas(16) Pair {
  uint64_t words[2];
};
constexpr Pair make_pair(uint64_t low, uint64_t high) {
  return kLittleEndian ? Pair{{low, high}} : Pair{{high, low}};
}
constexpr Pair make_pair(const crc::Multipliers& m) {
  return make_pair(m.low, m.high);
}

// What vectors with 16 * column + row bytes behind them are multiplied with, to be summed up.
struct ReduceRows {
  static constexpr size_t kColumns = 2 * kAccumulators;
  Pair behind[kRegister][kColumns];
};
constexpr ReduceRows make_reduce_rows(uint32_t polynomial) {
  ReduceRows rows = {};
  crc::Multipliers m = crc::reduce_before(polynomial, 0);
  for (size_t column = 0; column < ReduceRows::kColumns; ++column)
    for (Pair(&row)[ReduceRows::kColumns] : rows.behind) {
      row[column] = make_pair(m);
      m.low = crc::shift(polynomial, static_cast<uint32_t>(m.low), 8);
      m.high = crc::shift(polynomial, static_cast<uint32_t>(m.high), 8);
    }
  return rows;
}

template <uint32_t kPolynomial>
struct Constants {
  static constexpr const CrcKernel& kPortable =
      kPolynomial == crc::kCrc32Polynomial ? crc32_portable : crc32c_portable;
  static constexpr Pair kFold = make_pair(crc::fold_by(kPolynomial, kStep));
  static constexpr ReduceRows kReduce = make_reduce_rows(kPolynomial);
  static constexpr Pair kQuotient = make_pair(crc::make_barrett(kPolynomial).quotient, 0);
  static constexpr Pair kModulus = make_pair(crc::make_barrett(kPolynomial).polynomial, 0);
};

// From byte 16 - n on, a mask for the last n bytes of a register.
alignas(16) constexpr uint8_t kLastBytes[32] = {
    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};

// Memory's first byte is the rightmost of the register, as bits are reflected within a byte.
POWER8_INLINE uint64x2_p8 load(const uint8_t* p) {
  const uint8x16_p8 x = VectorLoadu(p);
  return as_u64(kLittleEndian ? x : VectorReverse(x));
}
// From an aligned address. In assembly, as GCC 12 makes four instructions of the built-in here; and
// volatile, so that loads stay where they stand, between the multiplications.
POWER8_INLINE uint64x2_p8 load_aligned(const uint8_t* p, size_t offset) {
  uint8x16_p8 x;
  __asm__ volatile("lvx %0,%1,%2"
                   : "=v"(x)
                   : "b"(p), "r"(offset), "m"(*reinterpret_cast<const Step*>(p)));
  return as_u64(kLittleEndian ? x : VectorReverse(x));
}
POWER8_INLINE uint64x2_p8 load(const Pair& pair) {
  return as_u64(VectorLoad(pair.words));
}

// |state| as what is added to the first bytes of the message.
POWER8_INLINE uint64x2_p8 at_front(uint32_t state) {
  return VectorFrom64BE(0, state);
}

// A sum of products, reduced: crc_fold.h has the arithmetic.
template <class C>
POWER8_INLINE uint32_t barrett(uint64x2_p8 sum) {
  const uint64x2_p8 q = vpmsumd(sum, load(C::kQuotient));
  return static_cast<uint32_t>(VectorLeft64BE(vec_xor(sum, vpmsumd(q, load(C::kModulus)))));
}

// The register after a message whose last |len| bytes are at |data|. |sum| is what those before
// them, at least 16, add to the sum.
template <class C>
POWER8_INLINE uint32_t finish(uint64x2_p8 sum, const uint8_t* data, size_t len) {
  const size_t rest = len % kRegister;
  const Pair* const row = C::kReduce.behind[rest];
  for (size_t column = len / kRegister; column != 0; data += kRegister)
    sum = vec_xor(sum, vpmsumd(load(data), load(row[--column])));
  if (rest != 0) {
    const uint64x2_p8 last = vec_and(load(data + rest - kRegister), load(kLastBytes + rest));
    sum = vec_xor(sum, vpmsumd(last, load(C::kReduce.behind[0][0])));
  }
  return barrett<C>(sum);
}

template <class C>
uint32_t update_short(uint32_t state, const uint8_t* data, size_t len) {
  const Pair* const row = C::kReduce.behind[len % kRegister];
  const uint64x2_p8 first = vec_xor(load(data), at_front(state));
  return finish<C>(vpmsumd(first, load(row[len / kRegister - 1])), data + kRegister,
                   len - kRegister);
}

// Sets |x0| and |x1| to the first vectors at aligned addresses, as if zeros stood before the
// message, and returns the first of these addresses, which may lie before the message.
POWER8_INLINE const uint8_t* align(uint32_t state, const uint8_t* data, uint64x2_p8& x0,
                                   uint64x2_p8& x1) {
  const size_t before = reinterpret_cast<uintptr_t>(data) % kRegister;
  const uint64x2_p8 front = at_front(state);
  const uint64x2_p8 first = vec_xor(load(data), front);
  if (before == 0) {
    x0 = first;
    x1 = load_aligned(data, kRegister);
    return data;
  }
  // Shifts by bytes, whose number is eight times in each byte: no order to mind.
  const uint8x16_p8 up = vec_splats(static_cast<uint8_t>(8 * before));
  const uint8x16_p8 down = vec_splats(static_cast<uint8_t>(8 * (kRegister - before)));
  data += kRegister - before;
  x0 = as_u64(vec_slo(as_u8(first), up));
  x1 = vec_xor(load_aligned(data, 0), as_u64(vec_sro(as_u8(front), down)));
  return data - kRegister;
}

template <class C>
uint32_t update_long(uint32_t state, const uint8_t* data, size_t len) {
  const uint8_t* const end = data + len;
  uint64x2_p8 x[kAccumulators];
  data = align(state, data, x[0], x[1]);
#pragma GCC unroll 16
  for (size_t i = 2; i < kAccumulators; ++i) x[i] = load_aligned(data, kRegister * i);
  // quote: fold
  const uint64x2_p8 fold = load(C::kFold);
  for (data += kStep; static_cast<size_t>(end - data) >= kStep; data += kStep)
#pragma GCC unroll 16
    for (size_t i = 0; i < kAccumulators; ++i)
      x[i] = vec_xor(vpmsumd(x[i], fold), load_aligned(data, kRegister * i));
  len = static_cast<size_t>(end - data);
  const Pair* const row = C::kReduce.behind[len % kRegister] + len / kRegister;
  uint64x2_p8 sum = {};
#pragma GCC unroll 16
  for (size_t i = 0; i < kAccumulators; ++i)
    sum = vec_xor(sum, vpmsumd(x[i], load(row[kAccumulators - 1 - i])));
  // end of quote
  return finish<C>(sum, data, len);
}

template <uint32_t kPolynomial>
uint32_t update(uint32_t state, const uint8_t* data, size_t len) {
  using C = Constants<kPolynomial>;
  if (len < kRegister) return C::kPortable.update(state, data, len);
  return len < kWorthFolding ? update_short<C>(state, data, len) : update_long<C>(state, data, len);
}

}  // namespace

constinit const CrcKernel crc32_power8 = {{"power8", FeatureSet(Feature::vcrypto)},
                                          update<crc::kCrc32Polynomial>};
constinit const CrcKernel crc32c_power8 = {{"power8", FeatureSet(Feature::vcrypto)},
                                           update<crc::kCrc32cPolynomial>};

}  // namespace incore

#endif
