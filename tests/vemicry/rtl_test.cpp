// The Verilog model against the simulator, instruction by instruction: random ones on machines of
// several sizes, and proof that mistakes in the model are found.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <regex>

#include "incore/vemicry.h"
#include "support/file.h"
#include "support/property.h"
#include "vemicry/rtl_bench.h"
#include "vemicry/words.h"

namespace incore::vemicry {
namespace {

constexpr uint32_t kDataBegin = 0x40000;  // where the instructions' addresses lie
constexpr uint32_t kDataLen = 0x2000;

#define SKIP_WITHOUT_BENCH() \
  if (const std::string reason = no_bench(); !reason.empty()) GTEST_SKIP() << reason

// Makes instructions of all kinds, right and wrong.
class RandomProgram {
 public:
  RandomProgram(const Config& config, uint64_t seed)
      : config_(config), random_(seed), machine_(config), stimulus(machine_) {
    machine_.memory().map(kDataBegin, kDataLen);
    for (uint32_t at = kDataBegin; at < kDataBegin + kDataLen; at += 4) {
      const uint32_t word = value();
      (void)machine_.memory().store(at, word);
      stimulus.poke(at, word);
    }
  }

  void add() {
    const uint32_t gap = one_in(8) ? below(4) : 0;
    if (one_in(16)) return add_any(0x48000000 | (random() & 0x03FFFFFF), gap);
    if (one_in(8)) return add_control(gap);
    static const std::vector<const Insn*> kInsns = test::insns_with_function();
    const Insn* const insn = kInsns[below(static_cast<uint32_t>(kInsns.size()))];
    uint32_t word = insn->word;
    for (const Operand& operand : operands_of(insn->operands))
      word |= (value_of(*insn, operand) << operand.low) & operand_bits(operand);
    if (one_in(12)) return add_any(word ^ 1u << below(26), gap);
    if (((insn->reads | insn->writes) & kMemory) != 0) return add_any(word | 1u << 20, gap);
    stimulus.add({word}, value(), gap);
  }

 private:
  uint32_t random() { return static_cast<uint32_t>(random_()); }
  uint32_t below(uint32_t end) { return random() % end; }
  bool one_in(uint32_t n) { return below(n) == 0; }
  // Few of them, so that instructions meet; seldom one that does not exist.
  uint32_t vector_register() {
    return one_in(32) ? below(16) : below(one_in(2) ? std::min(config_.q, 3u) : config_.q);
  }
  uint32_t value_of(const Insn& insn, const Operand& operand) {
    if (operand.kind == OperandKind::vector_register) return vector_register();
    if (operand.name != "n") return below(32);
    if (&insn == &vtransp) return one_in(8) ? below(8) : 1u << below(4) & 7;
    return counts_words(insn) || !one_in(4) ? below(config_.p + 2) : below(64);
  }
  uint32_t value() {
    const uint32_t word = random();
    switch (below(6)) {
      case 0:
        return 0;
      case 1:
        return ~0u;
      case 2:
        return word & 3;
      default:
        return word;
    }
  }
  // A word that may access memory. Its address exists, and is mostly right.
  void add_any(uint32_t word, uint32_t gap) {
    uint32_t address = kDataBegin + below(kDataLen - 4 * config_.p - 256);
    if (!one_in(16)) address &= ~3u;
    if ((word >> 20 & 31) == 0) word |= 1u << 20;  // not register 0
    stimulus.add({word}, address, gap);
  }
  void add_control(uint32_t gap) {
    const uint32_t what = below(6), rt = below(32) << 16;
    if (what < 2) return stimulus.add({mtvcr.word | rt}, random(), gap);
    if (what < 4) return stimulus.add({mfvcr.word | rt | below(8) << 11}, random(), gap);  // cfc2
    const uint32_t length = one_in(2) ? config_.p : below(config_.p + 2);
    stimulus.add({mtvcr.word | rt | (one_in(4) ? below(8) : 2) << 11}, length, gap);  // ctc2
  }

  Config config_;
  std::mt19937_64 random_;
  Machine machine_;

 public:
  Stimulus stimulus;
};

// The codes of what has no code of its own are no instruction's; the others are made from the
// records.
TEST(vemicry_rtl, inner_operations_have_codes_that_are_free) {
  const std::string text = incore::test::read_file(INCORE_SOURCE_DIR "/rtl/vemicry/vemicry_ops.vh");
  for (const char* const name : {"COPY", "READ_CONTROL", "WRITE_CONTROL"}) {
    std::smatch code;
    ASSERT_TRUE(std::regex_search(
        text, code, std::regex(std::string("`define OP_") + name + " 6'h([0-9a-f]+)")));
    const auto funct = static_cast<uint32_t>(std::stoul(code[1], nullptr, 16));
    EXPECT_EQ(decode({vector_word(funct)}), nullptr) << name;
  }
}

// INCORE_PROPERTY_COUNT: so many programs for each machine, INCORE_PROPERTY_SEED the first.
// clause: VM-NEXT-003
// clause: VM-ARCH-007
// clause: VM-ARCH-008
TEST(vemicry_rtl, agrees_with_the_simulator_after_each_random_instruction) {
  SKIP_WITHOUT_BENCH();
  constexpr uint32_t kInstructions = 100;
  for (const Config& config :
       {machine_of(8, 8, 8), machine_of(8, 8, 4), machine_of(8, 8, 2), machine_of(4, 8, 1),
        machine_of(16, 4, 4), machine_of(3, 6, 4), machine_of(2, 36, 5), machine_of(1, 1, 1)}) {
    SCOPED_TRACE(name_of(config));
    const Bench bench(config);
    ASSERT_EQ(bench.mistake(), "");
    incore::test::for_each_seed(1, [&](uint64_t seed) {
      RandomProgram program(config, seed);
      for (uint32_t i = 0; i < kInstructions; ++i) program.add();
      const BenchResult result = bench.run(program.stimulus);
      EXPECT_EQ(result.difference, "");
      EXPECT_EQ(result.num_ended, kInstructions - program.stimulus.num_traps());
      EXPECT_LT(program.stimulus.num_traps(), kInstructions / 2);
    });
  }
}

constexpr Mutation kMutations[] = {
    {"vemicry_decode.v", "control > 5", "control > 6"},
    {"vemicry_decode.v", "(insn[11:6] != 0 && !has_n)", "1'b0"},
    {"vemicry_multiplier.v", "{63{!polynomial}}", "{63{1'b1}}"},
    {"vemicry_slice.v", "hit_b ? write_word :", ""},
    {"vemicry_lane.v", "exm_take_a ? wb_word :", ""},
    {"vemicry_lane.v", "carry_below && exc_op != `OP_VSADDU", "carry_below"},
    {"vemicry_lane.v", "condition ? exc_n : 5'b0", "exc_n"},
    {"vemicry_shift.v", "source == end_at ? car", "source == end_at ? 0"},
    {"vemicry_transposition.v", "long_line >= w1", "long_line > w1"},
    {"vemicry_crossbar.v", "exm_written && own ? wb_word : at_exm", "at_exm"},
    {"vemicry_crossbar.v", "exc_written && own ? wb_word : at_exc", "at_exc"},
    {"vemicry_control.v", "df_valid && pivi && df_first && needs_df", "1'b0"},
    {"vemicry_scalars.v", "exc_length == kWords", "1'b1"},
    {"vemicry_control.v", "length_right ? issue_scalar[LW-1:0] : kWords", "issue_scalar[LW-1:0]"},
    {"vemicry_unit.v", ".condition(vcr[number])", ".condition(vcr[0])"},
};

TEST(vemicry_rtl, mistakes_in_the_model_are_found) {
  SKIP_WITHOUT_BENCH();
  const Config config = machine_of(3, 8, 4);
  for (const Mutation& mutation : kMutations) {
    SCOPED_TRACE(std::string(mutation.file) + ": " + mutation.old_text);
    const incore::test::TemporaryDirectory folder;
    ASSERT_TRUE(copy_model(mutation, folder));
    const Bench bench(config, folder.path());
    ASSERT_EQ(bench.mistake(), "");
    std::string difference;
    for (uint64_t seed = 1; seed <= 10 && difference.empty(); ++seed) {
      RandomProgram program(config, seed);
      for (uint32_t i = 0; i < 300; ++i) program.add();
      difference = bench.run(program.stimulus).difference;
    }
    EXPECT_EQ(difference.rfind("instruction ", 0), 0u) << difference;
  }
}

// The cycles from the issue of an instruction to that of the next one, in a row of equal ones.
double interval(const Bench& bench, const Config& config, const std::vector<Word>& words,
                uint32_t length = 0) {
  constexpr uint32_t kRepeats = 6;
  const auto cycles = [&](uint32_t repeats) {
    Machine machine(config);
    machine.memory().map(kDataBegin, kDataLen);
    Stimulus stimulus(machine);
    if (length != 0) stimulus.add(test::word_with(ctc2_length, {9}), length);
    for (uint32_t i = 0; i < repeats; ++i)
      for (const Word word : words) stimulus.add(word, kDataBegin);
    const BenchResult result = bench.run(stimulus);
    EXPECT_EQ(result.difference, "");
    return static_cast<double>(result.num_cycles);
  };
  return (cycles(2 * kRepeats) - cycles(kRepeats)) / static_cast<double>(kRepeats * words.size());
}

// clause: VM-PIPE-013
// clause: VM-PIPE-014
// clause: VM-PIPE-015
// clause: VM-PIPE-016
// clause: VM-PIPE-022
// clause: VM-PIPE-023
// clause: VM-PIPE-024
// clause: VM-PIPE-025
// clause: VM-PIPE-027
TEST(vemicry_rtl, issues_every_p_over_r_cycles_and_waits_as_table_2_says) {
  SKIP_WITHOUT_BENCH();
  const auto sum = [](uint32_t d, uint32_t j) { return test::word_with(vxor, {d, j, 2}); };
  const auto product = [](uint32_t d, uint32_t j) { return test::word_with(vspmult, {d, j, 8}); };
  const Word load = test::word_with(vload, {6, 8, 0});
  for (const uint32_t r : {8u, 4u, 2u, 1u}) {
    SCOPED_TRACE("r = " + std::to_string(r));
    const Config config = machine_of(8, 8, r);
    const Bench bench(config);
    ASSERT_EQ(bench.mistake(), "");
    const double iterations = 8.0 / r, stall = r == 8 ? 1 : 0;
    EXPECT_EQ(interval(bench, config, {sum(1, 3), product(4, 5), load}), iterations);
    EXPECT_EQ(interval(bench, config, {sum(1, 1)}), iterations);
    EXPECT_EQ(interval(bench, config, {product(1, 1)}), iterations + stall);
    // One of two waits: the product behind VXOR, not VXOR behind the product.
    EXPECT_EQ(interval(bench, config, {sum(1, 1), product(1, 1)}), iterations + stall / 2);
    EXPECT_EQ(interval(bench, config, {sum(1, 3)}, 4), std::ceil(4.0 / r));
    EXPECT_EQ(interval(bench, config, {sum(1, 3)}, 6), std::ceil(6.0 / r));
  }
}

}  // namespace
}  // namespace incore::vemicry
