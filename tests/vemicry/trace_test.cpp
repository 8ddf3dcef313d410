// Traces as the C interface hands them out: which instruction is in which stage, and works on what.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "incore/vemicry.h"

namespace incore {
namespace {

struct Traced {
  incore_vemicry_traced insn;  // its pointers are not good any more
  std::string mnemonic, text, class_name;
  std::vector<incore_vemicry_stage> stages;

  std::string stage_names() const {
    std::string names;
    for (const incore_vemicry_stage& stage : stages) names += std::string(stage.name) + " ";
    return names;
  }
  const incore_vemicry_stage& stage(const char* name, uint32_t iteration = 0) const {
    for (const incore_vemicry_stage& stage : stages)
      if (std::strcmp(stage.name, name) == 0 && stage.iteration == iteration) return stage;
    throw std::out_of_range(name);
  }
};

struct Trace {
  std::vector<Traced> insns;
  incore_vemicry_trace_totals totals = {};

  const Traced& find(const std::string& mnemonic) const {
    for (const Traced& traced : insns)
      if (traced.mnemonic == mnemonic) return traced;
    throw std::out_of_range(mnemonic);
  }
};

int keep(void* context, const incore_vemicry_traced* traced) {
  static_cast<Trace*>(context)->insns.push_back(
      {*traced,
       traced->mnemonic,
       traced->text,
       traced->class_name,
       {traced->stages, traced->stages + traced->num_stages}});
  return 0;
}

// Runs |source| from its beginning; nothing but assembly is known of it.
Trace trace(const std::string& source, incore_vemicry_config config = {}, uint64_t limit = 0) {
  char reason[512] = "";
  incore_vemicry_program* program = nullptr;
  EXPECT_EQ(incore_vemicry_assemble("test", source.data(), source.size(), &config, &program, reason,
                                    sizeof reason),
            INCORE_OK)
      << reason;
  Trace result;
  const incore_vemicry_trace_options options = {&config, limit, keep, &result};
  EXPECT_EQ(incore_vemicry_trace_program(program, nullptr, nullptr, 0, &options, &result.totals,
                                         reason, sizeof reason),
            INCORE_OK)
      << reason;
  incore_vemicry_program_free(program);
  return result;
}

incore_vemicry_config lanes(uint32_t r) {
  incore_vemicry_config config = {};
  config.r = r;
  return config;
}

const std::string kReturn = "\n jr $31\n nop\n";

TEST(vemicry_trace, scalar_instructions_pass_five_stages) {
  const Trace t = trace("addiu $8, $0, 1\n addiu $9, $8, 1" + kReturn);
  ASSERT_EQ(t.insns.size(), 4u);
  for (size_t i = 0; i < t.insns.size(); ++i) {
    // clause: VM-PIPE-007
    EXPECT_EQ(t.insns[i].stage_names(), "IF ID EX DC WB ");
    for (size_t stage = 0; stage < 5; ++stage) {
      EXPECT_EQ(t.insns[i].stages[stage].first, i + stage);
      EXPECT_EQ(t.insns[i].stages[stage].last, i + stage);
    }
    EXPECT_EQ(t.insns[i].class_name, "scalar");
    EXPECT_EQ(t.insns[i].insn.writes_sbi, 0);
  }
}

TEST(vemicry_trace, vector_instructions_pass_four_stages_in_each_iteration) {
  const Trace t = trace("vspmult v1, v2, $4\n vxor v3, v1, v2" + kReturn, lanes(4));
  const Traced& product = t.find("vspmult");
  // clause: VM-PIPE-008
  EXPECT_EQ(product.stage_names(), "IF ID DF EXM EXC WB DF EXM EXC WB ");
  EXPECT_EQ(product.stage("DF").first, product.stage("ID").last + 1);
  for (uint32_t g = 0; g < 2; ++g) {
    EXPECT_EQ(product.stage("DF", g).first, product.stage("ID").last + 1 + g);
    EXPECT_EQ(product.stage("EXM", g).first, product.stage("DF", g).first + 1);
    EXPECT_EQ(product.stage("EXC", g).first, product.stage("EXM", g).first + 1);
    // clause: VM-PIPE-012
    EXPECT_EQ(product.stage("WB", g).first, product.stage("EXC", g).first + 1);
  }
  // The next one's first iteration follows the last one of this.
  EXPECT_EQ(t.find("vxor").stage("DF").first, product.stage("DF", 1).first + 1);
}

TEST(vemicry_trace, exm_is_for_pivi) {
  const Trace t = trace(
      "vspmult v1, v2, $4\n vxor v3, v4, v2\n vsmove v5, $0, 0\n vwshl v6, v2, 1\n"
      "vtransp v1, v2, 0\n vextract $2, v2, 1" +
      kReturn);
  for (const Traced& traced : t.insns) {
    if (traced.class_name == "scalar") continue;
    // clause: VM-PIPE-010
    EXPECT_EQ(traced.stage("EXM").idle, traced.class_name == "PIVI" ? 0 : 1) << traced.text;
    // clause: VM-PIPE-011
    EXPECT_EQ(traced.stage("EXC").idle, 0) << traced.text;
  }
  EXPECT_EQ(t.find("vspmult").class_name, "PIVI");
  EXPECT_EQ(t.find("vwshl").class_name, "PIVI");
  EXPECT_EQ(t.find("vxor").class_name, "GIVI");
  EXPECT_EQ(t.find("vtransp").class_name, "GIVI");
}

TEST(vemicry_trace, scalar_operands_go_through_sbi) {
  const Trace t = trace(
      "vsmove v1, $4, 0\n vspmult v2, v1, $4\n vsaddu v2, v1, $4\n mtvcr $4\n vxor v3, v1, v2\n"
      "vbcrotr v1, v1, 8\n vextract $2, v1, 1\n mfvcr $2" +
      kReturn);
  // clause: VM-ARCH-017
  // clause: VM-PIPE-009
  const std::map<std::string, int> expected = {{"vsmove", 1},   {"vspmult", 1}, {"vsaddu", 1},
                                               {"mtvcr", 1},    {"vxor", 0},    {"vbcrotr", 0},
                                               {"vextract", 0}, {"mfvcr", 0}};
  for (const auto& [mnemonic, writes_sbi] : expected)
    EXPECT_EQ(t.find(mnemonic).insn.writes_sbi, writes_sbi) << mnemonic;
}

TEST(vemicry_trace, words_are_dealt_out_to_the_lanes) {
  for (const uint32_t r : {8u, 4u, 3u, 2u, 1u}) {
    const Trace t = trace(
        "vxor v3, v1, v2\n vsmove v1, $0, 5\n vextract $2, v1, 7\n mtvcr $2" + kReturn, lanes(r));
    std::map<uint32_t, uint32_t> iteration_of;  // by word
    for (const incore_vemicry_stage& stage : t.find("vxor").stages) {
      if (std::strcmp(stage.name, "EXC") != 0) continue;
      EXPECT_LE(stage.num_words, r);
      for (uint32_t i = 0; i < stage.num_words; ++i) {
        const uint32_t word = stage.first_word + i;
        // clause: VM-ARCH-008
        EXPECT_EQ(word % r, i) << "lane i has word i of a group";
        EXPECT_TRUE(iteration_of.emplace(word, stage.iteration).second);
        EXPECT_EQ(stage.iteration, word / r);
      }
    }
    EXPECT_EQ(iteration_of.size(), 8u);
    uint32_t num_words = 0;
    for (const incore_vemicry_stage& stage : t.find("vsmove").stages)
      num_words += std::strcmp(stage.name, "EXC") == 0 ? stage.num_words : 0;
    EXPECT_EQ(num_words, 5u);
    EXPECT_EQ(t.find("vextract").stage("EXC").first_word, 6u);
    EXPECT_EQ(t.find("vextract").stage("EXC").num_words, 1u);
    EXPECT_EQ(t.find("mtvcr").stage("EXC").num_words, 0u);
  }
}

TEST(vemicry_trace, lanes_change_times_and_nothing_else) {
  const std::string source =
      "addiu $8, $0, 7\n vsmove v1, $8, 0\n vwshl v2, v1, 3\n vaddu v3, v1, v2\n"
      "vspmult v3, v3, $8\n vextract $9, v3, 8\n vwshr v4, v3, 2\n vextract $2, v4, 6\n"
      "addu $2, $2, $9" +
      kReturn;
  const Trace all = trace(source);
  EXPECT_NE(all.totals.outcome.value, 0u);
  for (const uint32_t r : {4u, 2u, 1u}) {
    const Trace some = trace(source, lanes(r));
    // clause: VM-ARCH-007
    EXPECT_EQ(some.totals.outcome.value, all.totals.outcome.value);
    EXPECT_EQ(some.totals.outcome.instructions, all.totals.outcome.instructions);
    EXPECT_GT(some.totals.cycles, all.totals.cycles);
  }
}

TEST(vemicry_trace, waiting_is_in_id_and_has_its_cause) {
  const Trace t = trace("lw $8, 0($29)\n vspmult v1, v2, $8\n vwshr v3, v1, 1" + kReturn, lanes(4));
  const Traced& product = t.find("vspmult");
  EXPECT_EQ(product.stage("ID").last - product.stage("ID").first, 1u);
  uint64_t sum = 0;
  for (size_t i = 0; i < INCORE_VEMICRY_NUM_STALLS; ++i) {
    EXPECT_EQ(product.insn.stall_cycles[i],
              std::string(incore_vemicry_stall_text(i)) == "a loaded scalar" ? 1u : 0u);
    uint64_t of_insns = 0;
    for (const Traced& traced : t.insns) of_insns += traced.insn.stall_cycles[i];
    EXPECT_EQ(of_insns, t.totals.stall_cycles[i]);
    sum += of_insns;
  }
  EXPECT_EQ(incore_vemicry_stall_text(INCORE_VEMICRY_NUM_STALLS), nullptr);
  EXPECT_EQ(t.totals.cycles, t.totals.outcome.instructions + sum);
  EXPECT_EQ(t.totals.cycles, t.insns.back().stages[1].last);
  // IF and ID hold one instruction at a time.
  for (size_t i = 1; i < t.insns.size(); ++i)
    for (const size_t stage : {0, 1})
      EXPECT_EQ(t.insns[i].stages[stage].first, t.insns[i - 1].stages[stage].last + 1);
}

TEST(vemicry_trace, memory_latency_is_time_in_dc_or_exc) {
  incore_vemicry_config config = {};
  config.memory_latency = 5;
  const Trace t = trace("addiu $4, $29, 0\n lw $8, 0($4)\n vload v1, ($4), 0" + kReturn, config);
  const Traced &scalar = t.find("lw"), &vector = t.find("vload");
  EXPECT_EQ(scalar.stage("DC").last - scalar.stage("DC").first, 5u);
  EXPECT_EQ(scalar.stage("WB").first, scalar.stage("DC").last + 1);
  EXPECT_EQ(vector.stage("EXC").last - vector.stage("EXC").first, 5u);
  EXPECT_EQ(vector.stage("WB").first, vector.stage("EXC").last + 1);
}

TEST(vemicry_trace, what_traps_was_not_executed) {
  const Trace t = trace("addiu $8, $0, 1\n break\n nop\n");
  EXPECT_EQ(t.totals.outcome.stop, INCORE_VEMICRY_TRAPPED);
  EXPECT_STREQ(t.totals.outcome.exception, "breakpoint");
  EXPECT_EQ(t.totals.outcome.instructions, 1u);
  ASSERT_EQ(t.insns.size(), 1u);
  EXPECT_EQ(t.insns[0].text, "addiu   $8, $0, 1");
  EXPECT_EQ(t.totals.cycles, 1u);
}

TEST(vemicry_trace, limit_and_wish_to_stop) {
  const std::string endless = "here: b here\n nop\n";
  const Trace t = trace(endless, {}, 9001);
  EXPECT_EQ(t.totals.outcome.stop, INCORE_VEMICRY_LIMIT);
  EXPECT_EQ(t.insns.size(), 9001u);
  EXPECT_EQ(t.totals.outcome.instructions, 9001u);

  incore_vemicry_program* program = nullptr;
  ASSERT_EQ(incore_vemicry_assemble("test", endless.data(), endless.size(), nullptr, &program,
                                    nullptr, 0),
            INCORE_OK);
  int calls = 0;
  const incore_vemicry_trace_options options = {
      nullptr, 0,
      [](void* context, const incore_vemicry_traced*) -> int {
        return ++*static_cast<int*>(context) == 3;
      },
      &calls};
  incore_vemicry_trace_totals totals;
  EXPECT_EQ(
      incore_vemicry_trace_program(program, nullptr, nullptr, 0, &options, &totals, nullptr, 0),
      INCORE_OK);
  EXPECT_EQ(calls, 3);
  incore_vemicry_program_free(program);
}

TEST(vemicry_trace, functions_and_workloads) {
  char reason[512] = "";
  const std::string source = ".globl product\nproduct: multu $4, $5\n mflo $2" + kReturn;
  incore_vemicry_program* program = nullptr;
  ASSERT_EQ(incore_vemicry_assemble("test", source.data(), source.size(), nullptr, &program, reason,
                                    sizeof reason),
            INCORE_OK)
      << reason;
  Trace t;
  const incore_vemicry_trace_options options = {nullptr, 0, keep, &t};
  const uint32_t arguments[] = {6, 7};
  EXPECT_EQ(incore_vemicry_trace_program(program, "product", arguments, 2, &options, &t.totals,
                                         reason, sizeof reason),
            INCORE_OK);
  EXPECT_EQ(t.totals.outcome.value, 42u);
  EXPECT_EQ(incore_vemicry_trace_program(program, "quotient", arguments, 2, &options, &t.totals,
                                         reason, sizeof reason),
            INCORE_ERROR_RANGE);
  EXPECT_STREQ(reason, "there is no label 'quotient'");
  EXPECT_EQ(incore_vemicry_trace_program(nullptr, nullptr, nullptr, 0, &options, &t.totals, reason,
                                         sizeof reason),
            INCORE_ERROR_NULL);
  incore_vemicry_program_free(program);

  // The same as measuring says, for each workload that runs on this machine.
  incore_vemicry_workload workload;
  for (size_t i = 0; incore_vemicry_get_workload(i, &workload) == INCORE_OK; ++i) {
    incore_vemicry_figures figures;
    if (incore_vemicry_measure(workload.name, nullptr, 1, &figures, nullptr, 0) != INCORE_OK)
      continue;
    if (figures.instructions > 100'000) continue;
    Trace of_workload;
    const incore_vemicry_trace_options its_options = {nullptr, 0, keep, &of_workload};
    EXPECT_EQ(incore_vemicry_trace_workload(workload.name, 1, &its_options, &of_workload.totals,
                                            reason, sizeof reason),
              INCORE_OK)
        << workload.name << ": " << reason;
    EXPECT_EQ(of_workload.insns.size(), figures.instructions) << workload.name;
    EXPECT_EQ(of_workload.totals.cycles, figures.cycles) << workload.name;
  }
  EXPECT_EQ(incore_vemicry_trace_workload("nothing", 1, &options, &t.totals, reason, sizeof reason),
            INCORE_ERROR_RANGE);
  EXPECT_STREQ(reason, "there is no such workload");
}

}  // namespace
}  // namespace incore
