// Programs of MIPS-I instructions, here and under QEMU: what they print at the end must be the
// same. Random ones print their registers and memory; another prints sums and differences, and
// which of them trapped.
#include <sys/stat.h>

#include <optional>

#include "support/hex.h"
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

// |data| stands at kData, and zeros up to |data_len| bytes.
Image image_of(const Words& words, const std::vector<uint8_t>& data, uint32_t data_len,
               bool little_endian) {
  Image image;
  image.little_endian = little_endian;
  image.entry = kCode;
  Segment code = {kCode, std::vector<uint8_t>(4 * words.size()), 4 * words.size(), true, false};
  for (size_t i = 0; i < words.size(); ++i)
    (little_endian ? store_le32 : store_be32)(&code.bytes[4 * i], words[i]);
  image.segments = {code, {kData, data, data_len, false, true}};
  return image;
}

constexpr char kNoQemu[] = "QEMU for MIPS is not installed";

// What |image| prints there; nothing if there is no QEMU.
std::optional<std::string> printed_under_qemu(const Image& image) {
  const incore::test::TemporaryDirectory folder;
  const std::vector<uint8_t> elf = write_elf(image);
  const std::string path = folder.write("program", std::string(elf.begin(), elf.end()));
  EXPECT_EQ(chmod(path.c_str(), 0700), 0);
  try {
    const incore::test::ProcessResult there =
        incore::test::run({image.little_endian ? "qemu-mipsel" : "qemu-mips", path});
    EXPECT_EQ(there.exit_code, 0) << there.err;
    return there.out;
  } catch (const std::exception&) {
    return {};
  }
}

TEST(vemicry_mips_random, programs_leave_what_they_leave_under_qemu) {
  static_assert(kScratchLen / 2 == 128);
  incore::test::for_each_seed(32, [&](uint64_t seed) {
    const bool little_endian = seed % 2 == 0;
    const Image image =
        image_of(random_program(seed), incore::test::random_bytes(kScratchLen, seed),
                 kScratchLen + kSaved, little_endian);
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

    const std::optional<std::string> there = printed_under_qemu(image);
    if (!there) GTEST_SKIP() << kNoQemu;
    // clause: VM-TOOL-004
    EXPECT_EQ(here, *there);
  });
}

// Sums and differences of numbers at the limits: instructions on registers 8 and 9, which leave
// register 10 as it is if they trap.
struct Sum {
  uint32_t word, a, b;
};
std::vector<Sum> sums_at_the_limits() {
  constexpr uint32_t kLimits[] = {0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
  std::vector<Sum> sums;
  for (const uint32_t a : kLimits) {
    for (const uint32_t b : kLimits)
      for (const uint32_t funct : {0x20u, 0x22u})  // ADD, SUB
        sums.push_back({r_type(funct, 10, 8, 9), a, b});
    for (const int32_t imm : {0, 1, 0x7FFF, -0x8000, -1})
      sums.push_back({i_type(8, 10, 8, imm), a, 0});  // ADDI
  }
  return sums;
}
constexpr uint32_t kUntouched = 0x5EED;

// Writes register 10 after each, and 1 or 0: whether it trapped. Linux makes a signal of the trap,
// whose handler goes on at register 16, behind the instruction.
Words program_of_sums(const std::vector<Sum>& sums) {
  constexpr uint32_t kFloatingPointError = 8, kNoDefer = 0x40000000, kHandler = kCode + 8;
  Words words = {beq(0, 0, 4), kNop, addu(29, 17, 0), jr(16), addiu(11, 0, 1)};
  load_constant(words, kBase, kData);
  load_constant(words, 8, kNoDefer);
  load_constant(words, 9, kHandler);
  words.insert(words.end(), {sw(8, 0, kBase), sw(9, 4, kBase), addu(17, 29, 0),  // sigaction
                             addiu(2, 0, 4194), addiu(4, 0, kFloatingPointError), addu(5, kBase, 0),
                             addiu(6, 0, 0), addiu(7, 0, 16), kSyscall});
  for (const Sum& sum : sums) {
    load_constant(words, 8, sum.a);
    load_constant(words, 9, sum.b);
    load_constant(words, 10, kUntouched);
    load_constant(words, 16, kCode + 4 * static_cast<uint32_t>(words.size() + 4));
    words.insert(words.end(), {addiu(11, 0, 0), sum.word, sw(10, 0, kBase), sw(11, 4, kBase),
                               addiu(kBase, kBase, 8)});
  }
  const int32_t len = static_cast<int32_t>(8 * sums.size());
  words.insert(words.end(),
               {addiu(2, 0, 4004), addiu(4, 0, 1), addiu(5, kBase, -len), addiu(6, 0, len),
                kSyscall, addiu(2, 0, 4001), addiu(4, 0, 0), kSyscall});
  return words;
}

TEST(vemicry_mips_sums, trap_where_they_trap_under_qemu) {
  const std::vector<Sum> sums = sums_at_the_limits();
  const Image image = image_of(program_of_sums(sums), {}, 4096, false);
  const std::optional<std::string> there = printed_under_qemu(image);
  if (!there) GTEST_SKIP() << kNoQemu;
  ASSERT_EQ(there->size(), 8 * sums.size());
  const uint8_t* printed = reinterpret_cast<const uint8_t*>(there->data());
  unsigned num_trapped = 0;
  for (const Sum& sum : sums) {
    Rig rig;
    rig.s.gpr[8] = sum.a;
    rig.s.gpr[9] = sum.b;
    rig.s.gpr[10] = kUntouched;
    const Trap trap = rig.execute({sum.word}).trap;
    SCOPED_TRACE(testing::Message() << std::hex << sum.word << " of " << sum.a << ", " << sum.b);
    // clause: VM-TOOL-004
    EXPECT_EQ(rig.s.gpr[10], load_be32(printed));
    EXPECT_EQ(trap.exception == Exception::overflow, load_be32(printed + 4) == 1);
    num_trapped += load_be32(printed + 4);
    printed += 8;
  }
  EXPECT_GT(num_trapped, 0u);
}

}  // namespace
}  // namespace incore::vemicry::test
