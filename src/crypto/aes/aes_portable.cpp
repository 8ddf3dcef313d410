// AES for every CPU, constant-time: FIPS 197 bitsliced, eight blocks at a time, no table and no
// branch on data.
//
// Eight blocks stand in eight slices of 128 bits. A slice looks like the state of FIPS 197 itself:
// byte n of slice i holds bit i of byte n of all blocks, block b at bit b. So a column is a 32-bit
// element, ShiftRows moves elements, MixColumns rotates within them, and SubBytes is Boolean
// algebra on the slices, which inverts in a tower of fields GF(2) < GF(4) < GF(16) < GF(256), where
// an inverse costs few multiplications. All constants of the tower are computed below. Vectors are
// the compilers' generic ones: they become SIMD registers where the target has any.
#include <cstring>
#include <utility>

#include "base/bytes.h"
#include "crypto/aes/aes_kernel.h"
#include "crypto/aes/aes_plain_modes.h"
#include "crypto/aes/aes_steps.h"

// Every function that takes a vector by value is inlined, so its calling convention does not
// matter.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace incore {
namespace {

#define INLINE [[gnu::always_inline]] inline constexpr

// The tower. |W| is a word of bits: every bit position is an element of its own.
template <class W>
struct Gf4 {  // hi * w + lo, w^2 = w + 1
  W lo, hi;
};
template <class W>
struct Gf16 {  // hi * y + lo, y^2 = y + w
  Gf4<W> lo, hi;
};
template <class W>
struct Gf256 {  // hi * z + lo, z^2 = z + w*y
  Gf16<W> lo, hi;
};

template <class W>
INLINE Gf4<W> operator+(const Gf4<W>& a, const Gf4<W>& b) {
  return {a.lo ^ b.lo, a.hi ^ b.hi};
}
template <class W>
INLINE Gf4<W> operator*(const Gf4<W>& a, const Gf4<W>& b) {
  const W lo = a.lo & b.lo;
  return {lo ^ (a.hi & b.hi), ((a.lo ^ a.hi) & (b.lo ^ b.hi)) ^ lo};
}
template <class W>
INLINE Gf4<W> square(const Gf4<W>& a) {
  return {a.lo ^ a.hi, a.hi};
}
template <class W>
INLINE Gf4<W> times_w(const Gf4<W>& a) {
  return {a.hi, a.lo ^ a.hi};
}

template <class W>
INLINE Gf16<W> operator+(const Gf16<W>& a, const Gf16<W>& b) {
  return {a.lo + b.lo, a.hi + b.hi};
}
template <class W>
INLINE Gf16<W> operator*(const Gf16<W>& a, const Gf16<W>& b) {
  const Gf4<W> lo = a.lo * b.lo;
  return {lo + times_w(a.hi * b.hi), (a.lo + a.hi) * (b.lo + b.hi) + lo};
}
template <class W>
INLINE Gf16<W> square(const Gf16<W>& a) {
  return {square(a.lo) + times_w(square(a.hi)), square(a.hi)};
}
template <class W>
INLINE Gf16<W> times_wy(const Gf16<W>& a) {
  return {times_w(times_w(a.hi)), times_w(a.lo + a.hi)};
}
// With the conjugate of a: 1 / a = conjugate / norm, and the norm lies in the field below.
template <class W>
INLINE Gf16<W> inverse(const Gf16<W>& a) {
  const Gf4<W> sum = a.lo + a.hi;
  const Gf4<W> inverse_norm = square(times_w(square(a.hi)) + a.lo * sum);  // 1 / n = n^2 in GF(4)
  return {sum * inverse_norm, a.hi * inverse_norm};
}

template <class W>
INLINE Gf256<W> operator*(const Gf256<W>& a, const Gf256<W>& b) {
  const Gf16<W> lo = a.lo * b.lo;
  return {lo + times_wy(a.hi * b.hi), (a.lo + a.hi) * (b.lo + b.hi) + lo};
}
template <class W>
INLINE Gf256<W> inverse(const Gf256<W>& a) {
  const Gf16<W> sum = a.lo + a.hi;
  const Gf16<W> inverse_norm = inverse(times_wy(square(a.hi)) + a.lo * sum);
  return {sum * inverse_norm, a.hi * inverse_norm};
}

// Between the tower and eight words, bit i of an element in word i.
template <class W>
INLINE Gf256<W> from_slices(const W (&x)[8]) {
  return {{{x[0], x[1]}, {x[2], x[3]}}, {{x[4], x[5]}, {x[6], x[7]}}};
}
template <class W>
INLINE void to_slices(const Gf256<W>& a, W (&x)[8]) {
  x[0] = a.lo.lo.lo, x[1] = a.lo.lo.hi, x[2] = a.lo.hi.lo, x[3] = a.lo.hi.hi;
  x[4] = a.hi.lo.lo, x[5] = a.hi.lo.hi, x[6] = a.hi.hi.lo, x[7] = a.hi.hi.hi;
}

// A linear map of bytes: bit i of the image is the parity of (rows[i] & byte).
struct Matrix {
  uint8_t rows[8];

  constexpr uint8_t operator()(uint8_t a) const {
    uint8_t image = 0;
    for (unsigned i = 0; i < 8; ++i)
      image = static_cast<uint8_t>(image | __builtin_parity(rows[i] & a) << i);
    return image;
  }
};

// The matrix of the linear function with these images of 1, 2, 4, ..., 128.
constexpr Matrix matrix_of(const uint8_t (&images)[8]) {
  Matrix m = {};
  for (unsigned i = 0; i < 8; ++i)
    for (unsigned j = 0; j < 8; ++j)
      m.rows[i] = static_cast<uint8_t>(m.rows[i] | (images[j] >> i & 1) << j);
  return m;
}

constexpr Matrix operator*(const Matrix& outer, const Matrix& inner) {
  uint8_t images[8] = {};
  for (unsigned j = 0; j < 8; ++j) images[j] = outer(inner(static_cast<uint8_t>(1 << j)));
  return matrix_of(images);
}

constexpr Matrix inverse(const Matrix& m) {
  uint8_t images[8] = {};
  for (unsigned a = 0; a < 256; ++a)
    for (unsigned j = 0; j < 8; ++j)
      if (m(static_cast<uint8_t>(a)) == 1 << j) images[j] = static_cast<uint8_t>(a);
  return matrix_of(images);
}

constexpr uint8_t tower_multiply(uint8_t a, uint8_t b) {
  unsigned x[8] = {}, y[8] = {};
  for (unsigned i = 0; i < 8; ++i) x[i] = a >> i & 1u, y[i] = b >> i & 1u;
  to_slices(from_slices(x) * from_slices(y), x);
  uint8_t product = 0;
  for (unsigned i = 0; i < 8; ++i) product = static_cast<uint8_t>(product | x[i] << i);
  return product;
}

// The isomorphism from the field of FIPS 197 to the tower takes x to a root r of x^8 + x^4 + x^3 +
// x + 1, x^i to r^i.
constexpr Matrix compute_to_tower() {
  for (unsigned r = 2; r < 256; ++r) {
    uint8_t powers[9] = {1};
    for (unsigned i = 1; i < 9; ++i)
      powers[i] = tower_multiply(powers[i - 1], static_cast<uint8_t>(r));
    if ((powers[8] ^ powers[4] ^ powers[3] ^ powers[1] ^ powers[0]) != 0) continue;
    const uint8_t images[8] = {powers[0], powers[1], powers[2], powers[3],
                               powers[4], powers[5], powers[6], powers[7]};
    return matrix_of(images);
  }
  return {};
}

// FIPS 197 section 5.1.1: bit i of the affine transformation is the parity of bits i, i+4, ..., i+7
// (modulo 8).
constexpr Matrix kAffine = {{0xF1, 0xE3, 0xC7, 0x8F, 0x1F, 0x3E, 0x7C, 0xF8}};
constexpr uint8_t kAffineConstant = 0x63;
constexpr Matrix kToTower = compute_to_tower();
constexpr Matrix kFromTower = inverse(kToTower);
constexpr Matrix kFromTowerAffine = kAffine * kFromTower;
constexpr Matrix kInvAffineToTower = kToTower * inverse(kAffine);

// One row of a matrix: the sum of the slices that it selects, known when compiling.
template <uint8_t row, class W, size_t... j>
INLINE W row_times(const W (&x)[8], std::index_sequence<j...>) {
  return ((row >> j & 1 ? x[j] : W{}) ^ ...);
}
template <Matrix m, class W, size_t... i>
INLINE void apply_rows(W (&x)[8], std::index_sequence<i...> all) {
  const W old[8] = {x[i]...};
  ((x[i] = row_times<m.rows[i]>(old, all)), ...);
}
template <Matrix m, class W>
INLINE void apply(W (&x)[8]) {
  apply_rows<m>(x, std::make_index_sequence<8>());
}

template <class W>
INLINE void add_affine_constant(W (&x)[8]) {
  for (unsigned i = 0; i < 8; ++i)
    if (kAffineConstant >> i & 1) x[i] = ~x[i];
}

template <class W>
INLINE void sub_bytes(W (&s)[8]) {
  apply<kToTower>(s);
  to_slices(inverse(from_slices(s)), s);
  apply<kFromTowerAffine>(s);
  add_affine_constant(s);
}

template <class W>
INLINE void inv_sub_bytes(W (&s)[8]) {
  add_affine_constant(s);
  apply<kInvAffineToTower>(s);
  to_slices(inverse(from_slices(s)), s);
  apply<kFromTower>(s);
}

// A slice, or a block before slicing: element c holds column c, row r in bits 8r to 8r + 7.
using Word = uint32_t __attribute__((vector_size(16)));
constexpr size_t kBatch = 8;
using Batch = Word[kBatch];

INLINE Word rotate_columns_right(const Word& x, unsigned bits) {
  return x >> bits | x << (32 - bits);
}

inline Word load(const uint8_t* p) {
  return Word{load_le32(p), load_le32(p + 4), load_le32(p + 8), load_le32(p + 12)};
}

inline void store(uint8_t* p, const Word& x) {
  for (unsigned c = 0; c < 4; ++c) store_le32(p + 4 * c, x[c]);
}

INLINE void swap_bits(Word& a, Word& b, unsigned distance, uint32_t mask) {
  const Word t = ((a >> distance) ^ b) & mask;
  b ^= t;
  a ^= t << distance;
}

// Blocks to slices and back: exchanges the number of the block with the number of the bit within
// its byte.
INLINE void transpose(Batch& x) {
  for (unsigned i = 0; i < 8; i += 2) swap_bits(x[i], x[i + 1], 1, 0x55555555);
  for (unsigned i = 0; i < 8; i += (i & 1) ? 3 : 1) swap_bits(x[i], x[i + 2], 2, 0x33333333);
  for (unsigned i = 0; i < 4; ++i) swap_bits(x[i], x[i + 4], 4, 0x0F0F0F0F);
}

constexpr uint32_t row_mask(unsigned r) {
  return uint32_t{0xFF} << (8 * r);
}

INLINE void shift_rows(Batch& s) {
  for (Word& x : s)
    x = (x & row_mask(0)) | (__builtin_shufflevector(x, x, 1, 2, 3, 0) & row_mask(1)) |
        (__builtin_shufflevector(x, x, 2, 3, 0, 1) & row_mask(2)) |
        (__builtin_shufflevector(x, x, 3, 0, 1, 2) & row_mask(3));
}

INLINE void inv_shift_rows(Batch& s) {
  for (Word& x : s)
    x = (x & row_mask(0)) | (__builtin_shufflevector(x, x, 3, 0, 1, 2) & row_mask(1)) |
        (__builtin_shufflevector(x, x, 2, 3, 0, 1) & row_mask(2)) |
        (__builtin_shufflevector(x, x, 1, 2, 3, 0) & row_mask(3));
}

// Multiplies by x in the field of FIPS 197.
template <class W>
INLINE void times_x(W (&s)[8]) {
  const W top = s[7];
  for (unsigned i = 7; i > 0; --i) s[i] = s[i - 1];
  s[0] = top;
  s[1] ^= top, s[3] ^= top, s[4] ^= top;
}

// With a' the byte one row below a: 2a + 3a' + a'' + a''' = 2(a + a') + a' + (a + a')''.
INLINE void mix_columns(Batch& s) {
  Batch next, sum;
  for (unsigned i = 0; i < 8; ++i) {
    next[i] = rotate_columns_right(s[i], 8);
    sum[i] = s[i] ^ next[i];
    s[i] = sum[i];
  }
  times_x(s);
  for (unsigned i = 0; i < 8; ++i) s[i] ^= next[i] ^ rotate_columns_right(sum[i], 16);
}

// The matrix of InvMixColumns is that of MixColumns times the circulant of 5, 0, 4, 0.
INLINE void inv_mix_columns(Batch& s) {
  Batch sum;
  for (unsigned i = 0; i < 8; ++i) sum[i] = s[i] ^ rotate_columns_right(s[i], 16);
  times_x(sum);
  times_x(sum);
  for (unsigned i = 0; i < 8; ++i) s[i] ^= sum[i];
  mix_columns(s);
}

INLINE void add_round_key(Batch& s, const Word& round_key) {
  for (unsigned i = 0; i < 8; ++i) {
    const Word bits = (round_key >> i) & 0x01010101;
    s[i] ^= (bits << 8) - bits;  // every byte 00 or FF: all blocks take the same key
  }
}

enum class Direction { encrypt, decrypt };

// Eight blocks, in place.
template <Direction direction>
void crypt(const AesKey& key, Batch& x) {
  const uint8_t* round_key = key.storage;
  transpose(x);
  add_round_key(x, load(round_key));
  for (unsigned round = 1; round <= key.rounds; ++round) {
    round_key += kAesBlockLen;
    if constexpr (direction == Direction::encrypt) {
      sub_bytes(x);
      shift_rows(x);
      if (round < key.rounds) mix_columns(x);
    } else {
      inv_sub_bytes(x);
      inv_shift_rows(x);
      if (round < key.rounds) inv_mix_columns(x);
    }
    add_round_key(x, load(round_key));
  }
  transpose(x);
}

// Where fewer than eight blocks are asked for, the places left over hold the first one again. Zeros
// there would become E(0), the hash key of GCM, which nobody asked for.
inline Word encrypt_block(const AesKey& key, const Word& block) {
  Batch x = {block, block, block, block, block, block, block, block};
  crypt<Direction::encrypt>(key, x);
  return x[0];
}

// The key schedule: one word is four bytes, and the slices of a word are its bits moved to bit 0 of
// each byte.
uint32_t sub_word(uint32_t word) {
  uint32_t s[8];
  for (unsigned i = 0; i < 8; ++i) s[i] = word >> i;
  sub_bytes(s);
  uint32_t result = 0;
  for (unsigned i = 0; i < 8; ++i) result |= (s[i] & 0x01010101) << i;
  return result;
}

void expand_key(const uint8_t* key, size_t key_len, unsigned rounds, AesRoundKeys* out_forward) {
  const unsigned nk = static_cast<unsigned>(key_len / 4);
  const unsigned num_words = 4 * (rounds + 1);
  uint8_t* const w = out_forward->bytes;
  out_forward->rounds = rounds;
  std::memcpy(w, key, 4 * (nk < num_words ? nk : num_words));
  uint8_t rcon = 1;
  for (unsigned i = nk; i < num_words; ++i) {
    uint32_t temp = load_le32(w + 4 * (i - 1));
    if (i % nk == 0) {
      temp = sub_word(temp >> 8 | temp << 24) ^ rcon;
      rcon = aes_steps::xtimes(rcon);
    } else if (nk > 6 && i % nk == 4) {
      temp = sub_word(temp);
    }
    store_le32(w + 4 * i, load_le32(w + 4 * (i - nk)) ^ temp);
  }
}

// x times each byte of each column.
inline Word times_x(const Word& a) {
  const Word carry = (a >> 7) & 0x01010101;
  return ((a & 0x7F7F7F7F) << 1) ^ carry ^ (carry << 1) ^ (carry << 3) ^ (carry << 4);
}

// One block that is not sliced; the formulas are those of the sliced ones above.
inline Word inv_mix_columns(Word a) {
  a ^= times_x(times_x(a ^ rotate_columns_right(a, 16)));
  const Word next = rotate_columns_right(a, 8);
  const Word sum = a ^ next;
  return times_x(sum) ^ next ^ rotate_columns_right(sum, 16);
}

void invert_key(const AesRoundKeys& forward, AesRoundKeys* out_inverse) {
  const unsigned rounds = forward.rounds;
  out_inverse->rounds = rounds;
  for (unsigned i = 0; i <= rounds; ++i) {
    const Word round_key = load(forward.bytes + kAesBlockLen * (rounds - i));
    const bool inner = i != 0 && i != rounds;
    store(out_inverse->bytes + kAesBlockLen * i, inner ? inv_mix_columns(round_key) : round_key);
  }
}

void load_key(const AesRoundKeys& round_keys, AesKey* out_key) {
  std::memcpy(out_key->storage, round_keys.bytes, kAesBlockLen * (round_keys.rounds + 1));
  out_key->kernel = &aes_portable;
  out_key->rounds = round_keys.rounds;
}

inline size_t load_batch(const uint8_t* in, size_t blocks, Batch& out_x) {
  const size_t n = blocks < kBatch ? blocks : kBatch;
  for (size_t i = 0; i < kBatch; ++i) out_x[i] = load(in + kAesBlockLen * (i < n ? i : 0));
  return n;
}

template <Direction direction>
void ecb(const AesKey& key, const uint8_t* in, uint8_t* out, size_t blocks) {
  while (blocks != 0) {
    Batch x;
    const size_t n = load_batch(in, blocks, x);
    crypt<direction>(key, x);
    for (size_t i = 0; i < n; ++i) store(out + kAesBlockLen * i, x[i]);
    in += kAesBlockLen * n, out += kAesBlockLen * n, blocks -= n;
  }
}

void cbc_encrypt(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks) {
  Word chain = load(iv);
  for (; blocks != 0; --blocks, in += kAesBlockLen, out += kAesBlockLen) {
    chain = encrypt_block(key, chain ^ load(in));
    store(out, chain);
  }
  store(iv, chain);
}

void cbc_decrypt(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks) {
  Word chain = load(iv);
  while (blocks != 0) {
    Batch ciphertext, x;
    const size_t n = load_batch(in, blocks, ciphertext);
    std::memcpy(&x, &ciphertext, sizeof x);
    crypt<Direction::decrypt>(key, x);
    for (size_t i = 0; i < n; ++i) {
      store(out + kAesBlockLen * i, x[i] ^ chain);
      chain = ciphertext[i];
    }
    in += kAesBlockLen * n, out += kAesBlockLen * n, blocks -= n;
  }
  store(iv, chain);
}

void cfb_encrypt(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks) {
  Word chain = load(iv);
  for (; blocks != 0; --blocks, in += kAesBlockLen, out += kAesBlockLen) {
    chain = encrypt_block(key, chain) ^ load(in);
    store(out, chain);
  }
  store(iv, chain);
}

void cfb_decrypt(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks) {
  Word chain = load(iv);
  while (blocks != 0) {
    Batch ciphertext, x;
    const size_t n = load_batch(in, blocks, ciphertext);
    for (size_t i = 0; i < kBatch; ++i) x[i] = i == 0 ? chain : ciphertext[i - 1];
    crypt<Direction::encrypt>(key, x);
    for (size_t i = 0; i < n; ++i) store(out + kAesBlockLen * i, x[i] ^ ciphertext[i]);
    chain = ciphertext[n - 1];
    in += kAesBlockLen * n, out += kAesBlockLen * n, blocks -= n;
  }
  store(iv, chain);
}

void ofb(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks) {
  Word chain = load(iv);
  for (; blocks != 0; --blocks, in += kAesBlockLen, out += kAesBlockLen) {
    chain = encrypt_block(key, chain);
    store(out, chain ^ load(in));
  }
  store(iv, chain);
}

inline void increment(uint8_t* counter_block, unsigned counter_bits) {
  unsigned sum = 1;
  for (unsigned i = 0; i < counter_bits / 8; ++i) {
    uint8_t& b = counter_block[kAesBlockLen - 1 - i];
    sum += b;
    b = static_cast<uint8_t>(sum);
    sum >>= 8;
  }
}

void ctr(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks,
         unsigned counter_bits) {
  while (blocks != 0) {
    const size_t n = blocks < kBatch ? blocks : kBatch;
    Batch x;
    for (size_t i = 0; i < kBatch; ++i) {
      x[i] = i < n ? load(iv) : x[0];
      if (i < n) increment(iv, counter_bits);
    }
    crypt<Direction::encrypt>(key, x);
    for (size_t i = 0; i < n; ++i)
      store(out + kAesBlockLen * i, x[i] ^ load(in + kAesBlockLen * i));
    in += kAesBlockLen * n, out += kAesBlockLen * n, blocks -= n;
  }
}

}  // namespace

constinit const AesKernel aes_portable = {
    .info = {"portable", FeatureSet()},
    .expand_key = expand_key,
    .invert_key = invert_key,
    .load_key = load_key,
    .ecb_encrypt = ecb<Direction::encrypt>,
    .ecb_decrypt = ecb<Direction::decrypt>,
    .cbc_encrypt = cbc_encrypt,
    .cbc_decrypt = cbc_decrypt,
    .cfb_encrypt = cfb_encrypt,
    .cfb_decrypt = cfb_decrypt,
    .ofb = ofb,
    .ctr = ctr,
    .xts_encrypt = aes_xts_encrypt_by_ecb,
    .xts_decrypt = aes_xts_decrypt_by_ecb,
    .cbc_encrypt_many = aes_cbc_encrypt_one_by_one,
    .cfb_encrypt_many = aes_cfb_encrypt_one_by_one,
    .stack = 896,
};

}  // namespace incore
