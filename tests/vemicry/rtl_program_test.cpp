// A VeMICry in Verilog, core and vector unit, executes whole programs: the ones that come with
// Incore, and random ones. Every instruction leaves ID in the cycle that the pipeline model says,
// and registers and memory end as in the simulator.
//
// By default under Icarus Verilog, which takes a millisecond a cycle; `make vemicry-rtl` runs more
// under Verilator: ten thousand random programs, and all workloads.
#include "vemicry/rtl_program.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <span>

#include "support/property.h"
#include "vemicry/rtl_bench.h"
#include "vemicry/words.h"
#include "vemicry/workload.h"

namespace incore::vemicry {
namespace {

using test::word_with;

#define SKIP_WITHOUT_BENCH() \
  if (const std::string reason = no_program_bench(); !reason.empty()) GTEST_SKIP() << reason

// A program of random instructions that none traps of, with loops, calls and branches. $4 to $6 and
// $20 hold addresses of data, $7 that of a word which is such an address, the last vector register
// words that are.
class RandomCode {
 public:
  RandomCode(const Config& config, uint64_t seed)
      : config_(config), random_(seed * 8191 + config.p), length_(config.length()) {
    put(word_with(addu, {22, 31, 0}));
    put(word_with(vsmove, {config.q - 1, 4, 0}));
    put(word_with(addu, {20, 5, 0}));
    for (int i = 0; i < 12; ++i) add_part();
    put(word_with(jr, {22}));
    add_simple();
  }

  // Calls it on a machine with random data.
  std::string record(uint32_t latency, ProgramRecords* inout_records) {
    constexpr uint32_t kLen = 0x1000, kPointers = kDataAddress + kLen;
    config_.memory_latency = latency;
    Machine machine(config_);
    Memory& memory = machine.memory();
    const auto code_len = static_cast<uint32_t>(4 * code_.size());
    memory.map(kTextAddress, code_len);
    memory.map(kDataAddress, 2 * kLen);
    memory.map(kStackTop - Memory::kPageLen, Memory::kPageLen);
    for (uint32_t i = 0; i < code_.size(); ++i)
      (void)memory.store<uint32_t>(kTextAddress + 4 * i, code_[i].bits);
    const uint32_t pages = kDataAddress + 0x400;
    for (uint32_t address = kDataAddress; address < kPointers; address += 4)
      (void)memory.store<uint32_t>(address, random());
    (void)memory.store<uint32_t>(kPointers, pages + 4 * below(16));
    const std::vector<uint32_t> arguments = {pages, pages + 4 * below(64), pages + 0x400,
                                             kPointers};
    machine.begin_call(kTextAddress, arguments);
    return inout_records->add(
        machine, {{kTextAddress, kTextAddress + code_len}, {kDataAddress, kPointers + 4}});
  }

 private:
  uint32_t random() { return static_cast<uint32_t>(random_()); }
  uint32_t below(uint32_t end) { return random() % end; }
  bool one_in(uint32_t n) { return below(n) == 0; }
  void put(Word word) { code_.push_back(word); }
  // Few registers, so that instructions meet.
  uint32_t target() { return 8 + below(one_in(3) ? 8 : 3); }
  uint32_t source() { return one_in(8) ? below(8) : target(); }
  uint32_t vector() { return below(std::min(config_.q - 1, one_in(3) ? 15u : 3u)); }

  void add_part() {
    switch (below(8)) {
      case 0:
        return add_branch();
      case 1:
        return add_loop();
      case 2:
        return add_length();
      default:
        for (uint32_t i = 1 + below(6); i > 0; --i) add_simple();
    }
  }

  // Over a few instructions, or not.
  void add_branch() {
    static const Insn* const kTwo[] = {&beq, &bne};
    static const Insn* const kOne[] = {&blez, &bgtz, &bltz, &bgez, &bltzal, &bgezal};
    std::vector<Word> skipped;
    skipped.swap(code_);
    for (uint32_t i = below(4) + 1; i > 0; --i) add_simple();
    skipped.swap(code_);
    Word slot = {0};
    add_simple();
    slot = code_.back();
    code_.pop_back();
    const auto distance = static_cast<uint32_t>(skipped.size()) + 1;
    const auto here = static_cast<uint32_t>(kTextAddress + 4 * code_.size());
    switch (below(4)) {
      case 0:
        put(word_with(*kTwo[below(2)], {source(), source(), distance}));
        break;
      case 1:
        put(word_with(*kOne[below(6)], {source(), distance}));
        break;
      case 2:
        put(word_with(one_in(2) ? j : jal, {(here + 4 + 4 * distance) / 4}));
        break;
      default:
        put(word_with(lui, {23, here >> 16}));
        put(word_with(ori, {23, 23, (here & 0xFFFF) + 12 + 4 * distance}));
        put(one_in(2) ? word_with(jr, {23}) : word_with(jalr, {24, 23}));
    }
    put(slot);
    code_.insert(code_.end(), skipped.begin(), skipped.end());
  }

  void add_loop() {
    put(word_with(addiu, {21, 0, 1 + below(3)}));
    const size_t begin = code_.size();
    for (uint32_t i = 1 + below(4); i > 0; --i) add_simple();
    put(word_with(addiu, {21, 21, 0xFFFF}));
    put(word_with(bgtz, {21, static_cast<uint32_t>(begin - code_.size() - 1)}));
    add_simple();
  }

  void add_length() {
    const uint32_t groups = config_.p / 4;
    length_ = one_in(3)                  ? config_.p
              : one_in(2) && groups != 0 ? 4 * (1 + below(groups))
                                         : 1 + below(config_.p);
    put(word_with(addiu, {23, 0, length_}));
    if (one_in(3)) {
      put(word_with(vsmove, {0, 23, 1}));
      put(word_with(vextract, {23, 0, 1}));
    }
    put(word_with(ctc2_length, {23}));
  }

  // One that is no branch. It may be in a delay slot, so it stands alone.
  void add_simple() {
    switch (below(8)) {
      case 0:
        return add_scalar();
      case 1:
        return add_memory();
      case 2:
        return add_control();
      case 3:
        return put(one_in(2) ? Word{0} : word_with(vextract, {target(), vector(), index()}));
      default:
        return add_vector();
    }
  }

  void add_scalar() {
    static const Insn* const kThree[] = {&addu, &subu, &and_, &or_,  &xor_, &nor,
                                         &slt,  &sltu, &sllv, &srlv, &srav};
    static const Insn* const kImmediate[] = {&addiu, &slti, &sltiu, &andi, &ori, &xori};
    static const Insn* const kShift[] = {&sll, &srl, &sra};
    static const Insn* const kHiLo[] = {&mult, &multu, &div, &divu};
    switch (below(8)) {
      case 0:
        return put(word_with(*kShift[below(3)], {target(), source(), below(32)}));
      case 1:
        return put(word_with(*kHiLo[below(4)], {source(), source()}));
      case 2:
        return put(word_with(one_in(2) ? mfhi : mflo, {target()}));
      case 3:
        return put(one_in(4) ? word_with(one_in(2) ? mthi : mtlo, {source()})
                             : word_with(lui, {target(), below(0x10000)}));
      case 4:  // what cannot overflow
        return put(one_in(2) ? word_with(addi, {target(), 0, below(0x10000)})
                             : word_with(one_in(2) ? add : sub, {target(), 4, 0}));
      case 5:
        return put(word_with(*kImmediate[below(6)], {target(), source(), below(0x10000)}));
      default:
        return put(word_with(*kThree[below(11)], {target(), source(), source()}));
    }
  }

  void add_memory() {
    static const Insn* const kLoads[] = {&lw, &lw, &lh, &lhu, &lb, &lbu, &lwl, &lwr};
    static const Insn* const kStores[] = {&sw, &sw, &sh, &sb, &swl, &swr};
    const bool loads = !one_in(3);
    const Insn& insn = loads ? *kLoads[below(8)] : *kStores[below(6)];
    uint32_t offset = below(128);
    if (&insn == &lw || &insn == &sw) offset &= ~3u;
    if (&insn == &lh || &insn == &lhu || &insn == &sh) offset &= ~1u;
    if (loads && one_in(6)) return put(word_with(lw, {20, 0, 7}));
    put(word_with(insn, {loads ? target() : source(), offset, 4 + below(3)}));
  }

  void add_control() {
    static const Insn* const kReads[] = {&mfvcr,  &cfc2_car, &cfc2_length,
                                         &cfc2_p, &cfc2_q,   &cfc2_r};
    switch (below(4)) {
      case 0:
        return put(word_with(mtvcr, {source()}));
      case 1:
        return put(
            word_with(vextract, {20, config_.q - 1, 1 + below(std::min(config_.length(), 63u))}));
      case 2:
        return put(word_with(addu, {20, 4 + below(3), 0}));
      default:
        return put(word_with(*kReads[below(6)], {target()}));
    }
  }

  uint32_t index() { return below(std::min(config_.p, 63u) + 1); }

  void add_vector() {
    static const std::vector<const Insn*> kInsns = test::insns_with_function();
    const Insn& insn = *kInsns[below(static_cast<uint32_t>(kInsns.size()))];
    const bool memory = ((insn.reads | insn.writes) & kMemory) != 0;
    uint32_t bits = insn.word;
    for (const Operand& operand : operands_of(insn.operands)) {
      uint32_t value = 0;
      if (operand.kind == OperandKind::vector_register)
        value = vector();
      else if (operand.name != "n")
        value = memory ? 4 + below(3) : (insn.writes & kR) != 0 ? target() : source();
      else if (&insn == &vtransp)
        value = length_ % 4 == 0 ? 1u << below(4) & 7 : 0;
      else
        value = counts_words(insn) || !one_in(4) ? index() : below(64);
      // The memories of the lanes have room for four tables.
      const bool anywhere = &insn != &vbyteld || !config_.banked;
      if (memory && operand.name == "(r)" && anywhere && one_in(3)) value = 20;
      bits |= value << operand.low;
    }
    put({bits});
  }

  Config config_;
  std::mt19937_64 random_;
  uint32_t length_;
  std::vector<Word> code_;
};

// Random programs |first| to |first| + |num| - 1, of which every third has slow memory.
ProgramResult run_random(const Config& config, const ProgramBench& bench, uint64_t first,
                         uint64_t num) {
  ProgramRecords records;
  for (uint64_t seed = first; seed < first + num; ++seed)
    EXPECT_EQ(RandomCode(config, seed).record(seed % 3 == 0 ? seed % 5 : 0, &records), "")
        << "seed " << seed;
  return bench.run(records);
}

// INCORE_PROPERTY_COUNT: so many programs for each machine, INCORE_PROPERTY_SEED the first.
// clause: VM-NEXT-003
// clause: VM-ARCH-001
TEST(vemicry_rtl_program, random_programs_take_the_cycles_of_the_pipeline_model) {
  SKIP_WITHOUT_BENCH();
  const uint64_t first = incore::test::number_from_environment("INCORE_PROPERTY_SEED", 1),
                 num = incore::test::number_from_environment("INCORE_PROPERTY_COUNT", 25);
  std::vector<Config> machines = {machine_of(4, 4, 4), machine_of(3, 12, 5, 7), machine_of(2, 1, 1),
                                  machine_of(8, 8, 2)};
  if (use_verilator())
    machines.insert(machines.end(), {machine_of(8, 8, 8), machine_of(8, 8, 4), machine_of(8, 8, 1),
                                     machine_of(16, 6, 4)});
  for (const Config& config : machines) {
    SCOPED_TRACE(name_of(config));
    const ProgramBench bench(config);
    ASSERT_EQ(bench.mistake(), "");
    const ProgramResult result = run_random(config, bench, first, num);
    EXPECT_EQ(result.difference, "") << "the first program has seed " << first;
    EXPECT_GT(result.num_instructions, 30 * num);
  }
}

Config banked(Config config, uint32_t banks, uint32_t ports) {
  config.banked = true;
  config.banks = banks;
  config.ports = ports;
  return config;
}

// clause: VM-PIPE-039
// clause: VM-ARCH-012
TEST(vemicry_rtl_program, the_memories_of_the_lanes_take_the_turns_of_the_pipeline_model) {
  SKIP_WITHOUT_BENCH();
  const uint64_t first = incore::test::number_from_environment("INCORE_PROPERTY_SEED", 1),
                 num = incore::test::number_from_environment("INCORE_PROPERTY_COUNT", 6);
  std::vector<Config> machines = {banked(machine_of(4, 4, 4), 0, 1),
                                  banked(machine_of(3, 12, 5, 7), 2, 2),
                                  banked(machine_of(8, 8, 8), 4, 1)};
  if (use_verilator())
    machines.insert(machines.end(),
                    {banked(machine_of(8, 8, 8), 0, 2), banked(machine_of(2, 1, 1), 1, 1),
                     banked(machine_of(8, 8, 2), 1, 2), banked(machine_of(16, 6, 3), 4, 2)});
  for (const Config& config : machines) {
    SCOPED_TRACE(name_of(config) + " banks " + std::to_string(config.banks) + " ports " +
                 std::to_string(config.ports));
    const ProgramBench bench(config);
    ASSERT_EQ(bench.mistake(), "");
    const ProgramResult result = run_random(config, bench, first, num);
    EXPECT_EQ(result.difference, "") << "the first program has seed " << first;
    EXPECT_GT(result.num_instructions, 30 * num);
  }
}

TEST(vemicry_rtl_program, verilator_has_nothing_to_warn_of) {
  if (const std::string reason = no_simulator("verilator", "--version"); !reason.empty())
    GTEST_SKIP() << reason;
  const std::string folder = INCORE_SOURCE_DIR "/rtl/vemicry";
  for (const Config& config : {machine_of(8, 8, 8), machine_of(8, 8, 1), machine_of(16, 6, 4),
                               machine_of(3, 12, 5), machine_of(1, 1, 1)}) {
    SCOPED_TRACE(name_of(config));
    const incore::test::ProcessResult result = incore::test::run(
        {"verilator", "--lint-only", "-Wall", "-I" + folder, "--top-module", "vemicry_system",
         "-GQ=" + std::to_string(config.q), "-GP=" + std::to_string(config.p),
         "-GR=" + std::to_string(config.r), "-GBANKS=" + std::to_string(std::bit_ceil(config.r)),
         folder + "/vemicry_system.v"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }
}

const Mutation kMutations[] = {
    {"vemicry_control.v", "df_valid && pivi && df_first && needs_df",
     "df_valid && pivi && needs_df"},
    {"vemicry_decode.v", "op != `OP_VLOAD && n != 0", "n != 0"},
    {"vemicry_bypass.v", "df_has ? 2'd3", "df_has ? 2'd2"},
    {"vemicry_bypass.v", "assign loading = ex_has && ex_load;", "assign loading = 0;"},
    {"vemicry_core.v", "(load && holds_store)", "1'b0"},
    {"vemicry_core.v", "(store && (holds_load || holds_store))", "(store && holds_store)"},
    {"vemicry_core.v", "(load && holds_store)", "(load && (holds_load || holds_store))"},
    {"vemicry_hilo.v", "steps <= funct[1] ? 6'd32 : 6'd8", "steps <= funct[1] ? 6'd33 : 6'd8"},
    {"vemicry_lane.v", "exc_take_scalar ? wb_result : exc_take_b", "exc_take_b"},
};

const Mutation kMemoryMutations[] = {
    {"vemicry_memory.v", "BANKS - first % BANKS) % BANKS", "BANKS) % BANKS"},
    {"vemicry_memory.v", "{1'b0, asked} >> (base + BANKS)", "{1'b0, asked} >> BANKS"},
    {"vemicry_memory.v", "PORTS == 2 || served || !asks", "1'b1"},
    {"vemicry_memory.v", "kCopyTurns = 10'd512", "kCopyTurns = 10'd510"},
    {"vemicry_memory.v", "table_entry = WORDS + 256 * i", "table_entry = WORDS"},
    {"vemicry_memory.v", "base == kBase && !served ? read : kept", "read"},
};

// All of |mutations| of the model of a machine are found.
void expect_found(const Config& config, std::span<const Mutation> mutations) {
  for (const Mutation& mutation : mutations) {
    SCOPED_TRACE(std::string(mutation.file) + ": " + mutation.new_text);
    const incore::test::TemporaryDirectory folder;
    ASSERT_TRUE(copy_model(mutation, folder));
    const ProgramBench bench(config, folder.path());
    ASSERT_EQ(bench.mistake(), "");
    std::string difference;
    for (uint64_t first = 1; first < 100 && difference.empty(); first += 5)
      difference = run_random(config, bench, first, 5).difference;
    EXPECT_EQ(difference.rfind("MISMATCH ", 0), 0u) << difference;
  }
}

TEST(vemicry_rtl_program, mistakes_in_the_model_are_found) {
  SKIP_WITHOUT_BENCH();
  expect_found(machine_of(3, 4, 2), kMutations);
  expect_found(banked(machine_of(3, 8, 4), 2, 1), kMemoryMutations);
}

// The workloads that are no longer than |max_instructions| on a machine, if |p| is the first one
// that they run on.
void expect_agreement(const Config& config, bool smallest, uint64_t max_instructions,
                      size_t* inout_num) {
  SCOPED_TRACE(name_of(config) + (config.banked ? ", banked" : ""));
  const ProgramBench bench(config, "", 1 << 19);
  ASSERT_EQ(bench.mistake(), "");
  ProgramRecords records;
  std::string names;
  uint64_t instructions = 0, cycles = 0;
  for (const Workload* workload : workloads()) {
    SCOPED_TRACE(workload->name);
    if (!workload->refusal(config).empty()) continue;
    if (!smallest && workload->refusal(machine_of(8, 8, 8)).empty()) continue;
    Figures figures;
    ASSERT_EQ(measure(*workload, config, 1, &figures), "");
    if (figures.instructions > max_instructions) continue;
    ASSERT_EQ(run_workload(*workload, config, 1,
                           [&](vemicry::Run& run) { return records.add(run.machine); }),
              "");
    names += workload->name + std::string(" ");
    instructions += figures.instructions;
    cycles += figures.cycles;
  }
  const ProgramResult result = bench.run(records);
  EXPECT_EQ(result.difference, "") << "programs: " << names;
  EXPECT_EQ(result.num_instructions, instructions);
  EXPECT_EQ(result.num_cycles, cycles);
  *inout_num += records.size();
}

// clause: VM-NEXT-003
TEST(vemicry_rtl_program, workloads_take_the_cycles_of_the_pipeline_model) {
  SKIP_WITHOUT_BENCH();
  size_t num = 0;
  if (!use_verilator()) {
    expect_agreement(machine_of(8, 4, 4), true, 200, &num);
    expect_agreement(machine_of(8, 8, 8), true, 95, &num);
    EXPECT_GT(num, 25u);
    return;
  }
  for (const uint32_t p : {8u, 36u, 68u})
    for (const uint32_t r : {p, p / 2, p / 4, 1u})
      expect_agreement(machine_of(8, p, r), p == 8, 10'000'000, &num);
  expect_agreement(banked(machine_of(8, 8, 8), 0, 2), true, 10'000'000, &num);
  expect_agreement(banked(machine_of(8, 8, 4), 2, 1), true, 10'000'000, &num);
  EXPECT_GT(num, 200u);
}

}  // namespace
}  // namespace incore::vemicry
