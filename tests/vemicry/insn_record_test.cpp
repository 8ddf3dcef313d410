// What the records say of the instructions, against what these do: every instruction is executed on
// random states, and again with one thing changed. What then differs, it has read; what it has
// changed, it has written. Pipeline model, Verilog and documents go by the records.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "vemicry/pipeline.h"
#include "vemicry/rig.h"

namespace incore::vemicry::test {
namespace {

constexpr uint32_t kP = 8, kQ = 4, kMemoryLen = 320;  // a byte more than 255 can be looked up
constexpr int kTrials = 60;

// All that an instruction can read or write, in a row; next_pc and what it traps with are the last.
enum Cell : size_t {
  kGpr = 0,
  kV = kGpr + 32,
  kHiCell = kV + kP * kQ,
  kLoCell,
  kVcrCell,
  kCarCell,
  kLengthCell,
  kMemoryCell,
  kNextPc = kMemoryCell + kMemoryLen,
  kException,
  kAddress,
  kNumCells
};
using Cells = std::vector<uint32_t>;

// The cells that |resources| of a record mean in |word|.
std::set<size_t> cells_of(uint32_t resources, Word word) {
  std::set<size_t> cells;
  const auto add = [&](uint32_t resource, size_t first, size_t num = 1) {
    for (size_t i = 0; i < num && (resources & resource) != 0; ++i) cells.insert(first + i);
  };
  add(kRs, kGpr + word.rs());
  add(kRt, kGpr + word.rt());
  add(kRd, kGpr + word.rd());
  add(kR, kGpr + word.r());
  add(kRa, kGpr + 31);
  add(kVd, kV + kP * word.vd(), kP);
  add(kVj, kV + kP * word.vj(), kP);
  add(kVk, kV + kP * word.vk(), kP);
  add(kHi, kHiCell);
  add(kLo, kLoCell);
  add(kVcr, kVcrCell);
  add(kCar, kCarCell);
  add(kLength, kLengthCell);
  add(kMemory, kMemoryCell, kMemoryLen);
  return cells;
}

Cells execute(const Insn& insn, Word word, const Cells& before) {
  static State state;
  state.config.p = state.config.r = kP;
  state.config.q = kQ;
  std::copy_n(before.begin() + kGpr, 32, state.gpr);
  for (uint32_t i = 0; i < kQ; ++i) std::copy_n(before.begin() + kV + kP * i, kP, state.v[i]);
  state.hi = before[kHiCell];
  state.lo = before[kLoCell];
  state.vcr = before[kVcrCell];
  state.car = before[kCarCell];
  state.l = before[kLengthCell];
  state.pc = kCode + 4;
  state.next_pc = before[kNextPc];
  Memory memory(false);
  EXPECT_TRUE(memory.map(kData, Memory::kPageLen));
  std::vector<uint8_t> bytes(before.begin() + kMemoryCell, before.begin() + kNextPc);
  EXPECT_TRUE(memory.write(kData, bytes.data(), bytes.size()));
  const Trap trap = insn.execute(state, memory, word);
  EXPECT_TRUE(memory.read(kData, bytes.data(), bytes.size()));
  Cells after(state.gpr, state.gpr + 32);
  for (uint32_t i = 0; i < kQ; ++i) after.insert(after.end(), state.v[i], state.v[i] + kP);
  after.insert(after.end(), {state.hi, state.lo, state.vcr, state.car, state.l});
  after.insert(after.end(), bytes.begin(), bytes.end());
  after.insert(after.end(), {state.next_pc, static_cast<uint32_t>(trap.exception), trap.address});
  return after;
}

// One instruction on one state.
class Trial {
 public:
  Trial(const Insn& insn, Random& random) : insn_(insn), word_{insn.word}, before_(kNumCells) {
    for (size_t i = 0; i < kMemoryCell; ++i) before_[i] = random.word();
    for (size_t i = kMemoryCell; i < kNextPc; ++i) before_[i] = random.word() & 0xFF;
    before_[kGpr] = before_[kAddress] = 0;
    if (random.below(2) == 0) before_[kGpr + 8] = before_[kGpr + 9];  // for branches
    before_[kLengthCell] = random.below(2) == 0 ? kP : kP / 2;
    before_[kNextPc] = kCode + 8;
    before_[kException] = static_cast<uint32_t>(Exception::none);
    // Each operand is another register.
    const std::map<std::string_view, uint32_t> kNumbers = {
        {"rs", 8}, {"rt", 9}, {"rd", 10}, {"r", 11}, {"(r)", 11}, {"vd", 1}, {"vj", 2}, {"vk", 3}};
    for (const Operand& operand : operands_of(insn.operands)) {
      const auto number = kNumbers.find(operand.name);
      uint32_t value = number != kNumbers.end() ? number->second : random.word();
      if (operand.name == "n") value = random.below(random.below(2) == 0 ? 2 : kP + 1);
      if (operand.name == "n" && &insn == &vemicry::vtransp) value = 1u << random.below(4) & 7;
      if (operand.kind == OperandKind::base_offset) value = random.below(16), word_.bits |= 8 << 21;
      word_.bits |= (value << operand.low) & operand_bits(operand);
    }
    if (((insn.reads | insn.writes) & kMemory) != 0) {
      before_[kGpr + 8] = kData + 4 * random.below(4);
      before_[kGpr + 11] = kData + 4 * random.below(4);
    }
    if (&insn == &ctc2_length) before_[kGpr + 9] = 1 + random.below(kP);
    after_ = execute(insn, word_, before_);
  }

  Word word() const { return word_; }
  uint32_t length() const { return before_[kLengthCell]; }
  std::set<size_t> written() const {
    std::set<size_t> cells;
    for (size_t i = 0; i < kNumCells; ++i)
      if (before_[i] != after_[i]) cells.insert(i);
    return cells;
  }
  // The cells that come out otherwise if |num| of them from |cell| on go in otherwise, in every
  // byte. What merely stays as it was does not count.
  std::set<size_t> depending_on(size_t cell, size_t num, Random& random) const {
    Cells before = before_;
    for (size_t i = cell; i < cell + num; ++i)
      before[i] = i >= kMemoryCell   ? before[i] ^ (1 + random.below(255))
                  : i == kLengthCell ? kP * 3 / 2 - before[i]
                                     : before[i] ^ (random.word() | 0x01010101);
    const Cells after = execute(insn_, word_, before);
    std::set<size_t> cells;
    for (size_t i = 0; i < kNumCells; ++i) {
      const bool kept = after[i] == before[i] && after_[i] == before_[i];
      if (after[i] != after_[i] && !kept) cells.insert(i);
    }
    return cells;
  }

 private:
  const Insn& insn_;
  Word word_;
  Cells before_, after_;
};

// The single resources of which |resources| consist.
std::vector<uint32_t> each_of(uint32_t resources) {
  std::vector<uint32_t> each;
  for (uint32_t bit = 1; bit <= kMemory; bit <<= 1)
    if ((resources & bit) != 0) each.push_back(bit);
  return each;
}

class vemicry_insn_record : public testing::TestWithParam<const Insn*> {};
std::string name_of(const testing::TestParamInfo<const Insn*>& info) {
  return std::string(info.param->mnemonic) + "_" + std::to_string(info.index);
}
INSTANTIATE_TEST_SUITE_P(all, vemicry_insn_record, testing::ValuesIn(all_insns()), name_of);

TEST_P(vemicry_insn_record, names_what_is_written) {
  const Insn& insn = *GetParam();
  Random random(1);
  uint32_t seen = 0;
  for (int i = 0; i < kTrials; ++i) {
    const Trial trial(insn, random);
    const std::set<size_t> expected = cells_of(insn.writes, trial.word());
    for (const size_t cell : trial.written()) {
      if (cell == kNextPc) {
        EXPECT_NE(insn.traits & kBranch, 0u);
      }
      if (cell >= kNextPc) continue;
      EXPECT_EQ(expected.count(cell), 1u) << "cell " << cell << " changes";
      for (const uint32_t resource : each_of(insn.writes))
        if (cells_of(resource, trial.word()).count(cell) != 0) seen |= resource;
    }
  }
  EXPECT_EQ(seen, insn.writes) << "what the record has and nothing shows: "
                               << (insn.writes & ~seen);
}

TEST_P(vemicry_insn_record, names_what_is_read) {
  const Insn& insn = *GetParam();
  Random random(2);
  uint32_t seen = 0;
  for (int i = 0; i < kTrials; ++i) {
    const Trial trial(insn, random);
    const std::set<size_t> expected = cells_of(insn.reads, trial.word());
    for (size_t cell = kGpr + 1; cell <= kMemoryCell; ++cell) {
      if (trial.depending_on(cell, cell == kMemoryCell ? kMemoryLen : 1, random).empty()) continue;
      EXPECT_EQ(expected.count(cell), 1u) << "cell " << cell << " matters";
      for (const uint32_t resource : each_of(insn.reads))
        if (cells_of(resource, trial.word()).count(cell) != 0) seen |= resource;
    }
  }
  EXPECT_EQ(seen, insn.reads) << "what the record has and nothing shows: " << (insn.reads & ~seen);
}

// Which words of vj above its own word |i| of the result needs with vector length |l|: the highest
// one. Word l is CAR, which one word needs at most.
uint32_t highest_source(const Insn& insn, uint32_t i, uint32_t n, uint32_t l) {
  if (&insn == &vemicry::vwshr) return i + n;
  const uint32_t w = l / 4;
  if (&insn != &vemicry::vtransp || n == 0 || w == 0) return i;
  return 4 * (i / n % w) + 3;  // word k of a row is made from column 4 k to 4 k + 3
}

// clause: VM-PIPE-001
// clause: VM-PIPE-002
// clause: VM-PIPE-003
TEST_P(vemicry_insn_record, has_the_class_of_what_it_does) {
  const Insn& insn = *GetParam();
  const bool is_vector =
      (insn.word & 0xFE000000) == vector_word(0) || (insn.traits & kControl) != 0;
  EXPECT_EQ(insn.insn_class != Class::scalar, is_vector);
  const bool accesses_memory = ((insn.reads | insn.writes) & kMemory) != 0;
  if (is_vector) {
    EXPECT_EQ(insn.insn_class == Class::mavi, accesses_memory);
  }
  if (!is_vector || accesses_memory) return;
  Random random(3);
  bool crosses = false;
  for (int i = 0; i < kTrials; ++i) {
    const Trial trial(insn, random);
    const uint32_t n = trial.word().n(), l = trial.length();
    const auto highest = [&](uint32_t word) { return highest_source(insn, word, n, l); };
    std::set<std::pair<uint32_t, uint32_t>> needs;  // word of the result, word above it
    const auto look = [&](size_t cell, uint32_t source) {
      for (const size_t result : trial.depending_on(cell, 1, random)) {
        if (result < kV + kP * trial.word().vd() || result >= kV + kP * (trial.word().vd() + 1))
          continue;
        const uint32_t word = (result - kV) % kP;
        if (word == source) continue;
        crosses = true;
        EXPECT_EQ(class_of(insn, trial.word()), Class::pivi) << word << " needs " << source;
        if (source < word) continue;
        needs.emplace(word, source);
        EXPECT_NE(insn.traits & kCrosses, 0u) << word << " needs " << source;
        EXPECT_LE(source, highest(word)) << "word " << word << ", n " << n;
      }
    };
    for (const uint32_t resource : each_of(insn.reads & (kVd | kVj | kVk)))
      for (const size_t cell : cells_of(resource, trial.word())) look(cell, (cell - kV) % kP);
    if ((insn.reads & ~insn.writes & kCar) != 0) look(kCarCell, l);
    for (uint32_t word = 0; word < l && class_of(insn, trial.word()) == Class::pivi; ++word)
      if (highest(word) > word && highest(word) <= l) {
        EXPECT_EQ(needs.count({word, highest(word)}), 1u) << "word " << word << ", n " << n;
      }
  }
  EXPECT_EQ(crosses, insn.insn_class == Class::pivi);
}

}  // namespace
}  // namespace incore::vemicry::test
