// The vector helpers (POWER8 guide, chapter 2) on both byte orders: loads and stores at every
// alignment and at a page's end, shifts and permutes against plain byte arrays.
#define NDEBUG 1  // aligned loads without their check; vector_debug_test.cpp has it

#include "crypto/power8/vector.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "power8/guarded_page.h"

namespace incore {
namespace {

using namespace power8;
using Bytes = std::array<uint8_t, 16>;

template <class Vector>
Bytes native_bytes(Vector x) {
  Bytes bytes;
  std::memcpy(bytes.data(), &x, 16);
  return bytes;
}
template <class Vector>
Bytes image_bytes(Vector x) {
  Bytes bytes;
  VectorStoreBE(as_u8(x), bytes.data());
  return bytes;
}
uint8x16_p8 native(const Bytes& bytes) {
  uint8x16_p8 x;
  std::memcpy(&x, bytes.data(), 16);
  return x;
}
uint8x16_p8 image(const Bytes& bytes) {
  return VectorLoadBE(bytes.data());
}

// first, first + 1, ...
Bytes counting(unsigned first) {
  Bytes bytes;
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(first++);
  return bytes;
}
Bytes reversed(const Bytes& bytes) {
  return Bytes{bytes[15], bytes[14], bytes[13], bytes[12], bytes[11], bytes[10],
               bytes[9],  bytes[8],  bytes[7],  bytes[6],  bytes[5],  bytes[4],
               bytes[3],  bytes[2],  bytes[1],  bytes[0]};
}
Bytes bytes_at(const uint8_t* p) {
  Bytes bytes;
  std::memcpy(bytes.data(), p, 16);
  return bytes;
}

// clause: P8-VEC-011
TEST(power8_vector, bool_and_std_vector_are_themselves_after_the_header) {
  const std::vector<bool> pixel = {true, false};
  EXPECT_EQ(pixel.size(), 2u);
}

TEST(power8_vector, types_have_16_bytes_and_their_elements) {
  // clause: P8-VEC-023
  // clause: P8-VEC-024
  static_assert(sizeof(uint8x16_p8) == 16 && sizeof(uint32x4_p8) == 16 &&
                sizeof(uint64x2_p8) == 16);
  static_assert(sizeof(uint8x16_p8{}[0]) == 1 && sizeof(uint32x4_p8{}[0]) == 4 &&
                sizeof(uint64x2_p8{}[0]) == 8);
  // clause: P8-VEC-025
  // clause: P8-VEC-026
  const uint64x2_p8 sum =
      uint64x2_p8{~0ull, 0x0123456789ABCDEF} + uint64x2_p8{1, 0x1111111111111111};
  EXPECT_EQ(sum[0], 0u);
  EXPECT_EQ(sum[1], 0x123456789ABCDF00u);
}

// clause: P8-VEC-015
// clause: P8-VEC-016
TEST(power8_vector, the_byte_order_of_the_macros_is_the_machines) {
#if !defined(__LITTLE_ENDIAN__)
#define INCORE_TEST_LITTLE 0
#else
#define INCORE_TEST_LITTLE __LITTLE_ENDIAN__
#endif
#if !defined(__BIG_ENDIAN__)
#define INCORE_TEST_BIG 0
#else
#define INCORE_TEST_BIG __BIG_ENDIAN__
#endif
  static_assert((INCORE_TEST_LITTLE != 0) != (INCORE_TEST_BIG != 0));
  const uint32_t one = 1;
  uint8_t first;
  std::memcpy(&first, &one, 1);
  EXPECT_EQ(first, INCORE_TEST_LITTLE != 0 ? 1 : 0);
  EXPECT_EQ(kLittleEndian, first == 1);
}

TEST(power8_vector, the_compiler_names_platform_level_and_order) {
  // clause: P8-VEC-012
#if !defined(__powerpc__) || !defined(__powerpc64__)
  ADD_FAILURE() << "__powerpc__ or __powerpc64__ is missing";
#endif
  // clause: P8-VEC-005
  // clause: P8-VEC-013
#if !defined(_ARCH_PWR8) || defined(_ARCH_PWR9)
  ADD_FAILURE() << "this is not compiled for POWER8";
#endif
#if !defined(__POWER8_VECTOR__) || !defined(__CRYPTO__)
  ADD_FAILURE() << "the vector or crypto macro of POWER8 is missing";
#endif
  // clause: P8-VEC-014
#if !defined(__linux__) || !defined(__linux)
  ADD_FAILURE() << "a name of Linux is missing";
#endif
  // clause: P8-VEC-017
  static_assert(__ORDER_LITTLE_ENDIAN__ == 1234 && __ORDER_BIG_ENDIAN__ == 4321 &&
                __ORDER_PDP_ENDIAN__ == 3412);
  static_assert((__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) == kLittleEndian);
}

// clause: P8-VEC-021
TEST(power8_memory, posix_memalign_gives_what_aligned_loads_need) {
  std::vector<void*> blocks;
  for (size_t i = 0; i < 1000; ++i) {
    void* block = nullptr;
    ASSERT_EQ(posix_memalign(&block, 16, 16 + i % 200), 0);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 16, 0u);
    VectorStore(native(counting(static_cast<unsigned>(i))), block);
    blocks.push_back(block);
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_EQ(native_bytes(VectorLoad(blocks[i])), counting(static_cast<unsigned>(i)));
    std::free(blocks[i]);
  }
}

struct alignas(16) Field {
  uint8_t bytes[64];
  Field() {
    for (unsigned i = 0; i < 64; ++i) bytes[i] = static_cast<uint8_t>(0x40 + i);
  }
};

// clause: P8-VEC-043
// clause: P8-VEC-044
TEST(power8_vector, aligned_access_drops_the_low_bits_of_an_address_without_a_signal) {
  for (unsigned offset = 0; offset < 16; ++offset) {
    Field field;
    EXPECT_EQ(native_bytes(VectorLoad(field.bytes + 16, offset)), bytes_at(field.bytes + 16));
    EXPECT_EQ(native_bytes(VectorLoad(field.bytes + 16 + offset)), bytes_at(field.bytes + 16));
    VectorStore(native(counting(0)), field.bytes + 16, offset);
    Field expected;
    std::memcpy(expected.bytes + 16, counting(0).data(), 16);
    EXPECT_EQ(std::memcmp(field.bytes, expected.bytes, 64), 0) << offset;
  }
}

struct LoadAndStore {
  const char* name;
  Bytes (*load)(const uint8_t*, ptrdiff_t);  // the bytes as they stand in memory
  void (*store)(const Bytes&, uint8_t*, ptrdiff_t);
};

// clause: P8-VEC-050
// clause: P8-VEC-054
const LoadAndStore kAnyAddress[] = {
    {"u", [](const uint8_t* p, ptrdiff_t offset) { return native_bytes(VectorLoadu(p, offset)); },
     [](const Bytes& x, uint8_t* p, ptrdiff_t offset) { VectorStoreu(native(x), p, offset); }},
    {"BE",
     [](const uint8_t* p, ptrdiff_t offset) {
       const uint8x16_p8 x = VectorLoadBE(p, offset);
       return kLittleEndian ? reversed(native_bytes(x)) : native_bytes(x);
     },
     [](const Bytes& x, uint8_t* p, ptrdiff_t offset) {
       VectorStoreBE(native(kLittleEndian ? reversed(x) : x), p, offset);
     }},
    // What older compilers have instead of vec_xl and vec_xst.
    // clause: P8-VEC-048
    {"vsx",
     [](const uint8_t* p, ptrdiff_t offset) {
       return native_bytes(vec_vsx_ld(static_cast<int>(offset), const_cast<uint8_t*>(p)));
     },
     [](const Bytes& x, uint8_t* p, ptrdiff_t offset) {
       vec_vsx_st(native(x), static_cast<int>(offset), p);
     }},
};

// clause: P8-VEC-047
// clause: P8-VEC-052
TEST(power8_vector, unaligned_access_is_exact_at_each_offset) {
  for (const LoadAndStore& kind : kAnyAddress)
    for (unsigned start = 0; start < 16; ++start)
      for (ptrdiff_t offset : {0, 1, 16, 21}) {
        SCOPED_TRACE(::testing::Message() << kind.name << " at " << start << " + " << offset);
        Field field;
        EXPECT_EQ(kind.load(field.bytes + start, offset), bytes_at(field.bytes + start + offset));
        kind.store(counting(0), field.bytes + start, offset);
        EXPECT_EQ(kind.load(field.bytes + start, offset), counting(0));
        Field expected;  // the neighbours stay as they were
        std::memcpy(expected.bytes + start + offset, counting(0).data(), 16);
        EXPECT_EQ(std::memcmp(field.bytes, expected.bytes, 64), 0);
      }
}

TEST(power8_vector, unaligned_access_may_end_where_a_page_ends) {
  const test::GuardedPage page;
  for (const LoadAndStore& kind : kAnyAddress)
    for (unsigned before = 16; before < 32; ++before) {
      uint8_t* p = page.end() - before;
      kind.store(counting(before), p, 0);
      EXPECT_EQ(kind.load(p, 0), counting(before)) << kind.name;
    }
}

// clause: P8-VEC-057
TEST(power8_vector, the_big_endian_image_has_memorys_first_byte_on_the_left) {
  Field field;
  const uint64x2_p8 x = as_u64(VectorLoadBE(field.bytes, 3));
  EXPECT_EQ(VectorLeft64BE(x), 0x434445464748494Au);
  EXPECT_EQ(VectorRight64BE(x), 0x4B4C4D4E4F505152u);
  EXPECT_EQ(image_bytes(VectorFrom64BE(0x434445464748494A, 0x4B4C4D4E4F505152)),
            bytes_at(field.bytes + 3));
  EXPECT_EQ(native_bytes(VectorReverse(native(counting(0)))), reversed(counting(0)));
}

TEST(power8_vector, doublewords_are_those_of_the_image_in_the_machines_order) {
  for (unsigned offset = 0; offset < 16; ++offset) {
    Field field, expected;
    const uint64x2_p8 loaded = VectorLoadDoublewords(field.bytes, offset);
    EXPECT_EQ(native_bytes(loaded),
              native_bytes(VectorDoublewordsFromBE(VectorLoadBE(field.bytes, offset))));
    VectorStoreDoublewords(loaded, field.bytes + 17, offset);
    std::memcpy(expected.bytes + 17 + offset, Field().bytes + offset, 16);
    EXPECT_EQ(std::memcmp(field.bytes, expected.bytes, 64), 0) << offset;
  }
}

// FIPS 197, appendix B, round 1. The instruction must see the image.
// clause: P8-VEC-060
TEST(power8_vector, only_byte_loads_give_what_the_crypto_instructions_read) {
  const Bytes state = {0x19, 0x3d, 0xe3, 0xbe, 0xa0, 0xf4, 0xe2, 0x2b,
                       0x9a, 0xc6, 0x8d, 0x2a, 0xe9, 0xf8, 0x48, 0x08};
  const Bytes key = {0xa0, 0xfa, 0xfe, 0x17, 0x88, 0x54, 0x2c, 0xb1,
                     0x23, 0xa3, 0x39, 0x39, 0x2a, 0x6c, 0x76, 0x05};
  const Bytes next = {0xa4, 0x9c, 0x7f, 0xf2, 0x68, 0x9f, 0x35, 0x2b,
                      0x6b, 0x5b, 0xea, 0x43, 0x02, 0x6a, 0x50, 0x49};
  EXPECT_EQ(image_bytes(vcipher(image(state), image(key))), next);
  const auto of_words = [](const Bytes& bytes) {
    alignas(16) uint32_t words[4];
    std::memcpy(words, bytes.data(), 16);
    return as_u8(vec_xl_be(0, words));
  };
  EXPECT_EQ(image_bytes(vcipher(of_words(state), of_words(key))) == next, !kLittleEndian);
}

template <size_t... kNumBytes>
void check_shifts(std::index_sequence<kNumBytes...>) {
  const auto check = []<unsigned num_bytes>() {
    SCOPED_TRACE(num_bytes);
    const Bytes a = counting(0), b = counting(16);
    Bytes rotated;
    for (unsigned i = 0; i < 16; ++i) rotated[i] = static_cast<uint8_t>((i + num_bytes) % 16);
    // clause: P8-VEC-030
    // clause: P8-VEC-032
    EXPECT_EQ(native_bytes(VectorShiftLeft<num_bytes>(native(a), native(b))), counting(num_bytes));
    // clause: P8-VEC-031
    EXPECT_EQ(native_bytes(VectorRotateLeft<num_bytes>(native(a))), rotated);
    // The image needs no swap on either byte order.
    // clause: P8-VEC-028
    // clause: P8-VEC-033
    EXPECT_EQ(image_bytes(VectorShiftLeftBE<num_bytes>(image(a), image(b))), counting(num_bytes));
    EXPECT_EQ(image_bytes(VectorRotateLeftBE<num_bytes>(image(a))), rotated);
    EXPECT_EQ(image_bytes(VectorShiftLeftBE<num_bytes>(as_u32(image(a)), as_u32(image(b)))),
              counting(num_bytes));
    EXPECT_EQ(native_bytes(VectorShiftLeft<num_bytes>(as_u64(native(a)), as_u64(native(b)))),
              counting(num_bytes));
  };
  (check.template operator()<kNumBytes>(), ...);
}

TEST(power8_vector, shifts_and_rotates_take_each_count) {
  check_shifts(std::make_index_sequence<16>());
}

// The guide's little-endian shift, as printed.
uint8x16_p8 printed_shift_by_0(uint8x16_p8 a, uint8x16_p8 b) {
  return vec_sld(b, a, (16 - 0) & 0xf);
}
TEST(power8_vector, the_printed_little_endian_shift_by_0_returns_the_wrong_operand) {
  EXPECT_EQ(native_bytes(printed_shift_by_0(native(counting(0)), native(counting(16)))),
            counting(16));
}

template <class Vector>
void check_identity_masks() {
  const Vector a = reinterpret_cast<Vector>(native(counting(0x40)));
  const Vector b = reinterpret_cast<Vector>(native(counting(0x80)));
  // clause: P8-VEC-035
  EXPECT_EQ(native_bytes(VectorPermute(a, b, native(counting(0)))), counting(0x40));
  EXPECT_EQ(native_bytes(VectorPermute(a, b, native(counting(16)))), counting(0x80));
  // clause: P8-VEC-036
  EXPECT_EQ(native_bytes(VectorPermute(a, b, native(counting(0x20)))), counting(0x40));
  EXPECT_EQ(native_bytes(VectorPermute(a, b, native(counting(0xF0)))), counting(0x80));
}

// clause: P8-VEC-034
TEST(power8_vector, permutes_take_byte_masks_for_any_elements) {
  check_identity_masks<uint8x16_p8>();
  check_identity_masks<uint32x4_p8>();
  check_identity_masks<uint64x2_p8>();
}

TEST(power8_vector, permutes_number_bytes_from_the_first_in_both_orders) {
  const Bytes mask = {0x00, 0x1F, 0x20, 0xFF, 0x10, 0x0F, 5, 5, 31, 30, 29, 7, 9, 11, 13, 15};
  Bytes expected;
  for (unsigned i = 0; i < 16; ++i) expected[i] = static_cast<uint8_t>(0x60 + mask[i] % 32);
  EXPECT_EQ(
      native_bytes(VectorPermute(native(counting(0x60)), native(counting(0x70)), native(mask))),
      expected);
  EXPECT_EQ(image_bytes(VectorPermuteBE(image(counting(0x60)), image(counting(0x70)), image(mask))),
            expected);
}

// clause: P8-VEC-037
// clause: P8-VEC-038
// clause: P8-VEC-040
TEST(power8_vector, a_message_of_big_endian_words_becomes_words_at_any_offset) {
  const Bytes mask = {3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12};
  for (unsigned offset = 0; offset < 16; ++offset) {
    uint8_t memory[32];
    std::memcpy(memory + offset, counting(0).data(), 16);
    uint8x16_p8 message = VectorLoadu(memory, offset);
    if (kLittleEndian) message = VectorPermute(message, message, native(mask));
    const uint32x4_p8 words = as_u32(message);
    EXPECT_EQ(words[0], 0x00010203u) << offset;
    EXPECT_EQ(words[1], 0x04050607u);
    EXPECT_EQ(words[2], 0x08090A0Bu);
    EXPECT_EQ(words[3], 0x0C0D0E0Fu);
  }
}

// clause: P8-VEC-027
// clause: P8-VEC-039
TEST(power8_vector, the_guides_sample_interleaves_zeros_and_ones) {
  const uint32x4_p8 a = {0, 0, 0, 0};
  const uint32x4_p8 b = {~0u, ~0u, ~0u, ~0u};
  const uint8x16_p8 m = {0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23};
  const uint32x4_p8 c = VectorPermute(a, b, m);
  EXPECT_EQ(c[0], 0u);
  EXPECT_EQ(c[1], ~0u);
  EXPECT_EQ(c[2], 0u);
  EXPECT_EQ(c[3], ~0u);
}

}  // namespace
}  // namespace incore
