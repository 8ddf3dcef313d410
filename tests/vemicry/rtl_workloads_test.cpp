// The programs that come with Incore, executed by the Verilog model: their vector instructions, in
// order, with what scalar code has put into registers and memory in between.
#include <gtest/gtest.h>

#include "support/property.h"
#include "vemicry/rtl_bench.h"
#include "vemicry/workload.h"

namespace incore::vemicry {
namespace {

// Follows a machine, and makes a stimulus of its vector instructions by executing them on another.
class Recorder {
 public:
  explicit Recorder(const Config& config)
      : config_(config), replica_(config), held_(kBenchMemoryLen / 4), stimulus(replica_) {}

  // Before |step| of |machine|.
  void see(const Machine& machine, const Step& step) {
    if (step.word.opcode() != 0x12) return;
    const bool control = (step.word.bits >> 25 & 1) == 0;
    const uint32_t scalar = machine.state().gpr[control ? step.word.rt() : step.word.r()];
    const bool reads = (step.insn->reads & kMemory) != 0,
               writes = (step.insn->writes & kMemory) != 0;
    const uint32_t num_words = config_.p + 1 + 64;  // at least a register, or a table of bytes
    if (reads || writes) bring(machine.memory(), scalar & ~3u, num_words);
    stimulus.add(step.word, scalar);
    for (uint32_t i = 0; writes && i < num_words; ++i)
      (void)replica_.memory().load(scalar + 4 * i, &held(scalar + 4 * i));
  }

 private:
  // The word of the bench's memory that stands for |address|.
  uint32_t& held(uint32_t address) { return held_[address % kBenchMemoryLen / 4]; }

  void bring(const Memory& memory, uint32_t begin, uint32_t num_words) {
    for (uint32_t address = begin; address != begin + 4 * num_words; address += 4) {
      uint32_t word = 0;
      if (memory.load(address, &word)) continue;  // not mapped
      replica_.memory().map(address, 4);
      (void)replica_.memory().store(address, word);
      if (held(address) == word) continue;
      held(address) = word;
      stimulus.poke(address, word);
    }
  }

  Config config_;
  Machine replica_;
  std::vector<uint32_t> held_;  // the bench's memory

 public:
  Stimulus stimulus;
};

void expect_agreement(const char* name, const Bench& bench, const Config& config, uint64_t seed) {
  SCOPED_TRACE(name);
  const Workload* const workload = find_workload(name);
  ASSERT_NE(workload, nullptr);
  Recorder recorder(config);
  ASSERT_EQ(run_workload(*workload, config, seed,
                         [&](Run& run) {
                           const Outcome outcome = run.machine.run(
                               100'000, [&](const Step& step) { recorder.see(run.machine, step); });
                           return outcome.stop == Stop::exited ? "" : "it does not end";
                         }),
            "");
  ASSERT_GT(recorder.stimulus.size(), 10u);
  const BenchResult result = bench.run(recorder.stimulus);
  EXPECT_EQ(result.difference, "");
  EXPECT_EQ(result.num_ended, recorder.stimulus.size());
}

// clause: VM-NEXT-003
TEST(vemicry_rtl, executes_programs_that_come_with_incore) {
  if (const std::string reason = no_bench(); !reason.empty()) GTEST_SKIP() << reason;
  for (const uint32_t r : {8u, 2u}) {
    SCOPED_TRACE("r = " + std::to_string(r));
    Config config;
    config.r = r;
    const Bench bench(config);
    ASSERT_EQ(bench.mistake(), "");
    test::for_each_seed(1, [&](uint64_t seed) {
      for (const char* name : {"aes128-encrypt-16", "gf2-191-product-best"})
        expect_agreement(name, bench, config, seed);
    });
  }
}

}  // namespace
}  // namespace incore::vemicry
