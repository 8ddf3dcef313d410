// The check of operands at address 0.
#include <gtest/gtest.h>

#include "padlock/checks/prepared.h"

namespace incore::padlock::test {
namespace {

// What is said of an XCRYPT in |mode| with |reg| 0.
Reports without(Mode mode, uint64_t State::*reg, uint64_t blocks = 4, bool page_zero = false) {
  Prepared p(job_of(mode));
  p.m.state().*reg = 0;
  p.m.state().rcx = blocks;
  if (page_zero) p.m.memory.map(0, 0x1000);
  Reports found = p.look();
  std::erase_if(found,
                [](const std::string& report) { return report.rfind("null-operand", 0) != 0; });
  return found;
}

TEST(padlock_checks_null_operand, each_register_of_xcrypt) {
  const auto finds = [](const char* clause) {
    return Reports({std::string("null-operand ") + clause});
  };
  for (const Mode mode : {Mode::ecb, Mode::cbc, Mode::ctr}) {
    // clause: PLK-ACE-006
    EXPECT_EQ(without(mode, &State::rsi), finds("PLK-ACE-006"));
    // clause: PLK-ACE-007
    EXPECT_EQ(without(mode, &State::rdi), finds("PLK-ACE-007"));
    // clause: PLK-ACE-008
    EXPECT_EQ(without(mode, &State::rbx), finds("PLK-ACE-008"));
    // clause: PLK-ACE-009
    EXPECT_EQ(without(mode, &State::rdx), finds("PLK-ACE-009"));
    // clause: PLK-ACE-012
    EXPECT_EQ(without(mode, &State::rax), mode == Mode::ecb ? Reports() : finds("PLK-ACE-012"));
  }
}

TEST(padlock_checks_null_operand, what_is_not_used_may_be_0) {
  for (uint64_t State::*reg : {&State::rdi, &State::rbx, &State::rdx, &State::rax})
    EXPECT_EQ(without(Mode::cbc, reg, 0), Reports());
  EXPECT_NE(without(Mode::cbc, &State::rsi, 0), Reports());        // is loaded all the same
  EXPECT_EQ(without(Mode::cbc, &State::rsi, 4, true), Reports());  // there is memory
}

TEST(padlock_checks_null_operand, hashes) {
  const Bytes kXsha1 = {0xf3, 0x0f, 0xa6, 0xc8};
  Machine m("nano");
  m.memory.map(0x50000, 0x1000);
  m.state().rdi = 0x50000;
  m.state().rcx = 3;
  // clause: PLK-PHE-005
  EXPECT_EQ(reports(m, kXsha1), Reports({"null-operand PLK-PHE-005"}));
  m.state().rcx = 0;  // an empty message has no address
  EXPECT_EQ(reports(m, kXsha1), Reports());
  m.state().rdi = 0;
  // clause: PLK-PHE-007
  EXPECT_EQ(reports(m, kXsha1).front(), "null-operand PLK-PHE-007");
}

}  // namespace
}  // namespace incore::padlock::test
