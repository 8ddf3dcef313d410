// Multiplication of polynomials on POWER8: what the instructions compute, against loops over bits,
// and what is peculiar to the kernels of GHASH and the CRCs there. All else is tested where every
// kernel is (tests/crypto/).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "crypto/crc/crc_fold.h"
#include "crypto/crc/crc_kernel.h"
#include "crypto/ghash/ghash_power8.h"
#include "crypto/ghash/ghash_steps.h"
#include "power8/guarded_page.h"
#include "support/hex.h"

namespace incore {
namespace {

using namespace power8;
using test::Bytes;

// Registers as they are drawn: bytes from the left.
uint8x16_p8 image(const Bytes& bytes) {
  return VectorLoadBE(bytes.data());
}
Bytes bytes_of(uint8x16_p8 x) {
  Bytes bytes(16);
  VectorStoreBE(x, bytes.data());
  return bytes;
}
uint64_t element(const Bytes& x, size_t width, size_t i) {
  uint64_t value = 0;
  for (size_t k = 0; k < width; ++k) value = value << 8 | x[width * i + k];
  return value;
}

// The sum of the products of each two neighbours, for elements of |width| bytes. The leftmost bit
// of an element is the highest power, and so it is in the result, of twice the width.
Bytes multiply_sum(const Bytes& a, const Bytes& b, size_t width) {
  Bytes result(16);
  for (size_t i = 0; i < 16 / width; ++i) {
    const size_t last = (i / 2 + 1) * 2 * width - 1;  // the byte with the lowest powers
    const uint64_t x = element(a, width, i), y = element(b, width, i);
    for (size_t p = 0; p < 8 * width; ++p)
      for (size_t q = 0; q < 8 * width; ++q)
        if ((x >> p & 1) != 0 && (y >> q & 1) != 0)
          result[last - (p + q) / 8] ^= static_cast<uint8_t>(1 << (p + q) % 8);
  }
  return result;
}

template <size_t width>
Bytes multiply_sum_by_instruction(const Bytes& a, const Bytes& b) {
  const uint8x16_p8 x = image(a), y = image(b);
  if constexpr (width == 1) return bytes_of(vpmsumb(x, y));
  if constexpr (width == 2)
    return bytes_of(
        as_u8(vpmsumh(reinterpret_cast<uint16x8_p8>(x), reinterpret_cast<uint16x8_p8>(y))));
  if constexpr (width == 4) return bytes_of(as_u8(vpmsumw(as_u32(x), as_u32(y))));
  if constexpr (width == 8) return bytes_of(as_u8(vpmsumd(as_u64(x), as_u64(y))));
}

template <size_t width>
void compare_with_bits() {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Bytes a = test::random_bytes(16, seed), b = test::random_bytes(16, seed + 1000);
    if (seed == 0) a = b = Bytes(16, 0xFF);
    ASSERT_EQ(test::to_hex(multiply_sum_by_instruction<width>(a, b)),
              test::to_hex(multiply_sum(a, b, width)))
        << test::to_hex(a) << " " << test::to_hex(b);
  }
}

// clause: P8-POLY-002
TEST(power8_poly, vpmsumb_multiplies_bytes) {
  compare_with_bits<1>();
}
// clause: P8-POLY-003
TEST(power8_poly, vpmsumh_multiplies_halfwords) {
  compare_with_bits<2>();
}
// clause: P8-POLY-004
TEST(power8_poly, vpmsumw_multiplies_words) {
  compare_with_bits<4>();
}
// clause: P8-POLY-005
TEST(power8_poly, vpmsumd_multiplies_doublewords) {
  compare_with_bits<8>();
  const uint64x2_p8 sum = vpmsumd(VectorFrom64BE(3, 0x8000000000000001), VectorFrom64BE(5, 3));
  EXPECT_EQ(VectorLeft64BE(sum), 1u);
  EXPECT_EQ(VectorRight64BE(sum), 0x800000000000000Cu);
  const uint64x2_p8 ones = VectorFrom64BE(~uint64_t{0}, 0);
  EXPECT_EQ(VectorLeft64BE(vpmsumd(ones, ones)) >> 63, 0u);
}

// clause: P8-POLY-006
TEST(power8_poly, the_leftmost_bit_is_the_highest_power) {
  for (size_t width : {1, 2, 4, 8}) {
    const auto product = [&](uint8_t a, uint8_t b) {
      Bytes x(16), y(16);
      x[width - 1] = a, y[width - 1] = b;  // of element 0
      return width == 1   ? multiply_sum_by_instruction<1>(x, y)
             : width == 2 ? multiply_sum_by_instruction<2>(x, y)
             : width == 4 ? multiply_sum_by_instruction<4>(x, y)
                          : multiply_sum_by_instruction<8>(x, y);
    };
    Bytes expected(16);
    expected[2 * width - 1] = 4;
    EXPECT_EQ(product(2, 2), expected) << width;
    expected[2 * width - 1] = 5;
    EXPECT_EQ(product(3, 3), expected) << width;
  }
}

// clause: P8-POLY-007
TEST(power8_poly, vpermxor_adds_a_byte_of_each_operand) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Bytes a = test::random_bytes(16, seed), b = test::random_bytes(16, seed + 1000),
                c = test::random_bytes(16, seed + 2000);
    Bytes expected(16);
    for (size_t i = 0; i < 16; ++i) expected[i] = a[c[i] >> 4] ^ b[c[i] & 15];
    ASSERT_EQ(bytes_of(vpermxor(image(a), image(b), image(c))), expected) << seed;
  }
}

// Both operands in native order: GCC drops swaps of doublewords where it thinks that it may, which
// it must not do across the widest of these instructions.
TEST(power8_poly, native_vectors_are_multiplied_as_they_are) {
  Bytes a = test::random_bytes(16, 1), b = test::random_bytes(16, 2), sum(16);
  VectorStoreu(as_u8(vpmsumd(as_u64(VectorLoadu(a.data())), as_u64(VectorLoadu(b.data())))),
               sum.data());
  const auto in_memory = [](Bytes bytes) {
    if (kLittleEndian) std::reverse(bytes.begin(), bytes.end());
    return bytes;
  };
  EXPECT_EQ(in_memory(sum), multiply_sum(in_memory(a), in_memory(b), 8));
}

// clause: P8-POLY-015
TEST(power8_poly, the_product_of_reflected_numbers_lacks_a_shift_by_one) {
  const auto reflected = [](const Bytes& x) {
    Bytes mirrored(x.size());
    for (size_t i = 0; i < 8 * x.size(); ++i)
      if ((x[i / 8] >> i % 8 & 1) != 0)
        mirrored[x.size() - 1 - i / 8] |= static_cast<uint8_t>(0x80 >> i % 8);
    return mirrored;
  };
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Bytes a = test::random_bytes(16, seed), b = test::random_bytes(16, seed + 100);
    std::fill(a.begin(), a.begin() + 8, 0);
    std::fill(b.begin(), b.begin() + 8, 0);
    const auto low_half = [&](const Bytes& x) {  // reflected within the word
      Bytes word = reflected(x);
      std::rotate(word.begin(), word.begin() + 8, word.end());
      return word;
    };
    const Bytes product = bytes_of(as_u8(vpmsumd(as_u64(image(a)), as_u64(image(b)))));
    const Bytes other =
        bytes_of(as_u8(vpmsumd(as_u64(image(low_half(a))), as_u64(image(low_half(b))))));
    Bytes shifted(16);  // |other| to the left
    for (size_t i = 0; i < 16; ++i)
      shifted[i] = static_cast<uint8_t>(other[i] << 1 | (i == 15 ? 0 : other[i + 1] >> 7));
    ASSERT_EQ(test::to_hex(shifted), test::to_hex(reflected(product))) << seed;
  }
}

// The words that the assembler makes, with registers that tell the operands' places.
__asm__(
    ".pushsection .rodata\n"
    ".balign 4\n"
    "poly_test_words:\n"
    "vpmsumb 1,2,3\n"
    "vpmsumh 1,2,3\n"
    "vpmsumw 1,2,3\n"
    "vpmsumd 1,2,3\n"
    "vpermxor 1,2,3,4\n"
    ".popsection\n");
extern "C" const uint32_t poly_test_words[];

// clause: P8-POLY-008
TEST(power8_poly, encodings_are_those_of_the_manual) {
  constexpr uint32_t kOpcode = 4u << 26, kRegisters = 1 << 21 | 2 << 16 | 3 << 11;
  const uint32_t extended[] = {1032, 1096, 1160, 1224};
  for (size_t i = 0; i < 4; ++i)
    EXPECT_EQ(poly_test_words[i], kOpcode | kRegisters | extended[i]) << i;
  EXPECT_EQ(poly_test_words[4], kOpcode | kRegisters | 4 << 6 | 45);
}

struct Crc {
  const char* name;
  const CrcKernel& kernel;
  uint32_t polynomial;
};
const Crc kCrcs[] = {{"crc32", crc32_power8, crc::kCrc32Polynomial},
                     {"crc32c", crc32c_power8, crc::kCrc32cPolynomial}};

// Byte for byte, with a table of its own.
class ByteWise {
 public:
  explicit ByteWise(uint32_t polynomial) {
    for (uint32_t i = 0; i < 256; ++i) table_[i] = crc::shift(polynomial, i, 8);
  }
  uint32_t update(uint32_t state, const uint8_t* data, size_t len) const {
    for (size_t i = 0; i < len; ++i) state = state >> 8 ^ table_[(state ^ data[i]) & 255];
    return state;
  }

 private:
  std::array<uint32_t, 256> table_;
};

// clause: P8-POLY-013
TEST(power8_poly, a_crc_goes_on_at_every_cut) {
  const Bytes data = test::random_bytes(300, 1);
  for (const Crc& crc : kCrcs) {
    const uint32_t whole = crc.kernel.update(~0u, data.data(), 300);
    EXPECT_EQ(whole, ByteWise(crc.polynomial).update(~0u, data.data(), 300)) << crc.name;
    for (size_t cut = 0; cut <= 300; ++cut) {
      const uint32_t first = crc.kernel.update(~0u, data.data(), cut);
      ASSERT_EQ(crc.kernel.update(first, data.data() + cut, 300 - cut), whole) << cut;
    }
  }
}

// Every offset also at the end of a page, behind which nothing can be read.
// clause: P8-POLY-014
TEST(power8_poly, crcs_of_every_length_at_every_offset) {
  const Bytes data = test::random_bytes(1100, 2);
  const test::GuardedPage page;
  for (const Crc& crc : kCrcs) {
    const ByteWise expected(crc.polynomial);
    for (size_t len = 0; len <= 1024; ++len) {
      const uint32_t state = static_cast<uint32_t>(len * 0x9E3779B9);
      const uint32_t result = expected.update(state, data.data(), len);
      uint8_t buffer[1024 + 16];
      for (size_t offset = 0; offset < 16; ++offset) {
        std::memcpy(buffer + offset, data.data(), len);
        ASSERT_EQ(crc.kernel.update(state, buffer + offset, len), result) << len << " " << offset;
      }
      std::memcpy(page.end() - len, data.data(), len);
      ASSERT_EQ(crc.kernel.update(state, page.end() - len, len), result) << len;
    }
  }
}

// Lengths up to 64 KiB, most of them short.
// clause: P8-POLY-016
TEST(power8_poly, crcs_of_random_buffers_are_those_of_the_table) {
  const Bytes data = test::random_bytes(65536 + 64, 3), choices = test::random_bytes(80000, 4);
  for (const Crc& crc : kCrcs) {
    const ByteWise expected(crc.polynomial);
    for (size_t i = 0; i < 10000; ++i) {
      uint32_t choice[2];
      std::memcpy(choice, &choices[8 * i], 8);
      const unsigned bits = std::min(choice[1] % 16, choice[1] / 16 % 16);
      const size_t len = choice[0] % (size_t{2} << bits) + 1, at = choice[1] >> 26;
      ASSERT_EQ(crc.kernel.update(choice[0], &data[at], len),
                expected.update(choice[0], &data[at], len))
          << crc.name << " " << len << " " << at;
    }
  }
}

// Below 16 bytes tables, from 512 on sixteen streams, of 256 bytes a step.
// clause: P8-POLY-017
TEST(power8_poly, crcs_around_the_lengths_where_the_way_changes) {
  const Bytes data = test::random_bytes(1100, 5);
  for (const Crc& crc : kCrcs)
    for (size_t limit : {16, 32, 256, 512, 768, 1024})
      for (size_t len : {limit - 1, limit, limit + 1})
        for (size_t at = 0; at < 16; ++at)
          ASSERT_EQ(crc.kernel.update(~0u, &data[at], len),
                    crc::update(crc.polynomial, ~0u, &data[at], len))
              << crc.name << " " << len << " " << at;
}

// x^n modulo P for exponents that folding uses, by plain long division.
// clause: P8-POLY-015
TEST(power8_poly, multipliers_are_powers_modulo_the_polynomial) {
  for (const Crc& crc : kCrcs) {
    uint64_t plain = 1;  // x^32 + the polynomial, the highest power in the highest bit
    for (unsigned i = 0; i < 32; ++i) plain |= uint64_t{crc.polynomial >> i & 1} << (31 - i);
    plain |= uint64_t{1} << 32;
    if (plain % 2 == 0) FAIL() << "x divides the polynomial";
    const auto power = [&](size_t n) {
      uint64_t remainder = 1;
      for (size_t i = 0; i < n; ++i) {
        remainder <<= 1;
        if ((remainder >> 32 & 1) != 0) remainder ^= plain;
      }
      uint32_t reflected = 0;
      for (unsigned i = 0; i < 32; ++i)
        reflected |= static_cast<uint32_t>(remainder >> i & 1) << (31 - i);
      return reflected;
    };
    for (size_t bytes : {0, 1, 15, 16, 128, 256, 511}) {
      if (bytes != 0) {
        const crc::Multipliers fold = crc::fold_by(crc.polynomial, bytes);
        EXPECT_EQ(fold.low >> 32, power(8 * bytes + 63));
        EXPECT_EQ(fold.high >> 32, power(8 * bytes - 1));
      }
      const crc::Multipliers reduce = crc::reduce_before(crc.polynomial, bytes);
      EXPECT_EQ(reduce.low, power(8 * bytes + 95));
      EXPECT_EQ(reduce.high, power(8 * bytes + 31));
    }
  }
}

// x / x of GF(2^128): with it, products of this header are those of the standard.
Bytes over_x(const Bytes& x) {
  Bytes inverse(16), result(16);  // x^127 + x^6 + x + 1
  inverse[0] = 0xC2, inverse[15] = 0x01;
  ghash_steps::multiply(x.data(), inverse.data(), result.data());
  return result;
}

// clause: P8-POLY-029
TEST(power8_poly, products_and_sums_of_two_products_equal_the_steps) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Bytes x = test::random_bytes(32, seed), expected(16), other(16);
    const Bytes h = test::random_bytes(16, seed + 1000), g = test::random_bytes(16, seed + 2000);
    if (seed == 0) x = Bytes(32, 0xFF);
    const uint64x2_p8 h_over_x = load_number(over_x(h).data()),
                      g_over_x = load_number(over_x(g).data());
    ghash_steps::multiply(x.data(), h.data(), expected.data());
    ASSERT_EQ(bytes_of(as_u8(reduce(multiply(load_number(x.data()), h_over_x)))), expected) << seed;

    ghash_steps::multiply(x.data() + 16, g.data(), other.data());
    for (size_t i = 0; i < 16; ++i) expected[i] ^= other[i];
    Sum sum = {};
    add_products(sum, load_pair(x.data()), make_pair(h_over_x, g_over_x));
    ASSERT_EQ(bytes_of(as_u8(reduce(sum))), expected) << seed;
  }
}

// clause: P8-POLY-030
TEST(power8_poly, blocks_at_once_hash_to_what_single_blocks_do) {
  const Bytes h = test::random_bytes(16, 6), blocks = test::random_bytes(17 * 16, 7);
  GhashKey key;
  ghash_power8.set_key(h.data(), &key);
  for (size_t num_blocks = 1; num_blocks <= 17; ++num_blocks) {
    Bytes state = test::random_bytes(16, 8), one_by_one = state, by_steps = state;
    ghash_power8.update(key, state.data(), blocks.data(), num_blocks);
    for (size_t i = 0; i < num_blocks; ++i)
      ghash_power8.update(key, one_by_one.data(), &blocks[16 * i], 1);
    EXPECT_EQ(state, one_by_one) << num_blocks;
    ghash_steps::ghash(h.data(), by_steps.data(), blocks.data(), num_blocks);
    EXPECT_EQ(state, by_steps) << num_blocks;
  }
}

}  // namespace
}  // namespace incore
