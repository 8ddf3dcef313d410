// What the tests of the machine share: instruction words made from their fields, those of MIPS-I
// with numbers of their own, and a machine to put them into.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

#include "vemicry/machine.h"
#include "vemicry/words.h"

namespace incore::vemicry::test {

// MIPS-I, by format: R (opcode 0), I, J.
constexpr uint32_t r_type(uint32_t funct, uint32_t rd, uint32_t rs, uint32_t rt, uint32_t sa = 0) {
  return rs << 21 | rt << 16 | rd << 11 | sa << 6 | funct;
}
constexpr uint32_t i_type(uint32_t opcode, uint32_t rt, uint32_t rs, int32_t imm) {
  return opcode << 26 | rs << 21 | rt << 16 | (static_cast<uint32_t>(imm) & 0xFFFF);
}
constexpr uint32_t j_type(uint32_t opcode, uint32_t address) {
  return opcode << 26 | (address >> 2 & 0x3FFFFFF);
}

constexpr uint32_t kNop = 0, kSyscall = 0x0000000C, kBreak = 0x0000000D;
constexpr uint32_t addiu(uint32_t rt, uint32_t rs, int32_t imm) {
  return i_type(9, rt, rs, imm);
}
constexpr uint32_t addu(uint32_t rd, uint32_t rs, uint32_t rt) {
  return r_type(0x21, rd, rs, rt);
}
constexpr uint32_t lui(uint32_t rt, uint32_t imm) {
  return i_type(0x0F, rt, 0, static_cast<int32_t>(imm));
}
constexpr uint32_t ori(uint32_t rt, uint32_t rs, uint32_t imm) {
  return i_type(0x0D, rt, rs, static_cast<int32_t>(imm));
}
constexpr uint32_t lw(uint32_t rt, int32_t imm, uint32_t rs) {
  return i_type(0x23, rt, rs, imm);
}
constexpr uint32_t sw(uint32_t rt, int32_t imm, uint32_t rs) {
  return i_type(0x2B, rt, rs, imm);
}
constexpr uint32_t beq(uint32_t rs, uint32_t rt, int32_t words) {
  return i_type(4, rt, rs, words);
}
constexpr uint32_t bne(uint32_t rs, uint32_t rt, int32_t words) {
  return i_type(5, rt, rs, words);
}
constexpr uint32_t jr(uint32_t rs) {
  return r_type(8, 0, rs, 0);
}

// A word of COP2 with bit 25 and any fields, of an instruction or of none; see src/vemicry/word.h.
constexpr uint32_t vector(uint32_t funct, uint32_t r, uint32_t vd, uint32_t vj, uint32_t n) {
  return vector_word(funct) | r << 20 | vd << 16 | vj << 12 | n << 6;
}
// The vector instructions, by their records: vload(1, 4, 0) is the word of "vload v1, ($4), 0".
#define X(name)                                                                 \
  template <class... Values>                                                    \
  uint32_t name(Values... operands) {                                           \
    return word_with(vemicry::name, {static_cast<uint32_t>(operands)...}).bits; \
  }
#include "vemicry/insns.def"
#undef X
inline uint32_t cfc2(uint32_t rt, uint32_t control) {
  return mfvcr(rt) | control << 11;
}
inline uint32_t ctc2(uint32_t rt, uint32_t control) {
  return mtvcr(rt) | control << 11;
}

using Words = std::vector<uint32_t>;

constexpr uint32_t kCode = kTextAddress, kData = kDataAddress, kDataLen = 0x10000;

// A machine with room for code and data.
class Rig {
 public:
  explicit Rig(const Config& config = {}) : machine(config), s(machine.state()) {
    EXPECT_EQ(config.mistake(), "");
    Image image;
    image.little_endian = config.little_endian;
    image.entry = kCode;
    image.segments.push_back({kCode, {}, 0x10000, true, true});
    image.segments.push_back({kData, {}, kDataLen, false, true});
    EXPECT_TRUE(machine.load(image));
  }

  void write(uint32_t address, const Words& words) {
    for (const uint32_t word : words) {
      EXPECT_FALSE(machine.memory().store<uint32_t>(address, word));
      address += 4;
    }
  }
  Words read(uint32_t address, size_t num_words) const {
    Words words(num_words);
    for (uint32_t& word : words) {
      EXPECT_FALSE(machine.memory().load<uint32_t>(address, &word));
      address += 4;
    }
    return words;
  }

  // Executes |words|, one after the other unless they branch, and no more.
  Outcome execute(const Words& words) {
    write(kCode, words);
    s.pc = kCode;
    s.next_pc = kCode + 4;
    return machine.run(words.size());
  }
  // The same; they must all be executed.
  void done(const Words& words) {
    const Outcome outcome = execute(words);
    EXPECT_EQ(outcome.stop, Stop::limit) << exception_text(outcome.trap.exception);
  }
  // Executes |words|, of which the last one must be a trap.
  Trap trap(const Words& words) {
    const Outcome outcome = execute(words);
    EXPECT_EQ(outcome.stop, Stop::trapped);
    EXPECT_EQ(outcome.executed, words.size() - 1);
    return outcome.trap;
  }
  Exception exception(const Words& words) { return trap(words).exception; }

  Words v(uint32_t number) const { return Words(s.v[number], s.v[number] + s.config.p); }
  void set_v(uint32_t number, const Words& words) {
    ASSERT_LE(words.size(), s.config.p);
    std::copy(words.begin(), words.end(), s.v[number]);
  }

  Machine machine;
  State& s;
};

// Words that a seed makes; now and then one that is a corner case.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  uint32_t word() {
    const uint32_t x = static_cast<uint32_t>(engine_());
    constexpr uint32_t kCorners[] = {0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
    return engine_() % 8 == 0 ? kCorners[x % 5] : x;
  }
  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(engine_() % bound); }
  Words words(size_t num) {
    Words words(num);
    for (uint32_t& word : words) word = this->word();
    return words;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace incore::vemicry::test
