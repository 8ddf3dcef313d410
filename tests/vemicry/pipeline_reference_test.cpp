// The pipeline model against the slow reference, on random instructions.
#include "pipeline_reference.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "pipeline_program.h"

namespace incore {
namespace {

using namespace vemicry;

uint32_t below(std::mt19937& random, uint32_t limit) {
  return std::uniform_int_distribution<uint32_t>(0, limit - 1)(random);
}

// An operand that makes no instruction reserved. Few registers, so that much depends on each other.
uint32_t random_operand(std::mt19937& random, const Operand& operand, const Config& config,
                        uint32_t length, const Insn& insn) {
  switch (operand.kind) {
    case OperandKind::vector_register:
      return below(random, std::min(config.q, 3u));
    case OperandKind::scalar_register:
    case OperandKind::base:
      return below(random, 4);
    default:
      break;
  }
  if (operand.name != "n") return below(random, 1 << std::min<uint32_t>(operand.width, 16));
  if (&insn == &vtransp) {
    constexpr uint32_t kStrides[] = {0, 1, 2, 4};
    return length % 4 == 0 ? kStrides[below(random, 4)] : 0;
  }
  return below(random, std::min(config.p + 1, 64u));
}

Step random_step(std::mt19937& random, const Config& config, uint32_t length) {
  size_t num_insns = 0;
  const Insn* const* const all = insns(&num_insns);
  // Half of them vector instructions.
  const size_t number = below(random, 2) == 0
                            ? below(random, static_cast<uint32_t>(kNumVectorInsns))
                            : below(random, static_cast<uint32_t>(num_insns));
  const Insn& insn = *all[number];
  Step step = {0x00400000, {insn.word}, &insn};
  for (const Operand& operand : operands_of(insn.operands)) {
    const uint32_t mask = operand.width == 0 ? 0 : operand_bits(operand) >> operand.low;
    step.word.bits |= (random_operand(random, operand, config, length, insn) & mask) << operand.low;
    if (operand.kind == OperandKind::base_offset) step.word.bits |= below(random, 4) << 21;
  }
  return step;
}

void expect_equal(const Config& config, uint32_t seed, int num) {
  SCOPED_TRACE("p " + std::to_string(config.p) + " r " + std::to_string(config.r) + " l " +
               std::to_string(config.length()) + " latency " +
               std::to_string(config.memory_latency) + " seed " + std::to_string(seed));
  std::mt19937 random(seed);
  State state = {};
  state.config = config;
  state.l = config.length();
  for (uint32_t i = 0; i < 4; ++i) state.gpr[i] = 0x100 * i;
  Pipeline pipeline(config);
  incore::test::PipelineReference reference(config);
  Cycle before = 0;
  std::string last_ones;
  for (int i = 0; i < num; ++i) {
    const Step step = random_step(random, config, state.l);
    const Timing& timing = pipeline.add(step, state);
    last_ones += std::string(step.insn->mnemonic) + " n " + std::to_string(step.word.n()) + ", ";
    ASSERT_EQ(timing.issue, reference.issue(step, state.l, state.gpr[step.word.r()]))
        << "instruction " << i << ": "
        << last_ones.substr(last_ones.size() - std::min<size_t>(last_ones.size(), 200));
    ASSERT_EQ(timing.decode, before + 1);
    ASSERT_EQ(std::accumulate(timing.stalls.begin(), timing.stalls.end(), Cycle{0}),
              timing.issue - timing.decode);
    before = timing.issue;
    if (step.insn == &ctc2_length) state.l = 1 + below(random, config.p);
  }
  EXPECT_EQ(pipeline.cycles(), static_cast<uint64_t>(before));
  EXPECT_EQ(std::accumulate(pipeline.stalls().begin(), pipeline.stalls().end(), uint64_t{0}),
            pipeline.cycles() - pipeline.instructions());
}

constexpr int kNumInsns = 1500;

TEST(vemicry_pipeline, equals_the_reference_for_all_iterations) {
  for (const uint32_t p : {4u, 8u, 16u})
    for (const uint32_t iterations : {1u, 2u, 4u, 8u})
      for (uint32_t seed = 1; seed <= 4 && iterations <= p; ++seed) {
        Config config;
        config.p = p;
        config.r = p / iterations;
        expect_equal(config, seed, kNumInsns);
      }
}

TEST(vemicry_pipeline, equals_the_reference_with_any_lanes_and_lengths) {
  std::mt19937 random(5);
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    Config config;
    config.p = 1 + below(random, 40);
    config.r = 1 + below(random, config.p);
    config.l = 1 + below(random, config.p);
    config.car_accumulates = seed % 2 == 0;
    expect_equal(config, seed, kNumInsns);
  }
}

TEST(vemicry_pipeline, equals_the_reference_with_load_delay) {
  std::mt19937 random(7);
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    Config config;
    config.p = 4u << below(random, 3);
    config.r = 1 + below(random, config.p);
    config.load_delay = true;
    config.memory_latency = seed % 2 == 0 ? 0 : 1 + below(random, 8);
    expect_equal(config, seed, kNumInsns);
  }
}

TEST(vemicry_pipeline, equals_the_reference_with_memory_latency) {
  std::mt19937 random(6);
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    Config config;
    config.p = 4u << below(random, 3);
    config.r = 1 + below(random, config.p);
    config.memory_latency = 1 + below(random, seed % 3 == 0 ? 30 : 4);
    expect_equal(config, seed, kNumInsns);
  }
}

// clause: VM-PIPE-039
TEST(vemicry_pipeline, equals_the_reference_with_banks_and_ports) {
  std::mt19937 random(8);
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    Config config;
    config.p = 4u << below(random, 3);
    config.r = 1 + below(random, config.p);
    config.banks = seed % 5 == 0 ? 0 : 1u << below(random, 5);
    config.ports = 1 + below(random, 2);
    config.banked = seed % 3 == 0;
    config.memory_latency = seed % 2 == 0 ? 0 : below(random, 4);
    expect_equal(config, seed, kNumInsns);
  }
}

}  // namespace
}  // namespace incore
