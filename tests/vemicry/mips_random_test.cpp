// Random programs of MIPS-I instructions, here and under QEMU: both print their registers and
// memory at the end, which must be the same.
#include <sys/stat.h>

#include "support/process.h"
#include "support/property.h"
#include "vemicry/elf.h"
#include "vemicry/rig.h"

namespace incore::vemicry::test {
namespace {

constexpr uint32_t kScratchLen = 256, kSaved = 4 * 32;
constexpr uint32_t kBase = 30, kHiCopy = 8, kLoCopy = 9;  // registers

// One instruction that cannot trap; register |kBase| holds the address of the scratch memory's
// middle and is not written.
uint32_t random_insn(Random& random) {
  const auto any = [&] { return random.below(32); };
  const uint32_t d = random.below(kBase);
  const int32_t imm = static_cast<int16_t>(random.word());
  const auto offset = [&](uint32_t size) {
    return static_cast<int32_t>(random.below(kScratchLen / size) * size) -
           static_cast<int32_t>(kScratchLen / 2);
  };
  constexpr uint32_t kFunctions[] = {0x21, 0x23, 0x24, 0x25, 0x26, 0x27, 0x2A, 0x2B, 4, 6, 7};
  constexpr uint32_t kImmediates[] = {9, 10, 11, 12, 13, 14};
  constexpr uint32_t kBytes[] = {0x20, 0x24, 0x28, 0x22, 0x26, 0x2A, 0x2E};
  constexpr uint32_t kHalves[] = {0x21, 0x25, 0x29};
  constexpr uint32_t kWords[] = {0x23, 0x2B};
  switch (random.below(10)) {
    case 0:
    case 1:
    case 2:
      return r_type(kFunctions[random.below(11)], d, any(), any());
    case 3:
      return i_type(kImmediates[random.below(6)], d, any(), imm);
    case 4: {
      constexpr uint32_t kShifts[] = {0, 2, 3};
      return r_type(kShifts[random.below(3)], d, 0, any(), any());
    }
    case 5:
      return r_type(random.below(2) + 0x18, 0, any(), any());  // MULT, MULTU
    case 6: {
      constexpr uint32_t kMoves[] = {0x10, 0x12};
      return random.below(3) == 0 ? lui(d, random.word() & 0xFFFF)
                                  : r_type(kMoves[random.below(2)], d, 0, 0);
    }
    case 7:
      return i_type(kBytes[random.below(7)], d, kBase, offset(1));
    case 8:
      return i_type(kHalves[random.below(3)], d, kBase, offset(2));
    default:
      return i_type(kWords[random.below(2)], d, kBase, offset(4));
  }
}

void load_constant(Words& words, uint32_t number, uint32_t value) {
  words.push_back(lui(number, value >> 16));
  words.push_back(ori(number, number, value & 0xFFFF));
}

Words random_program(uint64_t seed) {
  Random random(seed);
  Words words;
  for (uint32_t i = 1; i < kBase; ++i) load_constant(words, i, random.word());
  load_constant(words, kBase, kData + kScratchLen / 2);
  load_constant(words, 31, random.word());
  words.insert(words.end(), {r_type(0x11, 0, 3, 0), r_type(0x13, 0, 4, 0)});
  for (uint32_t i = 0; i < 400; ++i) {
    if (random.below(8) == 0) {  // a branch over some instructions, and its delay slot
      const uint32_t a = random.below(32), b = random.below(3) == 0 ? a : random.below(32);
      const int32_t len = static_cast<int32_t>(random.below(4)) + 1;
      const uint32_t one_register[] = {i_type(6, 0, a, len), i_type(7, 0, a, len),
                                       i_type(1, 0, a, len), i_type(1, 1, a, len)};
      const uint32_t kind = random.below(6);
      words.push_back(kind == 4 ? beq(a, b, len) : kind == 5 ? bne(a, b, len) : one_register[kind]);
      for (int32_t k = 0; k < len; ++k) words.push_back(random_insn(random));
    } else if (random.below(16) == 0) {
      // A quotient of what has no open cases: the divisor is odd and positive.
      words.insert(words.end(), {ori(5, 5, 1), r_type(2, 5, 0, 5, 1), ori(5, 5, 1),
                                 r_type(0x1A + random.below(2), 0, random.below(32), 5)});
    } else {
      words.push_back(random_insn(random));
    }
  }
  // All registers to memory behind the scratch area, HI and LO too; then write and exit.
  for (uint32_t i = 0; i < 31; ++i)
    words.push_back(sw(i, static_cast<int32_t>(kScratchLen / 2 + 4 * i), kBase));
  words.insert(words.end(), {r_type(0x10, kHiCopy, 0, 0), r_type(0x12, kLoCopy, 0, 0),
                             sw(kHiCopy, kScratchLen / 2 + 4 * 29, kBase),
                             sw(kLoCopy, kScratchLen / 2 + 4 * 31, kBase)});
  words.insert(words.end(), {addiu(2, 0, 4004), addiu(4, 0, 1), addiu(5, kBase, -128),
                             addiu(6, 0, kScratchLen + kSaved), kSyscall, addiu(2, 0, 4001),
                             addiu(4, 0, 0), kSyscall});
  return words;
}

Image image_of(const Words& words, bool little_endian) {
  Image image;
  image.little_endian = little_endian;
  image.entry = kCode;
  Segment code = {kCode, std::vector<uint8_t>(4 * words.size()), 4 * words.size(), true, false};
  for (size_t i = 0; i < words.size(); ++i)
    (little_endian ? store_le32 : store_be32)(&code.bytes[4 * i], words[i]);
  image.segments = {code, {kData, {}, kScratchLen + kSaved, false, true}};
  return image;
}

TEST(MipsRandom, programs_leave_what_they_leave_under_qemu) {
  static_assert(kScratchLen / 2 == 128);
  const incore::test::TemporaryDirectory folder;
  incore::test::for_each_seed(8, [&](uint64_t seed) {
    const bool little_endian = seed % 2 == 0;
    const Image image = image_of(random_program(seed), little_endian);
    Config config;
    config.little_endian = little_endian;
    Machine machine(config);
    ASSERT_TRUE(machine.load(image));
    std::string here;
    machine.on_write = [&](int, const uint8_t* bytes, size_t len) {
      here.append(bytes, bytes + len);
      return static_cast<int64_t>(len);
    };
    const Outcome outcome = machine.run(100'000);
    ASSERT_EQ(outcome.stop, Stop::exited) << exception_text(outcome.trap.exception);
    ASSERT_EQ(here.size(), kScratchLen + kSaved);

    const std::vector<uint8_t> elf = write_elf(image);
    const std::string path = folder.write("program", std::string(elf.begin(), elf.end()));
    ASSERT_EQ(chmod(path.c_str(), 0700), 0);
    incore::test::ProcessResult there;
    try {
      there = incore::test::run({little_endian ? "qemu-mipsel" : "qemu-mips", path});
    } catch (const std::exception&) {
      GTEST_SKIP() << "QEMU for MIPS is not installed";
    }
    EXPECT_EQ(there.exit_code, 0) << there.err;
    EXPECT_EQ(here, there.out);
    // clause: VM-TOOL-004
  });
}

}  // namespace
}  // namespace incore::vemicry::test
