// GNU as is the oracle: the same text becomes the same words, in both byte orders.
#include <unistd.h>

#include <random>

#include "support/file.h"
#include "support/process.h"
#include "vemicry/assemble_testing.h"
#include "vemicry/disassemble.h"
#include "vemicry/elf.h"
#include "vemicry/insn.h"

namespace incore::vemicry::test {
namespace {

using ::incore::test::ProcessResult;

constexpr const char* kTools[] = {"mips-linux-gnu", "mipsel-linux-gnu"};

// The code that GNU as and ld make of |source|, at kTextAddress; empty if they fail.
std::vector<uint32_t> gnu_words(const std::string& source, const std::string& tools) {
  const ::incore::test::TemporaryDirectory directory;
  const std::string text = directory.write("x.s", source), object = directory.path() + "/x.o",
                    program = directory.path() + "/x";
  const ProcessResult assembled =
      ::incore::test::run({tools + "-as", "-mips1", "-o", object, text});
  EXPECT_EQ(assembled.exit_code, 0) << assembled.err;
  const std::string script =
      directory.write("script", "SECTIONS { .text 0x400000 : { *(.text) } /DISCARD/ : { *(*) } }");
  const ProcessResult linked =
      ::incore::test::run({tools + "-ld", "-T", script, "-e", "0x400000", "-o", program, object});
  EXPECT_EQ(linked.exit_code, 0) << linked.err;
  const std::vector<uint8_t> elf = ::incore::test::read_bytes(program);
  Image image;
  EXPECT_EQ(read_elf(elf, &image), "");
  for (const Segment& segment : image.segments)
    if (!image.code.empty() && segment.address <= kTextAddress &&
        segment.address + segment.bytes.size() > kTextAddress) {
      std::vector<uint32_t> words = words_of(image, segment);
      words.erase(words.begin(), words.begin() + (kTextAddress - segment.address) / 4);
      return words;
    }
  return {};
}

// Compares up to the end of ours: GNU as pads its section.
void expect_same_words(const std::string& source) {
  for (const std::string tools : kTools) {
    if (access(("/usr/bin/" + tools + "-as").c_str(), X_OK) != 0 || ::incore::test::kEmulated)
      GTEST_SKIP() << tools << "-as is not installed, or cannot be started from here";
    AssembleOptions options;
    options.little_endian = tools == "mipsel-linux-gnu";
    const std::vector<uint32_t> ours = words_of(source, options);
    std::vector<uint32_t> theirs = gnu_words(source, tools);
    ASSERT_GE(theirs.size(), ours.size());
    for (size_t i = 0; i < ours.size(); ++i)
      ASSERT_EQ(ours[i], theirs[i])
          << tools << ", word " << i << ": "
          << disassemble(Word{theirs[i]}, kTextAddress + 4 * static_cast<uint32_t>(i), {});
  }
}

TEST(vemicry_assemble_oracle, every_scalar_instruction_with_random_operands) {
  std::mt19937 random(3);
  size_t num_insns = 0;
  const Insn* const* const all = insns(&num_insns);
  std::string source = " .set noreorder\n .set nomacro\n .set noat\n .globl here\nhere:\n";
  for (size_t i = kNumVectorInsns; i < num_insns; ++i) {
    for (int k = 0; k < 20; ++k) {
      const uint32_t word = all[i]->word | (static_cast<uint32_t>(random()) & ~fixed_bits(*all[i]));
      std::string text = disassemble(Word{word}, kTextAddress, {});
      // GNU as branches to labels only, and takes "div rs, rt" for a division with checks.
      if ((all[i]->traits & kBranch) != 0 && text.find("0x") != std::string::npos)
        text = text.substr(0, text.rfind("0x")) + "here";
      const std::string name = all[i]->mnemonic;
      if (name == "div" || name == "divu") text.insert(text.find('$'), "$0, ");
      source += " " + text + "\n";
    }
  }
  expect_same_words(source);
}

TEST(vemicry_assemble_oracle, vcr_moves) {
  expect_same_words(" .set noreorder\n ctc2 $11, $2\n cfc2 $11, $1\n");
  const std::vector<uint32_t> ours = words_of("mtvcr $11\n mfvcr $11");
  for (const std::string tools : {kTools[0]}) {
    if (access(("/usr/bin/" + tools + "-as").c_str(), X_OK) != 0 || ::incore::test::kEmulated)
      GTEST_SKIP() << tools << "-as is not installed";
    std::vector<uint32_t> theirs =
        gnu_words(" .set noreorder\n ctc2 $11, $0\n cfc2 $11, $0\n", tools);
    theirs.resize(2);
    // clause: VM-ISA-060
    EXPECT_EQ(ours, theirs);
  }
}

TEST(vemicry_assemble_oracle, pseudo_instructions) {
  expect_same_words(R"( .set noreorder
 .globl x
x: nop
 move $4, $5
 not $4, $5
 neg $4, $5
 negu $4, $5
 b x
 bal x
 beqz $4, x
 bnez $4, x
 j $31
 jal $25
 jalr $25
 jal $24, $25
 syscall
 syscall 5
 break
 break 7
 break 7, 1
 add $4, $5, 7
 addu $4, $5, -7
 sub $4, $5, 7
 subu $4, $5, -7
 and $4, $5, 7
 or $4, $5, 7
 xor $4, $5, 7
 slt $4, $5, 7
 sltu $4, $5, 7
 addu $4, $5, 0x12345
 and $4, $5, 0x12345
 and $4, $5, -2
 slt $4, $5, 0x8000
 sll $4, $5, $6
 srl $4, $5, $6
 sra $4, $5, $6
 beq $4, 5, x
 beq $4, 0, x
 bne $4, 0x12345, x
 blt $4, $5, x
 bge $4, $5, x
 bgt $4, $5, x
 ble $4, $5, x
 bltu $4, $5, x
 bgeu $4, $5, x
 bgtu $4, $5, x
 bleu $4, $5, x
 blt $4, 5, x
 bge $4, 5, x
 bgt $4, 5, x
 ble $4, 5, x
 bltu $4, 5, x
 bgeu $4, 5, x
 bgtu $4, 5, x
 bleu $4, 5, x
 blt $4, $0, x
 bge $4, $0, x
 bgt $4, $0, x
 ble $4, $0, x
 mul $4, $5, $6
 div $0, $5, $6
 divu $0, $5, $6
 seq $4, $5, $6
 sne $4, $5, $6
 sgt $4, $5, $6
 sge $4, $5, $6
 sle $4, $5, $6
 sgtu $4, $5, $6
 divu $4, $5, $6
 remu $4, $5, $6
 div $4, $5, 10
 rem $4, $5, 10
 divu $4, $5, 10
 remu $4, $5, 10
 rem $4, $5, 0
 mul $4, $5, 7
 abs $4, $5
 seq $4, $5, 7
 sne $4, $5, 7
 seq $4, $5, 0x12345
 sgt $4, $5, 7
 sge $4, $5, 7
 sle $4, $5, 7
 sgtu $4, $5, 7
 sgeu $4, $5, 7
 sleu $4, $5, 7
 ulw $4, 8($5)
 ulw $5, 8($5)
 ulw $4, x
 ulh $4, 8($5)
 ulh $5, 8($5)
 ulhu $4, x
 usw $4, 8($5)
 usw $4, x
 ush $4, 8($5)
 .fill 3, 4, 7
 .irp y, 1, 2
 li $4, \y
 .endr
 rol $4, $5, 7
 ror $4, $5, 7
 li $4, 0
 li $4, -1
 li $4, 0x8000
 li $4, 0xffff
 li $4, 0x12340000
 li $4, 0x12345678
 li $4, 0xffff8000
 li $4, 0xffff7fff
 li $4, -40000
 lw $4, 0x12345($5)
 lw $5, 0x12345($5)
 sw $4, 0x12345($5)
 lb $4, 0x18000($5)
 lw $4, 100
 lwl $4, x
 la $4, x
 la $4, 8($5)
 la $4, x + 4
 lw $4, x + 0x8000
 sh $4, x
 lui $4, %hi(x + 0x9000)
 addiu $4, $4, %lo(x + 0x9000)
 lbu $4, %lo(x)($5)
 .word x, 1f - x
1:
)");
}

}  // namespace
}  // namespace incore::vemicry::test
