// Every instruction of MIPS-I on random operands, against what the architecture says it computes
// (MIPS R2000/R3000 manuals), written down once more in 64-bit arithmetic.
#include <functional>

#include "support/property.h"
#include "vemicry/rig.h"

namespace incore::vemicry::test {
namespace {

int64_t sx(uint32_t x) {
  return static_cast<int32_t>(x);
}
int64_t sx16(uint32_t x) {
  return static_cast<int16_t>(x);
}

using Binary = std::function<uint32_t(uint32_t rs, uint32_t rt)>;

struct Register {
  const char* mnemonic;
  uint32_t funct;
  Binary value;
};
const Register kRegister[] = {
    {"add", 0x20, [](uint32_t a, uint32_t b) { return a + b; }},
    {"addu", 0x21, [](uint32_t a, uint32_t b) { return a + b; }},
    {"sub", 0x22, [](uint32_t a, uint32_t b) { return a - b; }},
    {"subu", 0x23, [](uint32_t a, uint32_t b) { return a - b; }},
    {"and", 0x24, [](uint32_t a, uint32_t b) { return a & b; }},
    {"or", 0x25, [](uint32_t a, uint32_t b) { return a | b; }},
    {"xor", 0x26, [](uint32_t a, uint32_t b) { return a ^ b; }},
    {"nor", 0x27, [](uint32_t a, uint32_t b) { return ~(a | b); }},
    {"slt", 0x2A, [](uint32_t a, uint32_t b) { return sx(a) < sx(b) ? 1u : 0u; }},
    {"sltu", 0x2B, [](uint32_t a, uint32_t b) { return a < b ? 1u : 0u; }},
    {"sllv", 0x04, [](uint32_t a, uint32_t b) { return b << (a % 32); }},
    {"srlv", 0x06, [](uint32_t a, uint32_t b) { return b >> (a % 32); }},
    {"srav", 0x07, [](uint32_t a, uint32_t b) { return static_cast<uint32_t>(sx(b) >> (a % 32)); }},
};
const Register kImmediate[] = {
    {"addi", 0x08, [](uint32_t a, uint32_t i) { return static_cast<uint32_t>(sx(a) + sx16(i)); }},
    {"addiu", 0x09, [](uint32_t a, uint32_t i) { return static_cast<uint32_t>(sx(a) + sx16(i)); }},
    {"slti", 0x0A, [](uint32_t a, uint32_t i) { return sx(a) < sx16(i) ? 1u : 0u; }},
    {"sltiu", 0x0B,
     [](uint32_t a, uint32_t i) { return a < static_cast<uint32_t>(sx16(i)) ? 1u : 0u; }},
    {"andi", 0x0C, [](uint32_t a, uint32_t i) { return a & i; }},
    {"ori", 0x0D, [](uint32_t a, uint32_t i) { return a | i; }},
    {"xori", 0x0E, [](uint32_t a, uint32_t i) { return a ^ i; }},
};

bool overflows(int64_t value) {
  return value != sx(static_cast<uint32_t>(value));
}

// Destination, and two sources, which may be the same register or register 0.
struct Numbers {
  uint32_t d, a, b;
};
Numbers random_numbers(Rig& rig, Random& random) {
  for (uint32_t i = 1; i < 32; ++i) rig.s.gpr[i] = random.word();
  const uint32_t base = random.below(29);
  return {random.below(32), base + random.below(3), base + random.below(3)};
}

TEST(vemicry_mips_insns, results_of_registers) {
  Rig rig;
  incore::test::for_each_seed(200, [&](uint64_t seed) {
    Random random(seed);
    for (const Register& insn : kRegister) {
      const Numbers r = random_numbers(rig, random);
      const uint32_t a = rig.s.gpr[r.a], b = rig.s.gpr[r.b], old = rig.s.gpr[r.d];
      const uint32_t word = r_type(insn.funct, r.d, r.a, r.b);
      const bool traps = (insn.funct == 0x20 && overflows(sx(a) + sx(b))) ||
                         (insn.funct == 0x22 && overflows(sx(a) - sx(b)));
      SCOPED_TRACE(insn.mnemonic);
      if (traps)
        EXPECT_EQ(rig.exception({word}), Exception::overflow);
      else
        rig.done({word});
      EXPECT_EQ(rig.s.gpr[r.d], r.d == 0 ? 0 : traps ? old : insn.value(a, b));
      EXPECT_STREQ(decode(Word{word})->mnemonic, insn.mnemonic);
    }
  });
}

TEST(vemicry_mips_insns, results_with_immediates) {
  Rig rig;
  incore::test::for_each_seed(200, [&](uint64_t seed) {
    Random random(seed);
    for (const Register& insn : kImmediate) {
      const Numbers r = random_numbers(rig, random);
      const uint32_t imm = random.word() & 0xFFFF, a = rig.s.gpr[r.a], old = rig.s.gpr[r.d];
      const uint32_t word = i_type(insn.funct, r.d, r.a, static_cast<int32_t>(imm));
      const bool traps = insn.funct == 0x08 && overflows(sx(a) + sx16(imm));
      SCOPED_TRACE(insn.mnemonic);
      if (traps)
        EXPECT_EQ(rig.exception({word}), Exception::overflow);
      else
        rig.done({word});
      EXPECT_EQ(rig.s.gpr[r.d], r.d == 0 ? 0 : traps ? old : insn.value(a, imm));
      EXPECT_STREQ(decode(Word{word})->mnemonic, insn.mnemonic);
    }
    rig.done({lui(8, 0xABCD), lui(0, 5)});
    EXPECT_EQ(rig.s.gpr[8], 0xABCD0000u);
    EXPECT_EQ(rig.s.gpr[0], 0u);
  });
}

TEST(vemicry_mips_insns, shifts_by_a_constant) {
  Rig rig;
  Random random(1);
  for (uint32_t sa = 0; sa < 32; ++sa) {
    const uint32_t x = random.word() | 0x80000000;
    rig.s.gpr[9] = x;
    rig.done({r_type(0, 10, 0, 9, sa), r_type(2, 11, 0, 9, sa), r_type(3, 12, 0, 9, sa)});
    EXPECT_EQ(rig.s.gpr[10], x << sa);
    EXPECT_EQ(rig.s.gpr[11], x >> sa);
    EXPECT_EQ(rig.s.gpr[12], static_cast<uint32_t>(sx(x) >> sa));
  }
}

TEST(vemicry_mips_insns, products_and_quotients) {
  Rig rig;
  const auto hi_lo = [&] { return uint64_t{rig.s.hi} << 32 | rig.s.lo; };
  incore::test::for_each_seed(200, [&](uint64_t seed) {
    Random random(seed);
    const uint32_t a = random.word(), b = random.word();
    rig.s.gpr[8] = a;
    rig.s.gpr[9] = b;
    rig.done({r_type(0x18, 0, 8, 9)});
    EXPECT_EQ(hi_lo(), static_cast<uint64_t>(sx(a) * sx(b)));
    rig.done({r_type(0x19, 0, 8, 9)});
    EXPECT_EQ(hi_lo(), uint64_t{a} * b);
    rig.done({r_type(0x10, 10, 0, 0), r_type(0x12, 11, 0, 0)});
    EXPECT_EQ(rig.s.gpr[10], rig.s.hi);
    EXPECT_EQ(rig.s.gpr[11], rig.s.lo);
    if (b != 0) {
      rig.done({r_type(0x1A, 0, 8, 9)});
      EXPECT_EQ(sx(b) * sx(rig.s.lo) + sx(rig.s.hi), overflows(sx(a) / sx(b)) ? -sx(a) : sx(a));
      EXPECT_EQ(rig.s.lo, static_cast<uint32_t>(sx(a) / sx(b)));
      rig.done({r_type(0x1B, 0, 8, 9)});
      EXPECT_EQ(rig.s.lo, a / b);
      EXPECT_EQ(rig.s.hi, a % b);
    }
    rig.done({r_type(0x11, 0, 8, 0), r_type(0x13, 0, 9, 0)});
    EXPECT_EQ(hi_lo(), uint64_t{a} << 32 | b);
  });
}

TEST(vemicry_mips_insns, divisions_that_the_architecture_leaves_open) {
  Rig rig;
  const auto divide = [&](uint32_t funct, uint32_t a, uint32_t b) {
    rig.s.gpr[8] = a;
    rig.s.gpr[9] = b;
    rig.done({r_type(funct, 0, 8, 9)});
    return std::pair(rig.s.lo, rig.s.hi);
  };
  EXPECT_EQ(divide(0x1A, 5, 0), std::pair(0xFFFFFFFFu, 5u));
  EXPECT_EQ(divide(0x1A, 0xFFFFFFFB, 0), std::pair(1u, 0xFFFFFFFBu));
  EXPECT_EQ(divide(0x1B, 5, 0), std::pair(0xFFFFFFFFu, 5u));
  EXPECT_EQ(divide(0x1A, 0x80000000, 0xFFFFFFFF), std::pair(0x80000000u, 0u));
}

struct Branch {
  uint32_t word;  // without rs and with an offset of 0
  bool links, has_rt;
  bool (*taken)(int64_t rs, int64_t rt);
};
const Branch kBranches[] = {
    {i_type(4, 0, 0, 0), false, true, [](int64_t a, int64_t b) { return a == b; }},
    {i_type(5, 0, 0, 0), false, true, [](int64_t a, int64_t b) { return a != b; }},
    {i_type(6, 0, 0, 0), false, false, [](int64_t a, int64_t) { return a <= 0; }},
    {i_type(7, 0, 0, 0), false, false, [](int64_t a, int64_t) { return a > 0; }},
    {i_type(1, 0x00, 0, 0), false, false, [](int64_t a, int64_t) { return a < 0; }},
    {i_type(1, 0x01, 0, 0), false, false, [](int64_t a, int64_t) { return a >= 0; }},
    {i_type(1, 0x10, 0, 0), true, false, [](int64_t a, int64_t) { return a < 0; }},
    {i_type(1, 0x11, 0, 0), true, false, [](int64_t a, int64_t) { return a >= 0; }},
};

TEST(vemicry_mips_insns, branches) {
  Rig rig;
  incore::test::for_each_seed(100, [&](uint64_t seed) {
    Random random(seed);
    for (const Branch& branch : kBranches) {
      const uint32_t a = random.word(), b = random.below(3) == 0 ? a : random.word();
      const int32_t offset = static_cast<int16_t>(random.word());
      rig.s.gpr[8] = a;
      rig.s.gpr[9] = b;
      rig.s.gpr[31] = 5;
      rig.done({branch.word | 8u << 21 | (branch.has_rt ? 9u << 16 : 0) | (offset & 0xFFFF),
                addiu(2, 2, 1)});  // the delay slot
      const bool taken = branch.taken(sx(a), sx(b));
      EXPECT_EQ(rig.s.pc, taken ? kCode + 4 + 4 * static_cast<uint32_t>(offset) : kCode + 8)
          << std::hex << branch.word;
      EXPECT_EQ(rig.s.gpr[31], branch.links ? kCode + 8 : 5);
    }
  });
  rig.s.gpr[8] = 0x00ABCDE0;
  rig.done({r_type(9, 10, 8, 0), kNop});
  EXPECT_EQ(rig.s.pc, 0x00ABCDE0u);
  EXPECT_EQ(rig.s.gpr[10], kCode + 8);
  rig.s.gpr[31] = 7;
  rig.done({j_type(2, 0x0ABCDEF0), kNop});
  EXPECT_EQ(rig.s.pc, 0x0ABCDEF0u);
  EXPECT_EQ(rig.s.gpr[31], 7u);
}

class vemicry_mips_memory : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(byte_orders, vemicry_mips_memory, testing::Bool(),
                         [](const auto& i) { return i.param ? "little" : "big"; });

TEST_P(vemicry_mips_memory, loads_and_stores_of_all_sizes) {
  const bool little = GetParam();
  Config config;
  config.little_endian = little;
  Rig rig(config);
  const uint8_t bytes[] = {0x81, 0x82, 0x03, 0x04};
  ASSERT_TRUE(rig.machine.memory().write(kData, bytes, sizeof bytes));
  rig.s.gpr[9] = kData + 100;
  const auto load = [&](uint32_t opcode, int32_t offset) {
    rig.done({i_type(opcode, 8, 9, offset - 100)});
    return rig.s.gpr[8];
  };
  EXPECT_EQ(load(0x20, 0), 0xFFFFFF81u);
  EXPECT_EQ(load(0x20, 3), 4u);
  EXPECT_EQ(load(0x24, 1), 0x82u);
  EXPECT_EQ(load(0x21, 0), little ? 0xFFFF8281u : 0xFFFF8182u);
  EXPECT_EQ(load(0x21, 2), little ? 0x0403u : 0x0304u);
  EXPECT_EQ(load(0x25, 0), little ? 0x8281u : 0x8182u);
  EXPECT_EQ(load(0x23, 0), little ? 0x04038281u : 0x81820304u);
  rig.s.gpr[8] = 0x11223344;
  rig.done({i_type(0x28, 8, 9, -99)});
  rig.done({i_type(0x29, 8, 9, -98)});
  uint8_t back[4];
  ASSERT_TRUE(rig.machine.memory().read(kData, back, sizeof back));
  EXPECT_EQ(std::vector<uint8_t>(back, back + 4),
            (little ? std::vector<uint8_t>{0x81, 0x44, 0x44, 0x33}
                    : std::vector<uint8_t>{0x81, 0x44, 0x33, 0x44}));
}

// A word at any address goes through LWL and LWR, SWL and SWR.
TEST_P(vemicry_mips_memory, words_at_any_address) {
  const bool little = GetParam();
  Config config;
  config.little_endian = little;
  Rig rig(config);
  const std::vector<uint8_t> bytes = {0x10, 0x21, 0x32, 0x43, 0x54, 0x65, 0x76, 0x87};
  for (int32_t k = 0; k < 5; ++k) {
    ASSERT_TRUE(rig.machine.memory().write(kData, bytes.data(), bytes.size()));
    rig.s.gpr[9] = kData;
    rig.s.gpr[8] = 0xEEEEEEEE;
    const int32_t left = little ? k + 3 : k, right = little ? k : k + 3;
    rig.done({i_type(0x22, 8, 9, left), i_type(0x26, 8, 9, right)});
    uint32_t expected = 0;
    for (int32_t i = 0; i < 4; ++i)
      expected |= uint32_t{bytes[static_cast<size_t>(k + i)]} << (little ? 8 * i : 24 - 8 * i);
    EXPECT_EQ(rig.s.gpr[8], expected) << k;
    rig.s.gpr[8] = 0xA1A2A3A4;
    rig.done({i_type(0x2A, 8, 9, left), i_type(0x2E, 8, 9, right)});
    std::vector<uint8_t> stored = bytes, back(8);
    for (int32_t i = 0; i < 4; ++i)
      stored[static_cast<size_t>(k + i)] = static_cast<uint8_t>(0xA1 + (little ? 3 - i : i));
    ASSERT_TRUE(rig.machine.memory().read(kData, back.data(), back.size()));
    EXPECT_EQ(back, stored) << k;
  }
}

// The four cases of each in the manual's figures, on the register 0xAABBCCDD.
TEST_P(vemicry_mips_memory, parts_of_a_word) {
  const bool little = GetParam();
  Config config;
  config.little_endian = little;
  Rig rig(config);
  // By the number of bytes that move, from 4 down to 1.
  const uint32_t lwl[] = {0x01020304, 0x020304DD, 0x0304CCDD, 0x04BBCCDD};
  const uint32_t lwr[] = {0x01020304, 0xAA010203, 0xAABB0102, 0xAABBCC01};
  const uint32_t swl[] = {0xAABBCCDD, 0x01AABBCC, 0x0102AABB, 0x010203AA};
  const uint32_t swr[] = {0xAABBCCDD, 0xBBCCDD04, 0xCCDD0304, 0xDD020304};
  for (int32_t k = 0; k < 4; ++k) {
    const int32_t left = little ? 3 - k : k, right = little ? k : 3 - k;
    rig.s.gpr[9] = kData;
    const auto after = [&](uint32_t opcode, int32_t offset, bool stores) {
      rig.write(kData, {0x01020304});
      rig.s.gpr[8] = 0xAABBCCDD;
      rig.done({i_type(opcode, 8, 9, offset)});
      return stores ? rig.read(kData, 1)[0] : rig.s.gpr[8];
    };
    EXPECT_EQ(after(0x22, left, false), lwl[k]) << k;
    EXPECT_EQ(after(0x26, right, false), lwr[k]) << k;
    EXPECT_EQ(after(0x2A, left, true), swl[k]) << k;
    EXPECT_EQ(after(0x2E, right, true), swr[k]) << k;
  }
}

TEST(vemicry_mips_insns, bad_addresses) {
  struct Case {
    uint32_t opcode, address;
    Exception exception;
  };
  constexpr uint32_t kEnd = kData + kDataLen;
  for (const Case& c :
       {Case{0x23, kData + 2, Exception::address_error_load},
        Case{0x21, kData + 1, Exception::address_error_load},
        Case{0x25, kData + 3, Exception::address_error_load},
        Case{0x2B, kData + 1, Exception::address_error_store},
        Case{0x29, kData + 1, Exception::address_error_store},
        Case{0x20, kEnd, Exception::bus_error_data}, Case{0x23, kEnd, Exception::bus_error_data},
        Case{0x28, kEnd, Exception::bus_error_data}, Case{0x2B, kEnd, Exception::bus_error_data},
        Case{0x22, kEnd, Exception::bus_error_data}, Case{0x2E, kEnd, Exception::bus_error_data}}) {
    Rig rig;
    rig.s.gpr[9] = c.address;
    rig.s.gpr[8] = 77;
    const Trap trap = rig.trap({i_type(c.opcode, 8, 9, 0)});
    EXPECT_EQ(trap.exception, c.exception) << c.opcode;
    EXPECT_EQ(trap.address, c.address) << c.opcode;
    EXPECT_EQ(rig.s.gpr[8], 77u);
  }
}

}  // namespace
}  // namespace incore::vemicry::test
