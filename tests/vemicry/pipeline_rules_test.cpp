// The rules of the pipeline model one by one, on a few instructions each. How the programs that
// come with Incore fare is in pipeline_figures_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "pipeline_program.h"

namespace incore {
namespace {

using namespace vemicry;
using incore::test::step;
using incore::test::timings;

Config machine(uint32_t r, uint32_t p = 8, uint32_t l = 0) {
  Config config;
  config.p = p;
  config.r = r;
  config.l = l;
  return config;
}

// Cycles that the last instruction waits in ID.
Cycle stall(const Config& config, const std::vector<Step>& steps) {
  const Timing timing = timings(config, steps).back();
  return timing.issue - timing.decode;
}
uint32_t stall_by(Stall cause, const Config& config, const std::vector<Step>& steps) {
  return timings(config, steps).back().stalls[static_cast<size_t>(cause)];
}
// From the first one's issue to the last one's.
Cycle distance(const Config& config, const std::vector<Step>& steps) {
  const std::vector<Timing> all = timings(config, steps);
  return all.back().issue - all.front().issue;
}

const Step kNop = step(sll, {0, 0, 0});
// Results in v1, operands v2 and v3; the ones that depend on v1 come second.
const Step kGivi = step(vxor, {1, 2, 3}), kGiviOfIt = step(vxor, {4, 1, 3});
const Step kPivi = step(vspmult, {1, 2, 4}), kPiviOfIt = step(vspmult, {5, 1, 4});
const Step kMavi = step(vload, {1, 4, 0}), kMaviOfIt = step(vstore, {4, 1, 0});

// The paper's, and what was decided for those that it leaves open. That the class of every
// instruction is what it does is in insn_record_test.cpp.
TEST(vemicry_pipeline, classes) {
  const auto expect = [](Class insn_class, std::initializer_list<const Insn*> those) {
    for (const Insn* insn : those)
      EXPECT_EQ(class_of(*insn, {insn->word | 4 << 6}), insn_class) << insn->mnemonic;
  };
  // clause: VM-PIPE-004
  expect(Class::pivi, {&vaddu, &vspmult, &vsamult, &vtransp});
  // clause: VM-PIPE-005
  expect(Class::mavi, {&vbyteld, &vload, &vstore});
  // clause: VM-PIPE-006
  expect(Class::pivi, {&vwshl, &vwshr});
  expect(Class::givi, {&vxor, &vbcrotr, &vmpmul, &vsaddu, &vsmove, &vextract, &mtvcr, &mfvcr});
  // clause: VM-PIPE-033
  expect(Class::givi, {&cfc2_car, &cfc2_length, &cfc2_p, &cfc2_q, &cfc2_r, &ctc2_length});
  EXPECT_EQ(class_of(vtransp, step(vtransp, {1, 2, 0}).word), Class::givi);
  EXPECT_EQ(class_of(vwshr, step(vwshr, {1, 2, 0}).word), Class::pivi);
}

TEST(vemicry_pipeline, an_instruction_enters_the_lanes_as_often_as_its_words_need) {
  // clause: VM-PIPE-013
  for (const auto& [r, interval] : std::map<uint32_t, Cycle>{{8, 1}, {4, 2}, {2, 4}, {1, 8}}) {
    EXPECT_EQ(distance(machine(r), {kGivi, step(vxor, {4, 5, 6})}), interval);
    EXPECT_EQ(timings(machine(r), {kGivi})[0].iterations, interval);
  }
  // clause: VM-PIPE-014
  // clause: VM-ARCH-009
  EXPECT_EQ(distance(machine(4, 8, 4), {kGivi, step(vxor, {4, 5, 6})}), 1);
  EXPECT_EQ(distance(machine(4, 8, 6), {kGivi, step(vxor, {4, 5, 6})}), 2);
  EXPECT_EQ(distance(machine(3, 8, 7), {kGivi, step(vxor, {4, 5, 6})}), 3);
  // What has a count of words works on these only, and a move between scalar and vector on one.
  // VLOAD writes zeros behind them.
  // clause: VM-PIPE-034
  EXPECT_EQ(distance(machine(1), {step(vload, {1, 4, 3}), step(vxor, {4, 5, 6})}), 8);
  EXPECT_EQ(distance(machine(1), {step(vstore, {4, 1, 3}), step(vxor, {4, 5, 6})}), 3);
  EXPECT_EQ(distance(machine(1), {step(vbyteld, {1, 4, 3}), step(vxor, {4, 5, 6})}), 3);
  EXPECT_EQ(distance(machine(1), {step(vsmove, {1, 4, 3}), step(vxor, {4, 5, 6})}), 3);
  EXPECT_EQ(distance(machine(1), {step(vextract, {4, 1, 3}), step(vxor, {4, 5, 6})}), 1);
  EXPECT_EQ(distance(machine(1), {step(mtvcr, {4}), step(vxor, {4, 5, 6})}), 1);
  EXPECT_EQ(distance(machine(1), {step(mfvcr, {4}), step(vxor, {4, 5, 6})}), 1);
  // But the shifts' and VBCROTR's n is no count.
  EXPECT_EQ(distance(machine(1), {step(vwshl, {1, 2, 3}), step(vxor, {4, 5, 6})}), 8);
  EXPECT_EQ(distance(machine(1), {step(vbcrotr, {1, 2, 3}), step(vxor, {4, 5, 6})}), 8);
}

TEST(vemicry_pipeline, all_classes_have_the_same_interval) {
  for (const uint32_t r : {8u, 4u, 2u, 1u}) {
    const auto stream = [&](const Insn& insn) {
      std::vector<Step> steps;
      for (uint32_t i = 0; i < 16; ++i) steps.push_back(step(insn, {i % 8, 8, 0}));
      return distance(machine(r), steps);
    };
    // clause: VM-PIPE-015
    EXPECT_EQ(stream(vspmult), 15 * 8 / r);
    EXPECT_EQ(stream(vxor), stream(vspmult));
    // clause: VM-PIPE-016
    EXPECT_EQ(stream(vload), stream(vspmult));
    EXPECT_EQ(stream(vwshl), stream(vspmult));
  }
}

TEST(vemicry_pipeline, table_2_with_as_many_lanes_as_words) {
  const Config config = machine(8);
  // clause: VM-PIPE-022
  EXPECT_EQ(stall(config, {kGivi, kGiviOfIt}), 0);
  // clause: VM-PIPE-023
  EXPECT_EQ(stall(config, {kGivi, kPiviOfIt}), 1);
  EXPECT_EQ(stall_by(Stall::operand, config, {kGivi, kPiviOfIt}), 1u);
  // clause: VM-PIPE-024
  // clause: VM-PIPE-026
  EXPECT_EQ(stall(config, {kPivi, kGiviOfIt}), 0);
  // clause: VM-PIPE-025
  EXPECT_EQ(stall(config, {kPivi, kPiviOfIt}), 1);
  EXPECT_EQ(stall_by(Stall::operand, config, {kPivi, kPiviOfIt}), 1u);
  // clause: VM-PIPE-028
  EXPECT_EQ(stall(config, {kMavi, kGiviOfIt}), 0);
  EXPECT_EQ(stall(config, {kMavi, kPiviOfIt}), 1);
  EXPECT_EQ(stall(config, {kGivi, kMaviOfIt}), 0);
  EXPECT_EQ(stall(config, {kPivi, kMaviOfIt}), 0);
}

TEST(vemicry_pipeline, only_a_dependence_on_the_instruction_before_stalls) {
  const Config config = machine(8);
  // clause: VM-PIPE-020
  EXPECT_EQ(stall(config, {kPivi, kPiviOfIt}), 1);
  EXPECT_EQ(stall(config, {kPivi, kNop, kPiviOfIt}), 0);
  EXPECT_EQ(stall(config, {kPivi, step(vxor, {6, 2, 3}), kPiviOfIt}), 0);
  // Neither another order of use nor another writer is a hazard.
  EXPECT_EQ(stall(config, {kPivi, step(vspmult, {6, 2, 4})}), 0);
  EXPECT_EQ(stall(config, {kPivi, step(vspmult, {2, 3, 4})}), 0);
  EXPECT_EQ(stall(config, {kPivi, step(vspmult, {1, 3, 4})}), 0);
}

TEST(vemicry_pipeline, two_iterations_hide_the_stall_and_four_any) {
  // clause: VM-PIPE-027
  EXPECT_EQ(distance(machine(8), {kPivi, kPiviOfIt}), 1 + 1);
  EXPECT_EQ(distance(machine(4), {kPivi, kPiviOfIt}), 2);
  // clause: VM-PIPE-021
  for (const Step& first : {kGivi, kPivi, kMavi})
    for (const Step& second :
         {kGiviOfIt, kPiviOfIt, kMaviOfIt, step(vwshr, {4, 1, 1}), step(vwshr, {4, 1, 2}),
          step(vwshr, {4, 1, 4}), step(vwshl, {4, 1, 1}), step(vtransp, {4, 1, 4})}) {
      EXPECT_EQ(distance(machine(2), {first, second}), 4);
      EXPECT_EQ(distance(machine(1), {first, second}), 8);
    }
}

TEST(vemicry_pipeline, words_of_other_lanes_and_car_are_in_time_without_a_wait) {
  // clause: VM-PIPE-031
  for (const Step& user : {step(vwshr, {4, 1, 1}), step(vwshr, {4, 1, 5}), step(vtransp, {4, 1, 4}),
                           step(vtransp, {4, 1, 1}), step(vwshl, {4, 1, 1})}) {
    EXPECT_EQ(distance(machine(8), {kGivi, user}), 2) << user.insn->mnemonic;  // table 2
    for (const uint32_t r : {4u, 2u, 1u})
      EXPECT_EQ(distance(machine(r), {kGivi, user}), 8 / r) << user.insn->mnemonic;
  }
  // clause: VM-PIPE-035
  const Step product = step(vspmult, {1, 2, 4});
  for (const uint32_t r : {8u, 4u, 2u, 1u})
    for (const Step& user : {step(vwshr, {5, 6, 1}), step(vwshr, {5, 6, 8}), step(vaddu, {5, 6, 7}),
                             step(vextract, {9, 6, 0}), step(cfc2_car, {9})})
      EXPECT_EQ(distance(machine(r), {product, user}), 8 / r) << user.insn->mnemonic;
  // VCR is needed in EXC.
  EXPECT_EQ(stall(machine(8), {step(mtvcr, {4}), step(vbcrotr, {1, 2, 24})}), 0);
  EXPECT_EQ(stall(machine(8), {step(mtvcr, {4}), step(vmpmul, {1, 2})}), 0);
}

TEST(vemicry_pipeline, scalars_from_the_vector_unit) {
  const Config config = machine(8);
  const Step extract = step(vextract, {9, 3, 1});
  // clause: VM-PIPE-029
  EXPECT_EQ(stall_by(Stall::transfer, config, {extract, step(addu, {10, 9, 0})}), 2u);
  EXPECT_EQ(stall_by(Stall::transfer, config, {extract, step(vspmult, {1, 2, 9})}), 1u);
  EXPECT_EQ(stall_by(Stall::transfer, config, {extract, step(vload, {1, 9, 0})}), 2u);
  EXPECT_EQ(stall_by(Stall::transfer, config, {extract, step(ctc2_length, {9})}), 2u);
  EXPECT_EQ(stall(config, {extract, step(vsmove, {1, 9, 0})}), 0);
  EXPECT_EQ(stall(config, {extract, step(vsaddu, {1, 2, 9})}), 0);
  EXPECT_EQ(stall(config, {extract, step(addu, {10, 8, 0})}), 0);
  EXPECT_EQ(stall(config, {step(mfvcr, {9}), step(addu, {10, 9, 0})}), 2);
  EXPECT_EQ(stall(config, {step(cfc2_car, {9}), step(addu, {10, 9, 0})}), 2);
  EXPECT_EQ(stall(config, {extract, kNop, step(vspmult, {1, 2, 9})}), 0);
  // The newest value counts.
  EXPECT_EQ(stall(config, {extract, step(addiu, {9, 0, 1}), step(addu, {10, 9, 0})}), 0);
  // Register 0 is nobody's result.
  EXPECT_EQ(stall(config, {step(vextract, {0, 3, 1}), step(addu, {10, 0, 0})}), 0);
}

TEST(vemicry_pipeline, loaded_scalars) {
  const Config config = machine(8);
  const Step load = step(lw, {8, 0, 29});
  // clause: VM-PIPE-030
  EXPECT_EQ(stall_by(Stall::load, config, {load, step(vspmult, {1, 2, 8})}), 1u);
  EXPECT_EQ(stall_by(Stall::load, config, {load, step(addu, {9, 8, 8})}), 1u);
  EXPECT_EQ(stall(config, {load, step(vsmove, {1, 8, 0})}), 1);
  EXPECT_EQ(stall(config, {load, step(beq, {8, 0, 0})}), 1);
  EXPECT_EQ(stall(config, {load, kNop, step(vspmult, {1, 2, 8})}), 0);
  EXPECT_EQ(stall(config, {step(addu, {8, 9, 9}), step(vspmult, {1, 2, 8})}), 0);
  EXPECT_EQ(stall(config, {step(addu, {8, 9, 9}), step(addu, {9, 8, 8})}), 0);
}

// Hardware with a load delay has no interlock: the next instruction gets the old value at once.
TEST(vemicry_pipeline, with_a_load_delay_nothing_waits_for_the_load_before_it) {
  Config config = machine(8);
  config.load_delay = true;
  const Step load = step(lw, {8, 0, 29});
  for (const Step& user :
       {step(addu, {9, 8, 8}), step(beq, {8, 0, 0}), step(sw, {8, 0, 8}), step(lw, {9, 0, 8}),
        step(lwr, {8, 0, 29}), step(vspmult, {1, 2, 8}), step(vsmove, {1, 8, 0}),
        step(vload, {1, 8, 0}), step(mtvcr, {8}), step(mthi, {8})}) {
    EXPECT_EQ(stall(config, {load, user}), 0) << user.insn->mnemonic;
    EXPECT_EQ(stall(config, {load, kNop, user}), 0) << user.insn->mnemonic;
    // An older value that is still on its way is waited for as ever.
    const Step extract = step(vextract, {8, 3, 1});
    EXPECT_EQ(stall(config, {extract, load, user}), stall(machine(8), {extract, kNop, user}))
        << user.insn->mnemonic;
  }
  EXPECT_EQ(stall(config, {load, step(lw, {8, 4, 29}), step(addu, {9, 8, 8})}), 0);
}

TEST(vemicry_pipeline, scalar_instructions_go_on_while_the_lanes_work) {
  std::vector<Step> steps = {kGivi};
  for (uint32_t i = 0; i < 7; ++i) steps.push_back(step(addiu, {8, 8, 1}));
  steps.push_back(step(vxor, {4, 5, 6}));
  // clause: VM-PIPE-032
  const std::vector<Timing> all = timings(machine(1), steps);
  for (size_t i = 1; i < all.size(); ++i) EXPECT_EQ(all[i].issue, all[i - 1].issue + 1);
  EXPECT_EQ(stall(machine(1), {kGivi, step(vxor, {4, 5, 6})}), 7);
  EXPECT_EQ(stall_by(Stall::lanes, machine(1), {kGivi, step(vxor, {4, 5, 6})}), 7u);
}

// clause: VM-PIPE-036
TEST(vemicry_pipeline, products_and_quotients_take_their_time) {
  const Config config = machine(8);
  for (const auto& [insn, ticks] :
       std::map<const Insn*, Cycle>{{&mult, 10}, {&multu, 10}, {&vemicry::div, 34}, {&divu, 34}})
    for (const Step& user : {step(mflo, {2}), step(mfhi, {2}), step(mthi, {2}), step(mtlo, {2}),
                             step(mult, {4, 5}), step(divu, {4, 5})})
      EXPECT_EQ(stall_by(Stall::hilo, config, {step(*insn, {4, 5}), user}), ticks - 1);
  EXPECT_EQ(stall(config, {step(mult, {4, 5}), step(addu, {2, 4, 5})}), 0);
  EXPECT_EQ(stall(config, {step(mthi, {4}), step(mfhi, {2})}), 0);
}

// clause: VM-PIPE-037
TEST(vemicry_pipeline, scalar_accesses_stay_behind_those_of_the_lanes) {
  const Step vector_store = step(vstore, {4, 1, 0}), load = step(lw, {8, 0, 29});
  const Step store = step(sw, {8, 0, 29}), look_up = step(vbyteld, {1, 4, 0});
  for (const uint32_t r : {8u, 4u, 2u, 1u}) {
    const Cycle iterations = 8 / r;
    EXPECT_EQ(stall_by(Stall::memory_order, machine(r), {vector_store, load}), iterations);
    EXPECT_EQ(stall_by(Stall::memory_order, machine(r), {vector_store, store}), iterations);
    EXPECT_EQ(stall_by(Stall::memory_order, machine(r), {kMavi, store}), iterations);
    EXPECT_EQ(stall_by(Stall::memory_order, machine(r), {look_up, store}), iterations);
    EXPECT_EQ(stall(machine(r), {kMavi, load}), 0);
    EXPECT_EQ(stall(machine(r), {look_up, load}), 0);
    EXPECT_EQ(stall(machine(r), {vector_store, step(addu, {8, 9, 9})}), 0);
    EXPECT_EQ(distance(machine(r), {store, vector_store}), 1);
  }
}

// clause: VM-PIPE-038
TEST(vemicry_pipeline, slow_memory_stops_all) {
  Config config = machine(4);
  config.memory_latency = 10;
  const Step load = step(lw, {8, 0, 29}), store = step(sw, {8, 0, 29});
  // The third instruction is in ID when a scalar access is in DC.
  for (const Step& access : {load, store}) {
    EXPECT_EQ(distance(config, {access, kNop}), 1);
    EXPECT_EQ(distance(config, {access, kNop, kNop}), 12);
    EXPECT_EQ(stall_by(Stall::memory, config, {access, kNop, kNop}), 10u);
  }
  EXPECT_EQ(distance(config, {load, step(addu, {9, 8, 8})}), 2 + 10);
  // An access of each iteration, and at the same time one of the scalar core.
  EXPECT_EQ(distance(config, {kMavi, kNop, kNop}), 2);
  EXPECT_EQ(distance(config, {kMavi, kNop, kNop, kNop}), 3 + 10);
  EXPECT_EQ(distance(config, {kMavi, kNop, kNop, kNop, kNop}), 4 + 20);
  EXPECT_EQ(distance(config, {kMavi, load, load, kNop, kNop}), 4 + 20);
  // Words that are not loaded are not accessed.
  EXPECT_EQ(distance(config, {step(vload, {1, 4, 4}), kNop, kNop, kNop, kNop}), 4 + 10);
}

// clause: VM-PIPE-039
TEST(vemicry_pipeline, banks_and_ports_give_turns_to_memory) {
  Config config = machine(4);
  const Step load = step(lw, {8, 0, 29});
  const auto last_of = [&](uint32_t banks, uint32_t ports, const std::vector<Step>& steps) {
    config.banks = banks;
    config.ports = ports;
    return distance(config, steps);
  };
  const std::vector<Step> alone = {kMavi, kNop, kNop, kNop, kNop};
  for (const uint32_t enough : {0u, 4u, 8u}) EXPECT_EQ(last_of(enough, 2, alone), 4);
  EXPECT_EQ(last_of(2, 2, alone), 4 + 2 * 1);
  EXPECT_EQ(last_of(1, 2, alone), 4 + 2 * 3);
  // Three words of two banks, none behind them.
  EXPECT_EQ(last_of(2, 2, {step(vload, {1, 4, 3}), kNop, kNop, kNop, kNop}), 4 + 1);
  // Two loads of the scalar core, each beside a group of a vector.
  const std::vector<Step> both = {kMavi, load, load, kNop, kNop};
  EXPECT_EQ(last_of(4, 2, both), 4);
  EXPECT_EQ(last_of(4, 1, both), 4 + 2);
  EXPECT_EQ(last_of(1, 2, both), 4 + 2 * 3);
  EXPECT_EQ(last_of(1, 1, both), 4 + 2 * 4);
  config.memory_latency = 10;
  EXPECT_EQ(last_of(4, 1, both), 4 + 2 * 21);
}

// clause: VM-PIPE-039
TEST(vemicry_pipeline, the_memories_of_the_lanes_copy_a_table_once) {
  Config config = machine(8);
  config.banked = true;
  const Step look_up = step(vbyteld, {1, 4, 0});
  EXPECT_EQ(distance(config, {look_up, kNop, kNop, kNop}), 3 + 512);
  EXPECT_EQ(distance(config, {look_up, look_up, kNop, kNop, kNop}), 4 + 512);
  EXPECT_EQ(distance(config, {step(vload, {1, 4, 0}), kNop, kNop, kNop}), 3);
}

TEST(vemicry_pipeline, results_are_taken_from_their_producers) {
  using Numbers = std::set<uint64_t>;
  const auto producers = [](const std::vector<Step>& steps, uint32_t r = 8) {
    const Timing timing = timings(machine(r), steps).back();
    return Numbers(timing.producers.begin(), timing.producers.begin() + timing.num_producers);
  };
  EXPECT_EQ(producers({kPivi, kPiviOfIt}), Numbers{0});
  EXPECT_EQ(producers({kNop, kPivi, kNop, kGiviOfIt}), Numbers{1});
  EXPECT_EQ(producers({kGivi, step(vxor, {2, 2, 3}), step(vxor, {4, 1, 2})}), (Numbers{0, 1}));
  EXPECT_EQ(timings(machine(8), {kGivi, step(vxor, {4, 1, 1})}).back().num_producers, 1u);
  EXPECT_EQ(producers({step(mtvcr, {4}), step(vmpmul, {1, 2})}), Numbers{0});
  EXPECT_EQ(producers({step(vspmult, {1, 2, 4}), step(vwshr, {5, 6, 1})}), Numbers{0});
  EXPECT_EQ(producers({step(multu, {4, 5}), step(mfhi, {2})}), Numbers{0});
  EXPECT_EQ(producers({step(multu, {4, 5}), step(mflo, {2})}), Numbers{0});
  // Of no interest, or in its register by then: scalars are read in ID, by vector instructions in
  // DF, and vectors in DF, group by group.
  EXPECT_EQ(producers({kGivi, step(vxor, {4, 2, 3})}), Numbers{});
  const Step sum = step(addu, {8, 9, 10});
  EXPECT_EQ(producers({sum, kNop, step(addu, {2, 8, 0})}), Numbers{0});
  EXPECT_EQ(producers({sum, kNop, kNop, step(addu, {2, 8, 0})}), Numbers{});
  EXPECT_EQ(producers({sum, step(vspmult, {1, 2, 8})}), Numbers{0});
  EXPECT_EQ(producers({sum, kNop, step(vspmult, {1, 2, 8})}), Numbers{});
  EXPECT_EQ(producers({kGivi, kNop, kNop, kGiviOfIt}), Numbers{});
  EXPECT_EQ(producers({kGivi, kNop, kNop, kGiviOfIt}, 4), Numbers{});
}

}  // namespace
}  // namespace incore
