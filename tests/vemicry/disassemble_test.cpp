// The disassembler, and the encodings: what it prints is read back as the same word.
#include <gtest/gtest.h>

#include <random>

#include "vemicry/assemble_testing.h"
#include "vemicry/disassemble.h"
#include "vemicry/insn.h"
#include "vemicry/operands.h"

namespace incore::vemicry::test {
namespace {

constexpr int kWordsPerInsn = 200;

std::vector<const Insn*> all_insns() {
  size_t num_insns = 0;
  const Insn* const* const all = insns(&num_insns);
  return {all, all + num_insns};
}

std::string text_of(uint32_t word, uint32_t address = kTextAddress) {
  return disassemble(Word{word}, address);
}

TEST(VemicryDisassemble, encodings_are_disjoint) {
  for (const Insn* a : all_insns()) {
    EXPECT_EQ(a->word & ~fixed_bits(*a), 0u) << a->mnemonic;
    for (const Insn* b : all_insns()) {
      if (a == b) continue;
      // clause: VM-ISA-059
      EXPECT_NE((a->word ^ b->word) & fixed_bits(*a) & fixed_bits(*b), 0u)
          << a->mnemonic << " and " << b->mnemonic;
    }
  }
}

TEST(VemicryDisassemble, what_is_printed_is_assembled_to_the_same_word) {
  AssembleOptions widest;
  widest.q = 16;
  widest.p = 256;
  std::mt19937 random(1);
  std::string source;
  std::vector<uint32_t> words;
  for (const Insn* insn : all_insns()) {
    for (int i = 0; i < kWordsPerInsn; ++i) {
      const uint32_t word = insn->word | (static_cast<uint32_t>(random()) & ~fixed_bits(*insn));
      ASSERT_EQ(decode(Word{word}), insn);
      const uint32_t address = kTextAddress + 4 * static_cast<uint32_t>(words.size());
      source += text_of(word, address) + "\n";
      words.push_back(word);
    }
  }
  const std::vector<uint32_t> assembled = words_of(source, widest);
  ASSERT_EQ(assembled.size(), words.size());
  for (size_t i = 0; i < words.size(); ++i)
    EXPECT_EQ(assembled[i], words[i]) << text_of(words[i]) << ", " << std::hex << words[i];
}

TEST(VemicryDisassemble, texts) {
  EXPECT_EQ(text_of(0), "nop");
  EXPECT_EQ(text_of(0x03E00008), "jr      $31");
  EXPECT_EQ(text_of(0x27BDFFF8), "addiu   $29, $29, -8");
  EXPECT_EQ(text_of(0x3508FFFF), "ori     $8, $8, 0xffff");
  EXPECT_EQ(text_of(0x8FBF0014), "lw      $31, 20($29)");
  EXPECT_EQ(text_of(0x1000FFFF), "beq     $0, $0, 0x400000");
  EXPECT_EQ(text_of(0x0C100004), "jal     0x400010");
  EXPECT_EQ(text_of(0x0007000D), "break   7");
  EXPECT_EQ(text_of(0x0007004D), "break   7, 1");
  EXPECT_EQ(text_of(0x0000000C), "syscall");
  EXPECT_EQ(text_of(0x4A703161), "vstore  ($7), v3, 5");
  EXPECT_EQ(text_of(0x4A120000), "vxor    v2, v0, v1");
  EXPECT_EQ(text_of(0x48440800), "cfc2    $4, $1");
  EXPECT_EQ(text_of(0x48CB0000), "mtvcr   $11");
}

TEST(VemicryDisassemble, reserved_words_are_data) {
  EXPECT_EQ(text_of(0xFFFFFFFF), ".word   0xffffffff");
  EXPECT_EQ(text_of(0x4A000004), ".word   0x4a000004");  // no such function
  EXPECT_EQ(text_of(0x4A0000D3), ".word   0x4a0000d3");  // VTRANSP with n = 3
  EXPECT_EQ(text_of(0x4A400021), "vstore  ($4), v0, 0");
  EXPECT_EQ(text_of(0x4A410021), ".word   0x4a410021");  // a field that VSTORE does not use
  std::mt19937 random(2);
  for (int i = 0; i < 2000; ++i) {
    const uint32_t word = static_cast<uint32_t>(random());
    if (decode(Word{word}) == nullptr) {
      EXPECT_EQ(word_of(text_of(word)), word);
    }
  }
}

TEST(VemicryDisassemble, targets_get_their_names) {
  const Assembly assembly = assemble("main: b main\n jal f\nf: nop", {});
  const Image& image = assembly.image;
  const std::vector<uint32_t> words = words_of(image, image.segments[0]);
  EXPECT_EQ(disassemble(Word{words[0]}, kTextAddress, &image), "beq     $0, $0, main");
  EXPECT_EQ(disassemble(Word{words[1]}, kTextAddress + 4, &image), "jal     f");
}

}  // namespace
}  // namespace incore::vemicry::test
