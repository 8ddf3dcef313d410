// The assembly routines of examples/power8 against the kernels and the standard's steps, and the
// registers that they must preserve (POWER8 guide, chapter 7).
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "crypto/sha/sha_kernel.h"
#include "crypto/sha/sha_steps.h"
#include "support/hex.h"

// clause: P8-ASM-008
extern "C" void sha256_block_p8(uint32_t* state, const uint8_t* input, size_t num_blocks);
extern "C" void sha512_block_p8(uint64_t* state, const uint8_t* input, size_t num_blocks);

namespace {

struct alignas(16) Registers {
  uint64_t general[18];  // r14 to r31
  uint64_t floating[18];
  uint64_t vector[24];  // v20 to v31
  uint64_t condition;
};
constexpr uint64_t kPreservedCondition = 0x00fff000;  // CR2 to CR4

}  // namespace

// Loads what has to be preserved from |registers|, calls |function|, and stores them back.
extern "C" void incore_test_call(void (*function)(void*, const void*, size_t), void* state,
                                 const void* input, size_t num_blocks, Registers* registers);
// Breaks one register of each kind.
extern "C" void incore_test_spoil(void* state, const void* input, size_t num_blocks);

#if defined(_CALL_ELF) && _CALL_ELF == 2
#define INCORE_TEST_FUNCTION(name) \
  "\t.globl " name "\n\t.type " name ",@function\n\t.align 4\n" name ":\n"
#define INCORE_TEST_ENTRY_OF_R3 "\tmr 12,3\n\tmtctr 3\n"
#else  // a function's name and address are those of its descriptor
#define INCORE_TEST_FUNCTION(name)                                                     \
  "\t.globl " name "\n\t.type " name                                                   \
  ",@function\n\t.pushsection \".opd\",\"aw\"\n\t.align 3\n" name ":\n\t.quad .L" name \
  ",.TOC.@tocbase,0\n\t.popsection\n\t.align 4\n.L" name ":\n"
#define INCORE_TEST_ENTRY_OF_R3 "\tld 12,0(3)\n\tmtctr 12\n"
#endif

// Memory at r|base| + |offset|; laid out as Registers.
#define INCORE_TEST_MOVE(general, floating, vector, base, offset)                             \
  "\t.irp n,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n\t" general " \\n," offset \
  "+8*(\\n-14)(" base ")\n\t" floating " \\n," offset "+144+8*(\\n-14)(" base                 \
  ")\n\t.endr\n\t.irp n,20,21,22,23,24,25,26,27,28,29,30,31\n\tli 11," offset                 \
  "+288+16*(\\n-20)\n\t" vector " \\n,11," base "\n\t.endr\n"
#define INCORE_TEST_FRAME "768"

__asm__("\t.pushsection .text\n" INCORE_TEST_FUNCTION("incore_test_call")
        "\tmflr 0\n\tstd 0,16(1)\n\tmfcr 0\n\tstd 0,8(1)\n\tstdu 1,-" INCORE_TEST_FRAME "(1)\n"
        "\tstd 7,120(1)\n" INCORE_TEST_MOVE("std", "stfd", "stvx", "1", "128")
        INCORE_TEST_MOVE("ld", "lfd", "lvx", "7", "0")
        "\tld 0,480(7)\n\tmtcrf 0x38,0\n" INCORE_TEST_ENTRY_OF_R3
        "\tmr 3,4\n\tmr 4,5\n\tmr 5,6\n\tbctrl\n"
        "\tld 7,120(1)\n\tmfcr 0\n\tstd 0,480(7)\n"
        INCORE_TEST_MOVE("std", "stfd", "stvx", "7", "0")
        INCORE_TEST_MOVE("ld", "lfd", "lvx", "1", "128")
        "\taddi 1,1," INCORE_TEST_FRAME "\n\tld 0,8(1)\n\tmtcrf 0x38,0\n\tld 0,16(1)\n\tmtlr 0\n"
        "\tblr\n" INCORE_TEST_FUNCTION("incore_test_spoil")
        "\taddi 14,14,1\n\tfneg 14,14\n\tvnor 20,20,20\n\tcrnot 8,8\n\tblr\n\t.popsection\n");

namespace incore {
namespace {

using test::Bytes;
using test::to_hex;

template <class Word>
struct Hash;
template <>
struct Hash<uint32_t> {
  static constexpr auto assembly = sha256_block_p8;
  static constexpr auto steps = sha::sha256_block;
  static constexpr auto& kernel = sha256_power8;
};
template <>
struct Hash<uint64_t> {
  static constexpr auto assembly = sha512_block_p8;
  static constexpr auto steps = sha::sha512_block;
  static constexpr auto& kernel = sha512_power8;
};

template <class Word>
class power8_sha_assembly : public testing::Test {
 protected:
  using State = std::vector<Word>;
  static constexpr size_t kBlockLen = 16 * sizeof(Word);

  void SetUp() override {
    if (!detect_features().has_all(FeatureSet(Feature::vcrypto)))
      GTEST_SKIP() << "this CPU has no crypto instructions";
  }
  static State random_state(uint64_t seed) {
    const Bytes bytes = test::random_bytes(8 * sizeof(Word), seed);
    State state(8);
    std::memcpy(state.data(), bytes.data(), bytes.size());
    return state;
  }
};
using Words = testing::Types<uint32_t, uint64_t>;
TYPED_TEST_SUITE(power8_sha_assembly, Words);

TYPED_TEST(power8_sha_assembly, equals_the_steps_and_the_kernel_for_any_number_of_blocks) {
  using H = Hash<TypeParam>;
  const Bytes data = test::random_bytes(9 * this->kBlockLen, 1);
  for (size_t num_blocks = 0; num_blocks <= 9; ++num_blocks) {
    const auto before = this->random_state(num_blocks);
    auto found = before, by_steps = before, by_kernel = before, one_by_one = before;
    H::assembly(found.data(), data.data(), num_blocks);
    H::kernel.compress(by_kernel.data(), data.data(), num_blocks);
    for (size_t i = 0; i < num_blocks; ++i) {
      H::steps(by_steps.data(), &data[i * this->kBlockLen]);
      H::assembly(one_by_one.data(), &data[i * this->kBlockLen], 1);
    }
    // clause: P8-ASM-019
    EXPECT_EQ(found, by_steps) << num_blocks;
    EXPECT_EQ(found, by_kernel) << num_blocks;
    // clause: P8-ASM-010
    EXPECT_EQ(found, one_by_one) << num_blocks;
  }
}

TYPED_TEST(power8_sha_assembly, state_and_input_may_be_anywhere) {
  using Word = TypeParam;
  using H = Hash<Word>;
  const Bytes data = test::random_bytes(2 * this->kBlockLen + 16, 2);
  for (size_t at = 0; at < 256; ++at) {
    const size_t state_offset = at % 16, input_offset = at / 16;
    auto expected = this->random_state(at);
    alignas(16) uint8_t room[16 + 8 * sizeof(Word)];
    std::memcpy(room + state_offset, expected.data(), 8 * sizeof(Word));
    for (size_t i = 0; i < 2; ++i)
      H::steps(expected.data(), &data[input_offset + i * this->kBlockLen]);
    H::assembly(reinterpret_cast<Word*>(room + state_offset), &data[input_offset], 2);
    // clause: P8-ASM-011
    ASSERT_EQ(std::memcmp(room + state_offset, expected.data(), 8 * sizeof(Word)), 0) << at;
  }
}

Registers random_registers() {
  Registers registers;
  const Bytes bytes = test::random_bytes(sizeof registers, 3);
  std::memcpy(&registers, bytes.data(), sizeof registers);
  return registers;
}
bool equal(const uint64_t* a, const uint64_t* b, size_t num) {
  return std::memcmp(a, b, num * sizeof *a) == 0;
}

TYPED_TEST(power8_sha_assembly, preserves_the_registers_of_its_caller) {
  using Word = TypeParam;
  const Bytes data = test::random_bytes(2 * this->kBlockLen, 4);
  for (size_t num_blocks = 0; num_blocks <= 2; ++num_blocks) {
    const Registers before = random_registers();
    Registers after = before;
    auto state = this->random_state(5), expected = state;
    // clause: P8-ASM-009
    incore_test_call(reinterpret_cast<void (*)(void*, const void*, size_t)>(Hash<Word>::assembly),
                     state.data(), data.data(), num_blocks, &after);
    Hash<Word>::assembly(expected.data(), data.data(), num_blocks);
    EXPECT_EQ(state, expected);
    // clause: P8-ASM-020
    EXPECT_TRUE(equal(before.general, after.general, 18));
    EXPECT_TRUE(equal(before.floating, after.floating, 18));
    EXPECT_TRUE(equal(before.vector, after.vector, 24));
    EXPECT_EQ((before.condition ^ after.condition) & kPreservedCondition, 0u);
  }
}

TEST(power8_sha_assembly_test, would_see_spoilt_registers) {
  const Registers before = random_registers();
  Registers after = before;
  incore_test_call(incore_test_spoil, nullptr, nullptr, 0, &after);
  EXPECT_FALSE(equal(before.general, after.general, 1));
  EXPECT_FALSE(equal(before.floating, after.floating, 1));
  EXPECT_FALSE(equal(before.vector, after.vector, 2));
  EXPECT_EQ((before.condition ^ after.condition) & kPreservedCondition, 0x00800000u);
  EXPECT_TRUE(equal(before.general + 1, after.general + 1, 17));
  EXPECT_TRUE(equal(before.floating + 1, after.floating + 1, 17));
  EXPECT_TRUE(equal(before.vector + 2, after.vector + 2, 22));
}

TEST(power8_sha_assembly_test, all_bytes_of_the_empty_messages_digest) {
  const uint8_t block[64] = {0x80};
  uint32_t state[8];
  std::memcpy(state, sha::kSha256H.word, sizeof state);
  sha256_block_p8(state, block, 1);
  Bytes digest;
  for (const uint32_t word : state)
    for (int shift = 24; shift >= 0; shift -= 8)
      digest.push_back(static_cast<uint8_t>(word >> shift));
  // clause: P8-ASM-017
  EXPECT_EQ(to_hex(digest), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(power8_sha_assembly_test, example_of_the_standard_by_sha512) {
  uint8_t block[128] = {'a', 'b', 'c', 0x80};
  block[127] = 24;
  uint64_t state[8];
  std::memcpy(state, sha::kSha512H, sizeof state);
  sha512_block_p8(state, block, 1);
  EXPECT_EQ(state[0], 0xddaf35a193617abau);
  EXPECT_EQ(state[7], 0x2a9ac94fa54ca49fu);
}

}  // namespace
}  // namespace incore
