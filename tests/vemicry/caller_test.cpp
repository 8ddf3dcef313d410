// Calls are executed: the caller that is counted passes the arguments, and the counts are what ran.
#include "vemicry/caller.h"

#include <gtest/gtest.h>

#include <numeric>

#include "vemicry/assemble.h"
#include "vemicry/workload.h"

namespace incore::vemicry {
namespace {

// Adds up $4 to $7 and eight words of the stack, and leaves the caller's registers as junk.
constexpr const char* kSum =
    "sum:    addu    $2, $4, $5\n"
    "        addu    $2, $2, $6\n"
    "        addu    $2, $2, $7\n"
    "        .set    OFFSET, 16\n"
    "        .rept   COUNT\n"
    "        lw      $3, OFFSET($29)\n"
    "        .set    OFFSET, OFFSET + 4\n"
    "        addu    $2, $2, $3\n"
    "        .endr\n"
    "        li      $8, 0\n"
    "        li      $27, 0\n"
    "        jr      $31\n"
    "        nop\n"
    "trap:   break\n"
    "forever: b      forever\n"
    "        nop\n";

struct Called {
  std::string wrong;
  Figures figures;
  uint32_t value;
};

Called call(const std::string& function, size_t num_arguments, bool little_endian = false,
            uint64_t limit = 1000) {
  AssembleOptions options;
  options.little_endian = little_endian;
  options.symbols = {{"COUNT", static_cast<uint32_t>(num_arguments > 4 ? num_arguments - 4 : 0)}};
  const Assembly assembly = assemble(kSum, options);
  EXPECT_TRUE(assembly.errors.empty());
  Config config;
  config.little_endian = little_endian;
  config.junk = true;
  Machine machine(config);
  EXPECT_TRUE(machine.load(assembly.image));
  std::vector<uint32_t> arguments(num_arguments);
  std::iota(arguments.begin(), arguments.end(), 1000);
  arguments.resize(std::max<size_t>(num_arguments, 4));
  Called called;
  called.wrong = measure_call(machine, assembly.image.find(function)->address, arguments, limit,
                              &called.figures);
  called.value = machine.state().gpr[2];
  return called;
}

TEST(vemicry_caller, stores_what_goes_on_the_stack_jumps_and_links) {
  for (const bool little_endian : {false, true})
    for (const uint32_t num : {0u, 1u, 4u, 5u, 6u, 7u, 12u, 22u}) {
      const Called called = call("sum", num, little_endian);
      EXPECT_EQ(called.wrong, "");
      EXPECT_EQ(called.value, num * 1000 + num * (num - (num != 0)) / 2) << num;
      const uint32_t stacked = num > 4 ? num - 4 : 0;
      EXPECT_EQ(called.figures.instructions, 3 + 2 * stacked + 4);
      // The delay slot has the last store, if there is any.
      EXPECT_EQ(called.figures.call_instructions, 1 + std::max(stacked, 1u)) << num;
    }
}

TEST(vemicry_caller, ends_that_are_none) {
  EXPECT_NE(call("sum", 23).wrong, "");
  const Called trapped = call("trap", 4);
  EXPECT_EQ(trapped.wrong, "breakpoint");
  EXPECT_EQ(trapped.figures.instructions, 0u);
  EXPECT_EQ(trapped.figures.call_instructions, 2u);
  const Called endless = call("forever", 4, false, 500);
  EXPECT_EQ(endless.wrong, "it is not at its end after 500 instructions");
  EXPECT_EQ(endless.figures.instructions + endless.figures.call_instructions, 500u);
}

// A jump reaches 256 MiB: the caller stands where the function does, and on no page of the program.
TEST(vemicry_caller, stands_beside_the_function_wherever_that_is) {
  for (const uint32_t address :
       {0x00001000u, 0x0FFFE000u, 0x10000000u, 0x80020000u, 0xEFFFE000u, 0xF0000000u}) {
    Image image;
    image.entry = address;
    // jr $31 and a nop, big-endian.
    image.segments.push_back({address, {3, 0xE0, 0, 8, 0, 0, 0, 0}, 8, true, false});
    Machine machine{Config{}};
    ASSERT_TRUE(machine.load(image)) << std::hex << address;
    Figures figures;
    EXPECT_EQ(measure_call(machine, address, {}, 100, &figures), "") << std::hex << address;
    EXPECT_EQ(figures.instructions, 2u);
    EXPECT_EQ(figures.call_instructions, 2u);
  }
}

TEST(vemicry_caller, round_keys_go_with_the_programs_that_take_their_form) {
  const auto pair = [](const char* keys, const char* block) {
    Figures of_keys, of_block;
    const std::string wrong =
        measure_with_keys(*find_workload(keys), *find_workload(block), {}, 5, &of_keys, &of_block);
    return std::pair(wrong.empty(), of_keys.instructions + of_block.instructions);
  };
  Figures alone;
  ASSERT_EQ(measure(*find_workload("aes128-keys-skewed"), {}, 5, &alone), "");
  const uint64_t keys = alone.instructions;
  alone = {};
  ASSERT_EQ(measure(*find_workload("aes128-encrypt-16"), {}, 5, &alone), "");
  EXPECT_EQ(pair("aes128-keys-skewed", "aes128-encrypt-16"),
            std::pair(true, keys + alone.instructions));
  EXPECT_TRUE(pair("aes128-keys", "aes128-encrypt-steps").first);
  EXPECT_TRUE(pair("aes128-keys-16-best", "aes128-encrypt-16-best").first);
  EXPECT_TRUE(pair("aes128-keys-skewed", "aes128-decrypt-16").first);
  EXPECT_FALSE(pair("aes128-keys", "aes128-encrypt-16").first);
  EXPECT_FALSE(pair("aes128-keys-skewed", "aes128-encrypt-16-best").first);
  EXPECT_FALSE(pair("aes128-keys-skewed", "aes128-encrypt-steps").first);
}

}  // namespace
}  // namespace incore::vemicry
