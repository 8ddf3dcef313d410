// The chip: a program with its data in the memories of the lanes, from its first instruction to the
// exception that ends it.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <sstream>

#include "vemicry/assemble_testing.h"
#include "vemicry/machine.h"
#include "vemicry/rtl_bench.h"

namespace incore::vemicry {
namespace {

// Each of four vectors: its bytes replaced by those of a table, a word of it added up by the scalar
// core, which stores into the next one.
constexpr const char* kProgram = R"(
        .data
table:  .space 256
input:  .word 0x00010203, 0x7f80ff01, 3, 4, 5, 6, 7, 0xdeadbeef
        .space 256
sums:   .space 16
        .text
main:   la $4, input
        la $5, table
        la $6, sums
        li $8, 256
fill:   addiu $8, $8, -1            # table[i] = 3 i + 1
        addu $9, $8, $8
        addu $9, $9, $8
        addiu $9, $9, 1
        addu $10, $5, $8
        sb $9, 0($10)
        bne $8, $0, fill
        li $11, 4
        li $13, 0
loop:   vload v1, ($4), 0
        vbyteld v1, ($5), 0
        addiu $4, $4, 32
        vstore ($4), v1, 0
        lw $12, 4($4)
        addu $13, $13, $12
        sw $13, 0($6)
        addiu $6, $6, 4
        sw $13, 28($4)
        addiu $11, $11, -1
        bne $11, $0, loop
        nop
        break
)";

struct Simulated {
  std::string record;  // for rtl_system_bench.v
  uint64_t instructions = 0;
};

Simulated simulate(const Config& config) {
  const Assembly assembly = assemble(kProgram, {});
  EXPECT_EQ(test::errors_of(assembly), std::vector<std::string>());
  const Image& image = assembly.image;
  Machine machine(config);
  EXPECT_TRUE(machine.load(image));
  Simulated simulated;
  append(&simulated.record, machine.state().pc, '\n');
  std::map<uint32_t, uint32_t> code, data;
  for (const Segment& segment : image.segments) {
    const std::vector<uint32_t> words = test::words_of(image, segment);
    for (uint32_t i = 0; i < words.size(); ++i)
      (segment.executable ? code : data)[segment.address + 4 * i] = words[i];
  }
  append_words(&simulated.record, code);
  append_words(&simulated.record, data);
  const Outcome outcome = machine.run(100'000);
  EXPECT_EQ(outcome.stop, Stop::trapped);
  EXPECT_EQ(outcome.trap.exception, Exception::breakpoint);
  constexpr uint32_t kBreak = 5;  // vemicry_traps.vh
  append(&simulated.record, code.rbegin()->first);
  append(&simulated.record, kBreak, '\n');
  for (auto& [address, word] : data) EXPECT_FALSE(machine.memory().load(address, &word));
  append_words(&simulated.record, data);
  simulated.instructions = outcome.executed;
  return simulated;
}

// clause: VM-ARCH-012
// clause: VM-ARCH-013
TEST(vemicry_rtl_system, executes_a_program_from_its_own_memories) {
  if (const std::string reason = no_bench(); !reason.empty()) GTEST_SKIP() << reason;
  for (const auto& [r, banks, ports] :
       std::vector<std::array<uint32_t, 3>>{{8, 8, 2}, {8, 2, 1}, {3, 4, 2}, {1, 1, 1}}) {
    Config config = machine_of(8, 8, r);
    config.banked = true;
    SCOPED_TRACE(name_of(config) + ", banks = " + std::to_string(banks));
    const incore::test::TemporaryDirectory folder;
    const std::string top = "rtl_system_bench", program = folder.path() + "/" + top;
    ASSERT_EQ(compile_verilog(INCORE_SOURCE_DIR "/rtl/vemicry", top,
                              {{"R", r}, {"BANKS", banks}, {"PORTS", ports}}, program),
              "");
    const Simulated simulated = simulate(config);
    EXPECT_GT(simulated.instructions, 1800u);
    const incore::test::ProcessResult ran = incore::test::run(
        {"vvp", "-n", program, "+program=" + folder.write("program", simulated.record)});
    std::istringstream out(ran.out);
    std::string verdict;
    uint64_t cycles = 0;
    out >> verdict >> cycles;
    EXPECT_EQ(verdict, "AGREE") << ran.out << ran.err;
    // A table is copied once.
    EXPECT_GT(cycles, simulated.instructions + 512);
    EXPECT_LT(cycles, simulated.instructions + 2 * 512);
  }
}

}  // namespace
}  // namespace incore::vemicry
