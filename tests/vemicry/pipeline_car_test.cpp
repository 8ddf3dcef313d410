// Who reads and who writes CAR depends on the vector length, on n and on the reading of the paper.
// The pipeline model must see it as the simulator does: every vector instruction is executed and
// timed.
#include <gtest/gtest.h>

#include <algorithm>

#include "pipeline_program.h"
#include "vemicry/rig.h"

namespace incore {
namespace {

using namespace vemicry;
using incore::test::step;
using vemicry::test::Random;
using vemicry::test::Rig;
using vemicry::test::Words;

// |insn| from v2, v3 and $5 to v1 or $5.
Step step_of(const Insn& insn, uint32_t n) {
  uint32_t bits = insn.word;
  for (const Operand& operand : operands_of(insn.operands)) {
    const uint32_t value = operand.name == "vd"   ? 1
                           : operand.name == "vj" ? 2
                           : operand.name == "vk" ? 3
                           : operand.name == "n"  ? n
                                                  : 5;
    bits |= value << operand.low;
  }
  return {kTextAddress, {bits}, &insn};
}

// The same state whenever the seed is the same, but for CAR.
void prepare(Rig& rig, uint32_t length, uint64_t seed, uint32_t car) {
  Random random(seed);
  for (uint32_t i = 0; i < rig.s.config.q; ++i) rig.set_v(i, random.words(rig.s.config.p));
  rig.s.gpr[5] = kDataAddress;
  rig.s.vcr = random.word();
  rig.s.l = length;
  rig.s.car = car;
}

struct Effect {
  bool writes = false;   // CAR
  bool depends = false;  // what it leaves depends on CAR
};

// What executing |insn| shows, in some trials.
Effect effect_of(const Config& config, const Step& insn, uint32_t length) {
  Effect effect;
  Rig rig(config);
  for (uint64_t seed = 1; seed <= 16; ++seed) {
    Words registers[2], cars;
    for (Words& words : registers) {
      const uint32_t car = 0x1000 + 7 * static_cast<uint32_t>(&words - registers);
      prepare(rig, length, seed, car);
      if (rig.execute({insn.word.bits}).stop == Stop::trapped) return effect;  // reserved
      words = rig.v(1);
      words.push_back(rig.s.gpr[5]);
      cars.push_back(rig.s.car);
      effect.writes |= rig.s.car != car;
    }
    // A CAR that is kept, or set from something else, says nothing.
    const bool adds = cars[0] != cars[1] && (cars[0] != 0x1000 || cars[1] != 0x1007);
    effect.depends |= registers[0] != registers[1] || adds;
  }
  return effect;
}

// What the model makes of it: whether reading CAR behind it takes it from there, and whether it
// takes CAR from the instruction before it.
Effect model_of(const Config& config, const Step& insn, uint32_t length) {
  State state = {};
  state.config = config;
  state.l = length;
  Effect effect;
  Pipeline writes(config, true);
  writes.add(insn, state);
  effect.writes = writes.add(step(cfc2_car, {9}), state).num_producers != 0;

  Pipeline depends(config, true);
  state.l = config.p;
  depends.add(step(vsaddu, {7, 6, 4}), state);
  state.l = length;
  effect.depends = depends.add(insn, state).num_producers != 0;
  return effect;
}

TEST(vemicry_pipeline, car_is_read_and_written_by_those_that_do_so_in_the_simulator) {
  size_t num_insns = 0;
  const Insn* const* const all = insns(&num_insns);
  size_t num_writers = 0, num_readers = 0;
  for (const bool accumulates : {false, true})
    for (const uint32_t length : {8u, 7u, 4u, 1u})
      for (size_t i = 0; i < kNumVectorInsns; ++i)
        for (const uint32_t n : {0u, 1u, 2u, 4u, 8u, 9u, 63u}) {
          Config config;
          config.car_accumulates = accumulates;
          const Step insn = step_of(*all[i], n);
          if (decode(insn.word) != all[i] || !has_count(*all[i], n)) continue;
          const Effect machine = effect_of(config, insn, length),
                       model = model_of(config, insn, length);
          const testing::Message what = testing::Message()
                                        << all[i]->mnemonic << ", n = " << n << ", l = " << length
                                        << (accumulates ? ", CAR accumulates" : "");
          EXPECT_EQ(model.writes, machine.writes) << what;
          EXPECT_EQ(model.depends, machine.depends) << what;
          num_writers += machine.writes;
          num_readers += machine.depends;
        }
  EXPECT_GT(num_writers, 20u);
  EXPECT_GT(num_readers, 20u);
}

}  // namespace
}  // namespace incore
