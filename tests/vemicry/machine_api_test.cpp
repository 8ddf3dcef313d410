// The machine as the C interface has it: what each function does, and what it refuses.
#include <gtest/gtest.h>
#include <signal.h>

#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "incore/vemicry.h"

namespace {

constexpr char kSource[] = R"(
        .data
        .global words
words:  .word   1, 2, 3, 4, 5, 6, 7, 8
        .text
        .global main
main:   li      $2, 4003
        li      $4, 0
        la      $5, words
        li      $6, 4
        syscall
        move    $6, $2
        li      $2, 4004
        li      $4, 1
        syscall
        li      $2, 4001
        li      $4, 3
        syscall
sum:    lw      $8, 16($29)
        addu    $2, $4, $8
        jr      $31
        vload   v3, ($5), 8
trap:   b       trap
        lw      $8, 1($0)
look:   vbyteld v0, ($4), 0
        jr      $31
        nop
)";

using Program = std::unique_ptr<incore_vemicry_program, decltype(&incore_vemicry_program_free)>;
using Machine = std::unique_ptr<incore_vemicry_machine, decltype(&incore_vemicry_machine_free)>;

Program assemble(const incore_vemicry_config* config = nullptr) {
  char reason[256] = "";
  incore_vemicry_program* program = nullptr;
  EXPECT_EQ(incore_vemicry_assemble("test.s", kSource, std::strlen(kSource), config, &program,
                                    reason, sizeof reason),
            INCORE_OK)
      << reason;
  return {program, incore_vemicry_program_free};
}

class vemicry_machine_api : public testing::Test {
 protected:
  Machine make(const incore_vemicry_config* config = nullptr) {
    program_ = assemble(config);
    incore_vemicry_machine* machine = nullptr;
    EXPECT_EQ(incore_vemicry_machine_new(config, program_.get(), &machine, nullptr, 0), INCORE_OK);
    return {machine, incore_vemicry_machine_free};
  }
  uint32_t address(const char* label) {
    uint32_t found = 0;
    EXPECT_EQ(incore_vemicry_program_symbol(program_.get(), label, &found), INCORE_OK) << label;
    return found;
  }
  incore_vemicry_outcome call(incore_vemicry_machine* machine, const char* label,
                              const std::vector<uint32_t>& arguments, uint64_t limit = 1000) {
    incore_vemicry_outcome outcome;
    EXPECT_EQ(incore_vemicry_machine_call(machine, address(label), arguments.data(),
                                          arguments.size(), limit, &outcome),
              INCORE_OK);
    return outcome;
  }
  Program program_{nullptr, incore_vemicry_program_free};
};

TEST_F(vemicry_machine_api, runs_a_program_with_input_and_output) {
  const Machine machine = make();
  std::string written;
  incore_vemicry_machine_on_io(
      machine.get(),
      [](void*, int fd, uint8_t* out_bytes, size_t len) -> int64_t {
        EXPECT_EQ(fd, 0);
        std::memcpy(out_bytes, "abcd", len);
        return static_cast<int64_t>(len);
      },
      [](void* context, int fd, const uint8_t* bytes, size_t len) -> int64_t {
        EXPECT_EQ(fd, 1);
        static_cast<std::string*>(context)->append(bytes, bytes + len);
        return static_cast<int64_t>(len);
      },
      &written);
  incore_vemicry_outcome outcome;
  ASSERT_EQ(incore_vemicry_machine_run(machine.get(), 0, &outcome), INCORE_OK);
  EXPECT_EQ(outcome.stop, INCORE_VEMICRY_EXITED);
  EXPECT_EQ(outcome.value, 3u);
  EXPECT_EQ(outcome.exception, nullptr);
  EXPECT_EQ(outcome.instructions, 13u);
  EXPECT_EQ(written, "abcd");
}

TEST_F(vemicry_machine_api, calls_a_function_and_shows_its_registers) {
  const Machine machine = make();
  EXPECT_EQ(call(machine.get(), "sum", {10, address("words"), 0, 0, 32}).value, 42u);
  std::vector<uint32_t> words(8), expected(8);
  std::iota(expected.begin(), expected.end(), 1);
  ASSERT_EQ(incore_vemicry_machine_get_vector(machine.get(), 3, words.data(), 8), INCORE_OK);
  EXPECT_EQ(words, expected);
  uint32_t value = 0;
  ASSERT_EQ(incore_vemicry_machine_get_register(machine.get(), 2, &value), INCORE_OK);
  EXPECT_EQ(value, 42u);
  ASSERT_EQ(incore_vemicry_machine_get_register(machine.get(), INCORE_VEMICRY_LENGTH, &value),
            INCORE_OK);
  EXPECT_EQ(value, 8u);
}

TEST_F(vemicry_machine_api, a_trap_has_address_signal_and_sentence) {
  const Machine machine = make();
  const incore_vemicry_outcome outcome = call(machine.get(), "trap", {});
  EXPECT_EQ(outcome.stop, INCORE_VEMICRY_TRAPPED);
  EXPECT_STREQ(outcome.exception, "address error on load or fetch");
  EXPECT_EQ(outcome.bad_address, 1u);
  EXPECT_EQ(outcome.address, address("trap") + 4);
  EXPECT_EQ(outcome.in_delay_slot, 1);
  EXPECT_EQ(outcome.signal, SIGBUS);
  EXPECT_EQ(outcome.instructions, 1u);
  char text[200];
  incore_vemicry_machine_explain(machine.get(), &outcome, text, sizeof text);
  EXPECT_NE(std::strstr(text, " (trap+0x4): lw $8, 1($0), in the delay slot of the branch at "),
            nullptr)
      << text;
  incore_vemicry_machine_explain(machine.get(), &outcome, text, 10);
  EXPECT_EQ(std::strlen(text), 9u);
}

TEST_F(vemicry_machine_api, memory_and_registers_can_be_written) {
  const Machine machine = make();
  const uint32_t words = address("words");
  const uint8_t bytes[] = {0, 0, 1, 0};
  ASSERT_EQ(incore_vemicry_machine_write(machine.get(), words, bytes, 4), INCORE_OK);
  uint8_t back[4];
  ASSERT_EQ(incore_vemicry_machine_read(machine.get(), words, back, 4), INCORE_OK);
  EXPECT_EQ(std::memcmp(bytes, back, 4), 0);
  const uint32_t vector[] = {7, 8};
  ASSERT_EQ(incore_vemicry_machine_set_vector(machine.get(), 7, vector, 2), INCORE_OK);
  uint32_t got[2];
  ASSERT_EQ(incore_vemicry_machine_get_vector(machine.get(), 7, got, 2), INCORE_OK);
  EXPECT_EQ(got[1], 8u);
  for (const uint32_t number : {5u, 31u, uint32_t{INCORE_VEMICRY_HI}, uint32_t{INCORE_VEMICRY_LO},
                                uint32_t{INCORE_VEMICRY_VCR}, uint32_t{INCORE_VEMICRY_CAR}}) {
    ASSERT_EQ(incore_vemicry_machine_set_register(machine.get(), number, number + 100), INCORE_OK);
    uint32_t value = 0;
    ASSERT_EQ(incore_vemicry_machine_get_register(machine.get(), number, &value), INCORE_OK);
    EXPECT_EQ(value, number + 100);
  }
  ASSERT_EQ(incore_vemicry_machine_set_register(machine.get(), 0, 9), INCORE_OK);
  uint32_t zero = 1;
  ASSERT_EQ(incore_vemicry_machine_get_register(machine.get(), 0, &zero), INCORE_OK);
  EXPECT_EQ(zero, 0u);
  ASSERT_EQ(incore_vemicry_machine_set_register(machine.get(), INCORE_VEMICRY_PC, address("trap")),
            INCORE_OK);
  incore_vemicry_outcome outcome;
  ASSERT_EQ(incore_vemicry_machine_run(machine.get(), 10, &outcome), INCORE_OK);
  EXPECT_EQ(outcome.address, address("trap") + 4);
}

TEST_F(vemicry_machine_api, out_of_range_is_refused) {
  const Machine machine = make();
  uint32_t words[9] = {};
  uint8_t byte = 0;
  EXPECT_EQ(incore_vemicry_machine_get_vector(machine.get(), 8, words, 1), INCORE_ERROR_RANGE);
  EXPECT_EQ(incore_vemicry_machine_get_vector(machine.get(), 0, words, 9), INCORE_ERROR_RANGE);
  EXPECT_EQ(incore_vemicry_machine_set_vector(machine.get(), 0, words, 9), INCORE_ERROR_RANGE);
  EXPECT_EQ(incore_vemicry_machine_get_register(machine.get(), 38, words), INCORE_ERROR_RANGE);
  for (const uint32_t length : {0u, 9u})
    EXPECT_EQ(incore_vemicry_machine_set_register(machine.get(), INCORE_VEMICRY_LENGTH, length),
              INCORE_ERROR_RANGE);
  EXPECT_EQ(incore_vemicry_machine_read(machine.get(), 0x20000000, &byte, 1), INCORE_ERROR_RANGE);
  EXPECT_EQ(incore_vemicry_machine_write(machine.get(), 0x20000000, &byte, 1), INCORE_ERROR_RANGE);
  EXPECT_EQ(incore_vemicry_machine_read(nullptr, 0, &byte, 1), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_vemicry_machine_run(machine.get(), 1, nullptr), INCORE_ERROR_NULL);
  const std::vector<uint32_t> many(65);
  incore_vemicry_outcome outcome;
  EXPECT_EQ(incore_vemicry_machine_call(machine.get(), 0, many.data(), many.size(), 1, &outcome),
            INCORE_ERROR_RANGE);
  incore_vemicry_config wrong = {};
  wrong.p = 300;
  char reason[100] = "";
  incore_vemicry_machine* none = nullptr;
  EXPECT_EQ(incore_vemicry_machine_new(&wrong, program_.get(), &none, reason, sizeof reason),
            INCORE_ERROR_RANGE);
  EXPECT_STREQ(reason, "p is 300; accepted: 1 to 256");
  EXPECT_EQ(none, nullptr);
  incore_vemicry_machine_free(nullptr);
}

TEST_F(vemicry_machine_api, tables_go_into_the_banks) {
  incore_vemicry_config config = {};
  config.r = 2;
  config.banked = 1;
  const Machine machine = make(&config);
  std::vector<uint8_t> table(256);
  for (size_t i = 0; i < 256; ++i) table[i] = static_cast<uint8_t>(255 - i);
  for (uint32_t i = 0; i < 4; ++i)
    EXPECT_EQ(incore_vemicry_machine_place_table(machine.get(), i, table.data()), INCORE_OK);
  // clause: VM-ARCH-014
  EXPECT_EQ(incore_vemicry_machine_place_table(machine.get(), 4, table.data()), INCORE_ERROR_RANGE);
  EXPECT_EQ(call(machine.get(), "look", {2}).stop, INCORE_VEMICRY_EXITED);
  uint32_t words[8];
  ASSERT_EQ(incore_vemicry_machine_get_vector(machine.get(), 0, words, 8), INCORE_OK);
  EXPECT_EQ(words[5], 0xFFFFFFFFu);
  const Machine flat = make();
  EXPECT_EQ(incore_vemicry_machine_place_table(flat.get(), 0, table.data()),
            INCORE_ERROR_UNSUPPORTED);
}

TEST_F(vemicry_machine_api, counts_mnemonics_and_cycles) {
  const Machine machine = make();
  incore_vemicry_machine_count_instructions(machine.get(), 1);
  (void)call(machine.get(), "sum", {1, address("words"), 0, 0, 2});
  std::string counts;
  incore_vemicry_machine_instruction_counts(
      machine.get(),
      [](void* context, const char* mnemonic, int is_vector, uint64_t count) {
        *static_cast<std::string*>(context) +=
            std::string(mnemonic) + (is_vector != 0 ? "* " : " ") + std::to_string(count) + " ";
      },
      &counts);
  EXPECT_EQ(counts, "vload* 1 addu 1 jr 1 lw 1 ");
  ASSERT_EQ(incore_vemicry_machine_set_register(machine.get(), INCORE_VEMICRY_PC, address("sum")),
            INCORE_OK);
  ASSERT_EQ(incore_vemicry_machine_set_register(machine.get(), 31, 0xFFFFFFF0), INCORE_OK);
  incore_vemicry_outcome outcome;
  uint64_t cycles = 0;
  ASSERT_EQ(incore_vemicry_machine_run_timed(machine.get(), 0, &outcome, &cycles), INCORE_OK);
  EXPECT_EQ(outcome.instructions, 4u);
  EXPECT_EQ(cycles, 5u);  // a load followed by its use costs one more
}

// Where a run ends, what was executed was counted, and nothing else.
TEST(vemicry_machine_counts, counts_add_up_to_the_instructions_executed) {
  struct End {
    const char* source;
    uint64_t limit;
    incore_vemicry_stop stop;
    uint64_t instructions;
  };
  constexpr uint64_t kNone = 1000;
  const End ends[] = {
      {"main: addu $8, $8, $8\n li $2, 4001\n syscall\n", kNone, INCORE_VEMICRY_EXITED, 3},
      {"main: addu $8, $8, $8\n jr $31\n nop\n", kNone, INCORE_VEMICRY_EXITED, 3},
      {"main: b main\n addu $8, $8, $8\n", 7, INCORE_VEMICRY_LIMIT, 7},
      {"main: vload v0, ($0), 0\n nop\n", kNone, INCORE_VEMICRY_TRAPPED, 0},
      {"main: addu $8, $8, $8\n lw $8, 1($0)\n", kNone, INCORE_VEMICRY_TRAPPED, 1},
      {"main: b main\n lw $8, 1($0)\n", kNone, INCORE_VEMICRY_TRAPPED, 1},
      {"main: nop\n .word 0x4a00003f\n", kNone, INCORE_VEMICRY_TRAPPED, 1},
      {"main: nop\n vxor v0, v0, v0\n break\n", kNone, INCORE_VEMICRY_TRAPPED, 2},
      {"main: jr $0\n nop\n", kNone, INCORE_VEMICRY_TRAPPED, 2},
      {"main: lui $8, 0x7fff\n nop\n add $8, $8, $8\n", kNone, INCORE_VEMICRY_TRAPPED, 2}};
  for (const End& end : ends) {
    incore_vemicry_program* raw = nullptr;
    ASSERT_EQ(incore_vemicry_assemble("end.s", end.source, std::strlen(end.source), nullptr, &raw,
                                      nullptr, 0),
              INCORE_OK);
    const Program program(raw, incore_vemicry_program_free);
    for (const bool timed : {false, true}) {
      incore_vemicry_machine* raw_machine = nullptr;
      ASSERT_EQ(incore_vemicry_machine_new(nullptr, program.get(), &raw_machine, nullptr, 0),
                INCORE_OK);
      const Machine machine(raw_machine, incore_vemicry_machine_free);
      incore_vemicry_outcome outcome;
      uint64_t sum = 0, cycles = 0;
      if (timed) {
        ASSERT_EQ(incore_vemicry_machine_run_timed(machine.get(), end.limit, &outcome, &cycles),
                  INCORE_OK);
        sum = end.instructions;
        // No instruction here waits for another one.
        EXPECT_EQ(cycles, end.instructions) << end.source;
      } else {
        incore_vemicry_machine_count_instructions(machine.get(), 1);
        ASSERT_EQ(incore_vemicry_machine_run(machine.get(), end.limit, &outcome), INCORE_OK);
        incore_vemicry_machine_instruction_counts(
            machine.get(),
            [](void* context, const char*, int, uint64_t count) {
              EXPECT_GT(count, 0u);
              *static_cast<uint64_t*>(context) += count;
            },
            &sum);
      }
      EXPECT_EQ(outcome.stop, end.stop) << end.source;
      EXPECT_EQ(outcome.instructions, end.instructions) << end.source;
      EXPECT_EQ(sum, end.instructions) << end.source;
    }
  }
}

}  // namespace
