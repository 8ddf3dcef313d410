// The disassembler, and the encodings: what it prints is read back as the same word.
#include <gtest/gtest.h>

#include <random>

#include "vemicry/assemble_testing.h"
#include "vemicry/disassemble.h"
#include "vemicry/insn.h"
#include "vemicry/machine.h"
#include "vemicry/operands.h"
#include "vemicry/words.h"

namespace incore::vemicry::test {
namespace {

constexpr int kWordsPerInsn = 200;

std::string text_of(uint32_t word, uint32_t address = kTextAddress, const Config& config = {}) {
  return disassemble(Word{word}, address, config);
}

Config machine_of(uint32_t q, uint32_t p) {
  Config config;
  config.q = q;
  config.p = p;
  config.r = std::min(p, 8u);
  return config;
}

// Machines of the sizes that matter: where all registers and counts exist, where few do.
const Config kMachines[] = {machine_of(8, 8),   machine_of(16, 256), machine_of(1, 1),
                            machine_of(16, 63), machine_of(3, 4),    machine_of(9, 12)};

// A word of |insn| with random operands.
uint32_t random_word(const Insn& insn, std::mt19937& random) {
  return insn.word | (static_cast<uint32_t>(random()) & ~fixed_bits(insn));
}

TEST(vemicry_disassemble, encodings_are_disjoint) {
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

TEST(vemicry_disassemble, what_is_printed_is_assembled_to_the_same_word) {
  for (const Config& machine : kMachines) {
    AssembleOptions options;
    options.q = machine.q;
    options.p = machine.p;
    std::mt19937 random(1);
    std::string source;
    std::vector<uint32_t> words;
    const auto add = [&](uint32_t word) {
      const uint32_t address = kTextAddress + 4 * static_cast<uint32_t>(words.size());
      source += text_of(word, address, machine) + "\n";
      words.push_back(word);
    };
    for (const Insn* insn : all_insns()) {
      for (int i = 0; i < kWordsPerInsn; ++i) {
        const uint32_t word = random_word(*insn, random);
        ASSERT_EQ(decode(Word{word}), insn);
        add(word);
      }
    }
    // And words of the coprocessor of any kind, most of them reserved.
    for (int i = 0; i < 10000; ++i)
      add(0x48000000 | (static_cast<uint32_t>(random()) & 0x03FFFFFF));
    const std::vector<uint32_t> assembled = words_of(source, options);
    ASSERT_EQ(assembled.size(), words.size());
    for (size_t i = 0; i < words.size(); ++i)
      EXPECT_EQ(assembled[i], words[i])
          << text_of(words[i], kTextAddress, machine) << ", " << std::hex << words[i]
          << ", q = " << std::dec << machine.q << ", p = " << machine.p;
  }
}

// A word is an instruction exactly where the machine does not trap because it is reserved.
TEST(vemicry_disassemble, a_word_is_data_where_the_machine_has_no_such_instruction) {
  for (const Config& config : kMachines) {
    Machine machine(config);
    ASSERT_TRUE(machine.memory().map(kTextAddress, Memory::kPageLen));
    std::mt19937 random(3);
    for (const Insn* insn : all_insns()) {
      for (int i = 0; i < kWordsPerInsn; ++i) {
        const uint32_t word = random_word(*insn, random);
        // VTRANSP is also reserved where the length, which may change, is not a multiple of four.
        if (insn == &vtransp && config.length() % 4 != 0) continue;
        ASSERT_FALSE(machine.memory().store<uint32_t>(kTextAddress, word));
        machine.state().pc = kTextAddress;
        machine.state().next_pc = kTextAddress + 4;
        machine.state().l = config.length();
        const Trap trap = machine.run(1).trap;
        const bool is_data = text_of(word, kTextAddress, config).starts_with(".word");
        ASSERT_EQ(is_data, trap.exception == Exception::reserved_instruction)
            << text_of(word, kTextAddress, config) << " of " << std::hex << word;
      }
    }
  }
}

TEST(vemicry_disassemble, texts) {
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

TEST(vemicry_disassemble, reserved_words_are_data) {
  EXPECT_EQ(text_of(0xFFFFFFFF), ".word   0xffffffff");
  uint32_t unused = vector_word(0);  // a function code that no instruction has
  while (decode(Word{unused}) != nullptr) ++unused;
  char text[32];
  std::snprintf(text, sizeof text, ".word   0x%08x", unused);
  EXPECT_EQ(text_of(unused), text);
  EXPECT_EQ(text_of(0x4A0000D3), ".word   0x4a0000d3");  // VTRANSP with n = 3
  EXPECT_EQ(text_of(0x4A400021), "vstore  ($4), v0, 0");
  EXPECT_EQ(text_of(0x4A410021), ".word   0x4a410021");  // a field that VSTORE does not use
  EXPECT_EQ(text_of(0x4A4A0260), ".word   0x4a4a0260");  // v10, and a count of 9
  EXPECT_EQ(text_of(0x4A4A0260, kTextAddress, machine_of(16, 9)), "vload   v10, ($4), 9");
  std::mt19937 random(2);
  for (int i = 0; i < 2000; ++i) {
    const uint32_t word = static_cast<uint32_t>(random());
    if (decode(Word{word}) == nullptr) {
      EXPECT_EQ(word_of(text_of(word)), word);
    }
  }
}

TEST(vemicry_disassemble, targets_get_their_names) {
  const Assembly assembly = assemble("main: b main\n jal f\nf: nop", {});
  const Image& image = assembly.image;
  const std::vector<uint32_t> words = words_of(image, image.segments[0]);
  EXPECT_EQ(disassemble(Word{words[0]}, kTextAddress, {}, &image), "beq     $0, $0, main");
  EXPECT_EQ(disassemble(Word{words[1]}, kTextAddress + 4, {}, &image), "jal     f");
}

// A symbol that the assembler would not take for a label leaves the address: executables of other
// tools have such names.
TEST(vemicry_disassemble, names_that_mean_something_else_are_no_targets) {
  for (const char* const name :
       {"t1", "a0", "ra", "s8", "r5", "P", "L", "a+b", "1", "x y", "_ZN1aC2Ev.part.0(int)", "."}) {
    Image image;
    image.symbols.push_back({name, kTextAddress + 8, 0, true});
    EXPECT_EQ(disassemble(Word{0x0C100002}, kTextAddress, {}, &image), "jal     0x400008") << name;
  }
  for (const char* const name : {"f", "t10", "$LC0", ".L2", "_start", "a0_"}) {
    Image image;
    image.symbols.push_back({name, kTextAddress + 8, 0, true});
    const std::string text = disassemble(Word{0x0C100002}, kTextAddress, {}, &image);
    EXPECT_EQ(text, std::string("jal     ") + name);
    EXPECT_EQ(words_of(text + "\nnop\n" + name + ": nop").at(0), 0x0C100002u);
  }
}

}  // namespace
}  // namespace incore::vemicry::test
