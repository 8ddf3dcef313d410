// The checks of what is younger than the guide: XSHA384, XSHA512, CCS_HASH and CCS_ENCRYPT.
#include <gtest/gtest.h>

#include "padlock/checks/checked.h"
#include "padlock/machine_xsha.h"

namespace incore::padlock::test {
namespace {

const Bytes kXsha384 = {0xF3, 0x0F, 0xA6, 0xD8}, kXsha512 = {0xF3, 0x0F, 0xA6, 0xE0};
const Bytes kCcsHash = {0xF3, 0x0F, 0xA6, 0xE8}, kCcsEncrypt = {0xF3, 0x0F, 0xA7, 0xF0};
const std::vector<Bytes> kPhe2 = {kXsha384, kXsha512}, kCcs = {kCcsHash, kCcsEncrypt};
constexpr uint64_t kPageEnd = 0x28000;
constexpr uint64_t kSm3 = 0x20, kSm4Ecb = 0x60;  // in EBX, in EAX

// Operands with which each of the instructions is used rightly: two blocks, or bytes.
void set_up(Machine& m, const Bytes& code) {
  m.memory.map(kHashAt, 64);
  m.put(kMessageAt, pattern(256));
  m.state().rsi = kMessageAt;
  m.state().rdi = kHashAt;
  m.state().rcx = 2;
  m.state().rax = code == kCcsEncrypt ? kSm4Ecb : 0;
  m.state().rbx = code == kCcsHash ? kSm3 : kMessageAt;
}

Reports look(const Bytes& set_up_for, const Bytes& code) {
  Machine m("zhaoxin");
  set_up(m, set_up_for);
  return reports(m, code);
}

TEST(padlock_checks_younger_units, say_nothing_of_valid_use) {
  for (const auto& unit : {kPhe2, kCcs})
    for (const Bytes& code : unit) {
      Machine m("zhaoxin");
      set_up(m, code);
      EXPECT_EQ(reports(m, code), Reports()) << to_hex(code);
      EXPECT_EQ(m.issue(code).outcome, Outcome::done) << to_hex(code);
    }
}

TEST(padlock_checks_younger_units, prefixes) {
  for (const Bytes& code : kPhe2) {
    // clause: PLK-PHE-047
    EXPECT_EQ(look(code, with_prefix(0xF2, code)), Reports({"repne-prefix PLK-PHE-047"}));
    // clause: PLK-PHE-046
    EXPECT_EQ(look(code, with_prefix(0x66, code)), Reports({"operand-size-prefix PLK-PHE-046"}));
    EXPECT_EQ(look(code, Bytes(code.begin() + 1, code.end())),
              Reports({"missing-rep PLK-PHE-046"}));
  }
  for (const Bytes& code : kCcs) {
    // clause: PLK-ZX-056
    EXPECT_EQ(look(code, with_prefix(0xF2, code)), Reports({"repne-prefix PLK-ZX-056"}));
    // clause: PLK-ZX-055
    EXPECT_EQ(look(code, with_prefix(0x66, code)), Reports({"operand-size-prefix PLK-ZX-055"}));
    EXPECT_EQ(look(code, Bytes(code.begin() + 1, code.end())), Reports({"missing-rep PLK-ZX-055"}));
  }
}

TEST(padlock_checks_younger_units, need_a_model_that_has_them) {
  for (const auto& unit : {kPhe2, kCcs})
    for (const Bytes& code : unit) {
      Machine m("esther9");
      EXPECT_EQ(reports(m, code), Reports({"unusable-unit PLK-START-001"})) << to_hex(code);
    }
}

TEST(padlock_checks_younger_units, start) {
  for (const uint64_t eax : {0u, 1u, 64u, 0xFFFFFFFFu}) {
    Machine m("zhaoxin");
    for (const Bytes& code : kPhe2) {
      set_up(m, code);
      m.state().rax = eax;
      // clause: PLK-PHE-043
      EXPECT_EQ(reports(m, code), Reports()) << eax;
    }
    set_up(m, kCcsHash);
    m.state().rax = eax;
    // clause: PLK-ZX-024
    const bool wrong = eax == 1 || eax == 64;  // of two bytes
    EXPECT_EQ(reports(m, kCcsHash), wrong ? Reports({"xsha-start PLK-ZX-024"}) : Reports()) << eax;
    m.state().rcx = 100;
    EXPECT_EQ(reports(m, kCcsHash), eax == 1 ? Reports({"xsha-start PLK-ZX-024"}) : Reports())
        << eax;
  }
}

// Neither reserves 128 bytes as XSHA1 and XSHA256 do.
TEST(padlock_checks_younger_units, buffer) {
  const struct {
    Bytes code;
    uint64_t len;
    uint64_t message_len;  // of ECX = 2
    Reports report;
  } cases[] = {
      // clause: PLK-PHE-041
      {kXsha384, 64, 256, {"xsha-buffer PLK-PHE-041"}},
      {kXsha512, 64, 256, {"xsha-buffer PLK-PHE-041"}},
      // clause: PLK-ZX-027
      {kCcsHash, 32, 2, {"xsha-buffer PLK-ZX-027"}},
  };
  for (const auto& c : cases) {
    Machine m("zhaoxin");
    set_up(m, c.code);
    m.memory.map(kPageEnd - 4096, 4096);
    const auto with_state_at = [&](uint64_t at) {
      m.state().rdi = at;
      return reports(m, c.code);
    };
    EXPECT_EQ(with_state_at(kPageEnd - c.len), Reports()) << to_hex(c.code);
    EXPECT_EQ(with_state_at(kPageEnd - c.len + 16), c.report) << to_hex(c.code);
    EXPECT_EQ(with_state_at(kMessageAt), c.report) << to_hex(c.code);

    m.state().rdi = kHashAt;
    m.memory.map(kHashAt - 4096, 4096);
    m.state().rsi = kHashAt - c.message_len;
    EXPECT_EQ(reports(m, c.code), Reports()) << to_hex(c.code);
    ++m.state().rsi;
    EXPECT_EQ(reports(m, c.code), c.report) << to_hex(c.code);
    m.state().rcx = 0;
    EXPECT_EQ(with_state_at(0x7000000), Reports()) << to_hex(c.code);
  }
}

TEST(padlock_checks_younger_units, alignment) {
  Machine m("zhaoxin");
  m.memory.map(kHashAt, 256);
  for (const Bytes& code : kPhe2) {
    set_up(m, code);
    m.state().rdi = kHashAt + 8;
    // clause: PLK-PHE-045
    EXPECT_EQ(reports(m, code), Reports({"misaligned-operand PLK-PHE-045"}));
  }
  set_up(m, kCcsHash);
  m.state().rdi = kHashAt + 8;
  // clause: PLK-ZX-027
  EXPECT_EQ(reports(m, kCcsHash), Reports({"misaligned-operand PLK-ZX-027"}));
}

// What a front-end takes to clear EFLAGS bit 30 does so on the processor.
TEST(padlock_checks_younger_units, clear_the_key) {
  for (const auto& unit : {kPhe2, kCcs})
    for (const Bytes& code : unit) {
      Machine m("zhaoxin");
      set_up(m, code);
      m.state().rflags |= kEflagsKeyLoaded;
      ASSERT_EQ(m.issue(code).outcome, Outcome::done);
      // clause: PLK-PHE-048
      // clause: PLK-ZX-057
      EXPECT_EQ(m.state().rflags & kEflagsKeyLoaded, 0u) << to_hex(code);
      EXPECT_TRUE(clears_key_loaded(code.data(), code.size(), CodeSize::bits64)) << to_hex(code);

      set_up(m, code);
      m.state().rcx = 0;
      m.state().rflags |= kEflagsKeyLoaded;
      ASSERT_EQ(m.issue(code).outcome, Outcome::done);
      EXPECT_NE(m.state().rflags & kEflagsKeyLoaded, 0u) << to_hex(code);
    }
}

}  // namespace
}  // namespace incore::padlock::test
