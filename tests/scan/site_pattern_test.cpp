#include "scan/site_pattern.h"

#include <gtest/gtest.h>

#include <vector>

#include "padlock/insn.h"

namespace incore::scan {
namespace {

// `incore scan` knows instructions that are not emulated too, so its names are a list of their own.
TEST(scan_site_pattern, names_each_emulated_instruction_as_the_processor_does) {
  size_t num_insns;
  const padlock::Insn* const* all = padlock::insns(&num_insns);
  for (size_t i = 0; i < num_insns; ++i) {
    std::vector<uint8_t> code(all[i]->opcode, all[i]->opcode + 3);
    if (all[i]->rep) code.insert(code.begin(), 0xF3);
    EXPECT_STREQ(padlock_mnemonic(code), all[i]->mnemonic);
    EXPECT_EQ(padlock_length(code, true), code.size()) << all[i]->mnemonic;
  }
}

}  // namespace
}  // namespace incore::scan
